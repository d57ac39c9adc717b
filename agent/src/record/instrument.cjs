'use strict';
// Gives application modules the transformed source and keeps the table of their
// sites. `$rs` is what the transformed code calls.

const { transform } = require('../transform/index.cjs');
const { createAccesses } = require('./accesses.cjs');
const { Columns, originalText } = require('./columns.cjs');

const RUNTIME = '$rs';

class Instrument {
  /** @param {import('../session.cjs').Session} session @param {import('./recorder.cjs').Recorder} recorder @param {any} EventEmitter */
  constructor(session, recorder, EventEmitter) {
    this.session = session;
    this.recorder = recorder;
    /** Sites of the transformed code by number, with the file each is in. @type {{ path: string, line: number, column: number, function: string, name: string, flags: number }[]} */
    this.sites = [];
    /** @type {number[]} their numbers in the trace; 0: not written yet */
    this.written = [];
    const failed = (/** @type {unknown} */ error) => recorder.writer.lost('accesses', error);
    const runtime = createAccesses({ clock: recorder.writer.clock, EventEmitter, out: this.output(), failed });
    /** What was transformed, for Function.prototype.toString. @type {{ code: string, source: string, edits: number[] }[]} */
    this.texts = [];
    Object.defineProperty(globalThis, RUNTIME, { value: runtime, writable: false, enumerable: false, configurable: true });
  }

  /** @param {string} file @param {string} source @param {'commonjs'|'module'} type */
  source(file, source, type) {
    if (!this.wanted(file)) return source;
    const { code, sites, edits, reason } = /** @type {any} */ (transform(source, { sourceType: type, firstSite: this.sites.length, global: RUNTIME }));
    if (code === null) {
      this.recorder.writer.lost(`transform ${file}`, reason);
      return source;
    }
    const { frames } = this.recorder.ops;
    const { path } = frames.source(file);
    frames.columns.set(path, new Columns(source, edits));
    for (const site of sites) this.sites.push({ path, ...site });
    this.texts.push({ code, source, edits });
    return code;
  }

  /** The text of a function as its author wrote it. @param {string} text of the transformed function @returns {string} */
  originalText(text) {
    if (!text.includes(RUNTIME)) return text;
    for (const { code, source, edits } of this.texts) {
      const at = code.indexOf(text);
      if (at >= 0) return originalText(source, edits, at, at + text.length);
    }
    return text;
  }

  /** The application, and the packages that the session names. @param {string} file */
  wanted(file) {
    const { kind, path } = this.recorder.ops.frames.source(file);
    if (kind === 'app') return /\.[cm]?js$/.test(path);
    return kind === 'package' && this.session.include.some((name) => path.includes(`node_modules/${name}/`));
  }

  /** @param {number} site number in the transformed code @returns {number} number in the trace */
  traceSite(site) {
    const known = this.written[site];
    if (known) return known;
    const { path, line, column, function: fn, name, flags } = this.sites[site];
    return (this.written[site] = this.recorder.site(path, line, column, fn, name, flags));
  }

  /** Writes the access records. */
  output() {
    const { writer } = this.recorder;
    return {
      object: (/** @type {number} */ id, /** @type {string} */ kind, /** @type {string} */ label) => {
        const [kinds, labels] = [writer.string(kind), writer.string(label)];
        writer.plain(0x30);
        writer.u(id);
        writer.u(kinds);
        writer.u(labels);
      },
      read: (/** @type {number} */ back, /** @type {number} */ object, /** @type {string} */ key, /** @type {number} */ site) => {
        const [keys, place] = [writer.string(key), this.traceSite(site)];
        writer.plain(0x31);
        writer.u(back);
        writer.u(object);
        writer.u(keys);
        writer.u(place);
      },
      write: (/** @type {number} */ back, /** @type {number} */ object, /** @type {string} */ key, /** @type {number} */ site, /** @type {number} */ digest) => {
        const [keys, place] = [writer.string(key), this.traceSite(site)];
        writer.plain(0x32);
        writer.u(back);
        writer.u(object);
        writer.u(keys);
        writer.u(place);
        writer.u(digest >>> 0);
      },
    };
  }
}

module.exports = { Instrument, RUNTIME };
