'use strict';
// Names of hold points: what an operation is, never when it ran. Stable between
// runs, without line numbers, across processes (role, not pid). The recorder
// and the steerer use this one module, so both speak of the same points.

const { tmpdir, resolve, cwd, fileURLToPath } = require('./originals.cjs');

/** @typedef {import('./frames.cjs').Caller} Caller */

class Points {
  /** @param {{ role: string, root: string, tests: { current: string } }} context */
  constructor({ role, root, tests }) {
    this.role = role;
    this.root = root;
    this.tests = tests;
    /** @type {Map<string, number>} how often each name without its number came up */
    this.counts = new Map();
    /** @type {Map<string, string>} folder made by mkdtemp → its name without the random end */
    this.folders = new Map();
  }

  /**
   * @param {string} api
   * @param {Caller | null} caller
   * @param {string} detail normalised path, or "" if there is none
   * @returns {string} base name; `number` completes it
   */
  base(api, caller, detail) {
    let name = api;
    if (caller) {
      name += ` ${where(caller.user)}`;
      if (caller.app && caller.app !== caller.user) name += ` < ${where(caller.app)}`;
    }
    if (detail) name += ` ${detail}`;
    if (this.tests.current) name += ` [${this.tests.current}]`;
    return `${name} {${this.role}}`;
  }

  /** Appends the how-many-th of its kind this is. @param {string} base */
  number(base) {
    const n = (this.counts.get(base) ?? 0) + 1;
    this.counts.set(base, n);
    return `${base} #${n}`;
  }

  /** mkdtemp made `folder` from `prefix`. @param {string} prefix @param {string} folder */
  madeFolder(prefix, folder) {
    this.folders.set(resolve(cwd(), folder), `${resolve(cwd(), prefix)}*`);
  }

  /** The path with the random end of mkdtemp folders in <>: still one of its kind, but it can be told. @param {string} absolute */
  marked(absolute) {
    for (const [folder, stable] of this.folders) {
      if (absolute !== folder && !absolute.startsWith(`${folder}/`)) continue;
      const prefix = stable.slice(0, -1);
      return `${prefix}<${folder.slice(prefix.length)}>${absolute.slice(folder.length)}`;
    }
    return absolute;
  }

  /** A path that is the same in every run. @param {string} absolute */
  normalise(absolute) {
    let path = absolute;
    for (const [folder, stable] of this.folders) {
      if (path === folder || path.startsWith(`${folder}/`)) path = stable + path.slice(folder.length);
    }
    if (path === this.root) path = '.';
    else if (path.startsWith(`${this.root}/`)) path = path.slice(this.root.length + 1);
    else if (path.startsWith(`${tmpdir}/`)) path = `$tmp${path.slice(tmpdir.length)}`;
    return path.replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, '<uuid>')
      .replace(/\b(?=[0-9a-f]*\d)[0-9a-f]{8,}\b/gi, '<hex>').replace(/\d+/g, '0');
  }
}

/** @param {import('./frames.cjs').Frame} frame */
function where(frame) {
  return frame.fn ? `${frame.fn}@${frame.path}` : `@${frame.path}`;
}

/**
 * FNV-1a over UTF-8, then murmur3's fmix32: trace.HashPoint in Go is the same.
 * @param {string} name
 * @returns {number} 32 bits, unsigned
 */
function hashPoint(name) {
  const bytes = Buffer.from(name, 'utf8');
  let h = 0x811c9dc5;
  for (let i = 0; i < bytes.length; i++) h = Math.imul(h ^ bytes[i], 0x01000193);
  return mix(h);
}

/** fmix32 of murmur3. @param {number} h @returns {number} 32 bits, unsigned */
function mix(h) {
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Absolute path of a path argument, or "" if it is none. @param {unknown} value */
function pathOf(value) {
  try {
    if (typeof value === 'string') return value.includes('\0') ? '' : resolve(cwd(), value);
    if (value instanceof Uint8Array) return resolve(cwd(), Buffer.from(value).toString('utf8'));
    if (value instanceof URL) return fileURLToPath(value);
  } catch { /* not a path: the real function says so */ }
  return '';
}

module.exports = { Points, hashPoint, mix, pathOf };
