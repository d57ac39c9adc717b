'use strict';

/**
 * Ties a record to each object: in a private field stamped onto it, which no program can see, works on frozen objects
 * and proxies without a trap and dies with the object. Where V8 refuses the stamp, in a WeakMap.
 * @template R
 * @param {() => R} create makes the record of an object seen for the first time
 * @returns {(object: object) => R} the record of an object or function; never throws, never runs code of the program
 */
function createObjectIds(create) {
  const bind = Function.prototype.call;
  /** @type {(map: WeakMap<object, R>, key: object) => R | undefined} */
  const weakGet = bind.bind(WeakMap.prototype.get);
  /** @type {(map: WeakMap<object, R>, key: object, value: R) => void} */
  const weakSet = bind.bind(WeakMap.prototype.set);
  /** @type {WeakMap<object, R>} */
  const unstamped = new WeakMap();
  let anyUnstamped = false;

  const Given = /** @type {new (object: object) => object} */ (/** @type {unknown} */ (
    function (/** @type {object} */ object) { return object; }));

  class Stamp extends Given {
    /** @type {R} */
    #record;

    /** @param {object} object @param {R} record */
    constructor(object, record) {
      super(object);
      this.#record = record;
    }

    /** @param {object} object @returns {R} */
    static of(object) {
      return #record in object ? object.#record : Stamp.first(object);
    }

    /** @param {object} object @returns {R} */
    static first(object) {
      const known = anyUnstamped ? weakGet(unstamped, object) : undefined;
      if (known !== undefined) return known;
      const record = create();
      try {
        new Stamp(object, record);
      } catch {
        anyUnstamped = true;
        weakSet(unstamped, object, record);
      }
      return record;
    }
  }
  return Stamp.of;
}

module.exports = { createObjectIds };
