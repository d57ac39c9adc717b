'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');
const { Columns } = require('../src/record/columns.cjs');
const { transform } = require('../src/transform/index.cjs');
const { runAgent, ops } = require('./run-agent.cjs');

test('every character of transformed code is found in the original', () => {
  const source = 'let n = 0;\nfunction f(o) { n++; /* 🚀 */ return o.a.b[n] + o.c(); }\nf({ a: { b: [] }, c() { return n; } });\n';
  const { code, edits } = transform(source, { sourceType: 'commonjs', firstSite: 0, global: '$rs' });
  assert.notEqual(code, source);
  const columns = new Columns(source, edits);
  const place = (text, at) => [text.slice(0, at).split('\n').length, at - text.lastIndexOf('\n', at - 1)];
  for (let at = 0, generated = 0, edit = 0; at < source.length; at++, generated++) {
    for (; edits[edit] === at; edit += 2) generated += edits[edit + 1];
    assert.equal(code[generated], source[at]);
    const [line, column] = place(source, at);
    assert.equal(columns.original(...place(code, generated)), column, `line ${line} column ${column}`);
  }
});

test('the place of an operation is the one in the original', () => {
  const program = 'const o = { fs: require("fs"), f: __filename };\nfunction read() { o.n = 1; return o.fs.readFile(o.f, () => {}); }\nread();\n';
  const { records } = runAgent({ 'main.cjs': program });
  const [op] = ops(records, /^fs\.readFile/);
  const site = records.find(({ name, id }) => name === 'site' && id === op.site);
  assert.deepEqual([site.line, site.column], [2, program.split('\n')[1].indexOf('readFile') + 1]);
});
