'use strict';
// A second reader of the trace format, written from docs/trace-format.md alone:
// the specification has to be enough for it.

const fs = require('node:fs');
const path = require('node:path');

const KINDS = {
  0x01: ['string', 't:text'],
  0x02: ['process', 'u:pid', 'u:thread', 'u:parent', 't:role', 't:node', 't:uv', 't:root', 'u:mode', 'u:pool'],
  0x03: ['site', 'u:id', 's:file', 'u:line', 'u:column', 's:function', 's:symbol', 'u:flags'],
  0x04: ['lost', 's:hook', 't:reason'],
  0x05: ['end'],
  0x10: ['init', 'u:id', 's:type', 'u:trigger', 'u:exec'],
  0x11: ['before', 'u:id'],
  0x12: ['after'],
  0x13: ['resolve', 'u:id', 'u:exec'],
  0x14: ['combine', 's:kind'],
  0x15: ['combined', 'u:id'],
  0x16: ['timer', 'u:id', 'u:delay', 'u:repeat', 'u:unref'],
  0x17: ['clear', 'u:id'],
  0x18: ['refresh', 'u:id'],
  0x19: ['uncaught'],
  0x20: ['op', 'u:op', 's:api', 's:point', 'h:hash', 'u:site', 'u:promise', 'u:flags'],
  0x21: ['done', 'u:op'],
  0x22: ['file', 'u:op', 'u:access', 's:path', 'u:site'],
  0x23: ['socket', 'u:socket', 's:local', 's:remote', 'u:op'],
  0x24: ['wrote', 'u:socket', 'u:from', 'u:to'],
  0x25: ['got', 'u:socket', 'u:from', 'u:to'],
  0x26: ['test', 'u:phase', 's:title', 's:file'],
  0x30: ['object', 'u:id', 's:kind', 's:label'],
  0x31: ['read', 'u:back', 'u:object', 's:key', 'u:site'],
  0x32: ['write', 'u:back', 'u:object', 's:key', 'u:site', 'u:digest'],
  0x40: ['hold', 'h:hash', 's:point', 'u:side', 't:horizon', 'u:ms'],
  0x41: ['release', 'h:hash', 'u:side', 's:reason', 'u:ms'],
  0x42: ['infeasible', 'h:hash', 's:reason'],
};

/** @param {string} file @returns {any[]} records with `name` (of the kind; a name inside is `symbol` or `title`), their fields, and `event` (the running one) */
function readTrace(file) {
  const bytes = fs.readFileSync(file);
  const strings = [''];
  const records = [];
  const around = [];
  let at = 4;
  let event = 0;
  let events = 0;
  const read = {
    u() {
      let value = 0;
      for (let factor = 1; ; factor *= 128) {
        const byte = bytes[at++];
        value += (byte & 0x7f) * factor;
        if (byte < 0x80) return value;
      }
    },
    s: () => strings[read.u()],
    t() {
      const length = read.u();
      at += length;
      return bytes.toString('utf8', at - length, at);
    },
    h() {
      at += 4;
      return bytes.readUInt32LE(at - 4).toString(16).padStart(8, '0');
    },
  };
  if (bytes.toString('latin1', 0, 4) !== 'RSTR' || read.u() !== 1) throw new Error(`${file}: not a trace`);
  while (at < bytes.length) {
    const tag = bytes[at++];
    if (!KINDS[tag]) throw new Error(`${file}: unknown tag ${tag} at ${at - 1}`);
    const [name, ...fields] = KINDS[tag];
    const record = { name };
    for (const field of fields) record[field.slice(2)] = read[field[0]]();
    if (name === 'string') {
      strings.push(record.text);
      continue;
    }
    if (name === 'before') {
      around.push(event);
      event = ++events;
    } else if (name === 'after') {
      event = around.pop();
    }
    records.push({ ...record, event });
  }
  return records;
}

/** All records of a session folder. @param {string} dir */
function readSession(dir) {
  return fs.readdirSync(dir).filter((file) => file.endsWith('.rst')).sort().flatMap((file) => readTrace(path.join(dir, file)));
}

module.exports = { readTrace, readSession };
