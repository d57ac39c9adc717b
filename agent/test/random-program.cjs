'use strict';
// A random program for the feasibility tests: timers, immediates, file
// operations, ticks and promise jobs that register each other. Prints what was
// registered and what ran, in order, as one JSON line.

const fs = require('node:fs');

const seed = Number(process.env.SEED);
let state = seed * 2654435761 % 2 ** 32;
function random(n) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * n);
}

const DELAYS = [1, 2, 3, 5, 8, 13];
const log = [];
let ids = 0;
let left = 120;

function busy(ms) {
  for (const until = performance.now() + ms; performance.now() < until;);
}

function register(type, delay, arm) {
  const id = ++ids;
  log.push({ reg: id, type, delay });
  arm(() => {
    log.push({ run: id });
    act();
  });
}

const KINDS = [
  () => { const delay = DELAYS[random(DELAYS.length)]; register('timer', delay, (run) => setTimeout(run, delay)); },
  () => { const delay = DELAYS[random(DELAYS.length)]; register('timer', delay, (run) => setTimeout(run, delay)); },
  () => register('immediate', 0, (run) => setImmediate(run)),
  () => register('poll', 0, (run) => fs.stat(__filename, run)),
  () => register('poll', 0, (run) => fs.readFile(__filename, run)),
  () => register('tick', 0, (run) => process.nextTick(run)),
  () => register('job', 0, (run) => Promise.resolve().then(run)),
];

function act() {
  for (let n = 1 + random(3); n > 0 && left > 0; n--) {
    left--;
    KINDS[random(KINDS.length)]();
  }
  if (random(5) === 0) busy(random(4));
}

for (let i = 0; i < 8; i++) act();
process.on('exit', () => fs.writeSync(1, `${JSON.stringify(log)}\n`));
