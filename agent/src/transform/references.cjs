'use strict';

const { SKIPPED_GLOBALS } = require('./known-names.cjs');
const { FLAG } = require('./sites.cjs');

/** @typedef {import('./syntax.cjs').Node} Node */
/** @typedef {import('./rewriter.cjs').Rewriter} Rewriter */

const FRESH = new Set(['ArrayExpression', 'ArrowFunctionExpression', 'ClassExpression', 'FunctionExpression', 'Literal',
  'MetaProperty', 'ObjectExpression', 'Super', 'TemplateLiteral']);

/**
 * @param {Rewriter} rw
 * @param {Node} node base of a member access
 * @returns {boolean} whether accesses to its properties are not recorded
 */
function isSkippedBase(rw, node) {
  switch (node.type) {
    case 'Identifier': return node.binding === undefined ? SKIPPED_GLOBALS.has(node.name) : node.name === 'require';
    case 'ThisExpression': return rw.context.constructs;
    case 'ParenthesizedExpression': return isSkippedBase(rw, node.expression);
    default: return FRESH.has(node.type);
  }
}

/**
 * @param {Node} node
 * @returns {boolean} whether it can be evaluated twice: `this` or a declared name (an undeclared one may be a getter
 *   of the global object)
 */
function isName(node) {
  return node.type === 'ThisExpression' || (node.type === 'Identifier' && node.binding !== undefined);
}

/** @param {Node} node @returns {boolean} whether it is a name whose value cannot change within an expression */
function isConstantName(node) {
  return isName(node) && (node.type === 'ThisExpression' || !node.binding.written);
}

/** @param {Node} member @returns {string | undefined} source text of its key, if that is known without evaluation */
function literalKey({ computed, property }) {
  if (!computed) return JSON.stringify(property.type === 'PrivateIdentifier' ? `#${property.name}` : property.name);
  if (property.type !== 'Literal') return undefined;
  const { value } = property;
  return typeof value === 'string' || typeof value === 'number' ? JSON.stringify(value) : undefined;
}

/** @param {Rewriter} rw @param {Node} member @returns {string} its key for people */
function keyName(rw, { computed, property }) {
  if (!computed) return property.type === 'PrivateIdentifier' ? `#${property.name}` : property.name;
  if (property.type === 'Literal') return String(property.value);
  const text = rw.source.slice(property.start, property.end);
  return text.length <= 24 && !/\s/.test(text) ? `[${text}]` : '[…]';
}

/**
 * Emits the object and the key of a member expression so that both can be named again afterwards.
 * @param {Rewriter} rw
 * @param {Node} member
 * @param {{ lasting: boolean, read?: number }} needs lasting: named after other code may have run; read: flags of a
 *   read to record where the property is read
 * @returns {{ object: string, key: string, temps: number } | undefined} texts and the number of temporaries to release;
 *   undefined if it cannot be done: then nothing was emitted
 */
function emitReference(rw, member, { lasting, read }) {
  const { object, property } = member;
  const usable = lasting ? isConstantName : isName;
  let objectText = usable(object) ? nameOf(object) : undefined;
  let keyText = literalKey(member) ?? (usable(property) ? nameOf(property) : undefined);
  if (!rw.context.temps) {
    // Without temporaries a variable that could change in between is better than nothing.
    if (isName(object)) objectText = nameOf(object);
    if (keyText === undefined && isName(property)) keyText = nameOf(property);
    if (objectText === undefined || keyText === undefined) return undefined;
  }
  const site = read === undefined ? 0 : rw.site(property.start, keyName(rw, member), read);
  const objectTemp = objectText === undefined ? rw.temp() : '';
  const keyTemp = keyText === undefined ? rw.temp() : '';
  const assign = objectTemp && `${objectTemp}=`;
  const object2 = objectText ?? objectTemp;
  if (read !== undefined && keyText !== undefined) {
    rw.open(object.start, `read(${assign}`);
    rw.visit(object, FLAG.DEREFERENCED);
    rw.add(object.end, `,${keyText},${site})`);
  } else {
    if (assign) rw.open(object.start, `same(${assign}`);
    rw.visit(object, FLAG.DEREFERENCED);
    if (assign) rw.add(object.end, ')');
  }
  if (keyTemp) {
    rw.visitInto(property, read === undefined ? '' : `${rw.global}.key(${object2},`, keyTemp);
    if (read !== undefined) rw.add(property.end, `,${site})`);
  } else if (member.computed) {
    rw.visit(property, 0);
  }
  return { object: object2, key: keyText ?? keyTemp, temps: (objectTemp ? 1 : 0) + (keyTemp ? 1 : 0) };
}

/** @param {Node} node `this` or an identifier */
function nameOf(node) {
  return node.type === 'ThisExpression' ? 'this' : node.name;
}

/**
 * Emits a member expression with its access recorded by `object` (called around the object, with the key) or by `key`
 * (called around the key, with the object): whichever leaves the access itself as it stands.
 * @param {Rewriter} rw
 * @param {Node} member
 * @param {{ object: string, key: string }} helpers
 * @param {number} flags
 */
function emitAccess(rw, member, helpers, flags) {
  const { object, property, computed } = member;
  const site = () => rw.site(property.start, keyName(rw, member), flags);
  const key = literalKey(member);
  // The key of `o?.[k]` is evaluated only if o is there, so it cannot stand around the object.
  if (key !== undefined || (isName(property) && !member.optional)) {
    const number = site();
    rw.open(object.start, `${helpers.object}(`);
    rw.visit(object, FLAG.DEREFERENCED);
    rw.add(object.end, `,${key ?? rw.nameText(property, 0)},${number})`);
  } else if (isName(object)) {
    const number = site();
    rw.add(property.start, `${rw.global}.${helpers.key}(${rw.nameText(object, FLAG.DEREFERENCED)},`);
    rw.visitArgument(property, 0);
    rw.add(property.end, `,${number})`);
  } else if (rw.context.temps) {
    const number = site();
    const temp = rw.temp();
    rw.open(object.start, `same(${temp}=`);
    rw.visit(object, FLAG.DEREFERENCED);
    rw.add(object.end, ')');
    rw.add(property.start, `${rw.global}.${helpers.key}(${temp},`);
    rw.visitArgument(property, 0);
    rw.add(property.end, `,${number})`);
    rw.release(1);
  } else {
    rw.visit(object, 0);
    if (computed) rw.visit(property, 0);
  }
}

const READ = { object: 'read', key: 'key' };
const DELETE = { object: 'drop', key: 'dropKey' };

module.exports = {
  DELETE, READ, emitAccess, emitReference, isConstantName, isName, isSkippedBase, keyName, literalKey,
};
