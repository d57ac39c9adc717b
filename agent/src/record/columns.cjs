'use strict';
// Positions in transformed code, told in the original: lines are the same, and
// columns move by what was inserted in front of them.

class Columns {
  /** @param {string} source the original @param {number[]} edits offset in the source and inserted length, pair by pair, ascending */
  constructor(source, edits) {
    /** For each line with insertions: original column (from 1) and length, pair by pair. @type {Map<number, number[]>} */
    this.lines = new Map();
    let line = 1;
    let start = 0; // of the line, an offset
    for (let i = 0; i < edits.length; i += 2) {
      const at = edits[i];
      for (let end = source.indexOf('\n', start); end >= 0 && end < at; end = source.indexOf('\n', start)) {
        line++;
        start = end + 1;
      }
      const known = this.lines.get(line);
      if (known) known.push(at - start + 1, edits[i + 1]);
      else this.lines.set(line, [at - start + 1, edits[i + 1]]);
    }
  }

  /** @param {number} line from 1 @param {number} column from 1, in the transformed code @returns {number} column in the original */
  original(line, column) {
    let inserted = 0;
    const edits = this.lines.get(line) ?? [];
    for (let i = 0; i < edits.length; i += 2) {
      if (edits[i] + inserted > column) break;
      if (edits[i] + inserted + edits[i + 1] > column) return edits[i]; // inside of what was inserted
      inserted += edits[i + 1];
    }
    return column - inserted;
  }
}

/**
 * The original text of a piece of transformed code.
 * @param {string} source the original @param {number[]} edits as above
 * @param {number} from offset in the transformed code @param {number} to
 */
function originalText(source, edits, from, to) {
  const original = (/** @type {number} */ offset) => {
    let inserted = 0;
    for (let i = 0; i < edits.length && edits[i] + inserted < offset; i += 2) {
      if (edits[i] + inserted + edits[i + 1] >= offset) return edits[i];
      inserted += edits[i + 1];
    }
    return offset - inserted;
  };
  return source.slice(original(from), original(to));
}

module.exports = { Columns, originalText };
