'use strict';

// Prints what the transform costs: node test/transform/cost.cjs

const fs = require('node:fs');
const vm = require('node:vm');

const { createRecording } = require('./harness.cjs');
const { transform } = require('../../src/transform/index.cjs');

const ROUNDS = 5;

/** CPU milliseconds of the fastest of some rounds. @param {() => void} body */
function cpu(body) {
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const start = process.cpuUsage();
    body();
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}

/** @param {string} code @param {any} runtime */
function load(code, runtime) {
  const module = { exports: /** @type {any} */ ({}) };
  vm.runInThisContext(`(function (exports, require, module, $rs) {${code}\n})`)(module.exports, require, module, runtime);
  return module.exports;
}

// A scheduler with tasks, packets and queues, as in the Richards benchmark: nearly nothing but accesses.
const SIMULATION = `
class Packet { constructor(link, id, kind) { this.link = link; this.id = id; this.kind = kind; this.data = [0, 0, 0, 0]; } }
class Task {
  constructor(scheduler, id, link, run) { this.scheduler = scheduler; this.id = id; this.link = link; this.queue = null; this.held = false; this.count = 0; this.work = run; }
  take() { const packet = this.queue; if (packet !== null) { this.queue = packet.link; packet.link = null; } return packet; }
  put(packet) { if (this.queue === null) { this.queue = packet; return; } let last = this.queue; while (last.link !== null) last = last.link; last.link = packet; }
  step() { const packet = this.take(); if (packet !== null) { this.count++; this.work(this, packet); } }
}
class Scheduler {
  constructor() { this.tasks = []; this.first = null; this.steps = 0; }
  add(run) { const task = new Task(this, this.tasks.length, this.first, run); this.first = task; this.tasks.push(task); return task; }
  run(steps) { while (this.steps < steps) { for (let task = this.first; task !== null; task = task.link) { if (!task.held) task.step(); this.steps++; } } }
}
exports.simulate = (steps) => {
  const scheduler = new Scheduler();
  const pass = (task, packet) => { packet.data[packet.id % 4] += packet.kind; packet.id++; task.scheduler.tasks[(task.id + packet.data[0]) % 6].put(packet); };
  for (let i = 0; i < 6; i++) scheduler.add(pass);
  for (let i = 0; i < 12; i++) scheduler.tasks[i % 6].put(new Packet(null, i, i % 3));
  scheduler.run(steps);
  return scheduler.tasks.map((task) => task.count).join();
};`;

/** @param {string} name @param {string} source @param {(exports: any) => unknown} use */
function compare(name, source, use) {
  const plain = load(source, undefined);
  const { code } = transform(source, { sourceType: 'commonjs', firstSite: 1 });
  const recording = createRecording();
  recording.sites.length = 1e6;
  recording.sites.fill({ line: 0 });
  const recorded = load(/** @type {string} */ (code), recording.runtime);
  if (use(plain) !== use(recorded)) throw new Error(`${name}: not the same result`);
  const before = cpu(() => use(plain));
  const after = cpu(() => {
    recording.next();
    use(recorded);
  });
  console.log(`${name}: ${before.toFixed(0)} ms plain, ${after.toFixed(0)} ms recorded, ${(after / before).toFixed(1)} times; ${recording.records.length} records`);
}

const acorn = fs.readFileSync(require.resolve('acorn'), 'utf8');
const typescript = fs.readFileSync(require.resolve('typescript'), 'utf8');
for (const [name, source] of [['acorn', acorn], ['typescript', typescript]]) {
  const first = process.cpuUsage();
  transform(source, { sourceType: 'commonjs', firstSite: 1 });
  const { user, system } = process.cpuUsage(first);
  const best = cpu(() => transform(source, { sourceType: 'commonjs', firstSite: 1 }));
  const speed = (/** @type {number} */ ms) => (source.length / 1000 / ms).toFixed(1);
  console.log(`transform ${name}: ${speed((user + system) / 1000)} MB/s at first, ${speed(best)} MB/s at best`);
}
compare('simulation', SIMULATION, ({ simulate }) => simulate(300000));
compare('acorn parses itself', acorn, ({ parse }) => parse(acorn, { ecmaVersion: 'latest' }).end);
