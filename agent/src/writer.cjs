'use strict';
// Writes one trace file: docs/trace-format.md. Records go to a buffer; the
// buffer goes to the file when it is full, now and then, and at the exit.

const { openSync, writeSync, now, resolve } = require('./originals.cjs');

const VERSION = 1;
const BUFFER_BYTES = 1 << 17;
const LARGEST_RECORD = 1 << 14; // texts are cut, so no record is longer
const FLUSH_EVERY_MS = 100; // a process that is killed loses no more than this

const SCRATCH = Buffer.allocUnsafe(4);

class TraceWriter {
  /** @param {string} dir @param {number} pid @param {number} thread 0 for the main thread */
  constructor(dir, pid, thread) {
    this.fd = openSync(resolve(dir, `trace-${pid}-${thread}.rst`), 'w');
    this.buffer = Buffer.allocUnsafe(BUFFER_BYTES);
    this.position = 0;
    this.flushedAt = now();
    this.closed = false;
    /** @type {Map<string, number>} */
    this.strings = new Map();
    /** Shared with whoever must know the running event and the number of order records. */
    this.clock = { event: 0, ordinal: 0 };
    this.position += this.buffer.write('RSTR', 0, 'latin1');
    this.u(VERSION);
  }

  /** Appends an unsigned LEB128 number. @param {number} n */
  u(n) {
    while (n >= 0x80) {
      this.buffer[this.position++] = (n % 0x80) | 0x80;
      n = Math.floor(n / 0x80);
    }
    this.buffer[this.position++] = n;
  }

  /** Appends the four bytes of a hash. @param {number} h */
  hash(h) {
    SCRATCH.writeUInt32LE(h >>> 0, 0);
    this.position += SCRATCH.copy(this.buffer, this.position);
  }

  /** Appends a text in place. @param {string} text */
  text(text) {
    const bytes = Buffer.from(text.length > 2000 ? text.slice(0, 2000) : text, 'utf8');
    this.u(bytes.length);
    this.position += bytes.copy(this.buffer, this.position);
  }

  /** Number of an interned string; writes its record first. @param {string} text @returns {number} */
  string(text) {
    if (text === '') return 0;
    const known = this.strings.get(text);
    if (known !== undefined) return known;
    this.reserve();
    this.buffer[this.position++] = 0x01;
    this.text(text);
    const id = this.strings.size + 1;
    this.strings.set(text, id);
    return id;
  }

  /** Begins a record that is not an order record. @param {number} tag */
  plain(tag) {
    this.reserve();
    this.buffer[this.position++] = tag;
  }

  /** Begins an order record. @param {number} tag */
  order(tag) {
    this.reserve();
    this.clock.ordinal++;
    this.buffer[this.position++] = tag;
  }

  reserve() {
    if (this.position > BUFFER_BYTES - LARGEST_RECORD) this.flush();
  }

  /** Writes the buffer now if the last time is some time ago. */
  breathe() {
    if (now() - this.flushedAt > FLUSH_EVERY_MS) this.flush();
  }

  flush() {
    this.flushedAt = now();
    if (this.closed || this.position === 0) {
      this.position = 0;
      return;
    }
    try {
      let from = 0;
      while (from < this.position) from += writeSync(this.fd, this.buffer, from, this.position - from);
      this.position = 0;
    } catch (error) {
      // A mocked file system rejects real descriptors for a while: keep what fits.
      if (this.position > BUFFER_BYTES - LARGEST_RECORD) this.position = 0, this.closed = true;
    }
  }

  /** A hook was switched off, or something could not be recorded. @param {string} hook @param {unknown} reason */
  lost(hook, reason) {
    const name = this.string(hook);
    this.plain(0x04);
    this.u(name);
    this.text(String(reason instanceof Error ? reason.message : reason));
  }

  /** Writes the end record; nothing is written afterwards. */
  end() {
    if (this.closed) return;
    this.plain(0x05);
    this.flush();
    this.closed = true;
  }
}

module.exports = { TraceWriter };
