'use strict';

const { FLAG } = require('./sites.cjs');
const { unparen } = require('./syntax.cjs');

/** @typedef {import('./syntax.cjs').Node} Node */
/** @typedef {import('./rewriter.cjs').Rewriter} Rewriter */

/**
 * Visits the expressions inside a declaring pattern or assignment target: defaults, computed keys, bases of members.
 * @param {Rewriter} rw
 * @param {Node} node
 */
function visitPattern(rw, node) {
  switch (node.type) {
    case 'ParenthesizedExpression': return visitPattern(rw, node.expression);
    case 'MemberExpression':
      rw.visit(node.object, FLAG.DEREFERENCED);
      if (node.computed) rw.visit(node.property, 0);
      return;
    case 'AssignmentPattern':
      visitPattern(rw, node.left);
      functionHint(node.right, node.left);
      return rw.visitNamed(node.right);
    case 'RestElement': return visitPattern(rw, node.argument);
    case 'ArrayPattern':
      for (const element of node.elements) if (element !== null) visitPattern(rw, element);
      return;
    case 'ObjectPattern':
      for (const one of node.properties) {
        if (one.computed) rw.visit(one.key, 0);
        visitPattern(rw, one.value ?? one.argument);
      }
      return;
    default:
  }
}

/**
 * Gives a function or class the name that a person would use for it: that of its target.
 * @param {Node} value
 * @param {Node} target
 */
function functionHint(value, target) {
  value = unparen(value);
  if (value.type !== 'FunctionExpression' && value.type !== 'ArrowFunctionExpression' && value.type !== 'ClassExpression') return;
  target = unparen(target);
  if (target.type === 'Identifier') value.hint = target.name;
  if (target.type !== 'MemberExpression') return;
  const key = target.computed ? target.property.value : target.property.name;
  if (typeof key !== 'string') return;
  const owner = target.object;
  if (owner.type === 'MemberExpression' && owner.property.name === 'prototype' && owner.object.type === 'Identifier') {
    value.hint = `${owner.object.name}.${key}`;
  } else {
    value.hint = owner.type === 'Identifier' && owner.name === 'module' ? 'module.exports' : key;
  }
}

module.exports = { functionHint, visitPattern };
