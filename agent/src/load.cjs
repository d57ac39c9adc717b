'use strict';
// Sees the source of every module before V8 does: CommonJS in
// Module.prototype._compile, ES modules through registerHooks (Node 22.15 on) or
// the loader's own fs.promises.readFile (Node 20, where a hooks thread would
// cost 60 ms).

const Module = require('node:module');
const fs = require('node:fs');
const path = require('node:path');
const { apply, fileURLToPath, readFileSync, then } = require('./originals.cjs');
const { patch } = require('./patch.cjs');

/**
 * @param {(file: string, source: string, type: 'commonjs'|'module') => string} change
 *   gives the text to run instead; the same text if nothing changes
 */
function onSource(change) {
  const safe = (/** @type {string} */ file, /** @type {string} */ source, /** @type {'commonjs'|'module'} */ type) => {
    try { return change(file, source, type); } catch { return source; }
  };
  patch(/** @type {any} */ (Module).prototype, '_compile', (original) => function (/** @type {any[]} */ ...args) {
    const [source, file, format] = args;
    if (typeof source === 'string' && typeof file === 'string' && !/typescript|module/.test(format ?? '')) args[0] = safe(file, source, 'commonjs');
    return apply(original, this, args);
  });
  const { registerHooks } = /** @type {any} */ (Module);
  if (registerHooks) {
    registerHooks({ load: (/** @type {string} */ url, /** @type {any} */ context, /** @type {Function} */ next) => loaded(next(url, context), url, safe) });
  } else {
    patchReads(safe);
  }
}

/** @param {any} result @param {string} url @param {(file: string, source: string, type: 'module') => string} change */
function loaded(result, url, change) {
  if (result.format !== 'module' || !url.startsWith('file:') || result.source == null) return result;
  const source = typeof result.source === 'string' ? result.source : Buffer.from(result.source).toString('utf8');
  const changed = change(fileURLToPath(url), source, 'module');
  return changed === source ? result : { ...result, source: changed };
}

/** @param {(file: string, source: string, type: 'module') => string} change */
function patchReads(change) {
  const changed = (/** @type {URL} */ url, /** @type {any} */ content) => {
    const source = Buffer.isBuffer(content) ? content.toString('utf8') : content;
    const file = fileURLToPath(url);
    if (!isModule(file, source)) return content; // CommonJS comes by _compile
    const text = change(file, source, 'module');
    if (text === source) return content;
    return Buffer.isBuffer(content) ? Buffer.from(text, 'utf8') : text;
  };
  patch(fs.promises, 'readFile', (original) => function (/** @type {any[]} */ ...args) {
    const result = apply(original, this, args);
    if (!(args[0] instanceof URL) || args.length !== 1 || !calledByLoader()) return result;
    return then(result, (content) => changed(args[0], content), (error) => { throw error; });
  });
  patch(fs, 'readFileSync', (original) => function (/** @type {any[]} */ ...args) {
    const result = apply(original, this, args);
    if (!(args[0] instanceof URL) || !calledByLoader()) return result;
    return changed(args[0], result);
  });
}

/** Whether Node takes a file for an ES module. @param {string} file @param {string} source */
function isModule(file, source) {
  if (file.endsWith('.mjs')) return true;
  if (!file.endsWith('.js')) return false;
  const type = packageType(path.dirname(file));
  return type ? type === 'module' : /^\s*(import\b[^(.]|export\b)/m.test(source);
}

/** @type {Map<string, string>} */
const packageTypes = new Map();

/** The "type" of the package that a folder belongs to, "" without one. @param {string} dir @returns {string} */
function packageType(dir) {
  let type = packageTypes.get(dir);
  if (type === undefined) {
    try {
      type = String(JSON.parse(readFileSync(path.join(dir, 'package.json'), 'utf8')).type ?? '');
    } catch {
      const parent = path.dirname(dir);
      type = parent === dir || path.basename(dir) === 'node_modules' ? '' : packageType(parent);
    }
    packageTypes.set(dir, type);
  }
  return type;
}

function calledByLoader() {
  return /\n\s+at .*\(?node:internal\/modules\/esm\//.test(new Error().stack ?? '');
}

module.exports = { onSource };
