'use strict';

/** Flags of a site, as in docs/trace-format.md. */
const FLAG = {
  CONDITION: 1,
  COUNTER: 2,
  LOGICAL: 4,
  METHOD: 8,
  SUSPENDED: 16,
  DELETE: 32,
  LISTENERS: 64,
  CONTENTS: 128,
  UPDATE: 256,
  NULLISH: 512,
  DEREFERENCED: 1024,
};

/**
 * A place in the source where the transformed code reports accesses.
 * @typedef {object} Site
 * @property {number} line 1-based
 * @property {number} column 1-based, UTF-16
 * @property {string} function name of the enclosing function, '' at top level
 * @property {string} name variable or property
 * @property {number} flags
 */

/** The sites of one file, numbered from `first` on. */
class Sites {
  /**
   * @param {string} source
   * @param {number} first number of the first site
   */
  constructor(source, first) {
    this.first = first;
    this.lines = lineStarts(source);
    this.line = 0;
    /** @type {Site[]} */
    this.list = [];
  }

  /**
   * @param {number} offset
   * @param {string} functionName
   * @param {string} name
   * @param {number} flags
   * @returns {number} the site's number
   */
  add(offset, functionName, name, flags) {
    const line = this.lineOf(offset);
    this.list.push({ line: line + 1, column: offset - this.lines[line] + 1, function: functionName, name, flags });
    return this.first + this.list.length - 1;
  }

  /** 0-based line of offset; offsets mostly ascend, so the search starts at the last answer. @param {number} offset */
  lineOf(offset) {
    const { lines } = this;
    let { line } = this;
    while (lines[line] > offset) line--;
    while (line + 1 < lines.length && lines[line + 1] <= offset) line++;
    this.line = line;
    return line;
  }
}

/** @param {string} source */
function lineStarts(source) {
  const starts = [0];
  const breaks = /\r\n?|[\n\u2028\u2029]/g;
  while (breaks.exec(source) !== null) starts.push(breaks.lastIndex);
  return starts;
}

module.exports = { FLAG, Sites };
