'use strict';

const assert = require('node:assert');
const { test } = require('node:test');

const { createRecording, instrument, observe } = require('./harness.cjs');

// Hold points are named after the functions of a stack: the part of the name behind the last dot must not change.
// Every shape puts a function somewhere and calls it; F stands for the function.
const SHAPES = [
  'o.k = F; o.k()', 'o["lit"] = F; o.lit()', 'o[key] = F; o.kk()', 'o[key + 1] = F; o.kk1()', 'f().k = F; o.k()', 'x = o; x[key] = F; o.kk()', 'x = o; x.k = F; o.k()', 'x = o; x[key] ||= F; o.kk()', 'f()[key] ??= F; o.kk()', 'o.a[key] = F; o.a.kk()', 'o[f().kname] = F; o.kk()', 'o[o.kname] = F; o.kk()', 'o[o.same("kk")] = F; o.kk()', 'f().k = o.t && (F); o.k()', 'x = o; x[key] = o.t && (F); o.kk()', 'f()[key] = F; o.kk()', 'o.a.b = F; o.a.b()', 'f().a.b.c = F; o.a.b.c()', 'this.k = F; this.k()',
  'exports.k = F; exports.k()', 'module.exports = F; module.exports()', 'module.exports.k = F; exports.k()', 'exports.a = exports.b = F; exports.a()', 'o.x = o.y = o.z = F; o.x()', 'x = F; x()', 'x = y = F; x()', 'x = o.k = F; x()', 'o.k = x = F; o.k()',
  'x ??= F; x()', 'y ||= F; y()', 'o.k ??= F; o.k()', 'o.k ||= F; o.k()', 'f().k ||= F; o.k()', 'o.t &&= F; o.t()', 'o.k = o.none || (F); o.k()', 'o.k = o.t && (F); o.k()', 'o.k = o.none ?? (F); o.k()', 'o.k = t ? F : o.none; o.k()', 'o.k = !t ? o.none : F; o.k()', 'o.k = (F); o.k()', 'o.k = (o.none, F); o.k()',
  'x = t ? F : o.none; x()', 'const q = t ? F : o.none; q()', 'const q = o.none || (F); q()', 'const q = o.t ? (F) : o.m(); q()', 'const q = [F, o.none, o.m()]; q[0]()', 'o.k = [F, o.none]; o.k[0]()', 'o.k = [[F], o.none]; o.k[0][0]()', 'o.k = { m: F }; o.k.m()', 'o.k = { m: t ? F : o.none }; o.k.m()', 'o.k = { m: [F, o.none] }; o.k.m[0]()', 'o.k = { [key]: F }; o.k.kk()', 'o.k = { m: same(F) }; o.k.m()', 'const q = { m: F }; q.m()',
  'o.k = same(F); o.k()', 'o.k = o.same(F); o.k()', 'o.k = o.a.same(F); o.k()', 'o.k = same(F, F); o.k()', 'o.k = o.same(F, F); o.k()', 'o.run(F)', 'o.a.run(F)', 'o.run(F, F)', 'o.a.run(F, o.none)', 'run(F)', 'x = run; x(F)', 'const q = o.run(F); x = q', 'o.k = o.run(F)', 'o.k = o.a.run(F, F)', 'o.k = function () { return F }(); o.k()',
  'const q = function () { return F }(); q()', 'o.k = new Holder(F); o.k.f()', 'o.k = new o.Holder(F); o.k.f()', 'const m = new Map(); m.set("k", F); m.get("k")()', 'const l = []; l.push(F); l[0]()', '[1].map(F)', 'const q = [1].map(F); x = q', 'o.list.forEach(F)', 'Promise.resolve().then(F)', 'o.p.then(F)', 'const q = o.p.then(F, F); x = q', 'new Promise(F)', 'o.k = new Promise(F)',
  'o.on("e", F); o.emit("e")', 'const { q = F } = {}; q()', 'const [q = F] = []; q()', '({ q: o.k = F } = {}); o.k()', '[x = F] = []; x()', '((q = F) => q())()', 'class A { k = F } new A().k()', 'class A { static k = F } A.k()', 'class A { [key] = F } new A().kk()', 'class A { #p = F; m() { this.#p() } } new A().m()', 'class A { #p; m() { this.#p = F; this.#p() } } new A().m()', 'class A { constructor() { this.k = F } } new A().k()', 'class A { m() { this.k = F; this.k() } } new A().m()',
  'A.prototype.k = F; new A().k(); function A() {}', 'var A = function () {}; A.prototype = { k: F }; new A().k()', 'Object.defineProperty(o, "k", { value: F }); o.k()', 'return (t ? F : o.none)()', '(F)()', '(0, F)()', 'setImmediate(F)', 'o.k = t ? F : F; o.k()', 'o.k = [F, F]; o.k[0](); o.k[1]()', 'o.k = o.t ? { m: F } : o.same(o.none); o.k.m()', 'x = { m: F, n: o.same(1) }; x.m()', 'o.k = t ? F : o.list[o.same(0)]; o.k()', 'o.k = [F, { n: o.none }]; o.k[0]()',
];
const FUNCTIONS = ['function () { see() }', '() => see()', 'async function () { see() }', 'async () => { see() }', 'function named() { see() }'];

const SETTING = `
const o = { t: 1, kname: 'kk', none: undefined, a: { same: (v) => v, run: (...f) => f.map((g) => g && g()) }, list: [1], m() {}, same: (v) => v, p: Promise.resolve(),
  run: (...f) => f.map((g) => g()), Holder: class { constructor(f) { this.f = f } } };
Object.setPrototypeOf(o, require('node:events').prototype);
const key = 'kk', t = true, f = () => o, same = (v) => v, Holder = o.Holder;
let x, y, run = (g) => g();
const spy = () => [x, y, run]; if (o.never) run = spy;
const ended = new Promise((resolve) => setImmediate(resolve));
function see() {
  const { prepareStackTrace } = Error;
  Error.prepareStackTrace = (_, stack) => stack;
  const frame = new Error().stack[1];
  Error.prepareStackTrace = prepareStackTrace;
  log(String(frame.getFunctionName()).replace(/.*\\./, ''), frame.getMethodName(), frame.isConstructor(), frame.getFunction === undefined || 0);
}
`;

test('a function is called the same in stacks and by name', async (t) => {
  for (const shape of SHAPES) {
    await t.test(shape, async () => {
      for (const body of FUNCTIONS) {
        const source = `${SETTING}\n${shape.replaceAll('F', body)}\nreturn ended.then(() => [x, y, o.k, o.t, exports.k].map((v) => v && v.name))`;
        const recording = createRecording();
        const code = instrument(source, recording);
        const plain = await observe(source, recording.runtime);
        assert.doesNotMatch(plain, /SyntaxError/);
        assert.strictEqual(await observe(code, recording.runtime), plain, code.slice(code.indexOf('see()')));
      }
    });
  }
});
