'use strict';
// Mode "steer": holds operations as the schedule, or a draw, says. Everything it
// does is something that a slower disk, a longer queue or a collection pause
// could have done: return values exist at once, lanes stay in order, a held
// timer freezes the clock, and the rest is released from the poll phase.

const { AsyncResource, Promise, then } = require('../originals.cjs');
const { mix } = require('../points.cjs');
const { holdKey, parseHorizon } = require('../session.cjs');
const { START, COMPLETION, TIMER } = require('../ops/ops.cjs');
const { effectiveDelay } = require('../ops/timers.cjs');
const { Clock } = require('./clock.cjs');
const { Holds } = require('./holds.cjs');

/** @typedef {import('../ops/ops.cjs').Op} Op @typedef {import('../session.cjs').Horizon} Horizon */

const T1 = parseHorizon('t1');
const DRAINED = parseHorizon('d');
const QUIET = parseHorizon('q');
const JOB = /^(zlib|crypto)\./; // at work in the thread pool, but in none of Node's lists

class Steerer {
  /** @param {import('../session.cjs').Session} session @param {import('../writer.cjs').TraceWriter} writer @param {import('../ops/ops.cjs').Ops} ops */
  constructor(session, writer, ops) {
    this.recording = false;
    this.session = session;
    this.ops = ops;
    this.clock = new Clock((op) => this.timerFired(op));
    this.holds = new Holds(session, writer, this.clock);
    /** Sides that were held already: an interval is held once. @type {Set<string>} */
    this.used = new Set();
  }

  /** What to do with one side of an operation. @param {Op} op @param {'s'|'c'} side @returns {Horizon | null} */
  decide(op, side) {
    if (!(op.flags & (side === 's' ? START : COMPLETION))) return null;
    const key = holdKey(op.hash, side);
    const horizon = this.session.holds.get(key) ?? this.draw(op, side);
    if (!horizon || this.used.has(key)) return null;
    this.used.add(key);
    return horizon;
  }

  // A draw depends on the seed and the point only, so another interleaving
  // does not shift later decisions.
  /** @param {Op} op @param {string} side @returns {Horizon | null} */
  draw(op, side) {
    const { draw } = this.session;
    if (!draw) return null;
    const h = mix(op.hash ^ mix(draw.seed ^ (side === 's' ? 0x9e3779b9 : 0x7f4a7c15)));
    if (h / 2 ** 32 >= draw.probability) return null;
    const kind = mix(h) % 10;
    return kind < 6 ? T1 : kind < 8 ? DRAINED : QUIET;
  }

  /** @param {Op} op @param {Function} original @param {any} self @param {any[]} args */
  call(op, original, self, args) {
    const go = () => {
      if (JOB.test(op.api)) this.holds.jobs++;
      return this.ops.within(op, original, self, args);
    };
    const horizon = this.decide(op, 's');
    if (!horizon) return go();
    const context = new AsyncResource('raceseed');
    this.holds.begin(op, 0, horizon, () => {
      try {
        context.runInAsyncScope(go);
      } catch (error) {
        this.holds.infeasible(op, 'the held call threw at once');
        throw error;
      }
    });
    return undefined;
  }

  /** @param {Op} op @param {Function} callback */
  callback(op, callback) {
    const steerer = this;
    return function (/** @type {any[]} */ ...args) {
      if (JOB.test(op.api)) steerer.holds.jobs--;
      steerer.complete(op, () => steerer.ops.within(op.parent, callback, this, args));
    };
  }

  /** Delivers a completion, now or later. @param {Op} op @param {() => any} run */
  complete(op, run) {
    const horizon = this.decide(op, 'c');
    if (!horizon && !this.holds.barrier()) return this.deliver(op, run);
    const context = new AsyncResource('raceseed');
    const later = () => context.runInAsyncScope(() => this.deliver(op, run));
    if (horizon) this.holds.begin(op, 1, horizon, later);
    else this.holds.pollTurn(later);
  }

  /** @param {Op | null} op @param {() => any} run */
  deliver(op, run) {
    try {
      run();
    } finally {
      if (op) this.holds.completed(op);
    }
  }

  /** @param {Op} op @param {Function} original @param {any} self @param {any[]} args */
  promised(op, original, self, args) {
    const start = this.decide(op, 's');
    const make = () => this.ops.within(op, original, self, args);
    const made = start ? this.heldStart(op, start, make) : make();
    if (op.flags & TIMER) return this.promisedTimer(op, made, args);
    const end = this.session.holds.get(holdKey(op.hash, 'c')) ?? this.draw(op, 'c');
    if (end && op.flags & COMPLETION) {
      return new Promise((resolve, reject) => {
        then(made, (value) => this.complete(op, () => resolve(value)), (error) => this.complete(op, () => reject(error)));
      });
    }
    if (!this.session.targets.has(op.hash)) return made;
    return then(made, (value) => { this.holds.completed(op); return value; }, (error) => { this.holds.completed(op); throw error; });
  }

  /** timers/promises. @param {Op} op @param {any} made @param {any[]} args delay, value, options */
  promisedTimer(op, made, args) {
    const timer = { hasRef: () => args[2]?.ref !== false };
    this.clock.armed(op, timer, effectiveDelay(args[0]));
    return new Promise((resolve, reject) => {
      then(made, (value) => this.fired(op, timer, () => resolve(value)), (error) => {
        this.clock.cleared(timer);
        reject(error);
      });
    });
  }

  /** @param {Op} op @param {Horizon} horizon @param {() => any} make */
  heldStart(op, horizon, make) {
    const context = new AsyncResource('raceseed');
    return new Promise((resolve, reject) => {
      this.holds.begin(op, 0, horizon, () => then(context.runInAsyncScope(make), resolve, reject));
    });
  }

  /** @param {Op | null} op @param {import('../ops/ops.cjs').Lane} lane @param {() => void} deliver */
  arrive(op, lane, deliver) {
    if (lane.busy || this.holds.barrier()) {
      const context = new AsyncResource('raceseed');
      lane.waiting.push({ op, deliver: () => context.runInAsyncScope(deliver) });
      this.serve(lane);
      return;
    }
    const horizon = op && this.decide(op, 'c');
    if (!op || !horizon) return this.deliver(op, deliver);
    const context = new AsyncResource('raceseed');
    this.holdArrival(op, horizon, lane, () => context.runInAsyncScope(deliver));
  }

  /** @param {Op} op @param {Horizon} horizon @param {import('../ops/ops.cjs').Lane} lane @param {() => void} deliver */
  holdArrival(op, horizon, lane, deliver) {
    lane.busy = true;
    this.holds.begin(op, 1, horizon, () => {
      lane.busy = false;
      try {
        this.deliver(op, deliver);
      } finally {
        this.serve(lane);
      }
    });
  }

  // Lets the next waiting arrival of a lane through, in a turn of its own.
  /** @param {import('../ops/ops.cjs').Lane} lane */
  serve(lane) {
    if (lane.busy || lane.waiting.length === 0) return;
    lane.busy = true;
    this.holds.pollTurn(() => {
      lane.busy = false;
      const next = lane.waiting.shift();
      if (!next) return;
      const horizon = next.op && this.decide(next.op, 'c');
      if (next.op && horizon) return this.holdArrival(next.op, horizon, lane, next.deliver);
      try {
        this.deliver(next.op, next.deliver);
      } finally {
        this.serve(lane);
      }
    });
  }

  // ---- timers ----

  /** The program is about to arm a timer. @param {number} delay ms */
  arming(delay) {
    this.clock.own.giveWay(delay);
  }

  /** @param {Op} op @param {any} timer @param {number} delay */
  armed(op, timer, delay) {
    this.clock.armed(op, timer, delay);
  }

  /** @param {Op} op @param {any} timer @param {() => void} run */
  fired(op, timer, run) {
    this.clock.fire(op, timer, run, () => this.decide(op, 'c'), this.holds);
  }

  /** @param {any} timer */
  cleared(timer) {
    this.clock.cleared(timer);
  }

  /** @param {any} timer */
  refreshed(timer) {
    this.clock.refreshed(timer);
  }

  /** How long anything has been held so far: a test runner's time limit does not count it. @returns {number} ms */
  heldMs() {
    return this.holds.heldMs();
  }

  /** @param {Op} op */
  timerFired(op) {
    this.holds.timerFired(op);
  }
}

module.exports = { Steerer };
