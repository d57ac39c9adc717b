'use strict';

const { pickSites, pickedKeys } = require('./assignments.cjs');
const { enumerate } = require('./expressions.cjs');
const { functionHint, visitPattern } = require('./patterns.cjs');
const { isName, isSkippedBase } = require('./references.cjs');
const { NAMED, newContext } = require('./rewriter.cjs');
const { FLAG } = require('./sites.cjs');
const { isAnonymous, unparen } = require('./syntax.cjs');

/** @typedef {import('./syntax.cjs').Node} Node */
/** @typedef {import('./rewriter.cjs').Rewriter} Rewriter */

/**
 * Visits statements behind a prologue that is written when it is known what they need. It stands in front of the first
 * statement that is no directive.
 * @param {Rewriter} rw
 * @param {Node[]} list
 * @param {() => string} prologue
 */
function statements(rw, list, prologue) {
  const first = list.find((statement) => statement.directive === undefined);
  if (first === undefined) return;
  const entry = rw.inserts.add(first.start, '');
  for (const statement of list) rw.visit(statement, 0);
  entry.text = prologue();
}

/**
 * @param {Rewriter} rw
 * @param {import('./scopes.cjs').Scope} scope
 * @returns {string} declarations of the temporaries and of the scope instance of a function
 */
function functionPrologue(rw, scope) {
  const names = [];
  for (let i = 0; i < rw.context.most; i++) names.push(`${rw.global}_t${i}`);
  const temps = names.length > 0 ? `let ${names.join()};` : '';
  // A `var`: in an import cycle a module's functions may run before the module does.
  return temps + (scope.tracks ? `var ${rw.instance(scope)}=${rw.newInstance()};` : '');
}

/** @param {Rewriter} rw @param {import('./scopes.cjs').Scope} scope @returns {string} */
function blockPrologue(rw, scope) {
  return scope.tracks ? `const ${rw.instance(scope)}=${rw.newInstance()};` : '';
}

/** @param {Rewriter} rw @param {Node} node @param {'commonjs' | 'module' | 'script'} sourceType */
function program(rw, node, sourceType) {
  rw.context = newContext('', sourceType !== 'script');
  statements(rw, node.body, () => functionPrologue(rw, node.scope));
}

/** @param {Rewriter} rw @param {Node} node @param {number} use */
function functionNode(rw, node, use) {
  const outer = rw.context;
  const isArrow = node.type === 'ArrowFunctionExpression';
  const context = newContext(node.id?.name ?? node.hint ?? outer.name, false);
  context.constructs = node.isConstructor === true;
  context.newTarget = !isArrow && !node.isMethod;
  rw.within(context, () => {
    for (const parameter of node.params) visitPattern(rw, parameter);
    context.temps = true;
    if (node.body.type === 'BlockStatement') {
      statements(rw, node.body.body, () => functionPrologue(rw, node.scope));
    } else {
      const open = rw.inserts.add(node.body.start, '');
      rw.visit(node.body, 0);
      const prologue = functionPrologue(rw, node.scope);
      if (prologue === '') return;
      open.text = `{${prologue}return(`;
      rw.add(node.body.end, ')}');
    }
  });
  if ((use & NAMED) !== 0 && isAnonymous(node)) rw.quiet = true;
}

/** @param {Rewriter} rw @param {Node} node @param {number} use */
function classNode(rw, node, use) {
  const { className } = rw.context;
  if (node.superClass !== null) rw.visit(node.superClass, 0);
  rw.context.className = node.id?.name ?? node.hint ?? '';
  for (const element of node.body.body) rw.visit(element, 0);
  rw.context.className = className;
  if ((use & NAMED) !== 0 && isAnonymous(node)) rw.quiet = true;
}

/** @param {Node} node @param {string} className @returns {string | undefined} */
function memberName(node, className) {
  if (node.computed) return undefined;
  const name = node.key.type === 'PrivateIdentifier' ? `#${node.key.name}` : String(node.key.name ?? node.key.value);
  return className === '' ? name : `${className}.${name}`;
}

/** @param {Rewriter} rw @param {Node} node */
function method(rw, node) {
  if (node.computed) rw.visit(node.key, 0);
  const { value } = node;
  value.isMethod = true;
  value.isConstructor = node.kind === 'constructor';
  value.hint = memberName(node, rw.context.className);
  rw.visit(value, 0);
}

/** A field's value runs as a function of its own, in which nothing can be declared. @param {Rewriter} rw @param {Node} node */
function field(rw, node) {
  if (node.computed) rw.visit(node.key, 0);
  if (node.value === null) return;
  const { name, className } = rw.context;
  const hint = memberName(node, className);
  if (!node.computed && isFunction(node.value)) unparen(node.value).hint = hint;
  const context = newContext(hint ?? name, false);
  context.constructs = true;
  rw.within(context, () => rw.visitNamed(node.value));
}

/** @param {Node} node */
function isFunction(node) {
  const { type } = unparen(node);
  return type === 'FunctionExpression' || type === 'ArrowFunctionExpression' || type === 'ClassExpression';
}

/** @param {Rewriter} rw @param {Node} node */
function staticBlock(rw, node) {
  const { className } = rw.context;
  const context = newContext(className, true);
  context.constructs = true;
  rw.within(context, () => statements(rw, node.body, () => functionPrologue(rw, node.scope)));
}

/** @param {Rewriter} rw @param {Node} node */
function block(rw, node) {
  if (node.scope === undefined) return rw.children(node);
  statements(rw, node.body, () => blockPrologue(rw, node.scope));
}

/** @param {Rewriter} rw @param {Node} node */
function catchClause(rw, node) {
  if (node.param) visitPattern(rw, node.param);
  statements(rw, node.body.body, () => blockPrologue(rw, node.scope));
}

/** @param {Rewriter} rw @param {Node} node */
function declaration(rw, node) {
  for (const declarator of node.declarations) {
    const { id, init } = declarator;
    if (init) {
      functionHint(init, id);
      if (id.type !== 'Identifier') {
        destructured(rw, declarator);
        continue;
      }
    }
    visitPattern(rw, id);
    if (init) rw.visitNamed(init);
  }
}

/** `const {a, b} = o`. @param {Rewriter} rw @param {Node} declarator */
function destructured(rw, declarator) {
  const { id, init } = declarator;
  const keys = pickedKeys(id);
  const isArray = id.type === 'ArrayPattern';
  const value = unparen(init);
  const imports = value.type === 'CallExpression' && value.callee.type === 'Identifier' && value.callee.name === 'require';
  if ((!isArray && keys.length === 0) || imports || isSkippedBase(rw, value)) {
    visitPattern(rw, id);
    return rw.visit(init, 0);
  }
  const helper = isArray ? 'each' : 'pick';
  const site = isArray ? rw.site(init.start, '[]', FLAG.CONTENTS) : pickSites(rw, keys);
  const rest = isArray ? `${site}` : `${site},${keys.map((key) => key.text).join()}`;
  if (isName(init)) {
    // A declarator of its own: the message of a failing pattern quotes its initialiser.
    const base = rw.nameText(init, 0);
    rw.add(declarator.start, `{}=${rw.global}.then(${rw.global}.${helper}(${base},${rest}),0),`);
    return visitPattern(rw, id);
  }
  visitPattern(rw, id);
  rw.open(init.start, `${helper}(`);
  rw.visit(init, 0);
  rw.add(init.end, `,${rest})`);
}

/** @param {Rewriter} rw @param {Node} node */
function branch(rw, node) {
  rw.visitCondition(node.test);
  rw.visit(node.consequent, 0);
  if (node.alternate) rw.visit(node.alternate, 0);
}

/** @param {Rewriter} rw @param {Node} node */
function switchStatement(rw, node) {
  rw.visitCondition(node.discriminant);
  for (const one of node.cases) {
    if (one.test) rw.visitCondition(one.test);
    for (const statement of one.consequent) rw.visit(statement, 0);
  }
}

/** @param {Rewriter} rw @param {Node} node */
function whileLoop(rw, node) {
  rw.visitCondition(node.test);
  rw.visit(node.body, 0);
}

/** @param {Rewriter} rw @param {Node} node */
function doLoop(rw, node) {
  rw.visit(node.body, 0);
  rw.visitCondition(node.test);
}

/** `for (let i …)` makes a new i, so a new instance, for each iteration. @param {Rewriter} rw @param {Node} node */
function forLoop(rw, node) {
  const { init, test, update, scope } = node;
  const instance = scope.tracks ? rw.instance(scope) : '';
  if (init) rw.visit(init, 0);
  if (instance) rw.add(init.end, `,${instance}=${rw.newInstance()}`);
  if (test) rw.visitCondition(test);
  const renew = `${instance}=${rw.newInstance()}`;
  if (update) {
    if (instance) rw.inserts.addWord(update.start, `${renew},`);
    rw.visit(update, 0);
  }
  loopBody(rw, node.body, instance && !update ? `${renew};` : '');
}

/** @param {Rewriter} rw @param {Node} node */
function forEachLoop(rw, node) {
  const { left, right, scope } = node;
  if (left.type === 'VariableDeclaration') declaration(rw, left);
  else visitPattern(rw, left);
  enumerate(rw, right, node.type === 'ForInStatement' ? 'keys' : 'each');
  loopBody(rw, node.body, blockPrologue(rw, scope));
}

/** @param {Rewriter} rw @param {Node} body @param {string} prologue */
function loopBody(rw, body, prologue) {
  if (prologue !== '') rw.add(body.start, `{${prologue}`);
  rw.visit(body, 0);
  if (prologue !== '') rw.add(body.end, '}');
}

/** Names inside the body may be properties of the object: it stays as it is. @param {Rewriter} rw @param {Node} node */
function withStatement(rw, node) {
  rw.visit(node.object, 0);
}

module.exports = {
  program,
  structure: {
    FunctionDeclaration: functionNode,
    FunctionExpression: functionNode,
    ArrowFunctionExpression: functionNode,
    ClassDeclaration: classNode,
    ClassExpression: classNode,
    MethodDefinition: method,
    PropertyDefinition: field,
    StaticBlock: staticBlock,
    BlockStatement: block,
    CatchClause: catchClause,
    VariableDeclaration: declaration,
    IfStatement: branch,
    SwitchStatement: switchStatement,
    WhileStatement: whileLoop,
    DoWhileStatement: doLoop,
    ForStatement: forLoop,
    ForInStatement: forEachLoop,
    ForOfStatement: forEachLoop,
    WithStatement: withStatement,
  },
};
