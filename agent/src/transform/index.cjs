'use strict';

const { parse } = require('acorn');

const { assignments } = require('./assignments.cjs');
const { calls } = require('./calls.cjs');
const { expressions } = require('./expressions.cjs');
const { Rewriter } = require('./rewriter.cjs');
const { analyseScopes } = require('./scopes.cjs');
const { program, structure } = require('./structure.cjs');

/** @type {any} */
const EXPRESSIONS = { __proto__: null, ...expressions, ...assignments, ...calls };
/** @type {any} */
const STRUCTURE = { __proto__: null, ...structure };

/**
 * Inserts calls of the run-time object (record/accesses.cjs) around the memory accesses of a JavaScript source. The
 * program keeps its meaning, its lines, its function names and, for plain bases, its error messages.
 *
 * @param {string} source plain JavaScript
 * @param {object} options
 * @param {'commonjs' | 'module' | 'script'} options.sourceType commonjs: body of Node's function wrapper
 * @param {number} options.firstSite number of the first site; the sites are numbered on from it
 * @param {string} [options.global] name under which the code finds the run-time object; a source that contains this
 *   name is left alone
 * @returns {{ code: string, sites: import('./sites.cjs').Site[], edits: number[] } | { code: null, reason: string }}
 *   edits: offset in the source and length of each insertion, pair by pair, ascending. With code null the file has to
 *   run as it is.
 */
function transform(source, { sourceType, firstSite, global = '$rs' }) {
  if (source.includes(global)) return { code: null, reason: `it already uses the name ${global}` };
  let tree;
  try {
    tree = parse(source, { ecmaVersion: 'latest', sourceType, preserveParens: true, allowHashBang: true });
  } catch (error) {
    return { code: null, reason: /** @type {Error} */ (error).message };
  }
  try {
    analyseScopes(tree, sourceType);
    const rewriter = new Rewriter(source, { firstSite, global }, EXPRESSIONS, STRUCTURE);
    program(rewriter, tree, sourceType);
    return { ...rewriter.inserts.apply(), sites: rewriter.sites.list };
  } catch (error) {
    if (error instanceof RangeError) return { code: null, reason: 'it is nested too deeply' };
    throw error;
  }
}

module.exports = { transform };
