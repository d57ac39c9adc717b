'use strict';

const WORD = /[\w$\u0080-\uffff]/;

/**
 * Texts to insert into a source, in the order in which they were added when they share a position. Nothing of the
 * source is ever removed or moved and no text contains a line break, so lines stay where they are.
 */
class Inserts {
  /** @param {string} source */
  constructor(source) {
    this.source = source;
    /** @type {{ at: number, text: string }[]} */
    this.list = [];
  }

  /**
   * @param {number} at UTF-16 offset in the source
   * @param {string} text
   * @returns {{ at: number, text: string }} the entry; its text may be set until `apply`
   */
  add(at, text) {
    const entry = { at, text };
    this.list.push(entry);
    return entry;
  }

  /**
   * Like add, for a text that begins with an identifier: parted from a word in front of it (`return[a]`).
   * @param {number} at
   * @param {string} text
   */
  addWord(at, text) {
    const glued = at > 0 && WORD.test(this.source[at - 1]);
    return this.add(at, glued ? ' ' + text : text);
  }

  /**
   * @returns {{ code: string, edits: number[] }} edits: offset in the source and inserted length, pair by pair, ascending
   */
  apply() {
    const { source } = this;
    const list = this.list.filter((entry) => entry.text !== '');
    list.sort((a, b) => a.at - b.at);
    const parts = [];
    const edits = [];
    let from = 0;
    for (const { at, text } of list) {
      if (at > from) parts.push(source.slice(from, at));
      parts.push(text);
      edits.push(at, text.length);
      from = at;
    }
    parts.push(source.slice(from));
    return { code: parts.join(''), edits };
  }
}

module.exports = { Inserts };
