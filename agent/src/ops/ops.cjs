'use strict';
// Asynchronous operations as hold points. The modules beside this one patch the
// Node API and tell `Ops` what happens; a mode (record or steer) decides what
// that means. Names are made here only, so both modes make the same ones.

const { apply } = require('../originals.cjs');
const { hashPoint } = require('../points.cjs');

/** Flags of an op record. */
const START = 1;
const COMPLETION = 2;
const RECURRING = 4;
const TIMER = 8;
const ARRIVAL = 16;

/** @typedef {import('../frames.cjs').Caller} Caller */

class Op {
  /** @param {string} api @param {string} base @param {string} name @param {Caller | null} caller @param {number} flags @param {Op | null} parent */
  constructor(api, base, name, caller, flags, parent) {
    this.api = api;
    this.base = base;
    this.name = name;
    this.hash = hashPoint(name);
    this.caller = caller;
    this.flags = flags;
    this.parent = parent;
    /** A file stream: it makes its calls later, among the program's own. */
    this.stream = false;
    this.id = 0; // recorder: number of its op record
    /** @type {[number, string][]} recorder: accesses [kind, absolute path] of its task */
    this.files = [];
  }
}

/**
 * What a mode does with operations. The steerer needs no files and bytes, the recorder no held time.
 * @typedef {{
 *   recording: boolean,
 *   call: (op: Op, original: Function, self: any, args: any[]) => any,
 *   callback: (op: Op, callback: Function) => Function,
 *   promised: (op: Op, original: Function, self: any, args: any[]) => any,
 *   arrive: (op: Op | null, lane: Lane, deliver: () => void) => void,
 *   armed: (op: Op, timer: any, delay: number) => void,
 *   fired: (op: Op, timer: any, run: () => void) => void,
 *   cleared: (timer: any) => void,
 *   refreshed: (timer: any) => void,
 *   arming?: (delay: number) => void,
 *   heldMs?: () => number,
 *   touched?: (accesses: [number, string][], caller: Caller) => void,
 *   opened?: (op: Op) => void,
 *   linked?: (socket: any, op: Op | null) => void,
 *   received?: (socket: any, chunk: any) => void,
 *   sent?: (socket: any, from: number, to: number) => void,
 * }} Mode
 */

/** Arrivals that must stay in order: those of one socket, server or child. */
class Lane {
  /** @param {Op | null} source the op that opened it; null: nothing on it is named */
  constructor(source) {
    this.source = source;
    /** @type {Record<string, number>} arrivals and writes so far, by kind */
    this.counts = {};
    /** @type {{ op: Op | null, deliver: () => void }[]} steerer: held, and what came behind */
    this.waiting = [];
    this.busy = false;
  }
}

class Ops {
  /** @param {import('../frames.cjs').Frames} frames @param {import('../points.cjs').Points} points */
  constructor(frames, points) {
    this.frames = frames;
    this.points = points;
    /** The composite call (fs.writeFile, a file stream) whose inner calls are being made. @type {Op | null} */
    this.inside = null;
    /** @type {Mode} set by the mode before anything is patched */
    this.mode = /** @type {any} */ (null);
    /** Told about a hook that failed and was switched off. @type {(hook: string, error: unknown) => void} */
    this.lost = () => {};
    /** @type {Set<string>} */
    this.off = new Set();
  }

  /**
   * Runs the agent's own part of a hook. If it fails, the hook is switched off
   * and noted, and the program goes on as if the agent were not there.
   * @template T @param {string} hook @param {() => T} work @returns {T | null}
   */
  safely(hook, work) {
    if (this.off.has(hook)) return null;
    try {
      return work();
    } catch (error) {
      this.off.add(hook);
      this.lost(hook, error);
      return null;
    }
  }

  /**
   * Names an operation that begins now.
   * @param {string} api @param {number} flags @param {string} [path] absolute
   * @param {boolean} [direct] user code itself must be the caller
   * @returns {Op | null} null: Node or a test runner for itself; leave it alone
   */
  begin(api, flags, path = '', direct = false) {
    let parent = this.inside;
    let caller = parent && parent.caller;
    if (!parent || parent.stream) {
      // A stream calls listeners of the program: their calls are not the stream's own.
      const own = this.frames.caller(direct || parent !== null);
      if (own) parent = null;
      if (own || !parent) caller = own;
    }
    if (!caller) return null;
    const full = parent ? `${parent.api}>${api}` : api;
    const base = this.points.base(full, caller, path && this.points.normalise(path));
    return new Op(full, base, this.points.number(base), caller, flags, parent);
  }

  /**
   * Names the next event, or write, on a lane: by the lane's opening and the how-many-th of its kind.
   * @param {Lane} lane @param {string} owner socket, server or child, for people @param {string} kind
   */
  onLane(lane, owner, kind, flags = COMPLETION | ARRIVAL) {
    const from = lane.source;
    if (!from) return null;
    const n = (lane.counts[kind] = (lane.counts[kind] ?? 0) + 1);
    return new Op(`${owner} ${kind}`, from.base, `${from.name} ${kind} ${n}`, from.caller, flags, null);
  }

  /**
   * Calls the original; calls it makes itself belong to op. Without a
   * composite, user code that runs inside keeps its own names.
   * @param {Op | null} op @param {Function} original @param {any} self @param {any[]} args
   */
  within(op, original, self, args) {
    const before = this.inside;
    this.inside = op;
    try {
      return apply(original, self, args);
    } finally {
      this.inside = before;
    }
  }
}

module.exports = { Ops, Op, Lane, START, COMPLETION, RECURRING, TIMER, ARRIVAL };
