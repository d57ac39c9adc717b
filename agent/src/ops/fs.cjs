'use strict';
// File operations: callback, promise and (when recording) synchronous calls,
// FileHandle methods and file streams, with the accesses each one makes.

const fs = require('node:fs');
const { apply, existsSync, then } = require('../originals.cjs');
const { patch } = require('../patch.cjs');
const { pathOf } = require('../points.cjs');
const { START, COMPLETION } = require('./ops.cjs');
const { patchCallback, patchPromise } = require('./callback-api.cjs');

const HELD = START | COMPLETION;

/** The seven kinds of file accesses, as in the trace format. */
const CREATE = 1;
const DELETE = 2;
const READ = 3;
const WRITE = 4;
const OPEN = 5;
const CLOSE = 6;
const STAT = 7;

/** @typedef {[number, string]} Access kind and absolute path */

/** @param {any} flag of open @param {string} path @returns {Access[]} */
function opening(flag, path) {
  const text = typeof flag === 'string' ? flag : typeof flag === 'number' ? numericFlag(flag) : 'r';
  if (text.includes('x')) return [[CREATE, path], [OPEN, path]];
  if (/[wa]/.test(text) && !existsSync(path)) return [[CREATE, path], [OPEN, path]];
  return [[OPEN, path]];
}

/** @param {number} flag */
function numericFlag(flag) {
  const { O_CREAT, O_EXCL } = fs.constants;
  return `${flag & O_CREAT ? 'w' : 'r'}${flag & O_EXCL ? 'x' : ''}`;
}

/** @param {any} options @param {string} fallback */
const flagOf = (options, fallback) => (options && typeof options === 'object' && options.flag) || fallback;

/** @type {Record<string, (a: string, args: any[], b: () => string) => Access[]>} accesses by path; b: the second argument's path */
const BY_PATH = {
  access: (a) => [[STAT, a]],
  exists: (a) => [[STAT, a]],
  stat: (a) => [[STAT, a]],
  lstat: (a) => [[STAT, a]],
  realpath: (a) => [[STAT, a]],
  readlink: (a) => [[STAT, a]],
  readdir: (a) => [[READ, a]],
  opendir: (a) => [[READ, a]],
  readFile: (a) => [[OPEN, a], [READ, a]],
  writeFile: (a, args) => [...opening(flagOf(args[2], 'w'), a), [WRITE, a]],
  appendFile: (a, args) => [...opening(flagOf(args[2], 'a'), a), [WRITE, a]],
  open: (a, args) => opening(args[1], a),
  truncate: (a) => [[OPEN, a], [WRITE, a]],
  mkdir: (a) => [[CREATE, a]],
  mkdtemp: () => [],
  rmdir: (a) => [[DELETE, a]],
  unlink: (a) => [[DELETE, a]],
  rm: (a) => [[DELETE, a]],
  rename: (a, args, b) => [[DELETE, a], [CREATE, b()]],
  copyFile: (a, args, b) => [[OPEN, a], [READ, a], ...opening('w', b()), [WRITE, b()]],
  cp: (a, args, b) => [[READ, a], [CREATE, b()]],
  link: (a, args, b) => [[STAT, a], [CREATE, b()]],
  symlink: (a, args, b) => [[CREATE, b()]],
  chmod: (a) => [[WRITE, a]],
  chown: (a) => [[WRITE, a]],
  utimes: (a) => [[WRITE, a]],
};

/** @type {Record<string, number>} accesses by descriptor or FileHandle */
const BY_DESCRIPTOR = {
  read: READ, readv: READ, write: WRITE, writev: WRITE, fstat: STAT, ftruncate: WRITE, close: CLOSE,
  fsync: 0, fdatasync: 0,
};
const HANDLE_METHODS = {
  read: READ, readv: READ, readFile: READ, write: WRITE, writev: WRITE, writeFile: WRITE, appendFile: WRITE,
  stat: STAT, truncate: WRITE, close: CLOSE, sync: 0, datasync: 0,
};

/** @param {import('./ops.cjs').Ops} ops */
function patchFs(ops) {
  /** @type {Map<number, string>} */
  const descriptors = new Map();
  /** @type {WeakMap<object, string>} */
  const handles = new WeakMap();
  for (const [name, accesses] of Object.entries(BY_PATH)) {
    const spec = pathSpec(ops, `fs.${name}`, name, accesses);
    const result = name === 'open' ? (/** @type {any} */ _self, /** @type {any[]} */ args, /** @type {any} */ fd) => { descriptors.set(fd, pathOf(args[0])); } : undefined;
    patchCallback(ops, fs, name, { ...spec, result });
    patchPromise(ops, fs.promises, name, { ...spec, api: `fs.promises.${name}` });
    if (ops.mode.recording) patchSync(ops, `${name}Sync`, (args) => accesses(pathOf(args[0]), args, () => pathOf(args[1])));
  }
  patchMadeFolders(ops);
  for (const [name, kind] of Object.entries(BY_DESCRIPTOR)) {
    const path = (/** @type {any} */ _self, /** @type {any[]} */ args) => descriptors.get(args[0]) ?? '';
    patchCallback(ops, fs, name, handleSpec(ops, `fs.${name}`, kind, path));
    if (ops.mode.recording) patchSync(ops, `${name}Sync`, (args) => (kind && descriptors.has(args[0]) ? [[kind, path(null, args)]] : []));
  }
  patchDescriptors(descriptors);
  patchHandles(ops, handles);
  patchStreams(ops);
}

/** @param {import('./ops.cjs').Ops} ops @param {string} api @param {string} name @param {typeof BY_PATH[string]} accesses @returns {import('./callback-api.cjs').Spec} */
function pathSpec(ops, api, name, accesses) {
  const held = name === 'realpath' || name === 'mkdtemp' ? 0 : HELD;
  return {
    api,
    flags: held,
    path: (_self, args) => pathOf(args[0]),
    prepare(op, _self, args) {
      // The checks of the real function come first: what it would refuse at once is never held.
      if (pathOf(args[0]) === '') op.flags = 0;
      if (ops.mode.recording && !isInner(op)) op.files = accesses(pathOf(args[0]), args, () => pathOf(args[1])).filter(([, path]) => path !== '');
    },
  };
}

/** @param {import('./ops.cjs').Ops} ops @param {string} api @param {number} kind @param {(self: any, args: any[]) => string} path @returns {import('./callback-api.cjs').Spec} */
function handleSpec(ops, api, kind, path) {
  return {
    api,
    flags: kind ? HELD : 0,
    path,
    prepare(op, self, args) {
      const file = path(self, args);
      if (ops.mode.recording && kind && file !== '' && !isInner(op)) op.files = [[kind, file]];
    },
  };
}

// Calls that fs.writeFile and its like make themselves are points of their own,
// but their accesses are those of the whole call. A stream has no such call.
/** @param {import('./ops.cjs').Op} op */
function isInner(op) {
  return op.parent !== null && !op.parent.stream;
}

/** @param {import('./ops.cjs').Ops} ops @param {string} name @param {(args: any[]) => Access[]} accesses */
function patchSync(ops, name, accesses) {
  patch(fs, name, (original) => function (/** @type {any[]} */ ...args) {
    if (ops.inside === null) {
      ops.safely(`fs.${name}`, () => {
        const caller = ops.frames.caller(true);
        if (caller) ops.mode.touched?.(accesses(args), caller);
      });
    }
    return ops.within(ops.inside ?? SYNC, original, this, args);
  });
}

// Marks the inside of a synchronous call, whose own inner calls are not the program's.
const SYNC = /** @type {any} */ ({ api: 'sync', caller: null });

/** @param {import('./ops.cjs').Ops} ops */
function patchMadeFolders(ops) {
  const made = (/** @type {any[]} */ args, /** @type {any} */ folder) => {
    if (typeof folder === 'string') ops.points.madeFolder(String(args[0]), folder);
  };
  patch(fs, 'mkdtempSync', (original) => function (/** @type {any[]} */ ...args) {
    const folder = apply(original, this, args);
    ops.safely('fs.mkdtempSync', () => made(args, folder));
    return folder;
  });
  patch(fs, 'mkdtemp', (original) => function (/** @type {any[]} */ ...args) {
    const callback = args[args.length - 1];
    if (typeof callback === 'function') {
      args[args.length - 1] = function (/** @type {any} */ error, /** @type {any} */ folder) {
        if (!error) made(args, folder);
        return apply(callback, this, arguments);
      };
    }
    return apply(original, this, args);
  });
  patch(fs.promises, 'mkdtemp', (original) => function (/** @type {any[]} */ ...args) {
    return then(apply(original, this, args), (folder) => (made(args, folder), folder), (error) => { throw error; });
  });
}

/** @param {Map<number, string>} descriptors */
function patchDescriptors(descriptors) {
  patch(fs, 'openSync', (original) => function (/** @type {any[]} */ ...args) {
    const fd = apply(original, this, args);
    descriptors.set(fd, pathOf(args[0]));
    return fd;
  });
}

/** @param {import('./ops.cjs').Ops} ops @param {WeakMap<object, string>} handles */
function patchHandles(ops, handles) {
  let patched = false;
  patch(fs.promises, 'open', (original) => function (/** @type {any[]} */ ...args) {
    return then(apply(original, this, args), (handle) => {
      ops.safely('FileHandle', () => {
        handles.set(handle, pathOf(args[0]));
        if (!patched) {
          patched = true;
          const prototype = Object.getPrototypeOf(handle);
          for (const [name, kind] of Object.entries(HANDLE_METHODS)) {
            patchPromise(ops, prototype, name, handleSpec(ops, `FileHandle.${name}`, kind, (self) => handles.get(self) ?? ''));
          }
        }
      });
      return handle;
    }, (error) => { throw error; });
  });
}

// A stream opens in a tick, where no user code is on the stack: it keeps the
// frames of the call that made it, and its inner calls are named after them.
/** @param {import('./ops.cjs').Ops} ops */
function patchStreams(ops) {
  /** @type {WeakMap<object, import('./ops.cjs').Op>} */
  const makers = new WeakMap();
  for (const name of ['createReadStream', 'createWriteStream']) {
    patch(fs, name, (original) => function (/** @type {any[]} */ ...args) {
      const op = ops.safely(`fs.${name}`, () => ops.begin(`fs.${name}`, 0, pathOf(args[0])));
      if (op) op.stream = true;
      const stream = ops.within(op, original, this, args);
      if (op) makers.set(stream, op);
      return stream;
    });
  }
  const inner = (/** @type {Function} */ original) => function (/** @type {any[]} */ ...args) {
    const op = makers.get(this);
    return op ? ops.within(op, original, this, args) : apply(original, this, args);
  };
  for (const key of ['_construct', '_read', '_write', '_writev', '_destroy', 'close']) {
    patch(fs.ReadStream.prototype, key, inner);
    patch(fs.WriteStream.prototype, key, inner);
  }
}

module.exports = { patchFs };
