'use strict';

const { Inserts } = require('./inserts.cjs');
const { FLAG, Sites } = require('./sites.cjs');
const { eachChild, isAnonymous, unparen } = require('./syntax.cjs');

/** @typedef {import('./syntax.cjs').Node} Node */

/** Bit of `use`: the value stands where V8 names an anonymous function after its target. */
const NAMED = 1 << 16;

/**
 * What the walk knows about the function it is in.
 * @typedef {object} Context
 * @property {string} name for people; '' at top level
 * @property {boolean} temps whether temporaries may be used (not in parameters, fields and at the top of scripts)
 * @property {boolean} constructs `this` is an object under construction: constructor or field of a class
 * @property {boolean} newTarget a plain function, which may run as a constructor
 * @property {number} depth temporaries in use
 * @property {number} most the most that were in use at once
 * @property {string} className of the class whose members are being visited
 */

/** State of one rewriting walk and the small vocabulary that the handlers share. */
class Rewriter {
  /**
   * @param {string} source
   * @param {{ firstSite: number, global: string }} options
   * @param {Record<string, (rw: Rewriter, node: Node, use: number) => void>} expressions handlers by node type
   * @param {Record<string, (rw: Rewriter, node: Node, use: number) => void>} structure handlers that run even where
   *   nothing may be recorded, because they open functions
   */
  constructor(source, { firstSite, global }, expressions, structure) {
    this.source = source;
    this.inserts = new Inserts(source);
    this.sites = new Sites(source, firstSite);
    this.global = global;
    this.expressions = expressions;
    this.structure = structure;
    this.instances = 0;
    this.quiet = false;
    this.condition = false;
    /** @type {Context} */
    this.context = newContext('', false);
    this.visitPlain = (/** @type {Node} */ node) => this.visit(node, 0);
  }

  /**
   * @param {Node} node
   * @param {number} use how the value is used: flags for the site of a read, NAMED
   */
  visit(node, use) {
    const handler = this.structure[node.type] ?? (this.quiet ? undefined : this.expressions[node.type]);
    if (handler !== undefined) handler(this, node, use);
    else eachChild(node, this.visitPlain);
  }

  /** @param {Node} node */
  children(node) {
    eachChild(node, this.visitPlain);
  }

  /** Visits the test of a branch or loop. @param {Node} node */
  visitCondition(node) {
    const outer = this.condition;
    this.condition = true;
    this.visit(node, 0);
    this.condition = outer;
  }

  /**
   * Visits a value that may be an anonymous function. V8 names such a function when the whole value is parsed, and a
   * call that stands after it takes the name away: so nothing is recorded behind it.
   * @param {Node} node
   */
  visitNamed(node) {
    const outer = this.quiet;
    this.visit(node, NAMED);
    this.quiet = outer;
  }

  /**
   * Visits in the context of another function.
   * @param {Context} context
   * @param {() => void} body
   */
  within(context, body) {
    const { context: outer, quiet, condition } = this;
    this.context = context;
    this.quiet = this.condition = false;
    body();
    this.context = outer;
    this.quiet = quiet;
    this.condition = condition;
  }

  /**
   * @param {number} at
   * @param {string} name
   * @param {number} flags
   * @returns {number} number of a new site
   */
  site(at, name, flags) {
    return this.sites.add(at, this.context.name, name, (flags & ~NAMED) | (this.condition ? FLAG.CONDITION : 0));
  }

  /** Opens a call of the run-time object. @param {number} at @param {string} text */
  open(at, text) {
    this.inserts.addWord(at, `${this.global}.${text}`);
  }

  /** @param {number} at @param {string} text */
  add(at, text) {
    this.inserts.add(at, text);
  }

  /** Visits node as an argument: a bare sequence gets parentheses. @param {Node} node @param {number} use */
  visitArgument(node, use) {
    const bare = node.type === 'SequenceExpression';
    if (bare) this.add(node.start, '(');
    this.visit(node, use);
    if (bare) this.add(node.end, ')');
  }

  /**
   * Visits node as the value of a temporary, behind text that begins at node.
   * @param {Node} node
   * @param {string} before
   * @param {string} temp
   */
  visitInto(node, before, temp) {
    // An anonymous function must not be named after the temporary.
    const isolated = node.type === 'SequenceExpression' || isAnonymous(unparen(node));
    this.inserts.addWord(node.start, `${before}${temp}=${isolated ? '(0,' : ''}`);
    this.visit(node, 0);
    if (isolated) this.add(node.end, ')');
  }

  /** @returns {string} name of a temporary; give it back with `release` in reverse order */
  temp() {
    const { context } = this;
    const name = `${this.global}_t${context.depth++}`;
    if (context.depth > context.most) context.most = context.depth;
    return name;
  }

  /** @param {number} count */
  release(count) {
    this.context.depth -= count;
  }

  /** @param {import('./scopes.cjs').Scope} scope @returns {string} name of the variable that holds its instance */
  instance(scope) {
    if (scope.instance === '') scope.instance = `${this.global}_s${this.instances++}`;
    return scope.instance;
  }

  /** @returns {string} an expression that makes a scope instance */
  newInstance() {
    return `${this.global}.scope(${JSON.stringify(this.context.name)})`;
  }

  /**
   * Text that reads a plain name again: `this`, or a variable, recorded if it is tracked.
   * @param {Node} node `this` or an identifier with a binding
   * @param {number} flags
   */
  nameText(node, flags) {
    if (node.type === 'ThisExpression') return 'this';
    const { binding } = node;
    if (!binding.tracked) return node.name;
    const site = this.site(node.start, node.name, flags);
    return `${this.global}.var(${node.name},${this.variable(binding)},${site})`;
  }

  /** The arguments that name a tracked variable. @param {import('./scopes.cjs').Binding} binding */
  variable(binding) {
    return `${this.instance(binding.scope)},${JSON.stringify(binding.name)}`;
  }
}

/**
 * @param {string} name
 * @param {boolean} temps
 * @returns {Context}
 */
function newContext(name, temps) {
  return { name, temps, constructs: false, newTarget: false, depth: 0, most: 0, className: '' };
}

module.exports = { NAMED, Rewriter, newContext };
