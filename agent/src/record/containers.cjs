'use strict';

const { BRAND } = require('./brands.cjs');

/** What a method does to the contents of its receiver. */
const DOES = { READ: 1, WRITE: 2, BOTH: 3 };

/** @param {string} names @param {number} does @param {any} table */
function enter(names, does, table) {
  for (const name of names.split(' ')) table[name] = does;
}

/** @returns {any} */
const emptyTable = () => ({ __proto__: null });

const ARRAY_METHODS = emptyTable();
enter('push unshift fill copyWithin', DOES.WRITE, ARRAY_METHODS);
enter('pop shift splice sort reverse', DOES.BOTH, ARRAY_METHODS);
enter(['forEach map filter some every find findIndex findLast findLastIndex reduce reduceRight flatMap flat slice concat',
  'indexOf lastIndexOf includes join at keys values entries toSorted toReversed toSpliced with'].join(' '), DOES.READ, ARRAY_METHODS);

const BYTES_METHODS = emptyTable();
Object.assign(BYTES_METHODS, ARRAY_METHODS);
enter('set', DOES.WRITE, BYTES_METHODS);

/** Methods of Map and Set that are called without a key. */
const ALL_ENTRIES_METHODS = emptyTable();
enter('clear', DOES.WRITE, ALL_ENTRIES_METHODS);
enter('forEach keys values entries', DOES.READ, ALL_ENTRIES_METHODS);

/** By brand: effect on the contents as a whole, by method. */
const CONTENTS = [emptyTable(), ARRAY_METHODS, BYTES_METHODS, ALL_ENTRIES_METHODS, ALL_ENTRIES_METHODS, emptyTable()];

/** By brand: the location of the contents as a whole. */
const CONTENTS_KEY = ['', '[]', '[]', '*', '*', ''];

const MAP_ENTRIES = emptyTable();
enter('get has', DOES.READ, MAP_ENTRIES);
enter('set delete', DOES.WRITE, MAP_ENTRIES);

const SET_ENTRIES = emptyTable();
enter('has', DOES.READ, SET_ENTRIES);
enter('add delete', DOES.WRITE, SET_ENTRIES);

const LISTENERS = emptyTable();
enter('on once addListener prependListener prependOnceListener off removeListener removeAllListeners', DOES.WRITE, LISTENERS);
enter('emit listenerCount', DOES.READ, LISTENERS);

/** By brand: effect on the entry of the first argument, by method. */
const ENTRY = [emptyTable(), BYTES_METHODS, BYTES_METHODS, MAP_ENTRIES, SET_ENTRIES, LISTENERS];

/** The property that tells how much is in a container stands for its contents. @param {number} brand @param {unknown} key */
function synonymOf(brand, key) {
  if (key === 'length' && brand === BRAND.ARRAY) return '[]';
  if (key === 'size' && (brand === BRAND.MAP || brand === BRAND.SET)) return '*';
  return undefined;
}

module.exports = { CONTENTS, CONTENTS_KEY, DOES, ENTRY, synonymOf };
