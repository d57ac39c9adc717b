'use strict';

const assert = require('node:assert');
const { EventEmitter } = require('node:events');
const { test } = require('node:test');
const v8 = require('node:v8');
const vm = require('node:vm');

const { createAccesses } = require('../../src/record/accesses.cjs');
const { createRecording, instrument } = require('./harness.cjs');

/**
 * Loads a transformed CommonJS source in event 1.
 * @param {string} source
 * @param {ReturnType<typeof createRecording>} recording
 */
function load(source, recording) {
  const module = { exports: /** @type {any} */ ({}) };
  const code = instrument(source, recording);
  vm.runInThisContext(`(function (exports, require, module, $rs) {${code}\n})`)(module.exports, require, module, recording.runtime);
  return module.exports;
}

/** @param {string[]} records @param {RegExp} pattern */
const only = (records, pattern) => records.filter((record) => pattern.test(record));
/** Records without digests. @param {string[]} records */
const bare = (records) => records.map((record) => record.replace(/^(write .*) \d+$/, '$1'));
/** A promise that the test settles. */
function gate() {
  let open = () => {};
  const promise = new Promise((resolve) => { open = () => resolve(undefined); });
  return { open, promise };
}

test('lost update across an await: read in the first event, written in the later one', async () => {
  const recording = createRecording();
  const { add, account } = load('exports.account = { sum: 0 };\nexports.add = async (account, wait) => {\n  account.sum += await wait;\n};', recording);
  const [a, b] = [gate(), gate()];
  recording.next(2);
  const first = add(account, a.promise);
  recording.next(3);
  const second = add(account, b.promise);
  recording.next(4);
  a.open();
  await first;
  recording.next(5);
  b.open();
  await second;
  assert.deepStrictEqual(bare(only(recording.records, / sum /)), ['read -1 1 sum :3', 'read -0 1 sum :3', 'write -0 1 sum :3', 'write -0 1 sum :3']);
});

test('check-then-act on a captured variable', async () => {
  const recording = createRecording();
  const { get } = load('let pool;\nexports.get = async (wait) => {\n  if (!pool) pool = await wait;\n  return pool;\n};', recording);
  const [a, b] = [gate(), gate()];
  recording.next(2);
  const first = get(a.promise);
  recording.next(3);
  const second = get(b.promise);
  recording.next(4);
  a.open();
  await first;
  recording.next(5);
  b.open();
  await second;
  assert.deepStrictEqual(bare(recording.records), [
    'object 1 scope ', 'read -1 1 pool :3', 'read -0 1 pool :3', 'write -0 1 pool :3', 'read -0 1 pool :4', 'write -0 1 pool :3', 'read -0 1 pool :4',
  ]);
});

test('two instances of one scope are two objects', () => {
  const recording = createRecording();
  const { counter } = load('exports.counter = () => {\n  let n = 0;\n  return () => n++;\n};', recording);
  const [a, b] = [counter(), counter()];
  recording.next();
  a();
  recording.next();
  a();
  b();
  assert.deepStrictEqual(bare(recording.records), ['object 1 scope counter', 'read -1 1 n :3', 'write -1 1 n :3', 'read -0 1 n :3', 'write -0 1 n :3']);
});

test('entries of a Map and a Set are apart, by key or by the identity of the key', async () => {
  const recording = createRecording();
  const { map, set, use } = load(`exports.map = new Map(); exports.set = new Set();
    exports.use = async (map, set, k) => {
    map.get(k);
    map.set(k, await 1);
    if (set.has(k)) set.delete(k); else set.add(k);
    return map.size + [...set].length;
    }`, recording);
  const key = {};
  await use(map, set, 'a');
  await use(map, set, key);
  recording.next();
  await use(map, set, 'a');
  await use(map, set, key);
  await use(map, set, undefined);
  await use(map, set, 'x'.repeat(40));
  const now = bare(only(recording.records, /^read -0 1 /)).map((record) => record.replace(/#\d+/, '#n').replace(/…\w+/, '…'));
  assert.deepStrictEqual(now, [
    'read -0 1 [a] :3', 'read -0 1 * :6', 'read -0 1 [#n] :3', 'read -0 1 [undefined] :3', 'read -0 1 […] :3',
  ]);
  assert.deepStrictEqual(bare(only(recording.records, /write -0 1 \[a\]/)), ['write -0 1 [a] :4']);
  assert.deepStrictEqual(bare(only(recording.records, / 2 \[a\]/)), ['read -1 2 [a] :5', 'write -1 2 [a] :5', 'read -0 2 [a] :5', 'write -0 2 [a] :5']);
  assert.ok(recording.records.includes('object 1 container Map') && recording.records.includes('object 2 container Set'));
});

test('a class that replaces a method of Map, an own push and a foreign get are plain property reads', () => {
  const recording = createRecording();
  const { things, use } = load(`class Cache extends Map { get(k) { return k; } }
    exports.things = [new Cache(), { push() {}, get() {} }];
    exports.use = ([cache, own]) => { cache.get(1); cache.has(1); own.push(1); own.get(2); };`, recording);
  use(things);
  recording.next();
  use(things);
  const kinds = only(recording.records, / get | push | \[1\] /).map((record) => record.replace(/ -\d+/, ''));
  assert.strictEqual(kinds.length, 8);
  assert.ok(only(recording.records, /read -0 \d+ \[1\]/).length === 1);
});

test('contents of an array: mutators write them, readers and length read them', () => {
  const recording = createRecording();
  const { list, use } = load('exports.list = [1];\nexports.use = (list) => {\n list.push(2);\n list.shift();\n list.map(String);\n if (list.length) list[0];\n for (const x of list);\n};', recording);
  use(list);
  recording.next();
  use(list);
  const now = bare(only(recording.records, / -0 /)).map((record) => record.replace(' -0', ''));
  assert.deepStrictEqual(now, ['write 1 [] :3', 'read 1 [] :4', 'write 1 [] :4', 'read 1 [] :5', 'read 1 [] :6', 'read 1 0 :6']);
});

test('lists of listeners are objects of their own, by event', () => {
  const recording = createRecording();
  const { use, emitter } = load(`exports.emitter = new (require('node:events'))();
    exports.use = (emitter) => { emitter.on('ready', () => {}); emitter.emit('ready'); emitter.emit(Symbol.for('s')); };
    exports.notOne = { on() {} }; exports.notOne.on('x');`, recording);
  use(emitter);
  recording.next();
  use(emitter);
  const listeners = only(recording.records, /listeners|event:/);
  assert.deepStrictEqual(bare(listeners).map((record) => record.replace(/:\d+$/, '')), [
    'object 1 listeners EventEmitter', 'write -1 1 event:ready ', 'read -1 1 event:ready ', 'read -1 1 event:Symbol(s) ',
    'write -0 1 event:ready ', 'read -0 1 event:ready ', 'read -0 1 event:Symbol(s) ',
  ]);
});

test('nothing is written until a second event touches the object, then with the age of each access', () => {
  const { next, records, runtime } = createPlain();
  const o = {};
  runtime.read(o, 'a', 1);
  next(0);
  runtime.wrote(2, 5, o, 'a');
  runtime.read(o, 'b', 3);
  assert.deepStrictEqual(records, []);
  next(2);
  runtime.read(o, 'c', 4);
  assert.deepStrictEqual(records, ['object 1 object Object', 'read 2 1 a 1', `write 1 1 a 2 ${5 * 8 + 1}`, 'read 1 1 b 3', 'read 0 1 c 4']);
});

test('of each location and event: three sites of each kind, and the last value written', () => {
  const { next, records, runtime } = createPlain();
  const o = {};
  for (const event of [1, 2]) {
    next(event);
    for (let site = 0; site < 5; site++) for (let i = 0; i < 3; i++) runtime.read(o, 'k', site);
    for (let value = 0; value < 4; value++) runtime.wrote(9, value, o, 'k');
  }
  const own = records.filter((record) => / 0 1 /.test(record));
  assert.deepStrictEqual(own, ['read 0 1 k 0', 'read 0 1 k 1', 'read 0 1 k 2', 'write 0 1 k 9 1']);
  assert.ok(records.includes('write 1 1 k 9 25'), 'the last value of the first event comes before the second event');
  next(3);
  runtime.read(o, 'k', 1);
  assert.deepStrictEqual(records.slice(-2), ['write 1 1 k 9 25', 'read 0 1 k 1']);
});

test('all spellings of a key are one location; large indices share one by blocks', () => {
  const { next, records, runtime } = createPlain();
  const o = {};
  const keys = [1, '1', undefined, 'undefined', null, 'null', -0, '0', 1.5, '1.5', 5000, '5001', Symbol.iterator, 10n, '10', NaN, 'NaN'];
  runtime.read(o, 'first', 1);
  next(2);
  for (const key of keys) runtime.read(o, key, 2);
  runtime.read(o, { toString() { throw new Error('never called'); } }, 2);
  runtime.read(o, `long ${'x'.repeat(100)}`, 2);
  const seen = records.slice(2).map((record) => record.split(' ').slice(3, -1).join(' '));
  assert.deepStrictEqual(seen.slice(0, -1), ['1', 'undefined', 'null', '0', '1.5', '4096…', 'Symbol(Symbol.iterator)', '10', 'NaN']);
  assert.match(/** @type {string} */ (seen.at(-1)), /^long x{35}…[0-9a-f]+$/);
});

test('frozen objects, null prototypes, functions and strange receivers', () => {
  const { next, records, runtime } = createPlain();
  const frozen = Object.freeze({ k: 1 });
  const bare = Object.create(null);
  const named = function named() {};
  const lying = { get constructor() { throw new Error('never called'); } };
  const list = Object.freeze([1]);
  for (const event of [1, 2]) {
    next(event);
    for (const o of [frozen, bare, named, lying, list]) runtime.read(o, 'k', 1);
    for (const o of [null, undefined, 1, 'text', Symbol('s'), 1n, true]) {
      assert.strictEqual(runtime.read(o, 'k', 1), o);
      assert.strictEqual(runtime.entry(o, 'get', 1, 'key'), 'key');
      assert.strictEqual(runtime.called(1, 'value', o, 'push'), 'value');
    }
  }
  assert.deepStrictEqual(records.filter((record) => record.startsWith('object')), [
    'object 1 object Object', 'object 2 object ', 'object 3 object function named', 'object 4 object ', 'object 5 container Array',
  ]);
});

test('a proxy never notices, not even a revoked one', () => {
  const { next, records, runtime } = createPlain();
  const traps = new Proxy({}, { get: (_, trap) => { throw new Error(`trap ${String(trap)}`); } });
  const { proxy: revoked, revoke } = Proxy.revocable([], {});
  revoke();
  const heir = Object.create(new Proxy({}, traps));
  for (const event of [1, 2]) {
    next(event);
    for (const o of [new Proxy({}, traps), new Proxy([], traps), new Proxy(function () {}, traps), revoked, heir, globalThis, process.env]) {
      runtime.read(o, 'length', 1);
      runtime.entry(o, 'get', 2, o);
      runtime.entry(o, 'on', 2, 'x');
      runtime.method(o, 'map', 3);
      runtime.each(o, 4);
      runtime.keys(o, 5);
      runtime.wrote(6, o, o, 'k');
    }
  }
  assert.ok(records.includes('object 1 object Proxy'));
});

test('values are told apart by their digests, and no text is in them', () => {
  const { next, records, runtime } = createPlain();
  const object = {};
  const values = [0, -1, 1, 2 ** 28, 2 ** 40, 0.1, -0.1, NaN, Infinity, '', 'a', 'b', 'a'.repeat(40), `${'a'.repeat(39)}b`, null, undefined, true, false, 10n, -10n, Symbol('q'), object, {}, () => {}];
  const digest = (/** @type {any} */ value) => {
    const o = {};
    runtime.read(o, 'k', 1);
    next();
    runtime.wrote(2, value, o, 'k');
    return Number(/** @type {string} */ (records.at(-1)).split(' ').at(-1));
  };
  const digests = values.map(digest);
  assert.strictEqual(new Set(digests).size, values.length);
  assert.deepStrictEqual(values.map(digest), digests);
  assert.ok(digests.every((one) => Number.isInteger(one) && one >= 0 && one < 2 ** 32));
});

test('objects are not kept alive', async () => {
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc');
  const { next, runtime } = createPlain();
  const map = new Map();
  let refs = [{}, new Map(), [], () => {}].map((object) => {
    for (const event of [1, 2]) {
      next(event);
      runtime.wrote(1, object, object, 'k');
      runtime.entry(map, 'get', 2, object);
      runtime.each(object, 3);
    }
    return new WeakRef(object);
  });
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  refs = refs.filter((ref) => ref.deref() !== undefined);
  assert.strictEqual(refs.length, 0);
});

test('builtins that the program replaces later are not used', () => {
  const { next, records, runtime } = createPlain();
  const { get } = Map.prototype;
  const { push } = Array.prototype;
  try {
    Map.prototype.get = Array.prototype.push = () => { throw new Error('replaced'); };
    const o = {};
    for (const event of [1, 2]) {
      next(event);
      for (let i = 0; i < 20; i++) runtime.read(o, `k${i}`, 1);
      runtime.entry(new Map(), 'get', 1, 'k');
    }
  } finally {
    Map.prototype.get = get;
    Array.prototype.push = push;
  }
  assert.strictEqual(records.length, 41);
});

test('objects are told by their nature in other realms too', () => {
  const { next, records, runtime } = createPlain();
  const map = vm.runInNewContext('new Map()');
  const list = vm.runInNewContext('[]');
  for (const event of [1, 2]) {
    next(event);
    runtime.entry(map, 'get', 1, 'k');
    runtime.method(list, 'map', 2);
  }
  assert.deepStrictEqual(records, ['object 1 container Map', 'read 1 1 [k] 1', 'read 0 1 [k] 1', 'object 2 container Array', 'read 1 2 [] 2', 'read 0 2 [] 2']);
});

test('a budget ends the records of a site in an event', () => {
  const { next, records, runtime } = createPlain({ budget: 2 });
  const list = [{}, {}, {}];
  for (const event of [1, 2]) {
    next(event);
    for (const o of list) runtime.read(o, 'k', 1);
  }
  assert.deepStrictEqual(records.filter((record) => record.startsWith('object')), ['object 1 object Object', 'object 2 object Object']);
});

test('a failing output is reported once and never reaches the program', () => {
  const clock = { event: 1, ordinal: 0 };
  const fail = () => { throw new Error('disk full'); };
  /** @type {any[]} */
  const failures = [];
  const runtime = createAccesses({ out: { object: fail, read: fail, write: fail }, clock, EventEmitter, failed: (error) => failures.push(error) });
  const o = { k: 1 };
  for (clock.event = 1; clock.event < 4; clock.event++) assert.strictEqual(runtime.read(o, 'k', 1), o);
  assert.deepStrictEqual(failures.map((error) => error.message), ['disk full']);
});

/** A recording with bare site numbers. @param {{ budget?: number }} [options] */
function createPlain(options) {
  const clock = { event: 0, ordinal: 0 };
  /** @type {string[]} */
  const records = [];
  const write = (/** @type {string} */ kind) => (/** @type {any[]} */ ...fields) => { records[records.length] = [kind, ...fields].filter((field) => field !== undefined).join(' '); };
  const runtime = createAccesses({ out: { object: write('object'), read: write('read'), write: write('write') }, clock, EventEmitter, ...options });
  const next = (event = clock.event + 1) => {
    clock.event = event;
    clock.ordinal++;
  };
  return { clock, next, records, runtime };
}
