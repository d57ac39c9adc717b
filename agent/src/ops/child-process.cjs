'use strict';
// Child processes: exit, close and messages of one child arrive in order. The
// agent follows into children whose environment drops NODE_OPTIONS.

const childProcess = require('node:child_process');
const { apply } = require('../originals.cjs');
const { patch } = require('../patch.cjs');
const { Lane } = require('./ops.cjs');
const { patchOwn } = require('./net.cjs');

const ARRIVALS = new Set(['exit', 'close', 'message']);

/** @param {import('./ops.cjs').Ops} ops */
function patchChildProcess(ops) {
  /** @type {WeakMap<object, Lane>} */
  const lanes = new WeakMap();
  const prototype = childProcess.ChildProcess.prototype;
  patch(prototype, 'spawn', (original) => function (/** @type {any[]} */ ...args) {
    const op = ops.safely('child_process', () => {
      follow(args[0]);
      return ops.begin('child_process.spawn', 0);
    });
    lanes.set(this, new Lane(op));
    return apply(original, this, args);
  });
  patchOwn(prototype, 'emit', (original) => function (/** @type {any[]} */ ...args) {
    const lane = ARRIVALS.has(args[0]) ? lanes.get(this) : undefined;
    if (!lane?.source) return apply(original, this, args);
    ops.mode.arrive(ops.onLane(lane, 'child', args[0]), lane, () => { apply(original, this, args); });
    return true;
  });
}

// A program that builds the child's environment itself would lose the agent.
/** @param {any} options of ChildProcess#spawn */
function follow(options) {
  const pairs = options?.envPairs;
  if (!Array.isArray(pairs)) return;
  for (const name of ['RACESEED_SESSION', 'NODE_OPTIONS']) {
    const value = process.env[name];
    if (value && !pairs.some((pair) => String(pair).startsWith(`${name}=`))) pairs.push(`${name}=${value}`);
  }
}

module.exports = { patchChildProcess };
