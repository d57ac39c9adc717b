'use strict';

/** Kind of a digested value: the low three bits of its digest. */
const TYPE = { CONSTANT: 0, INTEGER: 1, DOUBLE: 2, STRING: 3, OBJECT: 4, BIGINT: 5, SYMBOL: 6, UNKNOWN: 7 };

const SMALL = 2 ** 28;
const WHOLE_STRING = 32;
const STRING_END = 16;
const UNDEFINED_DIGEST = TYPE.CONSTANT;

/**
 * @param {(object: object) => number} numberOf identity number of an object
 * @returns {{ digest: (value: unknown) => number, unknown: () => number, text: (text: string) => number }}
 *   digest: 32 bits that are equal for equal values; the value cannot be read back except small integers and constants.
 *   unknown: a digest for a value that was not seen, different each time. text: that of a string in full.
 */
function createDigest(numberOf) {
  const bind = Function.prototype.call;
  /** @type {(text: string, at: number) => number} */
  const charCodeAt = bind.bind(String.prototype.charCodeAt);
  /** @type {(symbol: symbol) => string | undefined} */
  const descriptionOf = bind.bind(/** @type {any} */ (Object.getOwnPropertyDescriptor(Symbol.prototype, 'description')).get);
  const { asUintN } = BigInt;
  const { imul } = Math;
  const toNumber = Number;
  const double = new Float64Array(1);
  const halves = new Uint32Array(double.buffer);
  let unknowns = 0;

  /** FNV-1a over UTF-16 units. @param {string} text @param {number} from @param {number} to @param {number} hash */
  function mix(text, from, to, hash) {
    for (let i = from; i < to; i++) hash = imul(hash ^ charCodeAt(text, i), 0x01000193);
    return hash;
  }

  /** @param {string} text */
  function ofString(text) {
    const { length } = text;
    const hash = length <= WHOLE_STRING
      ? mix(text, 0, length, 0x811c9dc5)
      : mix(text, length - STRING_END, length, mix(text, 0, STRING_END, 0x811c9dc5 ^ length));
    return tag(hash, TYPE.STRING);
  }

  /** @param {unknown} value */
  function digest(value) {
    switch (typeof value) {
      case 'number':
        if (value >= -SMALL && value < SMALL && (value | 0) === value) return ((value << 3) | TYPE.INTEGER) >>> 0;
        double[0] = value;
        return tag(imul(halves[0], 0x85ebca6b) ^ halves[1], TYPE.DOUBLE);
      case 'string': return ofString(value);
      case 'boolean': return value ? 24 : 16;
      case 'undefined': return UNDEFINED_DIGEST;
      case 'bigint': return tag(toNumber(asUintN(29, value)) << 3, TYPE.BIGINT);
      case 'symbol': return tag(ofString(descriptionOf(value) ?? ''), TYPE.SYMBOL);
      default: return value === null ? 8 : ((numberOf(/** @type {object} */ (value)) << 3) | TYPE.OBJECT) >>> 0;
    }
  }

  return {
    digest,
    unknown: () => ((++unknowns << 3) | TYPE.UNKNOWN) >>> 0,
    text: (text) => mix(text, 0, text.length, 0x811c9dc5) >>> 0,
  };
}

/** @param {number} hash @param {number} type */
function tag(hash, type) {
  hash ^= hash >>> 15;
  return ((hash & ~7) | type) >>> 0;
}

module.exports = { UNDEFINED_DIGEST, createDigest };
