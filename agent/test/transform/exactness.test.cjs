'use strict';

const assert = require('node:assert');
const { test } = require('node:test');

const { createRecording, instrument, observe } = require('./harness.cjs');

/** One line per production of the grammar; each logs what it does. */
const SNIPPETS = {
  members: [
    'const o = { k: 1, get g() { log("g"); return this.k } }; log(o.k, o["k"], o.g, o?.k, o?.["k"])',
    'function f() { log("f"); return { a: [1, { z: 2 }] } } const i = () => log(1); log(f().a[i()].z, f()["a"][0])',
    'const o = null; log(o?.a.b.c, o?.[log(1)], o?.a(log(2)))',
    'const o = { a: null }; log(o.a?.b.c, o.a?.b(), o.m?.(log(1)), o.a?.[log(2)].x)',
    'const o = { m() { return this } }; log(o.m() === o, (o.m)() === o, (0, o.m)() === o, o?.m() === o, (o?.m)() === o, o.m?.() === o, o["m"]() === o)',
    'const o = undefined; o.k', 'const o = null; o.k = log(1)', 'const o = null; o.k += log(1)', 'const o = undefined; o[log("k")]',
    'const o = {}; o.m()', 'const o = {}; o.a.b()', 'const o = {}; o.get(1)', 'const o = {}; o.push(1)', 'const o = {}; new o.K(log(1))',
    'const o = {}; o.a.b = 1', 'let f; f()', 'let f = 1; (() => { f = 2 })(); f()',
    'undeclared.k', 'undeclared.k = 1', 'undeclared()', 'log(typeof undeclared, typeof undeclared?.x)',
    'log([][0], "abc".length, `x`.length, (1).toFixed(1), 1..toFixed(2), /x/.source, [1][0].toFixed())',
    'const k = { toString() { log("key"); return "z" } }; const o = { z: 1 }; log(o[k]); o[k] = 2; o[k] += 3; o[k]++; log(o, delete o[k], k in o)',
    'const s = Symbol("s"), o = {}; o[s] = 1; o[s]++; log(o[s], s in o)',
    'const o = {}; o[undefined] = 1; o[null] = 2; log(o[undefined], o["undefined"], o[null])',
    'const o = { a: { b: { c: 1 } } }; const { a } = o; log(a.b.c, (o.a).b.c, ((o).a.b).c, o.a["b"]?.c)',
    'const o = { n: 1 }, p = o; o.n = o.n + (p.n = 5); log(o.n, p.n)',
    'let o = { v: 1 }; const first = o; o.next = o = { v: 2 }; log(first, o)',
    'let a = [1, 2], i = 0; a[i] = i = 1; log(a, i); a[i++] += i; log(a, i); a[i--]--; log(a, i)',
    'const o = [7], k = 0; log(o[k], o[k, 0], o[(k, 0)], (0, o)[k]); o[k, 0] = 3; log(o)',
  ],
  assignments: [
    'const o = { set k(v) { log("set", v) }, get k() { log("get"); return 4 } }; log(o.k = 1, o.k += 2, o.k++, ++o.k, o.k--, o.k ||= 9, o.k &&= 8, o.k ??= 7, o.k **= 2)',
    'const f = () => log({ k: 1 }), g = () => log("k"), h = () => log(5); log(f()[g()] = h(), f()[g()] += h(), f()[g()]++, f()[g()] ||= h(), f()[g()] &&= h(), f().z ??= h(), delete f()[g()], g() in f())',
    'const o = Object.freeze({ k: 1 }); o.k = 2; o.z = 3; delete o.k; log(o)',
    '"use strict"; const o = Object.freeze({ k: 1 }); o.k = 2', '"use strict"; const o = Object.freeze({ k: 1 }); delete o.k', '"use strict"; undeclared = 1',
    'const c = 1; c = 2', 'const c = 1; (() => { c++ })()', 'const o = 1; o.k = 2; log(o.k)', '"use strict"; const o = 1; o.k = 2',
    'let x = 1, y; const f = () => x; x = y = 3; log(x, y, f()); x += 2; log(f()); x ||= 1; x &&= 7; x ??= 2; log(x++, ++x, x--, f())',
    'let x; const f = () => x; x ??= function () {}; log(x.name, f().name); let y; const g = () => y; y ||= () => {}; log(y.name, g() === y); let z; const h = () => z; z ??= class {}; log(z.name); z = (class {}); log(z.name); (z) = () => 1; log(z.name)',
    'let a, b; const f = () => [a, b]; [a, b] = [1, 2]; log(f()); ({ a, x: b = 5 } = { a: 3 }); log(f()); [a = b, ...b] = [undefined, 7, 8]; log(f())',
    'const o = {}; [o.a, o["b"], ...o.c] = [1, 2, 3, 4]; ({ x: o.x, y: o.y = 4, ...o.r } = { x: 1, z: 2 }); log(o)',
    'let i = 0; const o = {}; const f = () => (log("f"), o); [f().a, f()["b" + i++]] = new Set([1, 2]); log(o, i)',
    'const o = { a: 1n }; o.a++; o.a += 2n; log(o.a--, o.a)', 'const o = {}; o.x ??= o.y ??= 3; o.x = o.z = o.x; log(o)', 'let o = {}; (o).k = 1; (o.k)++; (o.k) += 2; (o["k"]) = o.k; log(o)',
    'var x = 1; { x = 2; function g() { return x } } log(x, g()); var x; log(x)',
    'const o = { a: 1 }; o.a += o.a = 5; log(o); let n = 1; const f = () => n; n += n = 5; log(f())',
  ],
  calls: [
    'const m = new Map([["a", 1]]); log(m.get("a"), m.has("b"), m.set("b", log(2)) === m, m.delete("a"), [...m], m.size); m.set("x"); log(m.get())',
    'const s = new Set(); s.add(1).add(2); log(s.has(1), s.delete(1), [...s]); s.clear(); log(s.size)',
    'const m = new Map(); m.set(() => 1, () => 2).set(function () {}, class {}); log(m, [...m].flat().map((f) => f.name)); const o = {}; o[() => 1] ??= 3; log((() => 1) in o)', 'const w = new WeakMap(), k = {}; w.set(k, 1); log(w.get(k), w.has({})); w.set(1, 2)',
    'class M extends Map { get(k) { log("get", k); return super.get(k) } } const m = new M(); m.set(1, 2); log(m.get(1))',
    'const a = [3, 1]; log(a.push(2, 5), a.pop(), a.sort((x, y) => x - y), a.map((x) => x + 1), a.splice(0, 1), a.indexOf(2), a.length, a.forEach((x) => log(x))); a.length = 0; log(a)',
    'const o = { push(...v) { log("own push", v); return 9 }, get(k) { return this.x + k }, x: "x" }; log(o.push(1), o.get(2), o.get(...[3]))',
    'const E = require("node:events"), e = new E(); e.on("x", function (v) { log(this === e, v) }).once("x", log); e.emit("x", 1); e.emit("x", 2); log(e.listenerCount("x"))',
    'const f = (...v) => log(v.length); f(...[1, 2], ...new Set([3]), ..."ab"); new f(1)', 'const o = { f(...v) { return [this === o, v] } }; log(o.f(...[1, 2]), o["f"](...[3]), o.f?.(...[4]))',
    'const o = { a: { K: class { constructor(v) { this.v = v } m() { return this.v } } }, f() { return this.a.K }, g: function () { this.n = 1 } }; log(new o.a.K(1).v, new o.a["K"](2).m(), new (o.f())(3), new (o.g)(), new o.a.K, new (class { x = 1 })().x)',
    'const o = { D: Date }; log(new new Object(Date)(0).getTime()); log(new o.D(0).getTime(), new (o.D)(0).toISOString())',
    'function tag(s, ...v) { return [this && this.n, s.raw, v] } const o = { tag, n: 1 }; log(tag`a${1}b`, o.tag`c${o.n}`, o["tag"]`d`, (o.tag)`e\\u`)',
    'const t = (s) => s; const f = () => t`x`; log(f() === f())', 'let f = (v) => v; const g = () => f(2); log(f(1), g(), f?.(3)); f = null; log(f?.(log(4)))',
    'const a = []; a.push(a.length, a.push(1), a.length); log(a)', 'const l = { items: [1, 2] }; l.items.push(l.items.shift()); log(l.items.slice().reverse(), l.items.concat([9]).join())',
    'eval("var q = 1"); log(q); const o = { k: 1 }; log(eval("o.k"), (0, eval)("typeof o"))', 'with ({ a: 1, o: { k: 2 } }) { log(a, o.k); a = 3; o.k++; log(a, o.k) }',
    'const o = { get m() { log("m"); return (v) => log(v) } }; o.m(log("arg")); o.m?.(log("arg2"))',
    'log(arguments.length > 2, arguments[0] === exports, (function () { return arguments[0] + arguments.length })(4))',
  ],
  functions: [
    'function f(a, b = a.x, c = () => a) { a = { x: 5 }; return [a.x, b, c().x] } log(f({ x: 1 }))', 'const f = ({ a, b: { c = a } = {} }, [d, ...e] = [1, 2]) => [a, c, d, e]; log(f({ a: 1 }), f({ a: 1, b: { c: 2 } }, "xyz"))',
    'const f = x => () => x++; const g = f(1); log(g(), g())', 'const f = (a) => a.b[a.c()]; log(f({ b: { z: 1 }, c: () => "z" }))', 'const f = () => ({ a: 1 }).a, g = () => [1][0], h = () => (1, 2); log(f(), g(), h())', 'const f = async x => await x.y; return f({ y: 3 })',
    'function* g(o) { const x = yield o.a; o.b += yield x; yield* o.c; return o.b } const it = g({ a: 1, b: 2, c: [7, 8] }); log(it.next(), it.next(4), it.next(5), it.next(), it.next())',
    'async function* g() { for await (const x of [1, Promise.resolve(2)]) yield x } return (async () => { const r = []; for await (const x of g()) r.push(x); return r })()',
    'const o = { n: 0 }; const add = async (v) => { o.n += await v; log(o.n) }; return Promise.all([add(1), add(2)])', 'let n = 0; const add = async (v) => { n += await v; log(n) }; return Promise.all([add(1), add(2)])',
    'const o = { a: [0] }; const f = async () => { o.a[await 0] = await 5; o.a[await 0] += await 1; o.z ??= await 2; o.a.push(await 3); return o }; return f()',
    'const m = new Map(); const f = async () => { m.set(await "k", await 1); m.set("z", 2); return [...m] }; return f()', '"use strict"\nlet x = 1; const f = () => { x++; return this === undefined }; log(f(), x, (function () { return this })())',
    'function f() { "use strict"; return this } function g() { "not strict"\n;return typeof this } log(f(), g())', 'function f() { return new.target === f } log(f(), new f() instanceof f, Reflect.construct(f, []) instanceof f)', 'function P(k) { this.k = k; this.k++; (() => { this.z = 1 })() } log(new P(1), P.call({ y: 1 }, 2))',
    'const g = function fact(n) { fact = 1; return n ? n * fact_(n - 1) : 1 }; const fact_ = g; log(g(4))', 'log(h()); function h() { return v } var v = 1; h = () => 2; log(h())', 'try { h() } catch (e) { log(e.message) } let v = 1; function h() { return v++ } log(h(), h())',
    'const f = (a, b = () => { a = 2; return a }) => [b(), a]; log(f(1))', 'function f(a) { arguments[0] = 2; a++; return [a, arguments[0], () => a] } log(f(1).slice(0, 2))', 'log((function () { return typeof x; var x = 1; })(), (() => { try { y } catch (e) { return e.message } let y })())',
    'function f(x) { var x; const g = () => x; x = 2; return g() } log(f(1)); function k(x) { { let x = 3; const g = () => x; x++; return g() } } log(k())',
  ],
  classes: [
    'class A { #p = 1; static #s = 2; get p() { return this.#p } set p(v) { this.#p = v } inc() { this.#p++; this.#p += 2; return this.#p ??= 3 } #m() { return this.#p } m() { return this.#m() + (#p in this) } static s() { return A.#s++ + this.#s } static has(o) { return #p in o } } const a = new A(); log(a.inc(), a.p = 9, a.m(), A.s(), A.has({}), a?.p)',
    'class A { #p = 1; f(o) { return o?.#p } } log(new A().f(null)); new A().f({})', 'class A { static has(o) { return #p in o } #p } A.has(1)', 'class A { x = this.y; y = () => this.x; static z = A.w; static w = 2; ["c" + 1] = 3; static { this.q = this.w + 1; const o = this; o[String("k")] = o.q; } } const a = new A(); log(a, a.y(), A.z, A.q, A.k)',
    'class A { constructor() { this.a = 1; this.b = { c: this.a }; this.b.c++; this.m() } m() { this.a += 1 } } class B extends A { constructor(v) { const f = () => this; super(v); this.z = f().a } m() { super.m(); super.x = 5; return super.m } get s() { return super.m } } const b = new B(); log(b, b.s === A.prototype.m, b.m())',
    'class B extends Object { constructor() { this.x = 1; super() } } new B()', 'class B extends Object { constructor() { log(this.x) } } new B()', 'const o = { C: class { v = 1 } }; class D extends o.C {} class E extends (() => o.C)() { w = super.toString } log(new D().v, typeof new E().w)',
    'let C = class { static n = 0; m() { return C.n++ } }; const c = new C(); log(c.m(), C.n); C = null; try { c.m() } catch (e) { log(e.message) }', 'class A { static async *g() { yield this.x } static x = 1 } return A.g().next()', 'const o = { __proto__: { k: 1 }, get k() { return super.k + 1 }, async am() { return this.k }, *gm() { yield this.k } }; log(o.k, [...o.gm()]); return o.am()',
    'class A extends null { static m() { return super.m } } log(A.m())', 'const k = "z"; class A { [k]() { return this[k] === A.prototype[k] } static [k + 1] = k } log(new A().z(), A.z1)', 'class A { accessor = 1; static = 2; get = 3; async = 4 } log(new A())',
  ],
  loops: [
    'const fs = []; for (let i = 0; i < 3; i++) { fs.push(() => i++); i += 0 } log(fs.map((f) => f()), fs.map((f) => f()))', 'const fs = []; for (let i = 0; i < 2;) { fs.push(() => i); i++ } log(fs.map((f) => f()))', 'const fs = []; for (let i = 0, f = () => i; i < 2; i++) fs.push(f, () => i++); log(fs.map((f) => f()))',
    'const fs = []; for (let x of [1, 2]) fs.push(() => x++, () => x); log(fs.map((f) => f()))', 'const fs = []; for (let x in { a: 1, b: 2 }) { x += "!"; fs.push(() => x) } log(fs.map((f) => f()))', 'const fs = []; for (const x of new Map([[1, 2]])) fs.push(() => x); log(fs[0]())', 'const o = {}; for (o.k of [1, 2]) log(o); for (o["z"] in { q: 1 }) log(o); for ([o.a, o.b] of [[1, 2]]) log(o)',
    'out: for (const a of [1, 2]) { for (let b = 0; ; b++) { const f = () => b; if (b > 1) continue out; if (a > 1) break out; b += 0; log(a, b, f()) } }', 'let i = 0; const f = () => i; do i++; while (i < 3) log(f()); while (i --> 0) log(i)', 'var x; for (x in [1, 2], [3]) log(x); for (var y = 0, z = ("k" in {}); y < 1; y++) log(z)', 'for (const [a, { b }] of [[1, { b: 2 }]]) log(a, b)', 'let x = 0; const f = () => x; for (x of [1, 2]); log(f()); for (x = 5; x < 6; x++); log(f())',
    'switch (log(1)) { case 0: let a; case log(1): a = 2; const f = () => a; a = 3; log(f()); break; default: log("no") }', 'const o = { t: 1 }; switch (o.t) { case o.t: log("yes") } if (o.t) log(1); else log(2); log(o.t ? o.a : o.b, !o.t, o.t && o.z, o.z ?? o.t)', 'try { throw { m: 1 } } catch ({ m, n = m }) { const f = () => n; n = 5; log(m, f()) } finally { log("end") }', 'try { null.x } catch { log("c") }', 'for (const x of null) log(x)', 'let { a } = undefined',
  ],
  declarations: [
    'const o = undefined; const { a } = o', 'const o = null; const { a, b } = o', 'const o = []; const [a] = o; log(a)', 'const { a, b: { c }, ...r } = { a: 1, b: { c: 2 }, d: 3 }; log(a, c, r)', 'const o = { a: 1, get b() { return log(2) } }, { a, b, z = a } = o, [p, , q = 4, ...t] = [1, 2]; log(a, b, z, p, q, t)', 'const { a } = a', 'let f = () => g; { let g = 1; log(typeof f) } var g = 3; g = 4; log(f())', 'var { length } = "abc"; log(length); const [x, y] = new Set([1, 2]); log(x, y)',
    'if (true) { function q() { return 1 } } log(q()); { function q() { return 2 } } log(q())', 'let a = 1; { let a = 2; const f = () => a; a = 3; log(f()) } log(a)', 'x = 5; log(x); var x; var f = () => x; x = 6; log(f())', 'const { [log("k")]: v = log(1) } = {}; log(v)',
  ],
  'text and semicolons': [
    'const o = { k: 1, list: [] }\nconst p = o\no.k++\n++o.k\no.list.push(1)\n;[p.k] = [5]\nlog(o, p)', 'const o = { k: 1 }; function f() { return[o.k][0] } function g() { return(o.k) } function h(x) { if(x)return o.k;else return-o.k } log(f(), g(), h(1), h(0), typeof o.k, void o.k, typeof(o.k), delete o.k,"k"in o)', 'function f(o) { throw[o.x].concat([1]) } try { f({ x: 2 }) } catch (e) { log(e) }', 'function f(o) {\n  return\n  o.k\n} log(f({}))', 'let a = 1, b = 2\nconst f = () => [a, b]\na\n++\nb\nlog(f())', 'var a = 1, o = { k: 2 }\nvar c = a\n/o.k/ 1; log(c)', 'const o={a:{b:1}};for(const k in o.a)log(k);for(const k of[o.a])log(k);do log(o.a.b);while(0)log(2)', 'switch(1){case[1].length:log("x")}', '// c\n/* d */ "use strict" // e\nconst o = { k: 1 }; /* f */ o /* g */ . /* h */ k++ // i\nlog(o)', 'let async = 1, of = 2, let_ = 3, get = { set: 4 }; const f = () => async; async = get.set; log(f(), of, let_)', 'var yield_ = { await: 1 }; var await = yield_; log(await.await)',
    'label: { const o = { k: 1 }; if (o.k) break label; log("no") } log("yes")', 'var \\u0061b = { \\u0063: 1 }; log(ab.c, ab.\\u0063); const é = { ü: 1 }; log(é.ü)', 'const o = { "a-b": 1, 5: 2, 0x10: 3, 1e3: 4, if: 5 }; log(o["a-b"], o[5], o[0x10], o[1e3], o.if, o["\\n"], o["\\u2028"])',
  ],
};

for (const [production, snippets] of Object.entries(SNIPPETS)) {
  test(`the transform keeps the meaning of ${production}`, async (t) => {
    for (const snippet of snippets) {
      await t.test(snippet.slice(0, 90), async () => {
        const recording = createRecording();
        const code = instrument(snippet, recording);
        const plain = await observe(snippet, recording.runtime);
        assert.strictEqual(await observe(code, recording.runtime), plain, code);
        assert.strictEqual(code.split('\n').length, snippet.split('\n').length, 'no line may be added');
      });
    }
  });
}
