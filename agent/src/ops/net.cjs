'use strict';
// Sockets and servers: what arrives on one socket stays in order (its lane);
// writes are operations. http, fetch and database drivers need nothing more.

const net = require('node:net');
const { apply } = require('../originals.cjs');
const { patch } = require('../patch.cjs');
const { Lane, START, COMPLETION } = require('./ops.cjs');

/** @param {import('./ops.cjs').Ops} ops */
function patchNet(ops) {
  /** @type {WeakMap<object, Lane>} */
  const lanes = new WeakMap();
  patchOpening(ops, lanes);
  patchArrivals(ops, lanes);
  patchWrites(ops, lanes);
  return lanes;
}

/** @param {import('./ops.cjs').Ops} ops @param {WeakMap<object, Lane>} lanes */
function patchOpening(ops, lanes) {
  const opening = (/** @type {string} */ api) => (/** @type {Function} */ original) => function (/** @type {any[]} */ ...args) {
    if (!lanes.has(this)) {
      const op = ops.safely(api, () => ops.begin(api, 0));
      lanes.set(this, new Lane(op));
      if (op) ops.safely(api, () => ops.mode.opened?.(op));
    }
    return apply(original, this, args);
  };
  patch(net.Socket.prototype, 'connect', opening('net.connect'));
  patch(net.Server.prototype, 'listen', opening('net.listen'));
}

/** @param {import('./ops.cjs').Ops} ops @param {WeakMap<object, Lane>} lanes */
function patchArrivals(ops, lanes) {
  patchOwn(net.Server.prototype, 'emit', (original) => function (/** @type {any[]} */ ...args) {
    const lane = args[0] === 'connection' ? lanes.get(this) : undefined;
    if (!lane) return apply(original, this, args);
    const socket = args[1];
    const op = ops.onLane(lane, 'server', 'connection');
    lanes.set(socket, new Lane(op));
    // http hands the handle to its parser, past JavaScript, unless it is taken already.
    if (socket?._handle?.isStreamBase) socket._handle._consumed = true;
    ops.safely('net.Server', () => ops.mode.linked?.(socket, null));
    ops.mode.arrive(op, lane, () => { apply(original, this, args); });
    return true;
  });
  patchOwn(net.Socket.prototype, 'emit', (original) => function (/** @type {any[]} */ ...args) {
    const type = args[0];
    if (type !== 'connect' && type !== 'ready') return apply(original, this, args);
    const lane = lanes.get(this);
    if (!lane?.source) return apply(original, this, args);
    if (type === 'connect') ops.safely('net.Socket', () => ops.mode.linked?.(this, lane.source));
    ops.mode.arrive(type === 'connect' ? ops.onLane(lane, 'socket', 'connect') : null, lane, () => { apply(original, this, args); });
    return true;
  });
  patchOwn(net.Socket.prototype, 'push', (original) => function (/** @type {any[]} */ ...args) {
    const lane = lanes.get(this);
    if (!lane) return apply(original, this, args);
    let more = true;
    ops.safely('net.Socket', () => ops.mode.received?.(this, args[0]));
    ops.mode.arrive(ops.onLane(lane, 'socket', args[0] === null ? 'end' : 'data'), lane, () => {
      more = this.destroyed && args[0] !== null ? false : apply(original, this, args);
    });
    return more;
  });
}

/** @param {import('./ops.cjs').Ops} ops @param {WeakMap<object, Lane>} lanes */
function patchWrites(ops, lanes) {
  for (const [key, name] of [['_write', 'write'], ['_writev', 'write'], ['_final', 'fin']]) {
    patch(net.Socket.prototype, key, (original) => function (/** @type {any[]} */ ...args) {
      const lane = lanes.get(this);
      const callback = args[args.length - 1];
      if (!lane?.source || typeof callback !== 'function') return apply(original, this, args);
      const op = ops.onLane(lane, 'socket', name, START | COMPLETION);
      if (!op) return apply(original, this, args);
      args[args.length - 1] = ops.mode.callback(op, callback);
      return ops.mode.call(op, original, this, args);
    });
  }
  for (const key of ['write', 'end']) {
    patchOwn(net.Socket.prototype, key, (original) => function (/** @type {any[]} */ ...args) {
      const { sent } = ops.mode;
      if (!sent || !lanes.has(this)) return apply(original, this, args);
      const from = this.bytesWritten ?? 0;
      const result = apply(original, this, args);
      ops.safely('net.Socket', () => sent.call(ops.mode, this, from, this.bytesWritten ?? 0));
      return result;
    });
  }
}

/**
 * Like patch, for a method that the prototype inherits: it gets one of its own.
 * @param {any} prototype @param {string} key @param {(original: Function) => Function} wrap
 */
function patchOwn(prototype, key, wrap) {
  if (!Object.hasOwn(prototype, key)) {
    Object.defineProperty(prototype, key, { value: prototype[key], writable: true, configurable: true, enumerable: false });
  }
  patch(prototype, key, wrap);
}

module.exports = { patchNet, patchOwn };
