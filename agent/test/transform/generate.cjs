'use strict';

/**
 * Makes random programs that end, log what they compute and use most of the syntax that the transform touches.
 * The same seed makes the same program.
 * @param {number} seed
 * @returns {string} a CommonJS source that calls `log`
 */
function generateProgram(seed) {
  let state = (seed * 2654435761) >>> 0 || 1;
  const below = (/** @type {number} */ n) => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % n;
  };
  const pick = (/** @type {any[]} */ list) => list[below(list.length)];
  let names = 0;
  let inAsync = true;
  let inFunction = 0;

  const VARIABLES = ['a', 'b', 'c', 'n', 'o', 'p', 'list', 'map', 'fn'];
  const KEYS = ['x', 'y', 'z', 'n', 'g'];
  const variable = () => pick(VARIABLES);
  const object = () => pick(['o', 'p', 'this', 'o', 'make()', 'list[0]', 'o.self', 'a']);
  const key = () => pick([() => `.${pick(KEYS)}`, () => `["${pick(KEYS)}"]`, () => '[k]', () => `[log(${JSON.stringify(pick(KEYS))})]`, () => '[i++ % 3]', () => '[0]'])();
  /** @type {(d: number) => string} */
  const member = (d) => d > 0 && below(3) === 0 ? `${member(d - 1)}${key()}` : `${object()}${key()}`;
  const target = (/** @type {number} */ d) => pick([variable, () => member(d), () => `(${member(d)})`])();

  /** @type {((d: number) => string)[]} */
  const EXPRESSIONS = [
    () => `${below(10)}`, () => `'s${below(5)}'`, variable, variable, (d) => member(d), (d) => member(d),
    (d) => `${object()}?.${pick(KEYS)}${pick(['', '.x', '?.y', '[0]'])}${d > 2 ? `?.(${expression(d - 1)})` : ''}`,
    (d) => `(${target(d)} = ${expression(d - 1)})`, (d) => `(${target(d)} ${pick(['+=', '-=', '||=', '&&=', '??=', '|='])} ${expression(d - 1)})`,
    (d) => `${pick(['++', '--'])}${member(d)}`, (d) => `${pick(['a', 'n', 'o.n', 'o.x', 'p[k]'])}${pick(['++', '--'])}`,
    (d) => `(${expression(d - 1)} ${pick(['+', '-', '*', '===', '<', '&&', '||', '!=', ','])} ${expression(d - 1)})`,
    (d) => `(${expression(d - 1)} ?? ${expression(d - 1)})`, (d) => `(${expression(d - 1)} ? ${expression(d - 1)} : ${expression(d - 1)})`,
    (d) => `log(${expression(d - 1)})`, (d) => `fn(${expression(d - 1)})`, (d) => `o.m(${expression(d - 1)})`, (d) => `make().m(${expression(d - 1)}, ...${pick(['list', '[1]', 'text(map)'])})`,
    (d) => `map.${pick(['get', 'has', 'delete'])}(${expression(d - 1)})`, (d) => `map.set(${expression(d - 1)}, ${expression(d - 1)}).size`,
    (d) => `list.${pick(['push', 'unshift', 'indexOf', 'includes'])}(${expression(d - 1)})`, () => `list.${pick(['pop', 'shift', 'slice', 'reverse', 'length'])}${pick(['()', '?.()'])}`.replace('length()', 'length').replace('length?.()', 'length'),
    (d) => `[${expression(d - 1)}, ...list.slice(0, 2)][${below(2)}]`, (d) => `({ ${pick(KEYS)}: ${expression(d - 1)}, ...o, n, [k]: ${expression(d - 1)} })`,
    (d) => `typeof ${expression(d - 1)}`, (d) => `!${expression(d - 1)}`, (d) => `(delete ${member(d)})`, (d) => `(${pick(['"x"', 'k', 'log("y")'])} in ${pick(['o', 'p', 'make()'])})`,
    (d) => `new Thing(${expression(d - 1)})${pick(['', '.v', '.twice()', '.bump()'])}`, (d) => `new o.Thing(${expression(d - 1)}).v`, (d) => `\`<\${${expression(d - 1)}}>\``, (d) => `tag\`q\${${expression(d - 1)}}\``,
    (d) => arrow(d), (d) => inAsync ? `(await ${expression(d - 1)})` : variable(), (d) => `([${target(d)}, b = ${expression(d - 1)}] = list)`, (d) => `({ x: ${target(d)}, n = ${expression(d - 1)} } = o)`,
  ];

  /** @param {number} d @returns {string} */
  function expression(d) {
    return d <= 0 ? EXPRESSIONS[below(6)](0) : pick(EXPRESSIONS)(d);
  }

  /** @param {number} d */
  function arrow(d) {
    const outer = inAsync;
    inAsync = false;
    const text = `((v${below(2) ? ` = ${expression(0)}` : ''}) => ${below(2) ? expression(d - 1) : `{ ${statement(d - 1)} return ${expression(d - 1)} }`})`;
    inAsync = outer;
    return text;
  }

  /** @type {((d: number) => string)[]} */
  const STATEMENTS = [
    (d) => `${expression(d)};`, (d) => `${expression(d)};`, (d) => `log(${expression(d)});`, (d) => `${target(d)} = ${expression(d)};`,
    (d) => `if (${expression(d)}) ${statement(d - 1)} else ${statement(d - 1)}`, (d) => `{ let ${variable()} = ${expression(0)}; ${statement(d - 1)} }`,
    (d) => `for (let i = 0; i < ${below(3)}; i++) { ${statement(d - 1)} later.push(() => i += 1); }`, (d) => `for (let v of [${expression(0)}, 2]) { ${statement(d - 1)} later.push(() => v); v = 3; }`,
    (d) => `for (const q in ${pick(['o', 'p', 'list'])}) { ${statement(d - 1)} break; }`, (d) => `switch (${expression(d - 1)}) { case 1: ${statement(d - 1)} break; default: ${statement(d - 1)} }`,
    (d) => `try { ${statement(d - 1)} throw ${expression(0)} } catch (e) { later.push(() => log(e)); ${statement(d - 1)} e = 1; }`,
    (d) => { const name = `v${names++}`; return `let ${name} = ${expression(d)}; later.push(() => ${name}${pick(['++', ' = 1', ' ||= () => 1'])}); log(${name});`; },
    (d) => `const { x: v${names++}, ...r${names++} } = ${pick(['o', 'make()'])};`, (d) => func(d),
    (d) => inAsync ? `${pick(['o.n', 'n', 'p[k]', 'o.self.x'])} ${pick(['=', '+=', '??='])} await ${expression(d - 1)};` : ';',
  ];

  /** @param {number} d @returns {string} */
  function statement(d) {
    return d <= 0 ? STATEMENTS[below(4)](0) : `{ ${pick(STATEMENTS)(d)} }`;
  }

  /** @param {number} d */
  function func(d) {
    if (inFunction > 1) return ';';
    const outer = inAsync;
    inAsync = below(3) === 0;
    inFunction++;
    const name = `f${names++}`;
    const isSimple = below(2) === 0;
    const text = `${inAsync ? 'async ' : ''}function ${name}(n${isSimple ? '' : ', q = () => n'}) { ${isSimple && below(2) ? '"use strict"; ' : ''}${statement(d - 1)} this && (this.f = ${expression(0)}); return ${expression(d - 1)} }
      later.push(() => ${name}.call(o, 1)); ${below(2) ? `new ${inAsync ? 'Thing' : name}(2);` : ''}`;
    inAsync = outer;
    inFunction--;
    return text;
  }

  const body = Array.from({ length: 3 + below(4) }, () => `  try { ${pick(STATEMENTS)(4)} } catch (e) { log(e instanceof TypeError ? 'TypeError' : e instanceof Error ? e.message : e); }`);
  return `
let fuel = 300;
function spend() { if (fuel-- < 0) throw new Error('spent'); }
class Thing { #h = 1; v; constructor(v) { spend(); this.v = v; this.#h += 1; } twice() { return [this.v, this.v]; } bump() { return this.v = ++this.#h; } get n() { return this.#h; } }
const o = { x: 1, n: 2, m(...v) { spend(); return v.length + (this.n |= 0); }, get g() { return log(this.x); }, Thing }, p = [1, { x: 5 }];
o.self = o;
let a = 1, b = { x: 1 }, c = 'c', n = 0, list = [{ x: 1, y: [2] }, 7, 8], map = new Map([['k', o]]), i = 0;
let fn = (v) => (spend(), v);
const k = 'z', later = [], make = () => (log('make'), p), tag = (s, ...v) => s.raw.join() + v.length, text = (v) => String(v);
async function main() {
${body.join('\n')}
  for (const f of later.slice(0, 20)) try { log(f()); } catch (e) { log(e instanceof TypeError ? 'TypeError' : e instanceof Error ? e.message : e); }
  log(a, b, c, n, list, map, o, p);
}
return main.call(o);
`;
}

module.exports = { generateProgram };
