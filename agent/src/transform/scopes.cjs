'use strict';

const { eachChild, unparen } = require('./syntax.cjs');

/** @typedef {import('./syntax.cjs').Node} Node */

/**
 * A declared name. It is *tracked* when another function captures it and something but its initialiser writes it.
 * @typedef {object} Binding
 * @property {string} name
 * @property {Scope} scope
 * @property {boolean} written
 * @property {boolean} captured
 * @property {boolean} locked cannot be tracked: constants, or seen from a place that cannot name the scope instance
 * @property {boolean} tracked
 */

/** A scope of names. Its `instance` is the name of the variable that holds the scope's instance at run time. */
class Scope {
  /**
   * @param {Scope | undefined} parent
   * @param {boolean} isFunction
   * @param {boolean} locked whether its bindings cannot be tracked
   */
  constructor(parent, isFunction, locked) {
    this.parent = parent;
    /** @type {Scope} the nearest scope of a function or of the program */
    this.owner = isFunction || parent === undefined ? this : parent.owner;
    this.locked = locked;
    /** @type {Map<string, Binding>} */
    this.bindings = new Map();
    /** @type {{ node: Node, owner: Scope, writes: boolean, header: Scope | undefined }[]} */
    this.references = [];
    /** How many references stand in the parameter list. */
    this.inParameters = 0;
    this.tracks = false;
    this.instance = '';
  }

  /**
   * @param {string} name
   * @param {boolean} locked
   */
  declare(name, locked) {
    const known = this.bindings.get(name);
    if (known !== undefined) {
      if (locked) known.locked = true;
      return;
    }
    this.bindings.set(name, {
      name, scope: this, written: false, captured: false, locked: locked || this.locked, tracked: false,
    });
  }

  /** Ties references to bindings and hands the rest to the parent. */
  close() {
    const { references, bindings, parent } = this;
    for (let i = 0; i < references.length; i++) {
      const reference = references[i];
      const binding = bindings.get(reference.node.name);
      if (binding === undefined) {
        if (parent !== undefined) parent.references.push(reference);
        continue;
      }
      reference.node.binding = binding;
      // The step of a loop writes a fresh copy of its own `let`: not a write that a closure could see.
      if (reference.writes && reference.header !== this) binding.written = true;
      if (reference.owner !== this.owner) binding.captured = true;
      if (i < this.inParameters) binding.locked = true;
    }
    this.references = [];
    for (const binding of bindings.values()) {
      binding.tracked = binding.written && binding.captured && !binding.locked;
      if (binding.tracked) this.tracks = true;
    }
  }
}

/** Names that Node's function wrapper gives to a CommonJS file. */
const WRAPPER = ['exports', 'require', 'module', '__filename', '__dirname'];

/**
 * One pass over the tree. Marks it with: `binding` on identifiers that refer to a declared name, `scope` on the nodes
 * that open one, `suspends` on assignments and calls with an await or yield in their right side or arguments.
 */
class Analysis {
  constructor() {
    /** @type {Scope} */
    this.scope = new Scope(undefined, true, true);
    this.suspensions = 0;
    this.strict = false;
    this.visit = this.visit.bind(this);
  }

  /**
   * @param {Node} program
   * @param {'commonjs' | 'module' | 'script'} sourceType
   */
  run(program, sourceType) {
    this.strict = sourceType === 'module' || hasUseStrict(program.body);
    const scope = new Scope(undefined, true, sourceType === 'script');
    this.scope = program.scope = scope;
    if (sourceType === 'commonjs') for (const name of WRAPPER) scope.declare(name, true);
    this.statements(program.body);
    scope.close();
  }

  /** @param {Node} node */
  visit(node) {
    switch (node.type) {
      case 'Identifier': return this.refer(node, false);
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression': return this.functionNode(node);
      case 'ClassDeclaration':
      case 'ClassExpression': return this.classNode(node);
      case 'PropertyDefinition': return this.field(node);
      case 'StaticBlock': return this.functionLike(node, () => this.statements(node.body));
      case 'BlockStatement': return this.block(node, false, () => this.statements(node.body));
      case 'SwitchStatement': return this.switchNode(node);
      case 'ForStatement':
      case 'ForInStatement':
      case 'ForOfStatement': return this.loop(node);
      case 'CatchClause': return this.catchNode(node);
      case 'VariableDeclaration': return this.declaration(node);
      case 'ImportDeclaration':
        for (const { local } of node.specifiers) this.scope.declare(local.name, true);
        return;
      case 'AssignmentExpression': return this.assignment(node);
      case 'UpdateExpression': return this.target(node.argument);
      case 'CallExpression':
      case 'NewExpression': return this.call(node);
      case 'AwaitExpression':
      case 'YieldExpression':
        this.suspensions++;
        return eachChild(node, this.visit);
      default: return eachChild(node, this.visit);
    }
  }

  /**
   * @param {Node} node
   * @param {boolean} writes
   */
  refer(node, writes) {
    this.scope.references.push({ node, owner: this.scope.owner, writes, header: undefined });
  }

  /**
   * Runs body in a new scope for node.
   * @param {Node} node
   * @param {boolean} locked
   * @param {() => void} body
   */
  block(node, locked, body) {
    const outer = this.scope;
    this.scope = node.scope = new Scope(outer, false, locked);
    body();
    this.scope.close();
    this.scope = outer;
  }

  /**
   * Like block, for code that runs as a function of its own.
   * @param {Node} node
   * @param {() => void} body
   */
  functionLike(node, body) {
    const { scope: outer, suspensions, strict } = this;
    this.scope = node.scope = new Scope(outer, true, false);
    body();
    this.scope.close();
    this.scope = outer;
    this.suspensions = suspensions;
    this.strict = strict;
  }

  /** @param {Node[]} list */
  statements(list) {
    for (const statement of list) this.visit(statement);
  }

  /** A name may be declared after its uses: references find their binding only when the scope is closed. @param {Node} node */
  declaration(node) {
    const scope = node.kind === 'var' ? this.scope.owner : this.scope;
    const locked = node.kind !== 'let' && node.kind !== 'var';
    for (const { id, init } of node.declarations) {
      declarePattern(id, scope, locked);
      this.pattern(id);
      if (init) this.visit(init);
    }
  }

  /** @param {Node} node */
  functionNode(node) {
    const body = () => this.functionLike(node, () => this.functionBody(node));
    if (!node.id) return body();
    if (node.type === 'FunctionDeclaration') {
      this.scope.declare(node.id.name, false);
      // In a block, sloppy code makes a variable of the function as well.
      if (!this.strict) this.scope.owner.declare(node.id.name, false);
      return body();
    }
    const outer = this.scope;
    this.scope = new Scope(outer, false, true);
    this.scope.declare(node.id.name, true);
    body();
    this.scope.close();
    this.scope = outer;
  }

  /** @param {Node} node */
  functionBody(node) {
    const { scope } = this;
    if (node.body.type === 'BlockStatement' && hasUseStrict(node.body.body)) this.strict = true;
    if (node.type !== 'ArrowFunctionExpression') scope.declare('arguments', true);
    for (const parameter of node.params) declarePattern(parameter, scope, false);
    for (const parameter of node.params) this.pattern(parameter);
    scope.inParameters = scope.references.length;
    if (node.body.type === 'BlockStatement') this.statements(node.body.body);
    else this.visit(node.body);
  }

  /** @param {Node} node */
  classNode(node) {
    const { strict } = this;
    this.strict = true;
    if (node.type === 'ClassDeclaration' && node.id !== null) this.scope.declare(node.id.name, false);
    this.block(node, true, () => {
      if (node.id !== null) this.scope.declare(node.id.name, true);
      eachChild(node, this.visit);
    });
    this.strict = strict;
  }

  /** @param {Node} node */
  field(node) {
    if (node.computed) this.visit(node.key);
    if (node.value !== null) this.functionLike(node, () => this.visit(node.value));
  }

  /** Its scope is locked: no statement can stand before the first case. @param {Node} node */
  switchNode(node) {
    this.visit(node.discriminant);
    this.block(node, true, () => {
      for (const one of node.cases) eachChild(one, this.visit);
    });
  }

  /** @param {Node} node */
  loop(node) {
    const head = node.type === 'ForStatement' ? node.init : node.left;
    this.block(node, false, () => {
      if (head !== null) {
        if (node.type === 'ForStatement' || head.type === 'VariableDeclaration') this.visit(head);
        else this.target(head);
      }
      if (node.type !== 'ForStatement') {
        this.visit(node.right);
        // The instance is made in the body: closures of the head cannot name it.
        this.scope.inParameters = this.scope.references.length;
        if (node.await) this.suspensions++;
      } else {
        if (node.test) this.visit(node.test);
        if (node.update) this.loopStep(node.update);
      }
      this.visit(node.body);
    });
  }

  /** @param {Node} update */
  loopStep(update) {
    const { scope } = this;
    const first = scope.references.length;
    this.visit(update);
    for (let i = first; i < scope.references.length; i++) {
      if (scope.references[i].owner === scope.owner) scope.references[i].header = scope;
    }
  }

  /** @param {Node} node */
  catchNode(node) {
    this.block(node, false, () => {
      if (node.param) {
        declarePattern(node.param, this.scope, false);
        this.pattern(node.param);
        this.scope.inParameters = this.scope.references.length;
      }
      // One scope for parameter and body: the instance is made at the head of the body.
      this.statements(node.body.body);
    });
  }

  /** @param {Node} node */
  assignment(node) {
    this.target(node.left);
    const before = this.suspensions;
    this.visit(node.right);
    node.suspends = this.suspensions !== before;
  }

  /** @param {Node} node */
  call(node) {
    this.visit(node.callee);
    const before = this.suspensions;
    for (const argument of node.arguments) this.visit(argument);
    node.suspends = this.suspensions !== before;
  }

  /** Visits the defaults and computed keys of a declaring pattern. @param {Node} node */
  pattern(node) {
    this.walkPattern(node, () => {});
  }

  /** Visits an assignment target: its names are written. @param {Node} node */
  target(node) {
    this.walkPattern(node, (leaf) => {
      if (leaf.type === 'Identifier') this.refer(leaf, true);
      else this.visit(leaf);
    });
  }

  /**
   * @param {Node} node
   * @param {(leaf: Node) => void} leaf
   * @returns {void}
   */
  walkPattern(node, leaf) {
    node = unparen(node);
    switch (node.type) {
      case 'ObjectPattern':
        for (const property of node.properties) {
          if (property.type === 'RestElement') this.walkPattern(property.argument, leaf);
          else {
            if (property.computed) this.visit(property.key);
            this.walkPattern(property.value, leaf);
          }
        }
        return;
      case 'ArrayPattern':
        for (const element of node.elements) if (element !== null) this.walkPattern(element, leaf);
        return;
      case 'AssignmentPattern':
        this.walkPattern(node.left, leaf);
        this.visit(node.right);
        return;
      case 'RestElement': return this.walkPattern(node.argument, leaf);
      default: leaf(node);
    }
  }
}

/**
 * @param {Node} node
 * @param {Scope} scope
 * @param {boolean} locked
 */
function declarePattern(node, scope, locked) {
  switch (node.type) {
    case 'Identifier': return scope.declare(node.name, locked);
    case 'ObjectPattern':
      for (const property of node.properties) declarePattern(property.value ?? property.argument, scope, locked);
      return;
    case 'ArrayPattern':
      for (const element of node.elements) if (element !== null) declarePattern(element, scope, locked);
      return;
    case 'AssignmentPattern': return declarePattern(node.left, scope, locked);
    case 'RestElement': return declarePattern(node.argument, scope, locked);
    default:
  }
}

/** @param {Node[]} body */
function hasUseStrict(body) {
  return body.some((statement) => statement.directive === 'use strict');
}

/**
 * Marks the tree in place (see Analysis).
 * @param {Node} program
 * @param {'commonjs' | 'module' | 'script'} sourceType
 */
function analyseScopes(program, sourceType) {
  new Analysis().run(program, sourceType);
}

module.exports = { Scope, analyseScopes };
