'use strict';
// Whatever order a steered run shows must be one that plain Node could have had.
// The rules are those of the happens-before facts (T1, T2, Q3, P1, P2), checked
// on observed orders: a premise on what was seen is weaker than one on what must
// be, so the check is stricter.

const assert = require('node:assert/strict');
const { test } = require('node:test');
const fs = require('node:fs');
const path = require('node:path');
const { runAgent } = require('./run-agent.cjs');

const PROGRAM = fs.readFileSync(path.join(__dirname, 'random-program.cjs'), 'utf8');
const PROGRAMS = Number(process.env.RACESEED_PROGRAMS ?? 25);
// libuv before 1.48 may run timers twice in one phase.
const P2_HOLDS = Number(process.versions.uv.split('.')[1]) >= 48;

/** @returns {{ checked: Record<string, number>, broken: string[] }} */
function check(log) {
  const nodes = new Map();
  log.forEach((entry, at) => {
    if (entry.reg) nodes.set(entry.reg, { id: entry.reg, type: entry.type, delay: entry.delay, reg: at, run: Infinity });
    else nodes.get(entry.run).run = at;
  });
  const ran = [...nodes.values()].filter((node) => node.run < Infinity);
  const of = (type) => ran.filter((node) => node.type === type);
  const [timers, immediates, polls] = [of('timer'), of('immediate'), of('poll')];
  const checked = { T1: 0, T2: 0, Q3: 0, P1: 0, P2: 0 };
  const broken = [];
  const expect = (rule, first, second) => {
    checked[rule]++;
    if (first.run > second.run) broken.push(`${rule}: ${JSON.stringify(first)} after ${JSON.stringify(second)}`);
  };
  for (const i of timers) {
    for (const j of timers) {
      if (i === j || i.reg > j.reg) continue;
      if (i.delay === j.delay) expect('T1', i, j);
      const listEmpty = timers.every((k) => k.delay !== j.delay || k.reg > i.reg || k.run < i.reg);
      if (i.delay < j.delay && listEmpty) expect('T2', i, j);
    }
  }
  for (const i of immediates) for (const j of immediates) if (i.reg < j.reg) expect('Q3', i, j);
  for (const i of immediates) {
    for (const t of timers) {
      // The turn of a poll callback goes on until the next macro callback.
      if (polls.some((e) => e.run < t.run && i.reg < endOfTurn(log, nodes, e))) expect('P1', i, t);
      if (P2_HOLDS && timers.some((e) => e !== t && e.run < t.run && i.reg < endOfTurn(log, nodes, e) && t.reg > e.run)) expect('P2', i, t);
    }
  }
  return { checked, broken };
}

/** Where the turn that begins with node's callback ends in the log. */
function endOfTurn(log, nodes, node) {
  for (let at = node.run + 1; at < log.length; at++) {
    const { run } = log[at];
    if (run && !['tick', 'job'].includes(nodes.get(run).type)) return at;
  }
  return log.length;
}

test('the check itself finds a broken order', () => {
  const { broken } = check([{ reg: 1, type: 'timer', delay: 5 }, { reg: 2, type: 'timer', delay: 5 }, { run: 2 }, { run: 1 }]);
  assert.equal(broken.length, 1);
});

/** Runs PROGRAMS programs and adds up what was checked. */
function survey(options) {
  const sum = { T1: 0, T2: 0, Q3: 0, P1: 0, P2: 0, holds: 0 };
  for (let seed = 1; seed <= PROGRAMS; seed++) {
    const run = runAgent({ 'main.cjs': PROGRAM }, { ...options(seed), env: { SEED: String(seed) } });
    assert.equal(run.status, 0, run.stderr);
    const { checked, broken } = check(JSON.parse(run.stdout));
    assert.deepEqual(broken, [], `seed ${seed}`);
    for (const rule of Object.keys(checked)) sum[rule] += checked[rule];
    sum.holds += run.records.filter(({ name }) => name === 'hold').length;
  }
  return sum;
}

test('plain Node keeps the rules', () => {
  const sum = survey(() => ({ mode: 'plain' }));
  assert.ok(sum.T1 > 0 && sum.T2 > 0 && sum.Q3 > 0 && sum.P1 > 0, JSON.stringify(sum));
});

test('a steered run keeps the rules, whatever is held', (t) => {
  const sum = survey((seed) => ({ mode: 'steer', draw: { seed: String(seed), probability: 0.3 } }));
  assert.ok(sum.holds > PROGRAMS, `${sum.holds} holds`);
  t.diagnostic(JSON.stringify(sum));
});

test('a steered run with holds until another point keeps the rules', (t) => {
  const sum = survey((seed) => {
    const { records } = runAgent({ 'main.cjs': PROGRAM }, { env: { SEED: String(seed) } });
    const points = records.filter(({ name, flags }) => name === 'op' && flags & 2).map(({ hash }) => hash);
    const at = (n) => points[(seed * n) % points.length];
    const horizons = [`o:${at(7)}`, `O:${at(11)}`, 't2', 'd', `B:${at(5)}:8`];
    const holds = [0, 1, 2].map((n) => ({ point: at(3 * n + 1), side: 'c', horizon: horizons[(seed + n) % horizons.length] }));
    return { mode: 'steer', holds: points.length > 0 ? holds : [] };
  });
  t.diagnostic(JSON.stringify(sum));
});
