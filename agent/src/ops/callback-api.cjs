'use strict';
// Patches functions whose last argument is a callback, or that return a
// promise, as operations. The file system, dns, zlib and crypto use it.

const { apply } = require('../originals.cjs');
const { patch } = require('../patch.cjs');

/** @typedef {import('./ops.cjs').Ops} Ops @typedef {import('./ops.cjs').Op} Op */

/**
 * @typedef {{
 *   api: string, flags: number,
 *   path?: (self: any, args: any[]) => string,
 *   prepare?: (op: Op, self: any, args: any[]) => void,
 *   result?: (self: any, args: any[], value: any) => void,
 * }} Spec
 *   path: absolute path of the call, for its name; prepare: before the call, e.g. notes file accesses;
 *   result: sees the value of a success
 */

/** @param {Ops} ops @param {any} target @param {string} key @param {Spec} spec */
function patchCallback(ops, target, key, spec) {
  patch(target, key, (original) => function (/** @type {any[]} */ ...args) {
    const last = args.length - 1;
    const callback = args[last];
    const op = typeof callback === 'function' ? begin(ops, spec, this, args, false) : null;
    if (!op) return apply(original, this, args);
    args[last] = ops.mode.callback(op, withResult(ops, spec, this, args, callback));
    return ops.mode.call(op, original, this, args);
  });
}

/** @param {Ops} ops @param {any} target @param {string} key @param {Spec} spec */
function patchPromise(ops, target, key, spec) {
  patch(target, key, (original) => function (/** @type {any[]} */ ...args) {
    const op = begin(ops, spec, this, args, true); // Node's own promise calls are not the program's
    return op ? ops.mode.promised(op, original, this, args) : apply(original, this, args);
  });
}

/** @param {Ops} ops @param {Spec} spec @param {any} self @param {any[]} args @param {boolean} direct @returns {Op | null} */
function begin(ops, spec, self, args, direct) {
  return ops.safely(spec.api, () => {
    const op = ops.begin(spec.api, spec.flags, spec.path ? spec.path(self, args) : '', direct);
    if (op) spec.prepare?.(op, self, args);
    return op;
  });
}

/** @param {Ops} ops @param {Spec} spec @param {any} self @param {any[]} args @param {Function} callback */
function withResult(ops, spec, self, args, callback) {
  const { result } = spec;
  if (!result) return callback;
  return function (/** @type {any} */ error, /** @type {any[]} */ ...values) {
    if (!error) ops.safely(spec.api, () => result(self, args, values[0]));
    return apply(callback, this, [error, ...values]);
  };
}

module.exports = { patchCallback, patchPromise };
