'use strict';

/**
 * @typedef {any} Node an ESTree node of acorn (with `preserveParens`), with the marks of scopes.cjs on it
 */

/**
 * Children of each node type, in source order: inserts at one position keep the order in which the walk makes them.
 * Names that are not values (labels, plain keys, specifiers) are left out.
 * @type {Record<string, string[]>}
 */
const CHILDREN = {
  Program: ['body'],
  ExpressionStatement: ['expression'],
  BlockStatement: ['body'],
  StaticBlock: ['body'],
  ClassBody: ['body'],
  WithStatement: ['object', 'body'],
  ReturnStatement: ['argument'],
  ThrowStatement: ['argument'],
  LabeledStatement: ['body'],
  IfStatement: ['test', 'consequent', 'alternate'],
  SwitchStatement: ['discriminant', 'cases'],
  SwitchCase: ['test', 'consequent'],
  TryStatement: ['block', 'handler', 'finalizer'],
  CatchClause: ['param', 'body'],
  WhileStatement: ['test', 'body'],
  DoWhileStatement: ['body', 'test'],
  ForStatement: ['init', 'test', 'update', 'body'],
  ForInStatement: ['left', 'right', 'body'],
  ForOfStatement: ['left', 'right', 'body'],
  FunctionDeclaration: ['params', 'body'],
  FunctionExpression: ['params', 'body'],
  ArrowFunctionExpression: ['params', 'body'],
  VariableDeclaration: ['declarations'],
  VariableDeclarator: ['id', 'init'],
  ArrayExpression: ['elements'],
  ArrayPattern: ['elements'],
  ObjectExpression: ['properties'],
  ObjectPattern: ['properties'],
  Property: ['key', 'value'],
  UnaryExpression: ['argument'],
  UpdateExpression: ['argument'],
  SpreadElement: ['argument'],
  RestElement: ['argument'],
  AwaitExpression: ['argument'],
  YieldExpression: ['argument'],
  BinaryExpression: ['left', 'right'],
  LogicalExpression: ['left', 'right'],
  AssignmentExpression: ['left', 'right'],
  AssignmentPattern: ['left', 'right'],
  ConditionalExpression: ['test', 'consequent', 'alternate'],
  CallExpression: ['callee', 'arguments'],
  NewExpression: ['callee', 'arguments'],
  MemberExpression: ['object', 'property'],
  SequenceExpression: ['expressions'],
  TemplateLiteral: ['expressions'],
  TaggedTemplateExpression: ['tag', 'quasi'],
  ClassDeclaration: ['superClass', 'body'],
  ClassExpression: ['superClass', 'body'],
  MethodDefinition: ['key', 'value'],
  PropertyDefinition: ['key', 'value'],
  ImportExpression: ['source', 'options'],
  ParenthesizedExpression: ['expression'],
  ChainExpression: ['expression'],
  ExportNamedDeclaration: ['declaration'],
  ExportDefaultDeclaration: ['declaration'],
};

/** Types whose `key` or `property` is a value only when computed. */
const KEYED = new Set(['Property', 'MemberExpression', 'MethodDefinition', 'PropertyDefinition']);

/**
 * Calls visit for every child of node, in source order.
 * @param {Node} node
 * @param {(child: Node) => void} visit
 */
function eachChild(node, visit) {
  const names = CHILDREN[node.type];
  if (names === undefined) return;
  const skipsKey = KEYED.has(node.type) && !node.computed;
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    if (skipsKey && (name === 'key' || name === 'property')) continue;
    const child = node[name];
    if (child === null || child === undefined) continue;
    if (Array.isArray(child)) {
      for (let j = 0; j < child.length; j++) if (child[j] !== null) visit(child[j]);
    } else {
      visit(child);
    }
  }
}

/** @param {Node} node */
function unparen(node) {
  while (node.type === 'ParenthesizedExpression') node = node.expression;
  return node;
}

/**
 * @param {Node} node
 * @returns {boolean} whether it is a function or a class without a name of its own
 */
function isAnonymous(node) {
  switch (node.type) {
    case 'ArrowFunctionExpression': return true;
    case 'FunctionExpression':
    case 'ClassExpression': return node.id === null;
    default: return false;
  }
}

/**
 * @param {Node} node a value that is assigned
 * @returns {boolean} whether V8 may name an anonymous function in it after the target
 */
function mayName(node) {
  switch (node.type) {
    case 'ParenthesizedExpression': return mayName(node.expression);
    case 'LogicalExpression': return mayName(node.left) || mayName(node.right);
    case 'ConditionalExpression': return mayName(node.consequent) || mayName(node.alternate);
    case 'SequenceExpression': return node.expressions.some(mayName);
    case 'ArrayExpression': return node.elements.some((/** @type {Node} */ element) => element !== null && mayName(element));
    default: return isAnonymous(node);
  }
}

/**
 * @param {Node} a
 * @param {Node} b
 * @returns {boolean} whether both name one variable or one property by plain names
 */
function sameReference(a, b) {
  a = unparen(a);
  b = unparen(b);
  if (a.type !== b.type) return false;
  switch (a.type) {
    case 'ThisExpression': return true;
    case 'Identifier':
    case 'PrivateIdentifier': return a.name === b.name;
    case 'Literal': return a.raw === b.raw;
    case 'MemberExpression':
      return a.computed === b.computed && sameReference(a.property, b.property) && sameReference(a.object, b.object);
    default: return false;
  }
}

module.exports = { eachChild, isAnonymous, mayName, sameReference, unparen };
