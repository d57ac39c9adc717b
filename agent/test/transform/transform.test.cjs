'use strict';

const assert = require('node:assert');
const { test } = require('node:test');

const { createRecording, instrument } = require('./harness.cjs');
const { transform } = require('../../src/transform/index.cjs');

/** @param {string} source @param {any} [options] */
function transformed(source, options) {
  const result = transform(source, { sourceType: 'commonjs', firstSite: 1, ...options });
  assert.ok(result.code !== null);
  return result;
}

test('each kind of access is recorded where the table says', () => {
  const head = 'var m,o,p,f,k;';
  const cases = [
    ['o.k;', '$rs.read(o,"k",1).k;'],
    ['o?.k;', '$rs.read(o,"k",1)?.k;'],
    ['o[k];', '$rs.read(o,k,1)[k];'],
    ['o?.[k];', 'o?.[$rs.key(o,k,1)];'],
    ['o[f()];', 'o[$rs.key(o,f(),1)];'],
    ['f().k;', '$rs.read(f(),"k",1).k;'],
    ['o.m(p);', '$rs.then($rs.read(o,"m",1),o.m(p));'],
    ['m.get(k);', 'm.get($rs.entry(m,"get",1,k));'],
    ['m.set(k,p);', 'm.set(k,$rs.entryValue(m,"set",1,k,p));'],
    ['o.k = p;', '$rs.wrote(1,o.k = p,o,"k");'],
    ['o.k += p;', '$rs.update(1,o.k += p,o,"k",0);'],
    ['o.k--;', '$rs.update(1,o.k--,o,"k",-1);'],
    ['o.k ??= p;', '$rs.read(o,"k",1).k ??= $rs.write(o,"k",2,p);'],
    ['delete o.k;', 'delete $rs.drop(o,"k",1).k;'],
    ['"k" in o;', '"k" in $rs.read(o,"k",1);'],
    ['p.push(k);', '$rs.called(1,p.push(k),p,"push");'],
    ['p.map(f);', '$rs.then($rs.method(p,"map",1),p.map(f));'],
    ['f(...p);', 'f(...$rs.each(p,1));'],
    ['f({...o});', 'f({...$rs.keys(o,1)});'],
    ['for (k of p);', 'for (k of $rs.each(p,1));'],
    ['for (k in o);', 'for (k in $rs.keys(o,1));'],
    ['var {a,b:c} = o;', 'var {}=$rs.then($rs.pick(o,1,"a","b"),0),{a,b:c} = o;'],
    ['var {a} = f();', 'var {a} = $rs.pick(f(),1,"a");'],
    ['new o.K(p);', '$rs.then($rs.read(o,"K",1),new o.K(p));'],
    ['new (f().K)(p);', 'new ($rs.read(f(),"K",1).K)(p);'],
    ['Math.max(k);', 'Math.max(k);'],
    ['class A { constructor() { this.k = this.l; } }', 'class A { constructor() { this.k = this.l; } }'],
    ['function P() { this.k = 1; }', 'function P() { $rs.wrote(1,this.k = 1,this,"k",new.target); }'],
  ];
  for (const [source, expected] of cases) assert.strictEqual(transformed(head + source).code, head + expected);
});

test('a variable is tracked only if another function captures it and something writes it', () => {
  const untouched = [
    'let n = 1; n = 2; n;', 'const n = 1; const f = () => n;', 'let n = 1; const f = () => n;', 'function f() {} const g = () => f();', 'for (let i = 0; i < 2; i++) f(() => i);',
    'function f(a) { a = 1; return a; }', 'try {} catch (e) { f(() => e); }', 'class A { m() { return A; } }', 'const g = function h() { return () => h; };',
  ];
  for (const source of untouched) assert.doesNotMatch(transformed(source).code, /scope/, source);
  const tracked = ['let n = 1; const f = () => n++;', 'let n; const f = () => n; n = 1;', 'function f(a) { return () => a = 1; }', 'let f = 1; f = 2; function g() { return f; }', 'for (let i = 0; ; ) f(() => i = 1);'];
  for (const source of tracked) assert.match(transformed(source).code, /scope/, source);
});

test('a site tells where it is, in which function, and how the value is used', () => {
  const source = [
    'let n = 0;',
    'class Shop {',
    '  async buy(item) {',
    '    if (this.stock.has(item.id)) n += await item.price();',
    '    this.sold = null; this.count++; this.list ||= []; delete this.old;',
    '    this.total = this.total + 1;',
    '  }',
    '}',
    'Shop.prototype.close = function () { bus.on("x", () => this.done.flag.set); };',
    'const open = () => { exports.up = n; };',
  ].join('\n');
  const rows = transformed(source).sites.map(({ line, column, function: name, name: what, flags }) => `${line}:${column} ${name} ${what} ${flags}`);
  assert.deepStrictEqual(rows.sort(), [
    '10:30 open up 0', '10:35 open n 0',
    '4:14 Shop.buy stock 1025', '4:20 Shop.buy has 137', '4:29 Shop.buy id 1',
    '4:34 Shop.buy n 18', '4:34 Shop.buy n 274', '4:50 Shop.buy price 8',
    '5:10 Shop.buy sold 512', '5:28 Shop.buy count 258', '5:42 Shop.buy list 261', '5:42 Shop.buy list 4', '5:67 Shop.buy old 32',
    '6:10 Shop.buy total 2', '6:23 Shop.buy total 258',
    '9:16  close 0', '9:42 Shop.close on 72', '9:6  prototype 1024',
    '9:61 Shop.close done 1024', '9:66 Shop.close flag 1024', '9:71 Shop.close set 0',
  ]);
});

test('site numbers count on from the first one and lines end as JavaScript says', () => {
  const { sites, code } = transformed('a.b\r\nc.d\u2028e.f\ng.h', { firstSite: 40 });
  assert.deepStrictEqual(sites.map(({ line, column }) => [line, column]), [[1, 3], [2, 3], [3, 3], [4, 3]]);
  assert.match(code, /"h",43\)/);
});

test('a file that cannot be parsed or uses the name already runs as it is', () => {
  assert.deepStrictEqual(transform('let $rs = 1', { sourceType: 'commonjs', firstSite: 1 }), { code: null, reason: 'it already uses the name $rs' });
  const broken = transform('let x: number', { sourceType: 'module', firstSite: 1 });
  assert.ok(broken.code === null && broken.reason.includes('1:5'));
  assert.ok(transform(`${'('.repeat(100000)}1`, { sourceType: 'commonjs', firstSite: 1 }).code === null);
});

test('a CommonJS file may return, name the wrapper and begin with a hashbang; a script declares nothing', () => {
  assert.match(transformed('#!/usr/bin/env node\nexports.k = 1; return new.target').code, /^#!\/usr\/bin\/env node\n\$rs\.wrote/);
  const script = transformed('var n = 1; function f() { n++; } x().y[z()] = n;', { sourceType: 'script' }).code;
  assert.strictEqual(script, 'var n = 1; function f() { n++; } $rs.read(x(),"y",1).y[z()] = n;');
});

test('a module keeps its bindings live, and its functions may run before it does', async () => {
  const recording = createRecording();
  const source = `export let n = 0; import { sep } from 'node:path';
    export function early() { try { return n; } catch (e) { return e.name; } }
    export const bump = () => { n += 1; return [n, sep.length, import.meta.url.slice(0, 5), typeof this]; };
    export default class { static k = n; }
    const o = { list: [await 1] }; export const { list, ...rest } = o; export { o as renamed };`;
  const code = instrument(source, recording, 'module');
  const load = (/** @type {string} */ text) => import(`data:text/javascript,${encodeURIComponent(text)}`);
  /** @type {any} */ (globalThis).$rs = recording.runtime;
  const seen = [];
  for (const text of [source, code]) {
    const loaded = await load(text);
    seen.push([loaded.bump(), loaded.bump(), loaded.n, loaded.early(), loaded.default.name, loaded.list, Object.keys(loaded)]);
  }
  assert.deepStrictEqual(seen[1], seen[0]);
  assert.match(code, /var \$rs_s0/);
});
