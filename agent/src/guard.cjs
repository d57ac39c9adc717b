'use strict';
// Decides whether the agent takes part in this process. Written so that an
// unsupported Node can still parse it.

var threads = require('node:worker_threads');

var LOADED = Symbol.for('raceseed.agent');
var OLDEST_NODE = 20;

// Package managers only start the real command; their own work is not the suite's.
var PACKAGE_MANAGER = /[\\/](npm-cli|npx-cli|npm|npx|yarn|yarnpkg|pnpm|pnpx|corepack)(\.[cm]?js)?$/;

/**
 * @param {NodeJS.Process} proc
 * @returns {boolean} false: stay out and change nothing
 */
function admitted(proc) {
  if (!proc.env.RACESEED_SESSION) return false;
  if (Number(proc.versions.node.split('.')[0]) < OLDEST_NODE) return false;
  if (/** @type {any} */ (proc)[LOADED]) return false;
  if (isLoaderThread()) return false;
  if (threads.isMainThread && PACKAGE_MANAGER.test(proc.argv[1] || '')) return false;
  if (isTestParent(proc)) return false;
  Object.defineProperty(proc, LOADED, { value: true });
  return true;
}

// The ESM loader's own thread runs preloads, too; hooks installed there break
// later calls of module.register (Node 22).
function isLoaderThread() {
  return !threads.isMainThread && threads.parentPort === null && threads.workerData === null;
}

// `node --test` starts one child per file; the parent runs no user code unless
// isolation is off.
/** @param {NodeJS.Process} proc */
function isTestParent(proc) {
  if (proc.execArgv.indexOf('--test') === -1) return false;
  return !proc.execArgv.some(function (arg) { return /^--(experimental-)?test-isolation=none$/.test(arg); });
}

module.exports = { admitted };
