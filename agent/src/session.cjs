'use strict';
// The session file that the runner writes: docs/schedules.md describes it.

const { readFileSync, resolve } = require('./originals.cjs');

/**
 * @typedef {{ kind: string, point: number, n: number, delayMs: number, text: string }} Horizon
 * @typedef {{ dir: string, mode: 'record'|'steer', root: string, include: string[],
 *   holds: Map<string, Horizon>, targets: Set<number>, draw: { seed: number, probability: number } | null, capMs: number }} Session
 */

/**
 * @param {string} dir folder of the run
 * @returns {Session}
 */
function readSession(dir) {
  const raw = JSON.parse(readFileSync(resolve(dir, 'session.json'), 'utf8'));
  if (raw.version !== 1) throw new Error(`session version ${raw.version}`);
  const holds = new Map();
  const targets = new Set();
  for (const hold of raw.holds ?? []) {
    const horizon = parseHorizon(hold.horizon);
    holds.set(holdKey(parseInt(hold.point, 16) >>> 0, hold.side), horizon);
    if (horizon.point) targets.add(horizon.point);
  }
  const draw = raw.draw ? { seed: Number(BigInt(raw.draw.seed) & 0xffffffffn), probability: raw.draw.probability } : null;
  return {
    dir, mode: raw.mode, root: raw.root, include: raw.include ?? [], holds, targets, draw, capMs: raw.capMs || 4000,
  };
}

/** @param {number} point @param {string} side "s" or "c" */
function holdKey(point, side) {
  return `${point}${side}`;
}

/** @param {string} text "o:<8 hex>", "O:…", "B:<8 hex>:<ms>", "t<n>", "d", "q", "z:<ms>" @returns {Horizon} */
function parseHorizon(text) {
  const kind = text[0];
  const [point = '0', delay = point] = text.split(':').slice(1); // "z:<ms>" has no point
  return {
    kind, text, point: kind === 'z' ? 0 : parseInt(point, 16) >>> 0, delayMs: Number(delay), n: kind === 't' ? Number(text.slice(1)) : 0,
  };
}

module.exports = { readSession, parseHorizon, holdKey };
