'use strict';
// The agent's own timers. Node keeps one list per delay, and a list that is not
// empty lets a later timer of the same delay run too early (happens-before T2).
// So the agent's delay is always one that no timer of the program has.

const { clearTimeout, setTimeout } = require('../originals.cjs');

const SHORTEST_MS = 2;

class PrivateTimers {
  /** @param {() => Iterable<number>} delaysInUse of the program's armed timers, ms */
  constructor(delaysInUse) {
    this.delaysInUse = delaysInUse;
    this.delay = SHORTEST_MS;
    /** Armed ones, in order. @type {Map<() => void, any>} */
    this.armed = new Map();
  }

  /** Runs work in a timers phase soon. @param {() => void} work each call a function of its own */
  soon(work) {
    if (this.armed.size === 0) this.choose();
    this.arm(work);
  }

  /** @param {() => void} work */
  arm(work) {
    this.armed.set(work, setTimeout(() => {
      this.armed.delete(work);
      work();
    }, this.delay));
  }

  choose() {
    const used = new Set(this.delaysInUse());
    this.delay = SHORTEST_MS;
    while (used.has(this.delay)) this.delay++;
  }

  /** The program is about to arm a timer: give way. @param {number} delay ms */
  giveWay(delay) {
    if (delay !== this.delay || this.armed.size === 0) return;
    const works = [...this.armed.keys()];
    for (const timer of this.armed.values()) clearTimeout(timer);
    this.armed.clear();
    this.delay = delay + 1;
    const used = new Set(this.delaysInUse());
    while (used.has(this.delay)) this.delay++;
    for (const work of works) this.arm(work);
  }
}

module.exports = { PrivateTimers };
