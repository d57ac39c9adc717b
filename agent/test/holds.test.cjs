'use strict';
// Both sides of every kind of operation can be held, the program still does
// what it does, and the log says how each hold ended.

const assert = require('node:assert/strict');
const { test } = require('node:test');
const { runAgent, ops } = require('./run-agent.cjs');

// Timers go on until the program is done, however slow the machine is.
const TIMERS = 'let over = false; const say = console.log; console.log = (...a) => { over = true; say(...a); }; (function again() { setTimeout(() => over || again(), 30); })();';

// From Node 26 on fs.writeFile is one request, without calls of its own.
const INNER = Number(process.versions.node.split('.')[0]) >= 26 ? {} : {
  'inner call of fs.writeFile': ['require("fs").writeFile("x", "y", () => console.log("done"));', /^fs\.writeFile>fs\.write/],
};

/** name → [program that prints "done" once, pattern of the hold point] */
const PROGRAMS = {
  'fs callback': ['require("fs").stat(".", () => console.log("done"));', /^fs\.stat/],
  'fs promise': ['require("fs/promises").readFile(__filename).then(() => console.log("done"));', /^fs\.promises\.readFile/],
  ...INNER,
  'FileHandle': ['require("fs/promises").open(__filename).then(async (h) => { await h.stat(); await h.close(); console.log("done"); });', /^FileHandle\.stat/],
  'file stream': ['require("fs").createReadStream(__filename).resume().on("close", () => console.log("done"));', /^fs\.createReadStream>fs\.read /],
  'dns': ['require("dns").lookup("localhost", () => console.log("done"));', /^dns\.lookup/],
  'zlib': ['require("zlib").gzip("x", () => console.log("done"));', /^zlib\.gzip/],
  'crypto': ['require("crypto").randomBytes(8, () => console.log("done"));', /^crypto\.randomBytes/],
  'child process': ['require("child_process").exec("true", () => console.log("done"));', /^child_process\.spawn .* exit 1$/],
  'http request': [`const s = require("http").createServer((q, r) => r.end("x")).listen(0, "127.0.0.1", () => require("http").get({ port: s.address().port, host: "127.0.0.1", agent: false },
    (r) => r.resume().on("end", () => { console.log("done"); s.close(); })));`, /^net\.listen .* data 1$/],
  'accepted connection': [`const s = require("net").createServer((c) => c.end("x")).listen(0, "127.0.0.1", () => require("net").connect(s.address().port, "127.0.0.1").resume().on("end", () => { console.log("done"); s.close(); }));`, /^net\.listen .* connection 1$/],
  'socket write': [`const s = require("net").createServer((c) => c.resume().on("end", () => { c.end(); s.close(); })).listen(0, "127.0.0.1", () => require("net").connect(s.address().port, "127.0.0.1").end("x", () => console.log("done")));`, /^net\.connect .* write 1$/],
  'fetch': [`const s = require("http").createServer((q, r) => r.end("x")).listen(0, "127.0.0.1", async () => { await (await fetch("http://127.0.0.1:" + s.address().port)).text(); console.log("done"); s.closeAllConnections(); s.close(); });`, /^net\.listen .* data 1$/],
  'timer': ['setTimeout(() => console.log("done"), 5);', /^setTimeout @main/],
  'timers/promises': ['require("timers/promises").setTimeout(5).then(() => console.log("done"));', /^timers\.promises/],
};

for (const [name, [program, pattern]] of Object.entries(PROGRAMS)) {
  const files = { 'main.cjs': `${TIMERS} ${program}` };
  const sides = [['s', 1], ['c', 2]];
  test(`hold: ${name}`, () => {
    const points = ops(runAgent(files).records, pattern);
    assert.ok(points.length > 0, `no hold point ${pattern}`);
    const [point] = points;
    for (const [side, flag] of sides) {
      if (!(point.flags & flag)) continue;
      const run = runAgent(files, { mode: 'steer', holds: [{ point: point.hash, side, horizon: 't1' }] });
      assert.equal(run.status, 0, run.stderr);
      assert.equal(run.stdout, 'done\n', `${side}: ${run.stderr}`);
      const release = run.records.find((record) => record.name === 'release');
      assert.equal(release?.reason, 'reached', `${side} of ${point.point}`);
    }
  });
}

test('a hold until another point ends when that point has completed', () => {
  const files = { 'main.cjs': `const fs = require("fs");
    fs.stat(".", () => console.log("held"));
    setTimeout(() => fs.readFile(__filename, () => console.log("other")), 100);` };
  const { records } = runAgent(files);
  const [held] = ops(records, /^fs\.stat/);
  const [other] = ops(records, /^fs\.readFile/);
  for (const kind of ['o', 'O']) {
    const run = runAgent(files, { mode: 'steer', holds: [{ point: held.hash, side: 'c', horizon: `${kind}:${other.hash}` }] });
    assert.deepEqual(run.stdout.trim().split('\n'), ['other', 'held'], kind);
  }
});

test('an order that cannot be had ends the hold as idle', () => {
  const files = { 'main.cjs': 'const fs = require("fs"); fs.stat(".", () => fs.readFile(__filename, () => console.log("after")));' };
  const { records } = runAgent(files);
  const [first] = ops(records, /^fs\.stat/);
  const [second] = ops(records, /^fs\.readFile/);
  const run = runAgent(files, { mode: 'steer', holds: [{ point: first.hash, side: 'c', horizon: `o:${second.hash}` }] });
  assert.equal(run.stdout, 'after\n');
  assert.equal(run.records.find(({ name }) => name === 'release').reason, 'idle');
});

test('a held timer freezes the clock: what is due meanwhile keeps its order', () => {
  const files = { 'main.cjs': `
    setTimeout(() => console.log("a"), 5); setTimeout(() => console.log("b"), 20); const c = setTimeout(() => console.log("never"), 900);
    const i = setInterval(() => { console.log("tick"); clearInterval(i); }, 30);
    require("fs").stat(".", () => setTimeout(() => { clearTimeout(c); console.log("d"); }, 15));` };
  const [a] = ops(runAgent(files).records, /^setTimeout/);
  const run = runAgent(files, { mode: 'steer', holds: [{ point: a.hash, side: 'c', horizon: 't4' }] });
  // c fell due behind d, which clears it: it must not run.
  assert.deepEqual(run.stdout.trim().split('\n').sort(), ['a', 'b', 'd', 'tick']);
  assert.equal(run.stdout[0], 'a');
});

test('the rest of a socket waits behind a held chunk', () => {
  const files = { 'main.cjs': `
    const s = require("net").createServer((c) => { c.write("1"); setTimeout(() => c.write("2"), 20); setTimeout(() => { c.end("3"); s.close(); }, 40); })
      .listen(0, "127.0.0.1", () => require("net").connect(s.address().port, "127.0.0.1").on("data", (d) => console.log("data", String(d))).on("end", () => console.log("end")));` };
  const [first] = ops(runAgent(files).records, /^net\.connect .* data 1$/);
  const run = runAgent(files, { mode: 'steer', holds: [{ point: first.hash, side: 'c', horizon: 't2' }] });
  // How the bytes are cut into chunks is the kernel's choice.
  assert.match(run.stdout, /^data 1\n(data \d+\n)+end\n$/);
  assert.equal(run.stdout.replace(/\D/g, ''), '123');
});

test('a draw depends on the seed and the point only', () => {
  const files = { 'main.cjs': 'const fs = require("fs"); for (const f of ["a", "b", "c", "d", "e", "f"]) fs.stat(f, () => {});' };
  const held = (seed) => runAgent(files, { mode: 'steer', draw: { seed, probability: 0.4 } }).records
    .filter(({ name }) => name === 'hold').map(({ hash, side, horizon }) => `${hash}${side}${horizon}`).sort().join();
  assert.equal(held('1'), held('1'));
  assert.notEqual(held('1'), held('2'));
});

test('what is held when the process exits is said', () => {
  const files = { 'main.cjs': 'require("fs").stat(".", () => {}); setTimeout(() => process.exit(0), 100);' };
  const [point] = ops(runAgent(files).records, /^fs\.stat/);
  const run = runAgent(files, { mode: 'steer', holds: [{ point: point.hash, side: 'c', horizon: 't5' }] });
  assert.equal(run.records.find(({ name }) => name === 'release').reason, 'exit');
});

test('a seed drives the same points as the recording names', () => {
  const files = { 'main.mjs': 'import { readFile } from "node:fs/promises"; async function load() { return readFile(new URL(import.meta.url)); } await load(); setTimeout(load, 5);' };
  const recorded = ops(runAgent(files).records, /./).filter(({ flags }) => flags & 2).map(({ hash }) => hash);
  const run = runAgent(files, { mode: 'steer', draw: { seed: '7', probability: 1 } });
  const held = new Set(run.records.filter(({ name }) => name === 'hold').map(({ hash }) => hash));
  for (const hash of recorded) assert.ok(held.has(hash), hash);
});

test('what the program does in a listener of a file stream is its own', () => {
  const files = { 'main.cjs': `const fs = require("fs");
    fs.createWriteStream("out").on("open", function () { fs.stat(".", () => {}); setTimeout(() => {}, 1); this.end("x"); });` };
  const { records } = runAgent(files);
  assert.equal(ops(records, /^fs\.stat @main/).length, 1);
  assert.equal(ops(records, /^setTimeout @main/).length, 1);
  assert.equal(ops(records, /^fs\.createWriteStream>fs\.write/).length, 1);
});

test('a pause keeps the order: the process and its timers stand still together', () => {
  const files = { 'main.cjs': `const fs = require("fs"); const began = Date.now();
    fs.stat(".", () => { console.log("stat"); fs.readFile(__filename, () => console.log("read", Date.now() - began >= 400)); });
    setTimeout(() => console.log("timer"), 200); const i = setInterval(() => { console.log("tick"); clearInterval(i); }, 250);
    const never = setTimeout(() => console.log("never"), 300); setTimeout(() => clearTimeout(never), 210);` };
  const [point] = ops(runAgent(files).records, /^fs\.stat/);
  const run = runAgent(files, { mode: 'steer', holds: [{ point: point.hash, side: 'c', horizon: 'z:400' }] });
  assert.deepEqual(run.stdout.trim().split('\n'), ['stat', 'read true', 'timer', 'tick']);
  assert.equal(run.records.find(({ name }) => name === 'release').reason, 'reached');
});
