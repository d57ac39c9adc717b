'use strict';
// The names of the running tests are part of hold points.

const assert = require('node:assert/strict');
const { test } = require('node:test');
const { runAgent, ops } = require('./run-agent.cjs');

test('tests of node:test, nested ones as well, are told', () => {
  const { records } = runAgent({ 'main.mjs': `
    import test from 'node:test'; import fs from 'node:fs';
    test('outer', async (t) => { fs.statSync('.'); fs.stat('.', () => {}); await t.test('inner', async () => { fs.readFile('main.mjs', () => {}); }); });` });
  const begun = records.filter(({ name, phase }) => name === 'test' && phase === 0).map(({ title }) => title);
  assert.deepEqual(begun, ['outer', 'outer > inner']);
  assert.match(ops(records, /^fs\.stat/)[0].point, /\[outer\]/);
  assert.match(ops(records, /^fs\.readFile/)[0].point, /\[outer > inner\]/);
});

// A runner is recognised by the path of its own file.
const MOCHA = {
  'node_modules/mocha/lib/runner.js': `
    const { EventEmitter } = require('node:events');
    class Runner extends EventEmitter { runTest(done) { this.test.fn(); done(); } }
    module.exports = Runner;`,
  'spec.js': `module.exports = () => { require('node:fs').stat('.', () => {}); setTimeout(() => {}, 1); };`,
  'main.js': `
    const runner = new (require('mocha/lib/runner.js'))();
    runner.test = { fn: require('./spec.js'), titlePath: () => ['suite', 'case'] };
    runner.runTest(() => runner.emit('test end', runner.test));`,
};

test('tests of mocha are told, from begin to end', () => {
  const { records } = runAgent(MOCHA);
  const told = records.filter(({ name }) => name === 'test').map(({ phase, title }) => `${phase} ${title}`);
  assert.deepEqual(told, ['0 suite > case', '1 suite > case']);
  assert.match(ops(records, /^fs\.stat/)[0].point, /^fs\.stat exports@spec\.js \. \[suite > case\] \{main\.js\} #1$/);
});

test("a runner's time limit does not count the time of holds", () => {
  const limited = { ...MOCHA, 'node_modules/mocha/lib/runner.js': `
    const { EventEmitter } = require('node:events');
    class Runner extends EventEmitter {
      runTest(done) {
        const limit = setTimeout(() => { console.log('timed out'); process.exit(1); }, 400);
        this.test.fn(() => { clearTimeout(limit); console.log('passed'); done(); });
      }
    }
    module.exports = Runner;`,
    // The held stat waits for a timer of 600 ms: longer than the limit.
    'spec.js': `module.exports = (done) => { setTimeout(() => {}, 600); require('node:fs').stat('.', () => done()); };` };
  const [point] = ops(runAgent(limited).records, /^fs\.stat/);
  const run = runAgent(limited, { mode: 'steer', holds: [{ point: point.hash, side: 'c', horizon: 't1' }] });
  assert.equal(run.stdout, 'passed\n', run.stderr);
});

test("a bad callback is refused at once, also right after a runner's own timer", () => {
  const files = { ...MOCHA, 'node_modules/mocha/lib/runner.js': `
    const { EventEmitter } = require('node:events');
    class Runner extends EventEmitter { runTest(done) { clearTimeout(setTimeout(() => {}, 1e6)); this.test.fn(); done(); } }
    module.exports = Runner;`,
    'spec.js': `module.exports = () => { try { setTimeout('text'); console.log('accepted'); } catch (e) { console.log(e.code); } };` };
  assert.equal(runAgent(files, { mode: 'steer' }).stdout, 'ERR_INVALID_ARG_TYPE\n');
});
