'use strict';
// Replaces a function by a wrapper that nobody can tell from it: same name,
// length, own properties, place and attributes.

const { apply, ownKeys } = require('./originals.cjs');

/** @type {WeakMap<Function, Function>} */
const originals = new WeakMap();

/** The function that a wrapper stands for; any other function is itself. @param {any} fn */
function unwrapped(fn) {
  return (typeof fn === 'function' && originals.get(fn)) || fn;
}

/**
 * @param {any} target object that holds the function
 * @param {PropertyKey} key
 * @param {(original: Function) => Function} wrap
 * @returns {Function | undefined} the original; undefined if there is none
 */
function patch(target, key, wrap) {
  const slot = target && Object.getOwnPropertyDescriptor(target, key);
  if (!slot || typeof slot.value !== 'function' || !(slot.writable || slot.configurable)) return undefined;
  const original = slot.value;
  const wrapper = mimic(Object.hasOwn(original, 'prototype') ? wrap(original) : asMethod(wrap(original)), original);
  originals.set(wrapper, unwrapped(original));
  Object.defineProperty(target, key, { ...slot, value: wrapper });
  return original;
}

// Methods, async functions and builtins have no prototype property, and it
// cannot be deleted from a function expression.
/** @param {Function} body */
function asMethod(body) {
  return { method(/** @type {any[]} */ ...args) { return apply(body, this, args); } }.method;
}

/** @param {Function} wrapper @param {Function} original */
function mimic(wrapper, original) {
  for (const key of ownKeys(original)) {
    const from = Object.getOwnPropertyDescriptor(original, key);
    const to = Object.getOwnPropertyDescriptor(wrapper, key);
    if (from && (!to || to.configurable)) Object.defineProperty(wrapper, key, from);
    else if (from && to?.writable && 'value' in from) /** @type {any} */ (wrapper)[key] = from.value;
  }
  Object.setPrototypeOf(wrapper, Object.getPrototypeOf(original));
  return wrapper;
}

/**
 * Runs `before` in front of the original; what it throws is kept from the program.
 * @param {any} target @param {PropertyKey} key @param {(self: any, args: any[]) => void} before
 */
function observe(target, key, before) {
  return patch(target, key, (original) => function (/** @type {any[]} */ ...args) {
    try { before(this, args); } catch { /* the agent's own failure never reaches the program */ }
    return apply(original, this, args);
  });
}

module.exports = { patch, observe, unwrapped };
