'use strict';

const { NAMED } = require('./rewriter.cjs');
const { DELETE, READ, emitAccess, isName, isSkippedBase, literalKey } = require('./references.cjs');
const { FLAG } = require('./sites.cjs');
const { unparen } = require('./syntax.cjs');

/** @typedef {import('./syntax.cjs').Node} Node */
/** @typedef {import('./rewriter.cjs').Rewriter} Rewriter */

/** @param {Rewriter} rw @param {Node} node @param {number} use */
function identifier(rw, node, use) {
  const { binding } = node;
  if (binding === undefined || !binding.tracked) return;
  const site = rw.site(node.start, node.name, use | (node.mark ?? 0));
  rw.open(node.start, 'var(');
  rw.add(node.end, `,${rw.variable(binding)},${site})`);
}

/** @param {Rewriter} rw @param {Node} node @param {number} use */
function member(rw, node, use) {
  if (isSkippedBase(rw, node.object)) return rw.children(node);
  emitAccess(rw, node, READ, use | (node.mark ?? 0));
}

/** @param {Node} node part of a chain @returns {boolean} whether it can be cut short: an optional link is in it */
function hasOptionalLink(node) {
  for (;;) {
    if (node.optional) return true;
    if (node.type === 'MemberExpression') node = node.object;
    else if (node.type === 'CallExpression') node = node.callee;
    else return false;
  }
}

/**
 * Wraps only what stands before the first optional link: a call around more would undo the short cut.
 * @param {Rewriter} rw
 * @param {Node} node
 * @param {number} use
 */
function chainLink(rw, node, use) {
  if (!hasOptionalLink(node)) return rw.visit(node, use);
  if (node.type === 'MemberExpression') {
    const { object, property, computed } = node;
    if (!hasOptionalLink(object) && !isSkippedBase(rw, object)) return emitAccess(rw, node, READ, use);
    chainLink(rw, object, 0);
    if (computed) rw.visit(property, 0);
    return;
  }
  chainLink(rw, node.callee, FLAG.METHOD);
  for (const argument of node.arguments) rw.visit(argument, 0);
}

/** @param {Rewriter} rw @param {Node} node @param {number} use */
function unary(rw, node, use) {
  const argument = unparen(node.argument);
  if (node.operator !== 'delete') {
    if (argument.type === 'Identifier' || node.operator === '!') return rw.visit(node.argument, 0);
    return rw.children(node);
  }
  const target = argument.type === 'ChainExpression' ? argument.expression : argument;
  if (target.type !== 'MemberExpression' || isSkippedBase(rw, target.object) || hasOptionalLink(target.object)) {
    if (argument.type === 'Identifier') return;
    if (target.type !== 'MemberExpression') return rw.visit(argument, use);
    chainLink(rw, target.object, FLAG.DEREFERENCED);
    if (target.computed) rw.visit(target.property, 0);
    return;
  }
  emitAccess(rw, target, DELETE, FLAG.DELETE);
}

/** `k in o`. @param {Rewriter} rw @param {Node} node */
function binary(rw, node) {
  const { left, right } = node;
  if (node.operator !== 'in') return rw.children(node);
  const isPrivate = left.type === 'PrivateIdentifier';
  const key = isPrivate ? JSON.stringify(`#${left.name}`) : literalKey({ computed: true, property: left });
  if (key === undefined && !isName(left) && !rw.context.temps) return rw.children(node);
  const site = rw.site(left.start, rw.source.slice(left.start, left.end).slice(0, 24), 0);
  let text = key;
  const temp = key === undefined && !isName(left) ? rw.temp() : '';
  if (temp) {
    rw.visitInto(left, `${rw.global}.same(`, temp);
    rw.add(left.end, ')');
    text = temp;
  }
  rw.open(right.start, 'read(');
  rw.visit(right, 0);
  rw.add(right.end, `,${text ?? rw.nameText(left, 0)},${site})`);
  if (temp) rw.release(1);
}

/** @param {Rewriter} rw @param {Node} node @param {number} use */
function logical(rw, node, use) {
  const outer = rw.condition;
  rw.condition = true;
  rw.visit(node.left, use & NAMED);
  rw.condition = outer;
  rw.visit(node.right, use & NAMED);
}

/** @param {Rewriter} rw @param {Node} node @param {number} use */
function conditional(rw, node, use) {
  rw.visitCondition(node.test);
  rw.visit(node.consequent, use & NAMED);
  rw.visit(node.alternate, use & NAMED);
}

/** @param {Rewriter} rw @param {Node} node @param {number} use */
function array(rw, node, use) {
  for (const element of node.elements) {
    if (element === null) continue;
    if (element.type === 'SpreadElement') spread(rw, element, 'each');
    else rw.visit(element, use & NAMED);
  }
}

/** @param {Rewriter} rw @param {Node} node */
function object(rw, node) {
  for (const one of node.properties) {
    if (one.type === 'SpreadElement') spread(rw, one, 'keys');
    else property(rw, one);
  }
}

/** @param {Rewriter} rw @param {Node} node */
function property(rw, node) {
  const { key, value } = node;
  if (node.computed) rw.visit(key, 0);
  if (node.shorthand) {
    if (value.binding === undefined || !value.binding.tracked) return;
    rw.add(node.end, `:${rw.nameText(value, 0)}`);
    return;
  }
  if (!node.computed && (value.type === 'FunctionExpression' || value.type === 'ClassExpression' ||
    value.type === 'ArrowFunctionExpression')) {
    value.hint = String(key.name ?? key.value);
  }
  rw.visitNamed(value);
}

/** @param {Rewriter} rw @param {Node} node @param {'each' | 'keys'} helper */
function spread(rw, node, helper) {
  enumerate(rw, node.argument, helper);
}

/**
 * Emits node with a read of all its contents (`each`) or keys (`keys`).
 * @param {Rewriter} rw
 * @param {Node} node
 * @param {'each' | 'keys'} helper
 */
function enumerate(rw, node, helper) {
  if (isSkippedBase(rw, node) && node.type !== 'ThisExpression') return rw.visit(node, 0);
  const site = rw.site(node.start, helper === 'each' ? '[]' : '*', helper === 'each' ? FLAG.CONTENTS : 0);
  rw.open(node.start, `${helper}(`);
  rw.visitArgument(node, 0);
  rw.add(node.end, `,${site})`);
}

/** @param {Rewriter} rw @param {Node} node @param {number} use */
function chain(rw, node, use) {
  chainLink(rw, node.expression, use);
}

/** @param {Rewriter} rw @param {Node} node @param {number} use */
function parenthesized(rw, node, use) {
  rw.visit(node.expression, use);
}

module.exports = {
  enumerate,
  hasOptionalLink,
  expressions: {
    Identifier: identifier,
    MemberExpression: member,
    ChainExpression: chain,
    ParenthesizedExpression: parenthesized,
    UnaryExpression: unary,
    BinaryExpression: binary,
    LogicalExpression: logical,
    ConditionalExpression: conditional,
    ArrayExpression: array,
    ObjectExpression: object,
    SpreadElement: (/** @type {Rewriter} */ rw, /** @type {Node} */ node) => spread(rw, node, 'each'),
  },
};
