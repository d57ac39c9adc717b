'use strict';
// Every builtin that the agent uses at run time, saved before user code can
// replace it. Nothing in the agent calls a global or a module function that is
// not listed here once start() has returned.

const asyncHooks = require('node:async_hooks');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const timers = require('node:timers');
const { fileURLToPath } = require('node:url');

const { apply, ownKeys } = Reflect;
const then = Promise.prototype.then;
const atomicsWait = Atomics.wait;
const STILL = new Int32Array(new SharedArrayBuffer(4));

module.exports = {
  apply,
  ownKeys,
  captureStackTrace: Error.captureStackTrace,
  Promise,
  /** @type {(promise: any, done: (value: any) => any, failed: (error: any) => any) => Promise<any>} */
  then: (promise, done, failed) => apply(then, promise, [done, failed]),
  AsyncResource: asyncHooks.AsyncResource,
  createHook: asyncHooks.createHook,
  executionAsyncId: asyncHooks.executionAsyncId,
  openSync: fs.openSync,
  writeSync: fs.writeSync,
  readFileSync: fs.readFileSync,
  existsSync: fs.existsSync,
  stat: fs.stat,
  tmpdir: os.tmpdir(),
  resolve: path.resolve,
  relative: path.relative,
  isAbsolute: path.isAbsolute,
  sep: path.sep,
  setTimeout: timers.setTimeout,
  clearTimeout: timers.clearTimeout,
  fileURLToPath,
  cwd: process.cwd.bind(process),
  activeResources: process.getActiveResourcesInfo.bind(process),
  now: performance.now.bind(performance),
  /** Blocks the thread. @param {number} ms */
  wait: (ms) => { atomicsWait(STILL, 0, 0, ms); },
  /** Callbacks that libuv has delivered so far; 0 where Node does not count them (before 20.18). */
  loopEvents: () => /** @type {any} */ (performance.nodeTiming).uvMetricsInfo?.events ?? 0,
};
