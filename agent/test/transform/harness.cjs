'use strict';

const { EventEmitter } = require('node:events');
const { inspect, types } = require('node:util');
const vm = require('node:vm');

const { createAccesses } = require('../../src/record/accesses.cjs');
const { transform } = require('../../src/transform/index.cjs');

/** A run-time object whose records are kept as text: `read 1 key :line flags`. */
function createRecording() {
  const clock = { event: 1, ordinal: 0 };
  /** @type {any[]} */
  const sites = [];
  /** @type {string[]} */
  const records = [];
  const place = (/** @type {number} */ site) => `:${sites[site].line}`;
  const out = {
    object: (/** @type {number} */ id, /** @type {string} */ kind, /** @type {string} */ label) => records.push(`object ${id} ${kind} ${label}`),
    read: (/** @type {number} */ back, /** @type {number} */ id, /** @type {string} */ key, /** @type {number} */ site) => records.push(`read -${back} ${id} ${key} ${place(site)}`),
    write: (/** @type {number} */ back, /** @type {number} */ id, /** @type {string} */ key, /** @type {number} */ site, /** @type {number} */ digest) => records.push(`write -${back} ${id} ${key} ${place(site)} ${digest}`),
  };
  const runtime = createAccesses({ out, clock, EventEmitter });
  /** The next order record begins the next event. @param {number} [event] */
  const next = (event = clock.event + 1) => {
    clock.event = event;
    clock.ordinal++;
  };
  return { clock, next, records, runtime, sites };
}

/** @typedef {ReturnType<typeof createRecording>} Recording */

/**
 * @param {string} source
 * @param {Recording} recording
 * @param {'commonjs' | 'module' | 'script'} [sourceType]
 * @returns {string} the transformed source
 */
function instrument(source, recording, sourceType = 'commonjs') {
  const result = transform(source, { sourceType, firstSite: recording.sites.length });
  if (result.code === null) throw new Error(`not transformed: ${result.reason}`);
  recording.sites.push(...result.sites);
  return result.code;
}

/** Text of a value without places, ids and other things that may differ. @param {any} value @returns {string} */
function show(value) {
  if (types.isPromise(value)) {
    value.catch(() => {});
    return 'a promise';
  }
  if (types.isNativeError(value)) return `${value.name}: ${value.message}`;
  return inspect(value, { depth: 3, breakLength: Infinity }).replace(/\n\s+at .*/g, '');
}

/**
 * Runs a CommonJS source and gives what can be seen of it: its log, its result or its exception, also those that come later.
 * @param {string} code
 * @param {any} runtime
 * @param {Record<string, any>} [globals] further parameters of the wrapper
 */
async function observe(code, runtime, globals = {}) {
  /** @type {string[]} */
  const lines = [];
  const log = (/** @type {any[]} */ ...values) => {
    lines.push(values.map(show).join(' '));
    return values[0];
  };
  const names = ['exports', 'require', 'module', 'log', '$rs', ...Object.keys(globals)];
  const module = { exports: {} };
  try {
    const run = vm.runInThisContext(`(function (${names.join()}) {${code}\n})`, { filename: 'snippet.js' });
    lines.push(`gives ${show(await run.call(module.exports, module.exports, require, module, log, runtime, ...Object.values(globals)))}`);
  } catch (error) {
    lines.push(`throws ${show(error)}`);
  }
  return lines.join('\n');
}

module.exports = { createRecording, instrument, observe };
