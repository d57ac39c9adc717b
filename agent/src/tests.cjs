'use strict';
// Which test runs now? Without AsyncLocalStorage, which would triple the price
// of an await: where tests do not overlap, it is the one that began last.

const { AsyncResource } = require('node:async_hooks');
const { apply } = require('./originals.cjs');
const { patch } = require('./patch.cjs');

const BRIDGE = Symbol.for('raceseed.mocha'); // visible in vm contexts, too; globals are not

class Tests {
  constructor() {
    this.current = '';
    /** Told about each begin (phase 0) and end (phase 1). @type {(phase: number, name: string, file: string) => void} */
    this.listener = () => {};
  }

  /** @param {string} name @param {string} file */
  begin(name, file) {
    this.current = name;
    this.listener(0, name, file);
  }

  /** @param {string} name @param {string} file */
  end(name, file) {
    if (this.current === name) this.current = '';
    this.listener(1, name, file);
  }

  /** Recognises the tests of node:test and mocha. */
  attach() {
    const tests = this;
    patch(AsyncResource.prototype, 'runInAsyncScope', (original) => function (/** @type {any[]} */ ...args) {
      try {
        // The root, which holds all tests, has no parent and no title.
        if (this.constructor?.name === 'Test' && this.parent && 'fn' in this) tests.begin(nodeTitle(this), '');
      } catch { /* the agent's own failure */ }
      return apply(original, this, args);
    });
    Object.defineProperty(process, BRIDGE, { value: (/** @type {any} */ Runner) => this.attachMocha(Runner), configurable: true });
  }

  /** @param {any} Runner mocha's class */
  attachMocha(Runner) {
    const tests = this;
    patch(Runner.prototype, 'runTest', (original) => function (/** @type {any[]} */ ...args) {
      const test = this.test;
      try { if (test) tests.begin(test.titlePath().join(' > '), ''); } catch { /* as above */ }
      return apply(original, this, args);
    });
    const emit = Runner.prototype.emit;
    Runner.prototype.emit = function (/** @type {any[]} */ ...args) {
      if (args[0] === 'test end') {
        try { tests.end(args[1].titlePath().join(' > '), ''); } catch { /* as above */ }
      }
      return apply(emit, this, args);
    };
  }
}

/** @param {any} test of node:test */
function nodeTitle(test) {
  const titles = [];
  for (let t = test; t && t.parent; t = t.parent) titles.unshift(t.name);
  return titles.join(' > ');
}

/**
 * Text edits of runner files: path suffix → text to append.
 * @type {[RegExp, string][]}
 */
const EDITS = [
  [/[\\/]mocha[\\/]lib[\\/]runner\.[cm]?js$/, ';process[Symbol.for("raceseed.mocha")]?.(Runner);'],
];

/** @param {string} file @param {string} source @returns {string} the source with the runner's edit, if it has one */
function editRunner(file, source) {
  for (const [suffix, text] of EDITS) if (suffix.test(file)) return `${source}\n${text}`;
  return source;
}

module.exports = { Tests, editRunner };
