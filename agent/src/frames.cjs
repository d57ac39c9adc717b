'use strict';
// Who called? Finds the frames that name a hold point and the place people see.

const { captureStackTrace, fileURLToPath, relative, isAbsolute, sep } = require('./originals.cjs');

// Nearly all callers stand near the top; a deeper stack is taken only if they do not.
const NEAR = 12;
const DEEP = 40;
const RUNNERS = /[\\/]node_modules[\\/](?:mocha|(?:@jest|@vitest|@tapjs|@playwright|@ava)[\\/][^\\/]+|jest(?:-[\w-]+)?|vitest|ava|tap|jasmine(?:-core)?|tape|uvu|playwright)[\\/]/;

/**
 * @typedef {{ kind: 'app'|'package'|'runner'|'node'|'agent', path: string }} Source
 * @typedef {{ path: string, line: number, column: number, fn: string, kind: string }} Frame
 * @typedef {{ user: Frame, app: Frame | null }} Caller
 */

class Frames {
  /** @param {string} root absolute project root @param {string} agentFile */
  constructor(root, agentFile) {
    this.root = root;
    this.agentFile = agentFile;
    /** @type {Map<string, Source>} */
    this.sources = new Map();
    /** Where code was transformed: positions in the original, by path. @type {Map<string, { original: (line: number, column: number) => number }>} */
    this.columns = new Map();
    /** Whether the last `caller` that found nobody was a test runner's own call. */
    this.byRunner = false;
    this.byNode = false;
  }

  /** @param {string} file as V8 names it @returns {Source} */
  source(file) {
    let source = this.sources.get(file);
    if (source === undefined) {
      source = this.classify(file);
      this.sources.set(file, source);
    }
    return source;
  }

  /** @param {string} file @returns {Source} */
  classify(file) {
    if (file === this.agentFile) return { kind: 'agent', path: file };
    if (file === '' || file.startsWith('node:')) return { kind: 'node', path: file };
    let path = file;
    if (path.startsWith('file:')) {
      try { path = fileURLToPath(path.replace(/[?#].*$/, '')); } catch { return { kind: 'node', path }; }
    }
    if (!isAbsolute(path)) return { kind: 'node', path };
    if (path === this.agentFile) return { kind: 'agent', path };
    if (RUNNERS.test(path)) return { kind: 'runner', path: this.short(path) };
    const short = this.short(path);
    const app = !isAbsolute(short) && !/(^|\/)node_modules\//.test(short);
    return { kind: app ? 'app' : 'package', path: short };
  }

  /** Relative to the root with "/" if below it, else from the last node_modules on. @param {string} path */
  short(path) {
    const below = relative(this.root, path);
    if (below !== '' && !below.startsWith('..') && !isAbsolute(below)) return sep === '/' ? below : below.replaceAll(sep, '/');
    const at = path.lastIndexOf(`${sep}node_modules${sep}`);
    return at < 0 ? path : path.slice(at + 1).replaceAll(sep, '/');
  }

  /**
   * The nearest frame of user code and the nearest frame of the application.
   * @param {boolean} direct true: Node itself must not stand between the call and user code
   * @returns {Caller | null} null: no user code, or a test runner's own call
   */
  caller(direct) {
    const sites = this.callSites(NEAR);
    const near = this.callerIn(sites, direct);
    const settled = near?.app || this.byRunner || sites.length < NEAR || (direct && near === null && this.byNode);
    return settled ? near : this.callerIn(this.callSites(DEEP), direct);
  }

  /** @param {NodeJS.CallSite[]} sites @param {boolean} direct @returns {Caller | null} */
  callerIn(sites, direct) {
    /** @type {Frame | null} */
    let user = null;
    this.byRunner = this.byNode = false;
    for (const site of sites) {
      const source = this.source(site.getFileName() ?? '');
      if (source.kind === 'agent') continue;
      if (source.kind === 'node') {
        // A frame without a file is a builtin such as `new Promise`: it says nothing.
        if (user === null && direct && source.path !== '') {
          this.byRunner = source.path.startsWith('node:internal/test_runner');
          this.byNode = true;
          return null;
        }
        continue;
      }
      if (user === null) {
        if (source.kind === 'runner') {
          this.byRunner = true;
          return null;
        }
        user = this.frame(site, source);
        if (source.kind === 'app') return { user, app: user };
      } else if (source.kind === 'app') {
        return { user, app: this.frame(site, source) };
      } else if (source.kind === 'runner') {
        return null; // the runner works through a package of its own
      }
    }
    return user && { user, app: null };
  }

  /** @param {NodeJS.CallSite} site @param {Source} source @returns {Frame} */
  frame(site, source) {
    const line = site.getLineNumber() ?? 0;
    const column = site.getColumnNumber() ?? 0;
    return {
      path: source.path, kind: source.kind, line, column: this.columns.get(source.path)?.original(line, column) ?? column,
      fn: plainName(site.getFunctionName()),
    };
  }

  /** @param {number} depth @returns {NodeJS.CallSite[]} */
  callSites(depth) {
    const { prepareStackTrace, stackTraceLimit } = Error;
    /** @type {any} */
    const holder = {};
    Error.prepareStackTrace = keepSites;
    Error.stackTraceLimit = depth;
    try {
      captureStackTrace(holder);
      const sites = holder.stack;
      return Array.isArray(sites) ? sites : [];
    } finally {
      Error.prepareStackTrace = prepareStackTrace;
      Error.stackTraceLimit = stackTraceLimit;
    }
  }
}

/** @param {Error} _error @param {NodeJS.CallSite[]} sites */
function keepSites(_error, sites) {
  return sites;
}

/**
 * Last part of the name, so that V8's guesses ("exports.load", "Store.load")
 * and own names agree with and without the transform.
 * @param {string | null} name
 */
function plainName(name) {
  if (!name) return '';
  const last = name.slice(name.lastIndexOf('.') + 1);
  return last === '<anonymous>' || last.startsWith('<') ? '' : last;
}

module.exports = { Frames };
