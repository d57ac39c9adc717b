'use strict';
// The agent never changes what a program means: the same program prints the same
// plainly, recorded, and steered with an empty schedule.

const assert = require('node:assert/strict');
const { test } = require('node:test');
const { runAgent } = require('./run-agent.cjs');

const PROGRAMS = {
  'patched functions look like the originals': `
    const fs = require('fs'); const timers = require('timers'); const dns = require('dns'); const zlib = require('zlib');
    const look = (o, k) => { const d = Object.getOwnPropertyDescriptor(o, k);
      return [k, o[k].name, o[k].length, d.writable, d.enumerable, d.configurable, Reflect.ownKeys(o[k]).map(String).sort().join()]; };
    for (const k of ['readFile', 'writeFile', 'exists', 'read', 'write', 'open', 'mkdtemp', 'createReadStream', 'readFileSync']) console.log(...look(fs, k));
    for (const k of ['readFile', 'writeFile', 'open', 'rm']) console.log(...look(fs.promises, k));
    for (const k of ['setTimeout', 'setInterval', 'clearTimeout']) console.log(...look(timers, k), globalThis[k] === timers[k]);
    console.log(...look(dns, 'lookup'), ...look(zlib, 'gzip'), ...look(Promise, 'all'));
    console.log(Object.keys(globalThis).join());`,
  'bad arguments are refused at once': `
    const fs = require('fs');
    for (const call of [() => fs.readFile(1.5, () => {}), () => fs.readFile('x'), () => fs.stat({}, () => {}), () => fs.writeFile('a\\0b', '', () => {}),
      () => setTimeout('x'), () => setInterval(), () => fs.open('x', 'nonsense', () => {}), () => require('crypto').randomBytes(-1, () => {})]) {
      try { call(); console.log('accepted'); } catch (e) { console.log(e.code, e.name); }
    }`,
  'promises keep their errors': `
    const fs = require('fs/promises');
    process.on('unhandledRejection', (e) => console.log('unhandled', e.code));
    fs.readFile('/nonexistent');
    fs.stat('/nonexistent').catch((e) => console.log('caught', e.code));
    (async () => { try { await fs.open('/nonexistent'); } catch (e) { console.log('tried', e.code); } })();`,
  'AsyncLocalStorage and this stay': `
    const { AsyncLocalStorage } = require('async_hooks'); const fs = require('fs'); const als = new AsyncLocalStorage();
    als.run('a', () => fs.stat('.', () => console.log('stat', als.getStore())));
    als.run('b', () => setTimeout(function () { setTimeout(function () { console.log('timer', als.getStore(), this.constructor.name, typeof this.refresh); }, 30); }, 20));
    als.run('c', async () => { await fs.promises.stat('.'); setTimeout(() => console.log('promise', als.getStore()), 80); });`,
  'timers can be cleared in every way': `
    const t = setTimeout(() => console.log('no'), 5); clearTimeout(+t);
    const u = setTimeout(() => console.log('no'), 5); u.close();
    const v = setTimeout((a, b) => console.log('args', a, b), 5, 1, 2); v.refresh();
    let n = 0; const i = setInterval(async () => {
      if (++n < 3) return;
      clearInterval(i); console.log('ticks', n);
      console.log(await require('timers/promises').setTimeout(2, 'value'));
      console.log(await require('util').promisify(setTimeout)(2, 'promisified'));
    }, 20);
    const w = setTimeout(() => {}, 1e9).unref(); console.log(w.hasRef(), t.hasRef());`,
  'promisified functions': `
    const { promisify } = require('util'); const fs = require('fs');
    (async () => {
      console.log(await promisify(fs.exists)('.'), (await promisify(fs.read)(fs.openSync(__filename), Buffer.alloc(4), 0, 4, 0)).bytesRead);
      console.log(Object.keys(await promisify(require('dns').lookup)('localhost', { family: 4 })));
      console.log((await promisify(require('child_process').exec)('echo hi')).stdout.trim());
    })();`,
  'an ordinary server': `
    const http = require('http');
    const s = http.createServer((req, res) => { let n = 0; req.on('data', (c) => { n += c.length; }); req.on('end', () => res.end(String(n))); });
    s.listen(0, '127.0.0.1', async () => {
      const url = 'http://127.0.0.1:' + s.address().port;
      for (let i = 0; i < 3; i++) console.log(await (await fetch(url, { method: 'POST', body: 'x'.repeat(100000 * i) })).text());
      const agent = new http.Agent({ keepAlive: true });
      for (let i = 0; i < 2; i++) await new Promise((done) => http.get(url, { agent }, (res) => { res.resume(); res.on('end', done); console.log(res.statusCode); }));
      agent.destroy(); s.closeAllConnections(); s.close(() => console.log('closed'));
    });`,
  'upgrade hands the socket over': `
    const http = require('http');
    const s = http.createServer().on('upgrade', (req, socket) => { socket.write('HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: x\\r\\nConnection: Upgrade\\r\\n\\r\\n'); socket.on('data', (d) => socket.end('echo ' + d)); });
    s.listen(0, '127.0.0.1', () => {
      const req = http.get({ port: s.address().port, host: '127.0.0.1', headers: { Upgrade: 'x', Connection: 'Upgrade' } });
      req.on('upgrade', (res, socket) => { socket.write('hello'); socket.on('data', (d) => console.log(String(d))); socket.on('end', () => s.close()); });
    });`,
  'streams and file handles': `
    const fs = require('fs'); const { pipeline } = require('stream/promises'); const zlib = require('zlib');
    (async () => {
      await fs.promises.writeFile('in.txt', 'line\\n'.repeat(20000));
      await pipeline(fs.createReadStream('in.txt'), zlib.createGzip(), fs.createWriteStream('out.gz'));
      console.log(zlib.gunzipSync(fs.readFileSync('out.gz')).length);
      const h = await fs.promises.open('in.txt', 'r+'); await h.write('XX', 0); console.log((await h.read(Buffer.alloc(6), 0, 6, 0)).buffer.toString().trim()); await h.close();
      await fs.promises.rm('in.txt'); console.log(fs.existsSync('in.txt'));
    })();`,
  'workers and children': `
    const { Worker } = require('worker_threads'); const { fork } = require('child_process');
    new Worker('require("worker_threads").parentPort.postMessage(1 + 1)', { eval: true }).on('message', (m) => console.log('worker', m)).on('exit', (c) => {
      console.log('exit', c);
      require('fs').writeFileSync('child.cjs', 'process.send({ pid: typeof process.pid }); process.disconnect()');
      fork('./child.cjs', [], { env: {} }).on('message', (m) => console.log(m)).on('exit', (c) => console.log('child', c));
    });`,
  'functions show their own text': `
    let n = 0; const o = { m(a) { return a.x + n; }, async *g() { yield this.k; } }; class C { static s() { n++; return o.m({ x: 1 }); } #p = 1; get p() { return this.#p; } }
    const all = () => [() => n++, function (a) { a.b = n; return a.c?.d; }, o.m, o.g, C, C.s, Object.getOwnPropertyDescriptor(C.prototype, 'p').get, all];
    for (const f of all()) console.log(f.toString(), String(f) === Function.prototype.toString.call(f));
    console.log(Function.prototype.toString.toString(), parseInt.toString());
    console.log(String(Promise.all), String(setTimeout), String(require('fs').readFile), String(require('fs').promises.readFile));`,
  'uncaught errors end the process as always': `setTimeout(() => { throw new TypeError('boom'); }, 5); setTimeout(() => console.log('never'), 1000);`,
};

for (const [name, program] of Object.entries(PROGRAMS)) {
  test(name, () => {
    const plain = runAgent({ 'main.cjs': program }, { mode: 'plain' });
    for (const mode of /** @type {const} */ (['record', 'steer'])) {
      const run = runAgent({ 'main.cjs': program }, { mode });
      const view = ({ status, stdout, stderr }) => ({ status, stdout, stderr: stderr.split('\n').filter((line) => !line.startsWith('    at ')) });
      assert.deepEqual(view(run), view(plain), mode);
      assert.deepEqual(run.records.filter((record) => record.name === 'lost'), [], mode);
    }
  });
}

test('a hook that fails is switched off and noted, and the program goes on', () => {
  // The agent cannot look at the stack of such a program.
  const program = `Object.freeze(Error); const fs = require('fs');
    fs.stat('.', () => console.log('stat')); setTimeout(() => fs.promises.stat('.').then(() => console.log('promise')), 50);`;
  for (const mode of /** @type {const} */ (['record', 'steer'])) {
    const run = runAgent({ 'main.cjs': program }, { mode });
    assert.deepEqual([run.status, run.stdout, run.stderr], [0, 'stat\npromise\n', ''], mode);
    const lost = run.records.filter(({ name }) => name === 'lost').map(({ hook }) => hook);
    assert.deepEqual(lost, ['fs.stat', 'setTimeout', 'fs.promises.stat'], mode);
  }
});
