'use strict';
// Runs a program under the built agent in a process of its own.

const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { readSession } = require('./read-trace.cjs');

const AGENT = path.join(__dirname, '..', 'dist', 'agent.cjs');

/**
 * @param {Record<string, string>} files name → text; the program is main.cjs, main.mjs or main.js
 * @param {{ mode?: 'record'|'steer'|'plain', holds?: { point: string, side: string, horizon: string }[], draw?: object, node?: string, args?: string[], env?: object }} [options]
 */
function runAgent(files, options = {}) {
  if (!fs.existsSync(AGENT)) throw new Error('agent/dist/agent.cjs is missing: run `make build`');
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'raceseed-agent-')));
  const session = path.join(root, '.session');
  try {
    fs.mkdirSync(session);
    for (const [name, text] of Object.entries(files)) {
      fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
      fs.writeFileSync(path.join(root, name), text);
    }
    const { mode = 'record', holds = [], draw, node = process.execPath } = options;
    fs.writeFileSync(path.join(session, 'session.json'), JSON.stringify({ version: 1, mode, root, include: [], holds, draw }));
    const main = Object.keys(files).find((name) => /^main\.[cm]?js$/.test(name));
    const env = { ...process.env, NODE_OPTIONS: '', ...options.env };
    delete env.NODE_TEST_CONTEXT; // these programs are not parts of the test run around them
    if (mode !== 'plain') Object.assign(env, { RACESEED_SESSION: session, NODE_OPTIONS: `--require "${AGENT}"` });
    const run = spawnSync(node, [...(options.args ?? []), main], { cwd: root, env, encoding: 'utf8', timeout: 60_000 });
    return { status: run.status, stdout: run.stdout, stderr: run.stderr.replaceAll(root, '<root>'), records: mode === 'plain' ? [] : readSession(session) };
  } finally {
    fs.rmSync(root, { recursive: true, force: true });
  }
}

/** The op records whose hold point's name matches. */
function ops(records, pattern) {
  return records.filter(({ name, point }) => name === 'op' && pattern.test(point));
}

module.exports = { runAgent, ops };
