'use strict';
// Timers as operations. Timers that Node or a test runner arms for itself are
// left alone, except that a runner's time limit does not count the time of holds.

const timers = require('node:timers');
const timersPromises = require('node:timers/promises');
const { apply, clearTimeout, setTimeout } = require('../originals.cjs');
const { patch, observe } = require('../patch.cjs');
const { COMPLETION, RECURRING, TIMER } = require('./ops.cjs');
const { patchPromise } = require('./callback-api.cjs');

const LONGEST_DELAY = 2 ** 31 - 1;
const { refresh } = Object.getPrototypeOf(clearedTimer());

// A Timeout that never fires: only its class is wanted.
function clearedTimer() {
  const timer = setTimeout(() => {}, LONGEST_DELAY);
  clearTimeout(timer);
  return timer;
}

/** Delay that Node really uses. @param {any} delay @returns {number} ms */
function effectiveDelay(delay) {
  const ms = Number(delay);
  return ms >= 1 && ms <= LONGEST_DELAY ? Math.trunc(ms) : 1;
}

/** @param {import('./ops.cjs').Ops} ops */
function patchTimers(ops) {
  const arm = (/** @type {string} */ api, /** @type {number} */ flags) => (/** @type {Function} */ original) =>
    function (/** @type {any[]} */ ...args) {
      const callback = args[0];
      ops.mode.arming?.(effectiveDelay(args[1]));
      const op = typeof callback === 'function' ? ops.safely(api, () => ops.begin(api, flags, '', true)) : null;
      if (!op) {
        if (typeof callback === 'function' && ops.frames.byRunner && ops.mode.heldMs) args[0] = extended(ops.mode, callback);
        return apply(original, this, args);
      }
      const named = op;
      args[0] = function (/** @type {any[]} */ ...values) {
        ops.mode.fired(named, this, () => { apply(callback, this, values); });
      };
      const timer = apply(original, this, args);
      ops.mode.armed(named, timer, effectiveDelay(args[1]));
      return timer;
    };
  for (const [key, flags] of /** @type {[string, number][]} */ ([['setTimeout', COMPLETION | TIMER], ['setInterval', COMPLETION | TIMER | RECURRING]])) {
    patch(timers, key, arm(key, flags));
    /** @type {any} */ (globalThis)[key] = /** @type {any} */ (timers)[key];
  }
  for (const key of ['clearTimeout', 'clearInterval']) {
    observe(timers, key, (_self, [timer]) => { if (timer) ops.mode.cleared(timer); });
    /** @type {any} */ (globalThis)[key] = /** @type {any} */ (timers)[key];
  }
  const prototype = Object.getPrototypeOf(clearedTimer());
  observe(prototype, 'close', (self) => ops.mode.cleared(self));
  observe(prototype, 'refresh', (self) => ops.mode.refreshed(self));
  patchPromise(ops, timersPromises, 'setTimeout', { api: 'timers.promises.setTimeout', flags: COMPLETION | TIMER });
}

/**
 * A runner's time limit must not count the time of holds: the callback waits on
 * for as long as something was held since it was armed.
 * @param {import('./ops.cjs').Mode} mode @param {Function} callback
 */
function extended(mode, callback) {
  const held = () => mode.heldMs?.() ?? 0;
  let before = held();
  return function due(/** @type {any} */ ...values) {
    const extra = held() - before;
    before += extra;
    // The same Timeout is armed again, so that clearing it still works.
    const timer = /** @type {any} */ (this);
    if (extra >= 1 && timer._repeat === null && !timer._destroyed) {
      const limit = timer._idleTimeout;
      timer._idleTimeout = extra;
      apply(refresh, timer, []);
      timer._idleTimeout = limit;
      return;
    }
    apply(callback, this, values);
  };
}

module.exports = { patchTimers, effectiveDelay };
