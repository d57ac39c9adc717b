'use strict';
// Assembles the agent for one process: session → trace file → mode → patches.
// Each part is switched on by itself; one that fails is noted as lost.

const { EventEmitter } = require('node:events');
const Module = require('node:module');
const threads = require('node:worker_threads');
const { apply, relative, sep } = require('./originals.cjs');
const { Frames } = require('./frames.cjs');
const { onSource } = require('./load.cjs');
const { Ops } = require('./ops/ops.cjs');
const { patchChildProcess } = require('./ops/child-process.cjs');
const { patchFs } = require('./ops/fs.cjs');
const { patchNet } = require('./ops/net.cjs');
const { patchServices } = require('./ops/services.cjs');
const { patchTimers } = require('./ops/timers.cjs');
const { patch, unwrapped } = require('./patch.cjs');
const { Points } = require('./points.cjs');
const { Instrument } = require('./record/instrument.cjs');
const { Recorder } = require('./record/recorder.cjs');
const { readSession } = require('./session.cjs');
const { Steerer } = require('./steer/steerer.cjs');
const { Tests, editRunner } = require('./tests.cjs');
const { TraceWriter } = require('./writer.cjs');

const MODES = { record: 1, steer: 2 };

function start() {
  const session = readSession(/** @type {string} */ (process.env.RACESEED_SESSION));
  const writer = new TraceWriter(session.dir, process.pid, threads.threadId);
  const role = roleOf(session.root);
  header(writer, session, role);
  const tests = new Tests();
  const frames = new Frames(session.root, __filename);
  const ops = new Ops(frames, new Points({ role, root: session.root, tests }));
  const recorder = session.mode === 'record' ? new Recorder(writer, ops) : null;
  ops.lost = (hook, error) => writer.lost(hook, error);
  ops.mode = recorder ?? new Steerer(session, writer, ops);
  const instrument = recorder && new Instrument(session, recorder, EventEmitter);
  if (recorder) tests.listener = (phase, name, file) => recorder.test(phase, name, file);

  /** @type {[string, () => void][]} */
  const parts = [
    ['tests', () => tests.attach()],
    ['fs', () => patchFs(ops)],
    ['timers', () => patchTimers(ops)],
    ['net', () => { patchNet(ops); }],
    ['child_process', () => patchChildProcess(ops)],
    ['services', () => patchServices(ops)],
    ['load', () => onSource((file, source, type) => {
      const edited = editRunner(file, source);
      return instrument ? instrument.source(file, edited, type) : edited;
    })],
    ['function texts', () => patchTexts((text) => instrument?.originalText(text) ?? text)],
    ['async_hooks', () => recorder?.enable()],
    ['esm exports', () => Module.syncBuiltinESMExports()],
  ];
  for (const [name, attach] of parts) {
    try {
      attach();
    } catch (error) {
      writer.lost(name, error);
    }
  }
  // Last, so that the records of other exit listeners still count.
  process.on('exit', () => writer.end());
}

// Some programs look whether a function is native, or ship it elsewhere as text:
// they see the originals.
/** @param {(text: string) => string} original */
function patchTexts(original) {
  patch(Function.prototype, 'toString', (toString) => function (/** @type {any[]} */ ...args) {
    return original(apply(toString, unwrapped(this), args));
  });
}

/** @param {TraceWriter} writer @param {import('./session.cjs').Session} session @param {string} role */
function header(writer, session, role) {
  writer.plain(0x02);
  writer.u(process.pid);
  writer.u(threads.threadId);
  writer.u(process.ppid);
  writer.text(role);
  writer.text(process.versions.node);
  writer.text(process.versions.uv);
  writer.text(session.root);
  writer.u(MODES[session.mode]);
  writer.u(Number(process.env.UV_THREADPOOL_SIZE) || 4);
  writer.flush(); // a process that is killed early was there, too
}

/** Name of this process in hold points: what it runs, never its pid. @param {string} root */
function roleOf(root) {
  const script = process.argv[1] ? relative(root, process.argv[1]).split(sep).join('/') : '-e';
  return threads.isMainThread ? script : `${script} worker`;
}

module.exports = { start };
