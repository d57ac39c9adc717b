'use strict';

const {
  KEYED_METHODS, LISTENER_METHODS, MUTATING_METHODS, READING_METHODS, VALUE_METHODS,
} = require('./known-names.cjs');
const {
  READ, emitAccess, emitReference, isConstantName, isName, isSkippedBase, keyName, literalKey,
} = require('./references.cjs');
const { hasOptionalLink } = require('./expressions.cjs');
const { FLAG } = require('./sites.cjs');

/** @typedef {import('./syntax.cjs').Node} Node */
/** @typedef {import('./rewriter.cjs').Rewriter} Rewriter */

/** @param {Rewriter} rw @param {Node} node */
function visitArguments(rw, node) {
  for (const argument of node.arguments) rw.visit(argument, 0);
}

/** @param {Rewriter} rw @param {Node} node @param {number} use */
function call(rw, node, use) {
  const { callee } = node;
  if (hasOptionalLink(node)) {
    // The first optional link is the call itself: its callee is still whole.
    rw.visit(callee, FLAG.METHOD);
    return visitArguments(rw, node);
  }
  if (callee.type === 'Identifier') return callVariable(rw, node, callee);
  if (callee.type !== 'MemberExpression') return rw.children(node);
  if (isSkippedBase(rw, callee.object)) return rw.children(node);
  if (callee.computed || literalKey(callee) === undefined) {
    emitAccess(rw, callee, READ, FLAG.METHOD | (use & FLAG.DEREFERENCED));
    return visitArguments(rw, node);
  }
  const { name } = callee.property;
  const [first] = node.arguments;
  if (callee.property.type === 'Identifier') {
    if (KEYED_METHODS.has(name) && first !== undefined && first.type !== 'SpreadElement') return callByKey(rw, node, name);
    if (MUTATING_METHODS.has(name) || (READING_METHODS.has(name) && node.suspends)) return callAndReport(rw, node, name);
    if (READING_METHODS.has(name)) return callAfter(rw, node, 'method', FLAG.METHOD | FLAG.CONTENTS);
  }
  callAfter(rw, node, 'read', FLAG.METHOD);
}

/** @param {Rewriter} rw @param {Node} node @param {Node} callee */
function callVariable(rw, node, callee) {
  const tracked = callee.binding !== undefined && callee.binding.tracked;
  if (tracked) rw.open(node.start, `then(${rw.nameText(callee, FLAG.METHOD | FLAG.DEREFERENCED)},`);
  visitArguments(rw, node);
  if (tracked) rw.add(node.end, ')');
}

/**
 * Records the callee's property before the call. For a plain base the call itself stays untouched, and with it the
 * text that V8 quotes in "o.m is not a function".
 * @param {Rewriter} rw
 * @param {Node} node
 * @param {'read' | 'method'} helper
 * @param {number} flags
 */
function callAfter(rw, node, helper, flags) {
  const { callee } = node;
  const site = rw.site(callee.property.start, keyName(rw, callee), flags);
  const key = literalKey(callee);
  if (isName(callee.object)) {
    const base = rw.nameText(callee.object, FLAG.DEREFERENCED);
    rw.open(node.start, `then(${rw.global}.${helper}(${base},${key},${site}),`);
    visitArguments(rw, node);
    rw.add(node.end, ')');
    return;
  }
  rw.open(callee.object.start, `${helper}(`);
  rw.visit(callee.object, FLAG.DEREFERENCED);
  rw.add(callee.object.end, `,${key},${site})`);
  visitArguments(rw, node);
}

/** Records when the call returns. @param {Rewriter} rw @param {Node} node @param {string} name */
function callAndReport(rw, node, name) {
  const flags = FLAG.METHOD | FLAG.CONTENTS;
  if (!rw.context.temps && !isName(node.callee.object)) return callAfter(rw, node, 'method', flags);
  const site = rw.site(node.callee.property.start, name, flags);
  const opening = rw.inserts.addWord(node.start, '');
  const reference = /** @type {NonNullable<ReturnType<typeof emitReference>>} */ (emitReference(rw, node.callee, { lasting: true }));
  visitArguments(rw, node);
  opening.text += `${rw.global}.called(${site},`;
  rw.add(node.end, `,${reference.object},${JSON.stringify(name)})`);
  rw.release(reference.temps);
}

/**
 * `map.get(k)`, `emitter.on(e, f)`: records around the key; `map.set(k, v)` and calls that suspend after the key: around
 * the last argument, so that the access belongs to the event that makes the call.
 * @param {Rewriter} rw
 * @param {Node} node
 * @param {string} name
 */
function callByKey(rw, node, name) {
  const { callee, arguments: [key, ...rest] } = node;
  const flags = FLAG.METHOD | (LISTENER_METHODS.has(name) ? FLAG.LISTENERS : FLAG.CONTENTS);
  const last = rest[rest.length - 1];
  const byValue = last !== undefined && (VALUE_METHODS.has(name) || node.suspends) && rest.every(isPlainArgument);
  const { temps } = rw.context;
  const keyText = literalArgument(key);
  if (!temps && (!isName(callee.object) || (byValue && keyText === undefined))) {
    return callAfter(rw, node, 'read', flags);
  }
  const site = rw.site(callee.property.start, name, flags);
  const reference = /** @type {NonNullable<ReturnType<typeof emitReference>>} */ (emitReference(rw, callee, { lasting: byValue }));
  const method = JSON.stringify(name);
  if (!byValue) {
    rw.open(key.start, `entry(${reference.object},${method},${site},`);
    rw.visit(key, 0);
    rw.add(key.end, ')');
    for (const argument of rest) rw.visit(argument, 0);
    return rw.release(reference.temps);
  }
  const keyTemp = keyText === undefined ? rw.temp() : '';
  if (keyTemp) rw.visitInto(key, '', keyTemp);
  else rw.visit(key, 0);
  for (const argument of rest.slice(0, -1)) rw.visit(argument, 0);
  rw.open(last.start, `entryValue(${reference.object},${method},${site},${keyText ?? keyTemp},`);
  rw.visit(last, 0);
  rw.add(last.end, ')');
  rw.release(reference.temps + (keyTemp ? 1 : 0));
}

/** @param {Node} argument */
function isPlainArgument(argument) {
  return argument.type !== 'SpreadElement';
}

/** @param {Node} node @returns {string | undefined} text that gives the argument again */
function literalArgument(node) {
  if (isConstantName(node)) return node.type === 'ThisExpression' ? 'this' : node.name;
  return literalKey({ computed: true, property: node });
}

const NEW_WITHOUT_PARENTHESES = new Set(['ClassExpression', 'FunctionExpression', 'MetaProperty', 'ParenthesizedExpression',
  'ThisExpression']);

/** @param {Rewriter} rw @param {Node} node */
function construct(rw, node) {
  const { callee } = node;
  if (callee.type === 'Identifier') return callVariable(rw, node, callee);
  if (callee.type === 'MemberExpression' && isName(callee.object) && literalKey(callee) !== undefined) {
    if (isSkippedBase(rw, callee.object)) return visitArguments(rw, node);
    return callAfter(rw, node, 'read', FLAG.METHOD);
  }
  // A call inside the callee would take the arguments of `new`.
  const bare = !NEW_WITHOUT_PARENTHESES.has(callee.type);
  if (bare) rw.add(callee.start, '(');
  rw.visit(callee, FLAG.METHOD);
  if (bare) rw.add(callee.end, ')');
  visitArguments(rw, node);
}

module.exports = { calls: { CallExpression: call, NewExpression: construct } };
