'use strict';
// The frozen clock: while a timer is held, every timer that becomes due queues
// behind it; afterwards all of them run in one timers phase, each with its own
// drain, as after a long pause. A timer held alone would overtake others, which
// plain Node never does.

const { AsyncResource, now, setTimeout } = require('../originals.cjs');
const { RECURRING } = require('../ops/ops.cjs');
const { PrivateTimers } = require('./private-timers.cjs');

/**
 * @typedef {import('../ops/ops.cjs').Op} Op
 * @typedef {{ op: Op, timer: any, due: number, delay: number, ticks: number, late: boolean, waits: boolean }} Pending
 *   late: the process stood still since it was armed; waits: it is due in Node, but not yet after the pause
 * @typedef {{ op: Op, timer: any, run: () => void }} Due
 */

class Clock {
  /** @param {(op: Op) => void} onFired tells that a user timer has fired, or would have */
  constructor(onFired) {
    this.onFired = onFired;
    /** @type {Map<any, Pending>} user timers that are armed */
    this.pending = new Map();
    /** @type {Due[]} due while frozen, the held one first */
    this.queue = [];
    this.frozen = false;
    this.thawing = false; // the held timer is free, its queue is being run
    this.own = new PrivateTimers(() => [...this.pending.values()].map(({ delay }) => delay));
  }

  /** @param {Op} op @param {any} timer @param {number} delay ms */
  armed(op, timer, delay) {
    this.pending.set(timer, { op, timer, delay, due: now() + delay, ticks: 0, late: false, waits: false });
  }

  /**
   * A user timer fires.
   * @param {Op} op @param {any} timer
   * @param {() => void} run @param {() => import('../session.cjs').Horizon | null} decide @param {import('./holds.cjs').Holds} holds
   */
  fire(op, timer, run, decide, holds) {
    const entry = this.pending.get(timer);
    if (entry?.waits) return; // a tick that Node would not have made
    if (entry?.late) {
      entry.late = false;
      entry.waits = true;
      setTimeout(() => {
        entry.waits = false;
        if (this.pending.get(timer) === entry) this.fire(op, timer, run, decide, holds);
      }, Math.max(1, entry.due - now()));
      return;
    }
    if (entry && op.flags & RECURRING) {
      entry.ticks++;
      entry.due = now() + entry.delay;
    } else {
      this.pending.delete(timer);
    }
    if (this.frozen) {
      if (this.queue.some((due) => due.timer === timer)) return; // a tick that Node would not have made
      this.enqueue(op, timer, run);
      this.onFired(op);
      if (this.thawing) this.runNextLater();
      return;
    }
    const horizon = decide();
    if (!horizon) {
      this.onFired(op);
      run();
      return;
    }
    this.frozen = true;
    this.thawing = false;
    this.enqueue(op, timer, run);
    holds.begin(op, 1, horizon, () => this.thaw());
  }

  /** The process stood still, and its timers with it: all that are armed fire so much later. @param {number} ms */
  stoodStill(ms) {
    for (const entry of this.pending.values()) {
      entry.late = true;
      entry.due += ms;
    }
  }

  /** @param {Op} op @param {any} timer @param {() => void} run */
  enqueue(op, timer, run) {
    const context = new AsyncResource('raceseed');
    this.queue.push({ op, timer, run: () => context.runInAsyncScope(run) });
  }

  /** All that is due runs, in order, in one timers phase. */
  thaw() {
    this.thawing = true;
    if (this.queue.length === 0) this.frozen = false;
    for (let i = this.queue.length; i > 0; i--) this.runNextLater();
  }

  runNextLater() {
    this.own.soon(() => {
      const due = this.queue.shift();
      if (this.queue.length === 0) this.frozen = false;
      due?.run();
    });
  }

  /** @param {any} timer */
  cleared(timer) {
    this.pending.delete(timer);
    if (this.queue.length > 0) this.queue = this.queue.filter((due) => due.timer !== timer);
  }

  /** @param {any} timer */
  refreshed(timer) {
    const entry = this.pending.get(timer);
    const queued = this.queue.find((due) => due.timer === timer);
    if (queued) this.cleared(timer);
    if (entry) entry.due = now() + entry.delay;
    else if (queued) this.armed(queued.op, timer, timer._idleTimeout);
  }

  /** Whether a user timer that keeps the process alive is due before then. @param {number} time ms @param {boolean} finite leave out intervals that ticked twice */
  dueBefore(time, finite) {
    for (const { timer, due, ticks } of this.pending.values()) {
      if (due < time && !(finite && ticks >= 2) && timer.hasRef?.() !== false) return true;
    }
    return false;
  }

  /** When the timer of a point is due. @param {number} point @returns {number} ms, Infinity if it is not armed */
  dueOf(point) {
    for (const { op, due } of this.pending.values()) if (op.hash === point) return due;
    return Infinity;
  }

  forgetTicks() {
    for (const entry of this.pending.values()) entry.ticks = 0;
  }
}

module.exports = { Clock };
