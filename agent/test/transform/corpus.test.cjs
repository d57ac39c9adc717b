'use strict';

const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');
const vm = require('node:vm');

const { transform } = require('../../src/transform/index.cjs');
const { createRecording, instrument } = require('./harness.cjs');

const packages = path.join(__dirname, '../../node_modules');

/** @param {string} folder @param {RegExp} name @returns {string[]} */
function filesOf(folder, name) {
  return fs.readdirSync(path.join(packages, folder)).filter((file) => name.test(file)).map((file) => path.join(packages, folder, file));
}

// The twin of typescript.js is left out: one file of nine megabytes is enough.
const corpus = [...filesOf('acorn/dist', /\.m?js$/), ...filesOf('typescript/lib', /^(?!_tsc\.).*\.js$/)];

test('every file of the corpus is transformed to code that V8 accepts, line by line', () => {
  assert.ok(corpus.length > 8);
  for (const file of corpus) {
    const source = fs.readFileSync(file, 'utf8');
    const sourceType = file.endsWith('.mjs') ? 'module' : 'commonjs';
    const result = transform(source, { sourceType, firstSite: 1 });
    assert.ok(result.code !== null, file);
    assert.ok(result.sites.length > 0 || source.length < 4000, file);
    if (sourceType === 'commonjs') new vm.Script(`(function (exports, require, module, $rs) {${result.code.replace(/^#!/, '//')}\n})`, { filename: file });
    assert.strictEqual(withoutEdits(result), source, file);
    checkSites(source, result.sites, file);
  }
});

/** @param {{ code: string, edits: number[] }} result @returns {string} */
function withoutEdits({ code, edits }) {
  const parts = [];
  let [from, inserted] = [0, 0];
  for (let i = 0; i < edits.length; i += 2) {
    parts.push(code.slice(from, edits[i] + inserted));
    inserted += edits[i + 1];
    from = edits[i] + inserted;
  }
  return [...parts, code.slice(from)].join('');
}

/** @param {string} source @param {import('../../src/transform/sites.cjs').Site[]} sites @param {string} file */
function checkSites(source, sites, file) {
  const lines = source.split(/\r\n?|[\n\u2028\u2029]/);
  for (const { line, column, name } of sites) {
    if (!/^#?[\w$]+$/.test(name)) continue;
    const text = lines[line - 1].slice(column - 1);
    const found = text.startsWith(name) || text.startsWith(`"${name}"`) || text.startsWith(`'${name}'`) || /^[\d.]/.test(text);
    assert.ok(found || name === '*', `${file}:${line}:${column} is not ${name}`);
  }
}

test('a transformed acorn parses acorn to the same tree', () => {
  const file = path.join(packages, 'acorn/dist/acorn.js');
  const source = fs.readFileSync(file, 'utf8');
  const recording = createRecording();
  const load = (/** @type {string} */ code) => {
    const module = { exports: /** @type {any} */ ({}) };
    vm.runInThisContext(`(function (exports, require, module, $rs) {${code}\n})`)(module.exports, require, module, recording.runtime);
    return module.exports;
  };
  const options = { ecmaVersion: 'latest', locations: true };
  const tree = JSON.stringify(load(source).parse(source, options));
  const transformed = load(instrument(source, recording));
  recording.next();
  assert.strictEqual(JSON.stringify(transformed.parse(source, options)), tree);
  assert.ok(recording.records.length > 0 && recording.records.length < 10000, `${recording.records.length} records`);
});
