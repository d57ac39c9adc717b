'use strict';

const { emitReference, isConstantName, isName, isSkippedBase, keyName, literalKey } = require('./references.cjs');
const { FLAG } = require('./sites.cjs');
const { functionHint, visitPattern } = require('./patterns.cjs');
const { isAnonymous, mayName, sameReference, unparen } = require('./syntax.cjs');

/** @typedef {import('./syntax.cjs').Node} Node */
/** @typedef {import('./rewriter.cjs').Rewriter} Rewriter */

const LOGICAL = new Set(['&&=', '||=', '??=']);

/** @param {Rewriter} rw @param {Node} node */
function assignment(rw, node) {
  const left = unparen(node.left);
  functionHint(node.right, left);
  if (left.type === 'Identifier') {
    if (left.binding === undefined || !left.binding.tracked) return rw.visitNamed(node.right);
    if (node.operator === '=') return assignVariable(rw, node, left);
    if (LOGICAL.has(node.operator)) return assignVariableLogically(rw, node, left);
    return updateVariable(rw, node, left, 0);
  }
  if (left.type !== 'MemberExpression') return destructure(rw, node, left);
  if (isSkippedBase(rw, left.object)) return untracked(rw, node, left);
  if (node.operator === '=') return assignProperty(rw, node, left);
  if (LOGICAL.has(node.operator)) return assignPropertyLogically(rw, node, left);
  updateProperty(rw, node, left, 0);
}

/** Visits what stands in the target and in the value only. @param {Rewriter} rw @param {Node} node @param {Node} left */
function untracked(rw, node, left) {
  visitPattern(rw, left);
  if (node.right) rw.visitNamed(node.right);
}

/**
 * In `f()[k] = () => {}` V8 would name the function after a helper around f().
 * @param {Node} left
 */
function keepsName(left) {
  return literalKey(left) !== undefined || isConstantName(left.object);
}

/** Records nothing of the assignment, for the sake of the function's name. @param {Rewriter} rw @param {Node} node @param {Node} left */
function nameOnly(rw, node, left) {
  const outer = rw.quiet;
  rw.quiet = true;
  visitPattern(rw, left);
  rw.quiet = outer;
  rw.visitNamed(node.right);
}

/** @param {Node} node @returns {number} flags that follow from the value written */
function valueFlags(node) {
  const value = unparen(node.right);
  const isNullish = (value.type === 'Literal' && value.raw === 'null') || (value.type === 'Identifier' &&
    value.name === 'undefined') || (value.type === 'UnaryExpression' && value.operator === 'void');
  return isNullish ? FLAG.NULLISH : 0;
}

/**
 * Marks the read in `x = x + n` and `x = x op await y`.
 * @param {Node} node
 * @param {Node} left
 * @returns {number} flags of the write
 */
function markSelfRead(node, left) {
  const value = unparen(node.right);
  if (value.type !== 'BinaryExpression') return 0;
  const side = [value.left, value.right].find((operand) => operand.type !== 'PrivateIdentifier' && sameReference(operand, left));
  if (side === undefined) return 0;
  const counts = value.operator === '+' || value.operator === '-' ? FLAG.COUNTER : 0;
  const flags = counts | (node.suspends ? FLAG.SUSPENDED : 0);
  unparen(side).mark = flags | FLAG.UPDATE;
  return flags;
}

/** @param {Node} node @returns {number} flags of `x op= v`, `x++` */
function updateFlags(node) {
  const counts = node.type === 'UpdateExpression' || node.operator === '+=' || node.operator === '-=';
  return FLAG.UPDATE | (counts ? FLAG.COUNTER : 0) | (node.suspends ? FLAG.SUSPENDED : 0);
}

/** @param {Rewriter} rw @param {Node} node @param {Node} left */
function assignVariable(rw, node, left) {
  const site = rw.site(left.start, left.name, valueFlags(node) | markSelfRead(node, left));
  rw.open(node.start, `varWrote(${site},`);
  rw.visitNamed(node.right);
  rw.add(node.end, `,${rw.variable(left.binding)})`);
}

/** @param {Rewriter} rw @param {Node} node @param {Node} left */
function assignVariableLogically(rw, node, left) {
  const flags = FLAG.LOGICAL | (node.suspends ? FLAG.SUSPENDED : 0);
  const read = rw.site(left.start, left.name, flags | FLAG.UPDATE | FLAG.CONDITION);
  const write = rw.site(left.start, left.name, flags | valueFlags(node));
  const variable = rw.variable(left.binding);
  rw.open(node.start, `then(${rw.global}.varRead(${variable},${read}),`);
  rw.open(node.right.start, `varWrite(${variable},${write},`);
  // The object literal names an anonymous function as the assignment would have done.
  const names = isAnonymous(unparen(node.right)) && node.left.type === 'Identifier';
  if (names) rw.add(node.right.start, `{${left.name}:`);
  rw.visitNamed(node.right);
  rw.add(node.right.end, names ? `}.${left.name}))` : '))');
}

/**
 * `x op= v`, `x++`.
 * @param {Rewriter} rw
 * @param {Node} node
 * @param {Node} left
 * @param {number} delta what to add to the value of the expression to get the value written
 */
function updateVariable(rw, node, left, delta) {
  const flags = updateFlags(node);
  const variable = rw.variable(left.binding);
  const site = rw.site(left.start, left.name, flags);
  if (node.suspends) {
    const write = rw.site(left.start, left.name, flags & ~FLAG.UPDATE);
    rw.open(node.start, `then(${rw.global}.varRead(${variable},${site}),${rw.global}.varWrote(${write},`);
    rw.visit(node.right, 0);
    rw.add(node.end, `,${variable}))`);
    return;
  }
  rw.open(node.start, `varUpdate(${site},`);
  if (node.right) rw.visit(node.right, 0);
  rw.add(node.end, `,${variable},${delta})`);
}

/** @param {Rewriter} rw @param {Node} node @param {Node} left */
function assignProperty(rw, node, left) {
  const namesFunction = mayName(node.right);
  if (namesFunction && !keepsName(left)) return nameOnly(rw, node, left);
  const flags = valueFlags(node) | markSelfRead(node, left);
  const opening = rw.inserts.addWord(node.start, '');
  const reference = emitReference(rw, left, { lasting: true });
  if (reference === undefined) return untracked(rw, node, left);
  const site = rw.site(left.property.start, keyName(rw, left), flags);
  rw.visitNamed(node.right);
  const constructed = left.object.type === 'ThisExpression' && rw.context.newTarget ? ',new.target' : '';
  opening.text += `${rw.global}.wrote(${site},`;
  rw.add(node.end, `,${reference.object},${reference.key}${constructed})`);
  rw.release(reference.temps);
}

/** @param {Rewriter} rw @param {Node} node @param {Node} left */
function assignPropertyLogically(rw, node, left) {
  const flags = FLAG.LOGICAL | (node.suspends ? FLAG.SUSPENDED : 0);
  const namesFunction = mayName(node.right);
  if (namesFunction && literalKey(left) === undefined) return nameOnly(rw, node, left);
  const reference = emitReference(rw, left, { lasting: true, read: flags | FLAG.UPDATE | FLAG.CONDITION });
  if (reference === undefined) return untracked(rw, node, left);
  const site = rw.site(left.property.start, keyName(rw, left), flags | valueFlags(node));
  const { object, key } = reference;
  if (namesFunction) {
    // Not as an argument: V8 names the function after the property, unless a call stands around it.
    rw.add(node.right.start, `(${rw.global}.touch(${object},${key},${site}),`);
    rw.visitNamed(node.right);
  } else {
    rw.open(node.right.start, `write(${object},${key},${site},`);
    rw.visit(node.right, 0);
  }
  rw.add(node.right.end, ')');
  rw.release(reference.temps);
}

/** @param {Rewriter} rw @param {Node} node @param {Node} left @param {number} delta */
function updateProperty(rw, node, left, delta) {
  const flags = updateFlags(node);
  const name = keyName(rw, left);
  const opening = rw.inserts.addWord(node.start, '');
  const read = node.suspends ? flags : undefined;
  const reference = emitReference(rw, left, { lasting: node.right !== undefined, read });
  if (reference === undefined) return untracked(rw, node, left);
  if (node.right) rw.visit(node.right, 0);
  const { object, key } = reference;
  const site = rw.site(left.property.start, name, read === undefined ? flags : flags & ~FLAG.UPDATE);
  opening.text += `${rw.global}.${read === undefined ? 'update' : 'wrote'}(${site},`;
  rw.add(node.end, read === undefined ? `,${object},${key},${delta})` : `,${object},${key})`);
  rw.release(reference.temps);
}

/** @param {Rewriter} rw @param {Node} node */
function update(rw, node) {
  const left = unparen(node.argument);
  const delta = node.prefix ? 0 : node.operator === '++' ? 1 : -1;
  if (left.type === 'Identifier') {
    if (left.binding !== undefined && left.binding.tracked) updateVariable(rw, node, left, delta);
  } else if (isSkippedBase(rw, left.object)) {
    untracked(rw, node, left);
  } else {
    updateProperty(rw, node, left, delta);
  }
}

/** `[a, o.k] = v`: the targets are recorded after the assignment. @param {Rewriter} rw @param {Node} node @param {Node} left */
function destructure(rw, node, left) {
  /** @type {string[]} */
  const writes = [];
  collectWrites(rw, left, writes);
  const right = unparen(node.right);
  const keys = pickedKeys(left);
  const opening = rw.inserts.addWord(node.start, '');
  visitPattern(rw, left);
  let helper = '';
  if (left.type === 'ArrayPattern') helper = 'each';
  else if (keys.length > 0) helper = 'pick';
  if (helper === '' || isSkippedBase(rw, right)) {
    rw.visit(node.right, 0);
  } else {
    const site = helper === 'each' ? rw.site(right.start, '[]', FLAG.CONTENTS) : pickSites(rw, keys);
    rw.open(node.right.start, `${helper}(`);
    rw.visit(node.right, 0);
    rw.add(node.right.end, `,${site}${helper === 'pick' ? `,${keys.map((key) => key.text).join()}` : ''})`);
  }
  if (writes.length === 0) return;
  opening.text += `${rw.global}.first(`;
  rw.add(node.end, `,${writes.join()})`);
}

/** @param {Rewriter} rw @param {Node} target @param {string[]} writes texts of the records to make afterwards */
function collectWrites(rw, target, writes) {
  target = unparen(target);
  switch (target.type) {
    case 'Identifier': {
      const { binding, name } = target;
      if (binding === undefined || !binding.tracked) return;
      writes.push(`${rw.global}.varWrite(${rw.variable(binding)},${rw.site(target.start, name, 0)},${name})`);
      return;
    }
    case 'MemberExpression': {
      const { object, property } = target;
      const key = literalKey(target);
      if (key === undefined || !isName(object) || isSkippedBase(rw, object)) return;
      const base = object.type === 'ThisExpression' ? 'this' : object.name;
      writes.push(`${rw.global}.touch(${base},${key},${rw.site(property.start, keyName(rw, target), 0)})`);
      return;
    }
    case 'AssignmentPattern': return collectWrites(rw, target.left, writes);
    case 'RestElement': return collectWrites(rw, target.argument, writes);
    case 'ArrayPattern':
      for (const element of target.elements) if (element !== null) collectWrites(rw, element, writes);
      return;
    case 'ObjectPattern':
      for (const one of target.properties) collectWrites(rw, one.value ?? one, writes);
      return;
    default:
  }
}

/**
 * @param {Node} pattern
 * @returns {{ text: string, name: string, at: number }[]} the plain keys that an object pattern reads
 */
function pickedKeys(pattern) {
  if (pattern.type !== 'ObjectPattern') return [];
  const keys = [];
  for (const one of pattern.properties) {
    if (one.type === 'RestElement') keys.push({ text: '"*"', name: '*', at: one.start });
    else if (!one.computed) {
      const name = String(one.key.name ?? one.key.value);
      keys.push({ text: JSON.stringify(name), name, at: one.key.start });
    }
  }
  return keys;
}

/**
 * Makes the sites of picked keys, one after the other.
 * @param {Rewriter} rw
 * @param {{ name: string, at: number }[]} keys
 * @returns {number} the first of them
 */
function pickSites(rw, keys) {
  return keys.map((key) => rw.site(key.at, key.name, 0))[0];
}

module.exports = {
  pickSites, pickedKeys, assignments: { AssignmentExpression: assignment, UpdateExpression: update },
};
