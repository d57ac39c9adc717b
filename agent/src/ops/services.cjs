'use strict';
// Name look-ups, compression and cryptography: work outside the loop that ends
// in a callback or settles a promise.

const crypto = require('node:crypto');
const dns = require('node:dns');
const zlib = require('node:zlib');
const { START, COMPLETION } = require('./ops.cjs');
const { patchCallback, patchPromise } = require('./callback-api.cjs');

const LOOKUPS = [
  'lookup', 'lookupService', 'reverse', 'resolve', 'resolve4', 'resolve6', 'resolveAny', 'resolveCaa', 'resolveCname',
  'resolveMx', 'resolveNaptr', 'resolveNs', 'resolvePtr', 'resolveSoa', 'resolveSrv', 'resolveTxt',
];
const COMPRESSION = [
  'deflate', 'deflateRaw', 'gzip', 'gunzip', 'inflate', 'inflateRaw', 'unzip', 'brotliCompress', 'brotliDecompress',
  'zstdCompress', 'zstdDecompress',
];
const CRYPTOGRAPHY = [
  'pbkdf2', 'scrypt', 'hkdf', 'randomBytes', 'randomFill', 'randomInt', 'generateKey', 'generateKeyPair', 'checkPrime',
  'generatePrime', 'sign', 'verify',
];

/** @param {import('./ops.cjs').Ops} ops */
function patchServices(ops) {
  const flags = START | COMPLETION;
  for (const name of LOOKUPS) {
    patchCallback(ops, dns, name, { api: `dns.${name}`, flags });
    patchPromise(ops, dns.promises, name, { api: `dns.promises.${name}`, flags });
  }
  for (const name of COMPRESSION) patchCallback(ops, zlib, name, { api: `zlib.${name}`, flags });
  for (const name of CRYPTOGRAPHY) patchCallback(ops, crypto, name, { api: `crypto.${name}`, flags });
}

module.exports = { patchServices };
