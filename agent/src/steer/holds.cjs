'use strict';
// Holds and their horizons: when does a hold end? docs/schedules.md tells it for
// people. Polls only while something is held.

const { activeResources, loopEvents, now, stat, wait } = require('../originals.cjs');
const { TIMER } = require('../ops/ops.cjs');

const QUIET_POLLS = 3; // drained: so many polls in a row saw nothing happen
// Timers that are due later are guards (limits, watchdogs), not steps of the program:
// a hold until one of those fires would only say that the program has a limit.
const QUIET_TIMER_MS = 1000;
const CHILD_BUSY_MS = 200; // a child may wait for the very input that is held
const REQUEST = /^FSReq|(ConnectWrap|WriteWrap|ShutdownWrap|InfoReqWrap|QueryReqWrap)$|^Immediate$/;

/**
 * @typedef {import('../ops/ops.cjs').Op} Op
 * @typedef {{ op: Op, side: 0|1, horizon: import('../session.cjs').Horizon, release: () => void, began: number, met: boolean, timers: number }} Hold
 */

class Holds {
  /** @param {import('../session.cjs').Session} session @param {import('../writer.cjs').TraceWriter} writer @param {import('./clock.cjs').Clock} clock */
  constructor(session, writer, clock) {
    this.capMs = session.capMs;
    this.writer = writer;
    this.clock = clock;
    /** @type {Hold[]} */
    this.active = [];
    /** Work for poll turns, one at a time. @type {(() => void)[]} */
    this.turns = [];
    this.urgent = false;
    this.jobs = 0; // zlib and crypto jobs under way
    this.activity = 0; // completions and timers seen
    this.polling = false;
    this.quiet = 0;
    this.lastEvents = 0;
    this.lastActivity = 0;
    this.heldTotal = 0;
    this.heldSince = 0;
    process.on('exit', () => {
      for (const hold of this.active) this.log(hold, 'exit');
    });
  }

  /** @param {Op} op @param {0|1} side @param {import('../session.cjs').Horizon} horizon @param {() => void} release */
  begin(op, side, horizon, release) {
    const { writer } = this;
    const began = now();
    if (this.active.length === 0 && horizon.kind !== 'z') {
      this.heldSince = began;
      this.clock.forgetTicks();
    }
    const hold = { op, side, horizon, release, began, met: false, timers: 0 };
    if (horizon.kind !== 'z') this.active.push(hold);
    this.quiet = 0;
    const name = writer.string(op.name);
    writer.plain(0x40);
    writer.hash(op.hash);
    writer.u(name);
    writer.u(side);
    writer.text(horizon.text);
    writer.u(Math.round(began));
    writer.flush();
    if (horizon.kind === 'z') this.pause(hold);
    else this.poll();
  }

  // Nothing is held: the process stands still, as on a slower machine, and the
  // order stays as it is.
  /** @param {Hold} hold */
  pause(hold) {
    const ms = hold.horizon.delayMs;
    wait(ms);
    this.clock.stoodStill(ms);
    this.heldTotal += ms;
    this.log(hold, 'reached');
    hold.release();
  }

  /** An operation has completed. @param {Op} op */
  completed(op) {
    this.activity++;
    for (const hold of [...this.active]) {
      const { kind, point } = hold.horizon;
      if (point !== op.hash || hold.op === op) continue;
      if (kind === 'o') hold.met = true;
      else if (kind === 'O') {
        this.urgent = true;
        this.end(hold, 'reached');
      }
    }
  }

  /** A user timer has fired, or is due and queued. @param {Op} op */
  timerFired(op) {
    for (const hold of this.active) {
      if (hold.horizon.kind !== 't' || hold.op === op) continue;
      hold.timers++;
      hold.met = hold.timers >= hold.horizon.n;
    }
    this.completed(op);
  }

  /** Whether completions must queue behind a hold that ends at once. */
  barrier() {
    return this.urgent && this.turns.length > 0;
  }

  /** Runs work in a poll-phase turn of its own. @param {() => void} work */
  pollTurn(work) {
    this.turns.push(work);
    if (this.turns.length === 1) this.nextTurn();
  }

  nextTurn() {
    stat('/', () => {
      const [work] = this.turns;
      try {
        work();
      } finally {
        this.activity++;
        this.turns.shift();
        if (this.turns.length > 0) this.nextTurn();
        else this.urgent = false;
      }
    });
  }

  poll() {
    if (this.polling) return;
    this.polling = true;
    this.clock.own.soon(() => {
      this.polling = false;
      this.look();
      if (this.active.length > 0) this.poll();
    });
  }

  look() {
    const events = loopEvents();
    const still = events === this.lastEvents && this.activity === this.lastActivity && !this.busy();
    this.lastEvents = events;
    this.lastActivity = this.activity;
    this.quiet = still ? this.quiet + 1 : 0;
    for (const hold of [...this.active]) {
      const reason = this.verdict(hold);
      if (reason) this.end(hold, reason);
    }
  }

  busy() {
    const time = now();
    return this.jobs > 0 || this.turns.length > 0 || activeResources().some((/** @type {string} */ type) => REQUEST.test(type)
      || (type === 'ProcessWrap' && time - this.heldSince < CHILD_BUSY_MS));
  }

  /** @param {Hold} hold @returns {string} reason to end it now, or "" */
  verdict(hold) {
    const { horizon, began, met } = hold;
    if (now() - began > this.capMs) return 'cap';
    if (horizon.kind === 'B' && this.clock.dueOf(horizon.point) - now() < horizon.delayMs) return 'reached';
    if (this.quiet < QUIET_POLLS) return '';
    if (met || horizon.kind === 'd') return 'reached';
    // Intervals that go on for ever are no reason to wait, nor are timers that queue behind this one.
    if (horizon.kind === 'q') return this.clock.dueBefore(now() + QUIET_TIMER_MS, true) ? '' : 'reached';
    return this.clock.dueBefore(Math.max(began, now()) + QUIET_TIMER_MS, true) ? '' : 'idle';
  }

  /** @param {Hold} hold @param {string} reason */
  end(hold, reason) {
    const at = this.active.indexOf(hold);
    if (at < 0) return;
    this.active.splice(at, 1);
    if (this.active.length === 0) this.heldTotal += now() - this.heldSince;
    this.log(hold, reason);
    this.quiet = 0;
    if (hold.op.flags & TIMER) hold.release(); // through private timers: see Clock
    else this.pollTurn(hold.release);
  }

  /** How long anything has been held so far. @returns {number} ms */
  heldMs() {
    return this.heldTotal + (this.active.length > 0 ? now() - this.heldSince : 0);
  }

  /** @param {Hold} hold @param {string} reason */
  log(hold, reason) {
    const { writer } = this;
    const text = writer.string(reason);
    writer.plain(0x41);
    writer.hash(hold.op.hash);
    writer.u(hold.side);
    writer.u(text);
    writer.u(Math.round(now() - hold.began));
    writer.flush();
  }

  /** The run shows something that plain Node would have shown elsewhere. @param {Op} op @param {string} reason */
  infeasible(op, reason) {
    const { writer } = this;
    const text = writer.string(reason);
    writer.plain(0x42);
    writer.hash(op.hash);
    writer.u(text);
    writer.flush();
  }
}

module.exports = { Holds };
