'use strict';

const { types } = require('node:util');

/** What an object is to the recorder. */
const BRAND = { UNSEEN: -1, PLAIN: 0, ARRAY: 1, BYTES: 2, MAP: 3, SET: 4, EMITTER: 5 };

const CONTAINER_METHODS = ['get', 'has', 'set', 'add', 'delete', 'clear', 'push', 'pop', 'shift', 'unshift', 'splice',
  'sort', 'reverse', 'fill', 'copyWithin', 'forEach', 'map', 'filter', 'some', 'every', 'find', 'findIndex', 'findLast',
  'findLastIndex', 'reduce', 'reduceRight', 'flatMap', 'flat', 'slice', 'concat', 'indexOf', 'lastIndexOf', 'includes',
  'join', 'at', 'keys', 'values', 'entries', 'toSorted', 'toReversed', 'toSpliced', 'with'];

const NATIVE = '{ [native code] }';

/**
 * Tells what objects are, without running code of the program: no getter, no trap.
 * @param {{ prototype: object }} EventEmitter the class of node:events
 */
function createBrands(EventEmitter) {
  const { isMap, isSet, isWeakMap, isWeakSet, isProxy, isTypedArray } = types;
  const { isArray } = Array;
  const { getOwnPropertyDescriptor, getPrototypeOf } = Object;
  const bind = Function.prototype.call;
  /** @type {(f: Function) => string} */
  const sourceOf = bind.bind(Function.prototype.toString);
  /** @type {(text: string, end: string) => boolean} */
  const endsWith = bind.bind(String.prototype.endsWith);
  /** @type {(map: WeakMap<object, any>, key: object) => any} */
  const weakGet = bind.bind(WeakMap.prototype.get);
  /** @type {(map: WeakMap<object, any>, key: object, value: any) => void} */
  const weakSet = bind.bind(WeakMap.prototype.set);
  const emitterPrototype = EventEmitter.prototype;
  /** Methods that a class of containers replaces, by prototype. @type {WeakMap<object, Record<string, true>>} */
  const replaced = new WeakMap();

  /** @param {object} object @returns {object | null} its prototype; null for a proxy */
  function parentOf(object) {
    return isProxy(object) ? null : getPrototypeOf(object);
  }

  /** @param {object} object */
  function isEmitter(object) {
    for (let p = parentOf(object); p !== null; p = parentOf(p)) if (p === emitterPrototype) return true;
    return false;
  }

  /** @param {object} object @returns {number} a BRAND */
  function brandOf(object) {
    if (isProxy(object)) return BRAND.PLAIN;
    if (isArray(object)) return BRAND.ARRAY;
    if (isMap(object) || isWeakMap(object)) return BRAND.MAP;
    if (isSet(object) || isWeakSet(object)) return BRAND.SET;
    if (isTypedArray(object)) return BRAND.BYTES;
    return isEmitter(object) ? BRAND.EMITTER : BRAND.PLAIN;
  }

  /** @param {object} start @param {string} name @returns {unknown} the value of a plain property on the chain */
  function lookUp(start, name) {
    for (let p = /** @type {object | null} */ (start); p !== null; p = parentOf(p)) {
      if (isProxy(p)) return undefined;
      const descriptor = getOwnPropertyDescriptor(p, name);
      if (descriptor !== undefined) return descriptor.value;
    }
    return undefined;
  }

  /**
   * @param {object} container
   * @returns {Record<string, true>} the names of the container methods that are not the built-in ones
   */
  function replacedMethods(container) {
    const prototype = parentOf(container);
    if (prototype === null) return { __proto__: /** @type {any} */ (null) };
    const known = weakGet(replaced, prototype);
    if (known !== undefined) return known;
    /** @type {any} */
    const names = { __proto__: null };
    for (let i = 0; i < CONTAINER_METHODS.length; i++) {
      const method = lookUp(prototype, CONTAINER_METHODS[i]);
      if (typeof method === 'function' && !endsWith(sourceOf(method), NATIVE)) names[CONTAINER_METHODS[i]] = true;
    }
    weakSet(replaced, prototype, names);
    return names;
  }

  /** @param {object} object @returns {string} name of its constructor; for a function `function name` */
  function labelOf(object) {
    if (isProxy(object)) return 'Proxy';
    const own = typeof object === 'function';
    const named = own ? object : lookUp(object, 'constructor');
    if (typeof named !== 'function' || isProxy(named)) return own ? 'function' : '';
    const descriptor = getOwnPropertyDescriptor(named, 'name');
    const name = descriptor !== undefined && typeof descriptor.value === 'string' ? descriptor.value : '';
    return own ? `function ${name}` : name;
  }

  return { brandOf, labelOf, replacedMethods };
}

module.exports = { BRAND, createBrands };
