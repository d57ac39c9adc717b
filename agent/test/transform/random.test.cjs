'use strict';

const assert = require('node:assert');
const { test } = require('node:test');

const { generateProgram } = require('./generate.cjs');
const { createRecording, instrument, observe } = require('./harness.cjs');

// RACESEED_PROGRAMS=20000 for a long run; RACESEED_FIRST_SEED to begin elsewhere, or to see one failing program again.
const programs = Number(process.env.RACESEED_PROGRAMS ?? 300);
const firstSeed = Number(process.env.RACESEED_FIRST_SEED ?? 1);

/** The text of functions does change: Function.prototype.toString is repaired elsewhere. @param {() => Promise<void>} body */
async function withoutFunctionTexts(body) {
  const { toString } = Function.prototype;
  Function.prototype.toString = function () { return `function ${this.name}`; };
  try {
    await body();
  } finally {
    Function.prototype.toString = toString;
  }
}

test(`${programs} random programs do the same with and without the transform`, async () => {
  let failed = 0;
  for (let seed = firstSeed; seed < firstSeed + programs; seed++) {
    const source = generateProgram(seed);
    const recording = createRecording();
    const code = instrument(source, recording);
    let plain = '';
    let transformed = '';
    await withoutFunctionTexts(async () => {
      plain = await observe(source, recording.runtime);
      transformed = await observe(code, recording.runtime);
    });
    assert.doesNotMatch(plain, /SyntaxError/, source);
    if (!plain.includes('gives')) failed++;
    // "make().m is not a function" quotes the inserted helper where the base is no plain name.
    [plain, transformed] = [plain, transformed].map((text) => text.replace(/TypeError: [^\n]*/g, 'TypeError'));
    assert.strictEqual(transformed, plain, `seed ${seed}\n${source}\n${code}`);
  }
  assert.ok(failed < programs / 2, 'most programs must run to their end');
});
