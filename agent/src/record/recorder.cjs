'use strict';
// Mode "record": writes what the analysis needs. Holds nothing back.

const { apply, createHook, executionAsyncId, then, Promise } = require('../originals.cjs');
const { patch } = require('../patch.cjs');
const { effectiveDelay } = require('../ops/timers.cjs');

/** @typedef {import('../ops/ops.cjs').Op} Op @typedef {import('../frames.cjs').Frame} Frame */

class Recorder {
  /** @param {import('../writer.cjs').TraceWriter} writer @param {import('../ops/ops.cjs').Ops} ops */
  constructor(writer, ops) {
    this.recording = true;
    this.writer = writer;
    this.ops = ops;
    this.opCount = 0;
    this.depth = 0;
    this.events = 0;
    /** @type {number[]} events around the running one */
    this.stack = [];
    /** @type {Map<string, number>} */
    this.frameSites = new Map();
    this.siteCount = 0;
    /** Promises made while a promise-returning call runs: [promise, async id]. @type {[any, number][] | null} */
    this.made = null;
    /** @type {WeakMap<object, { id: number, received: number }>} */
    this.sockets = new WeakMap();
    this.socketCount = 0;
    /** @type {symbol | undefined} */
    this.idSymbol = undefined;
  }

  /** Begins to listen to the life cycle of async resources. */
  enable() {
    const { writer } = this;
    // Node ends the process when such a callback throws.
    const guarded = (/** @type {(id: number, type: string, trigger: number, resource: any) => void} */ hook) =>
      /** @type {any} */ ((/** @type {any} */ id, /** @type {any} */ type, /** @type {any} */ trigger, /** @type {any} */ resource) => {
        try {
          hook(id, type, trigger, resource);
        } catch (error) {
          hooks.disable();
          writer.lost('async_hooks', error);
        }
      });
    const hooks = createHook({
      init: guarded((id, type, trigger, resource) => {
        writer.order(0x10);
        const types = writer.strings.get(type);
        if (types === undefined) this.initNewType(id, type, trigger);
        else this.init(id, types, trigger);
        if (type === 'Timeout') this.timer(id, resource);
        else if (this.made !== null && type === 'PROMISE') this.made.push([resource, id]);
      }),
      before: guarded((id) => this.before(id)),
      after: guarded(() => this.after()),
      promiseResolve: guarded((id) => {
        writer.order(0x13);
        writer.u(id);
        writer.u(executionAsyncId());
      }),
    });
    hooks.enable();
    for (const kind of ['all', 'allSettled', 'race', 'any']) this.combinator(kind);
    process.on('uncaughtExceptionMonitor', () => writer.order(0x19));
  }

  /** @param {number} id @param {number} type @param {number} trigger */
  init(id, type, trigger) {
    const { writer } = this;
    writer.u(id);
    writer.u(type);
    writer.u(trigger);
    writer.u(executionAsyncId());
  }

  // The string record has to stand in front of the record that names it.
  /** @param {number} id @param {string} type @param {number} trigger */
  initNewType(id, type, trigger) {
    const { writer } = this;
    writer.position--;
    const number = writer.string(type);
    writer.buffer[writer.position++] = 0x10;
    this.init(id, number, trigger);
  }

  /** @param {number} id */
  before(id) {
    const { writer } = this;
    if (this.depth++ === 0) writer.breathe();
    this.stack.push(writer.clock.event);
    writer.clock.event = ++this.events;
    writer.order(0x11);
    writer.u(id);
  }

  after() {
    if (this.depth === 0) return;
    this.depth--;
    this.writer.clock.event = this.stack.pop() ?? 0;
    this.writer.order(0x12);
  }

  /** @param {number} id @param {any} resource */
  timer(id, resource) {
    const { writer } = this;
    writer.order(0x16);
    writer.u(id);
    writer.u(effectiveDelay(resource._idleTimeout));
    writer.u(resource._repeat ? 1 : 0);
    writer.u(0);
  }

  /** @param {string} kind */
  combinator(kind) {
    const { writer } = this;
    patch(Promise, kind, (original) => {
      const recorder = this;
      return function (/** @type {any[]} */ ...args) {
        const name = writer.string(kind);
        writer.order(0x14);
        writer.u(name);
        const [result, id] = recorder.capture(() => apply(original, this, args));
        writer.order(0x15);
        writer.u(id);
        return result;
      };
    });
  }

  /** Runs `make` and finds the async id of the promise it returns. @param {() => any} make @returns {[any, number]} */
  capture(make) {
    const outer = this.made;
    const made = /** @type {[any, number][]} */ ([]);
    this.made = made;
    let result;
    try {
      result = make();
    } finally {
      this.made = outer;
    }
    const found = made.find(([promise]) => promise === result);
    return [result, found ? found[1] : 0];
  }

  // ---- operations ----

  /** @param {Op} op @param {number} promise */
  op(op, promise) {
    const { writer } = this;
    const site = this.siteOf(op.caller && (op.caller.app ?? op.caller.user));
    const [api, point] = [writer.string(op.api), writer.string(op.name)];
    op.id = ++this.opCount;
    writer.order(0x20);
    writer.u(op.id);
    writer.u(api);
    writer.u(point);
    writer.hash(op.hash);
    writer.u(site);
    writer.u(promise);
    writer.u(op.flags);
    for (const [kind, path] of op.files) this.file(op.id, kind, path, site);
  }

  /** @param {Op} op */
  done(op) {
    if (op.id === 0) return;
    this.writer.order(0x21);
    this.writer.u(op.id);
  }

  /** @param {number} op @param {number} kind @param {string} path @param {number} site */
  file(op, kind, path, site) {
    const { writer } = this;
    const { frames: { root }, points } = this.ops;
    const marked = points.marked(path);
    const name = writer.string(marked.startsWith(`${root}/`) ? marked.slice(root.length + 1) : marked);
    writer.order(0x22);
    writer.u(op);
    writer.u(kind);
    writer.u(name);
    writer.u(site);
  }

  /** Synchronous file accesses of the running event. @param {[number, string][]} accesses @param {import('../frames.cjs').Caller} caller */
  touched(accesses, caller) {
    const site = accesses.length > 0 ? this.siteOf(caller.app ?? caller.user) : 0;
    for (const [kind, path] of accesses) if (path !== '') this.file(0, kind, path, site);
  }

  /** @param {Op} op @param {Function} original @param {any} self @param {any[]} args */
  call(op, original, self, args) {
    this.op(op, 0);
    return this.ops.within(op, original, self, args);
  }

  /** @param {Op} op @param {Function} callback */
  callback(op, callback) {
    const recorder = this;
    return function (/** @type {any[]} */ ...args) {
      recorder.done(op);
      return recorder.ops.within(op.parent, callback, this, args);
    };
  }

  /** @param {Op} op @param {Function} original @param {any} self @param {any[]} args */
  promised(op, original, self, args) {
    const [promise, id] = this.capture(() => this.ops.within(op, original, self, args));
    this.op(op, id);
    if (id !== 0 || !(promise instanceof Promise)) return promise;
    return then(promise, (value) => { this.done(op); return value; }, (error) => { this.done(op); throw error; });
  }

  /** @param {Op | null} op @param {import('../ops/ops.cjs').Lane} _lane @param {() => void} deliver */
  arrive(op, _lane, deliver) {
    if (op) {
      this.op(op, 0);
      this.done(op);
    }
    deliver();
  }

  // ---- timers ----

  /** @param {Op} op */
  armed(op) {
    this.op(op, 0);
  }

  /** @param {Op} op @param {any} _timer @param {() => void} run */
  fired(op, _timer, run) {
    this.done(op);
    run();
  }

  /** @param {any} timer */
  cleared(timer) {
    this.timerRecord(0x17, timer);
  }

  /** @param {any} timer */
  refreshed(timer) {
    this.timerRecord(0x18, timer);
  }

  /** @param {number} tag @param {any} timer */
  timerRecord(tag, timer) {
    if (typeof timer !== 'object' || timer === null) return;
    this.idSymbol ??= Object.getOwnPropertySymbols(timer).find((symbol) => symbol.description === 'asyncId');
    const id = this.idSymbol && timer[this.idSymbol];
    if (!id) return;
    this.writer.order(tag);
    this.writer.u(id);
  }

  // ---- sockets ----

  /** connect() or listen() was called. @param {Op} op */
  opened(op) {
    this.op(op, 0);
  }

  /** The ends of a socket are known. @param {any} socket @param {Op | null} op of connect */
  linked(socket, op) {
    const { writer } = this;
    if (socket.localPort === undefined) return;
    const local = writer.string(`${socket.localAddress}:${socket.localPort}`);
    const remote = writer.string(`${socket.remoteAddress}:${socket.remotePort}`);
    const { id } = this.socket(socket);
    writer.order(0x23);
    writer.u(id);
    writer.u(local);
    writer.u(remote);
    writer.u(op ? op.id : 0);
  }

  /** @param {any} socket @param {any} chunk null at the end */
  received(socket, chunk) {
    const known = this.socket(socket);
    const from = known.received;
    known.received += chunk === null ? 0 : chunk.length;
    this.bytes(0x25, known.id, from, known.received);
  }

  /** @param {any} socket @param {number} from @param {number} to */
  sent(socket, from, to) {
    if (to > from) this.bytes(0x24, this.socket(socket).id, from, to);
  }

  /** @param {number} tag @param {number} socket @param {number} from @param {number} to */
  bytes(tag, socket, from, to) {
    const { writer } = this;
    writer.order(tag);
    writer.u(socket);
    writer.u(from);
    writer.u(to);
  }

  /** @param {object} socket */
  socket(socket) {
    let known = this.sockets.get(socket);
    if (!known) {
      known = { id: ++this.socketCount, received: 0 };
      this.sockets.set(socket, known);
    }
    return known;
  }

  // ---- tests, sites ----

  /** @param {number} phase 0 begin, 1 end @param {string} name @param {string} file */
  test(phase, name, file) {
    const { writer } = this;
    const [title, path] = [writer.string(name), writer.string(file)];
    writer.order(0x26);
    writer.u(phase);
    writer.u(title);
    writer.u(path);
  }

  /** @param {Frame | null} frame @returns {number} its site, 0 without a frame */
  siteOf(frame) {
    if (!frame) return 0;
    const key = `${frame.path}:${frame.line}:${frame.column}:${frame.fn}`;
    let id = this.frameSites.get(key);
    if (id === undefined) {
      id = this.site(frame.path, frame.line, frame.column, frame.fn, '', 0);
      this.frameSites.set(key, id);
    }
    return id;
  }

  /** @param {string} path @param {number} line @param {number} column @param {string} fn @param {string} name @param {number} flags */
  site(path, line, column, fn, name, flags) {
    const { writer } = this;
    const strings = [path, fn, name].map((text) => writer.string(text));
    writer.plain(0x03);
    writer.u(++this.siteCount);
    writer.u(strings[0]);
    writer.u(line);
    writer.u(column);
    writer.u(strings[1]);
    writer.u(strings[2]);
    writer.u(flags);
    return this.siteCount;
  }
}

module.exports = { Recorder };
