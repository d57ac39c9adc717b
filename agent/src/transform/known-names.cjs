'use strict';

/** @param {string} names */
const words = (names) => new Set(names.split(/\s+/).filter(Boolean));

/** Globals whose properties nobody races for. They are skipped as bases only where no declaration hides them. */
const SKIPPED_GLOBALS = words(`
  AggregateError Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array Boolean Buffer DataView Date Error
  EvalError FinalizationRegistry Float32Array Float64Array Function Infinity Int16Array Int32Array Int8Array Intl JSON
  Map Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer String Symbol
  SyntaxError TypeError URIError URL URLSearchParams Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap
  WeakRef WeakSet WebAssembly arguments console performance undefined
  after afterAll afterEach before beforeAll beforeEach bench context describe expect it jest suite test vi vitest xdescribe xit`);

/** Calls recorded by their first argument: the key of a Map or Set, or the event of an emitter. */
const KEYED_METHODS = words(`get has set add delete
  on once addListener prependListener prependOnceListener off removeListener emit listenerCount removeAllListeners`);

/** Keyed calls whose second argument is the value written. */
const VALUE_METHODS = words('set');

/** Those of an emitter. */
const LISTENER_METHODS = words(`on once addListener prependListener prependOnceListener off removeListener emit
  listenerCount removeAllListeners`);

/** Calls that change the contents: recorded when they return. */
const MUTATING_METHODS = words('push pop shift unshift splice sort reverse fill copyWithin clear');

/** Calls that read the contents: recorded before they begin, because they may call back. */
const READING_METHODS = words(`forEach map filter some every find findIndex findLast findLastIndex reduce reduceRight
  flatMap flat slice concat indexOf lastIndexOf includes join at keys values entries toSorted toReversed toSpliced with`);

module.exports = {
  KEYED_METHODS, LISTENER_METHODS, MUTATING_METHODS, READING_METHODS, SKIPPED_GLOBALS, VALUE_METHODS,
};
