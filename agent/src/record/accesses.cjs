'use strict';

const { BRAND, createBrands } = require('./brands.cjs');
const { CONTENTS, CONTENTS_KEY, DOES, ENTRY, synonymOf } = require('./containers.cjs');
const { UNDEFINED_DIGEST, createDigest } = require('./digest.cjs');
const { Holder, createLocations } = require('./locations.cjs');
const { createObjectIds } = require('./object-ids.cjs');

/** @typedef {import('./locations.cjs').AccessOutput} AccessOutput */
/** @typedef {import('./locations.cjs').Clock} Clock */

const LONGEST_ENTRY_KEY = 32;

/**
 * Makes the object that transformed code calls as `$rs` (transform/index.cjs). Its functions return what the program
 * goes on with, never throw and never run code of the program; the objects of the program are not kept alive.
 *
 * Locations: a property by its key; `[]` the contents of an array, its length included; `*` the keys of an object or all
 * entries of a Map or Set, its size included; `[key]` one entry of a Map or Set; `event:name` one list of listeners.
 *
 * @param {object} options
 * @param {AccessOutput} options.out
 * @param {Clock} options.clock
 * @param {{ prototype: object }} options.EventEmitter
 * @param {number} [options.budget] property accesses that one site may record in one event; 0: no limit
 * @param {(error: unknown) => void} [options.failed] called once when `out` throws; nothing is recorded from then on
 */
function createAccesses({ out, clock, EventEmitter, budget = 0, failed = () => {} }) {
  let numbers = 0;
  const holderOf = createObjectIds(() => new Holder('', ''));
  const { brandOf, labelOf, replacedMethods } = createBrands(EventEmitter);
  const digests = createDigest(numberOf);
  const { digest } = digests;
  const locations = createLocations(guarded(out, failed), clock, digests.text, describe);
  const overBudget = createBudget(clock, budget);
  /** @type {Record<string, true>} */
  const noMethods = { __proto__: /** @type {any} */ (null) };

  /** @param {unknown} value */
  function isObject(value) {
    return typeof value === 'object' ? value !== null : typeof value === 'function';
  }

  /** @param {object} object @returns {number} */
  function numberOf(object) {
    const holder = holderOf(object);
    return holder.number === 0 ? (holder.number = ++numbers) : holder.number;
  }

  /** @param {Holder} holder @param {object} object @returns {number} */
  function brandIn(holder, object) {
    if (holder.brand !== BRAND.UNSEEN) return holder.brand;
    const brand = brandOf(object);
    if (brand !== BRAND.PLAIN && brand !== BRAND.EMITTER) holder.replaced = replacedMethods(object);
    return (holder.brand = brand);
  }

  /** @param {Holder} holder @param {any} object */
  function describe(holder, object) {
    if (holder.kind === 'scope') return;
    holder.label = labelOf(object);
    if (holder.kind !== '') return;
    const brand = brandIn(holder, object);
    holder.kind = brand === BRAND.PLAIN || brand === BRAND.EMITTER ? 'object' : 'container';
  }

  /** @param {Holder} holder @param {any} object @param {any} key */
  function locate(holder, object, key) {
    const synonym = key === 'length' || key === 'size' ? synonymOf(brandIn(holder, object), key) : undefined;
    return locations.property(holder, key, synonym);
  }

  /** @param {any} object @param {any} key @param {number} site */
  function recordRead(object, key, site) {
    if (overBudget !== undefined && overBudget(site)) return;
    const holder = holderOf(object);
    const location = holder.last.key === key ? holder.last : locate(holder, object, key);
    if (location !== undefined) locations.read(holder, object, location, site);
  }

  /** @param {any} object @param {any} key @param {number} site @param {number} value digest */
  function recordWrite(object, key, site, value) {
    if (overBudget !== undefined && overBudget(site)) return;
    const holder = holderOf(object);
    const location = holder.last.key === key ? holder.last : locate(holder, object, key);
    if (location !== undefined) locations.write(holder, object, location, site, value);
  }

  /**
   * @param {Holder} container
   * @param {any} key
   * @returns {import('./locations.cjs').Location} the location of an entry
   */
  function entryLocation(container, key) {
    if (isObject(key)) {
      const number = container.number === 0 ? (container.number = ++numbers) : container.number;
      // Kept with the key, so that it goes when the key goes.
      const held = holderOf(key);
      return locations.entry(held.asKey ??= new Map(), number, `[#${numberOf(key)}]`);
    }
    const entries = (container.entries ??= new Map());
    if (typeof key === 'string' && key.length > LONGEST_ENTRY_KEY) {
      const name = locations.shorten(key, LONGEST_ENTRY_KEY);
      return locations.entry(entries, name, `[${name}]`);
    }
    return locations.entry(entries, key, `[${typeof key === 'symbol' ? locations.symbolText(key) : key}]`);
  }

  /** @param {any} name @returns {string} location of a list of listeners */
  function eventKey(name) {
    if (isObject(name)) return 'event:[object]';
    return `event:${typeof name === 'symbol' ? locations.symbolText(name) : name}`;
  }

  /**
   * @param {any} object
   * @param {Holder} holder
   * @param {import('./locations.cjs').Location} location
   * @param {number} site
   * @param {number} does
   * @param {number} value digest
   */
  function recordBoth(object, holder, location, site, does, value) {
    if ((does & DOES.READ) !== 0) locations.read(holder, object, location, site);
    if ((does & DOES.WRITE) !== 0) locations.write(holder, object, location, site, value);
  }

  /** @param {any} object @param {string} name @param {number} site */
  function recordMethod(object, name, site) {
    const holder = holderOf(object);
    const brand = brandIn(holder, object);
    const does = CONTENTS[brand][name];
    if (does === undefined || (holder.replaced ?? noMethods)[name]) return recordRead(object, name, site);
    const location = locations.property(holder, CONTENTS_KEY[brand], undefined);
    if (location !== undefined) recordBoth(object, holder, location, site, does, digests.unknown());
  }

  /** @param {any} object @param {string} name @param {number} site @param {any} key @param {number} value digest */
  function recordEntry(object, name, site, key, value) {
    const holder = holderOf(object);
    const brand = brandIn(holder, object);
    const does = ENTRY[brand][name];
    if (does === undefined || (holder.replaced ?? noMethods)[name]) return recordRead(object, name, site);
    if (brand === BRAND.EMITTER) {
      const list = (holder.listeners ??= new Holder('listeners', ''));
      const location = locations.property(list, eventKey(key), undefined);
      if (location !== undefined) recordBoth(object, list, location, site, does, digests.unknown());
    } else if (brand === BRAND.MAP || brand === BRAND.SET) {
      recordBoth(object, holder, entryLocation(holder, key), site, does, value);
    } else {
      recordMethod(object, name, site);
    }
  }

  /** Digest of what an entry becomes by a call without a value. @param {string} name */
  function entryDigest(name) {
    return name === 'add' ? digest(true) : UNDEFINED_DIGEST;
  }

  /** @param {Holder} scope @param {string} name @param {number} site */
  function readVariable(scope, name, site) {
    const location = scope.last.key === name ? scope.last : locations.property(scope, name, undefined);
    if (location !== undefined) locations.read(scope, undefined, location, site);
  }

  /** @param {Holder | undefined} scope @param {string} name @param {number} site @param {unknown} value */
  function writeVariable(scope, name, site, value) {
    if (scope === undefined) return;
    const location = scope.last.key === name ? scope.last : locations.property(scope, name, undefined);
    if (location !== undefined) locations.write(scope, undefined, location, site, digest(value));
  }

  /** What an update wrote: a postfix one gives the value from before. @param {any} value @param {number} delta */
  function updated(value, delta) {
    if (delta === 0) return value;
    if (typeof value === 'number') return value + delta;
    return typeof value === 'bigint' ? value + (delta > 0 ? 1n : -1n) : value;
  }

  return {
    /** @template T @param {T} value @returns {T} */
    same: (value) => value,

    /** @template T @param {unknown} _record @param {T} value @returns {T} */
    then: (_record, value) => value,

    /** @template T @param {T} value @returns {T} what stands before the records that follow it */
    first: (value) => value,

    /** `o.k` @param {any} object @param {any} key @param {number} site */
    read(object, key, site) {
      if (isObject(object)) recordRead(object, key, site);
      return object;
    },

    /** The key in `o[k]` @param {any} object @param {any} key @param {number} site */
    key(object, key, site) {
      if (isObject(object)) recordRead(object, key, site);
      return key;
    },

    /** `o.k = v`, done @param {number} site @param {any} value @param {any} object @param {any} key @param {unknown} [constructor] new.target */
    wrote(site, value, object, key, constructor) {
      if (constructor === undefined && isObject(object)) recordWrite(object, key, site, digest(value));
      return value;
    },

    /** `o.k ??= v`, about to happen @param {any} object @param {any} key @param {number} site @param {any} value */
    write(object, key, site, value) {
      if (isObject(object)) recordWrite(object, key, site, digest(value));
      return value;
    },

    /** A write of a value that is not known. @param {any} object @param {any} key @param {number} site */
    touch(object, key, site) {
      if (isObject(object)) recordWrite(object, key, site, digests.unknown());
    },

    /** `o.k += v`, `o.k++`, done @param {number} site @param {any} value @param {any} object @param {any} key @param {number} delta */
    update(site, value, object, key, delta) {
      if (isObject(object)) {
        recordRead(object, key, site);
        recordWrite(object, key, site, digest(updated(value, delta)));
      }
      return value;
    },

    /** `delete o.k` @param {any} object @param {any} key @param {number} site */
    drop(object, key, site) {
      if (isObject(object)) recordWrite(object, key, site, UNDEFINED_DIGEST);
      return object;
    },

    /** The key in `delete o[k]` @param {any} object @param {any} key @param {number} site */
    dropKey(object, key, site) {
      if (isObject(object)) recordWrite(object, key, site, UNDEFINED_DIGEST);
      return key;
    },

    /** `{a, b} = o`: the sites of the keys follow each other. @param {any} object @param {number} site @param {...string} keys */
    pick(object, site, ...keys) {
      if (isObject(object)) for (let i = 0; i < keys.length; i++) recordRead(object, keys[i], site + i);
      return object;
    },

    /** `for (k in o)`, `{...o}` @param {any} object @param {number} site */
    keys(object, site) {
      if (isObject(object)) recordRead(object, brandIn(holderOf(object), object) === BRAND.ARRAY ? '[]' : '*', site);
      return object;
    },

    /** `for (x of o)`, `[...o]`, `[a] = o` @param {any} object @param {number} site */
    each(object, site) {
      if (isObject(object)) {
        const key = CONTENTS_KEY[brandIn(holderOf(object), object)];
        if (key !== '') recordRead(object, key, site);
      }
      return object;
    },

    /** `o.forEach(…)`, about to happen @param {any} object @param {string} name @param {number} site */
    method(object, name, site) {
      if (isObject(object)) recordMethod(object, name, site);
      return object;
    },

    /** `o.push(…)`, done @param {number} site @param {any} value @param {any} object @param {string} name */
    called(site, value, object, name) {
      if (isObject(object)) recordMethod(object, name, site);
      return value;
    },

    /** The key in `map.get(k)`, `emitter.on(k, f)` @param {any} object @param {string} name @param {number} site @param {any} key */
    entry(object, name, site, key) {
      if (isObject(object)) recordEntry(object, name, site, key, entryDigest(name));
      return key;
    },

    /** The value in `map.set(k, v)` @param {any} object @param {string} name @param {number} site @param {any} key @param {any} value */
    entryValue(object, name, site, key, value) {
      if (isObject(object)) recordEntry(object, name, site, key, name === 'set' ? digest(value) : entryDigest(name));
      return value;
    },

    /** A new instance of a scope @param {string} label */
    scope: (label) => new Holder('scope', label),

    /** A read of a variable @param {any} value @param {Holder | undefined} scope @param {string} name @param {number} site */
    var(value, scope, name, site) {
      if (scope !== undefined) readVariable(scope, name, site);
      return value;
    },

    /** A read about to happen @param {Holder | undefined} scope @param {string} name @param {number} site */
    varRead(scope, name, site) {
      if (scope !== undefined) readVariable(scope, name, site);
    },

    /** `x = v`, done @param {number} site @param {any} value @param {Holder | undefined} scope @param {string} name */
    varWrote(site, value, scope, name) {
      writeVariable(scope, name, site, value);
      return value;
    },

    /** `x ??= v`, about to happen @param {Holder | undefined} scope @param {string} name @param {number} site @param {any} value */
    varWrite(scope, name, site, value) {
      writeVariable(scope, name, site, value);
      return value;
    },

    /** `x += v`, `x++`, done @param {number} site @param {any} value @param {Holder | undefined} scope @param {string} name @param {number} delta */
    varUpdate(site, value, scope, name, delta) {
      if (scope !== undefined) readVariable(scope, name, site);
      writeVariable(scope, name, site, updated(value, delta));
      return value;
    },
  };
}

/**
 * @param {AccessOutput} out
 * @param {(error: unknown) => void} failed
 * @returns {AccessOutput} the same, falling silent when it throws: the program must not see it
 */
function guarded(out, failed) {
  let broken = false;
  /** @type {(write: any) => any} */
  const guard = (write) => (/** @type {any} */ a, /** @type {any} */ b, /** @type {any} */ c, /** @type {any} */ d, /** @type {any} */ e) => {
    if (broken) return;
    try {
      write(a, b, c, d, e);
    } catch (error) {
      broken = true;
      failed(error);
    }
  };
  return { object: guard(out.object), read: guard(out.read), write: guard(out.write) };
}

/**
 * @param {Clock} clock
 * @param {number} budget
 * @returns {((site: number) => boolean) | undefined} counts an access and tells whether its site has had its share in
 *   the running event
 */
function createBudget(clock, budget) {
  if (budget === 0) return undefined;
  /** @type {number[]} */
  const events = [];
  /** @type {number[]} */
  const counts = [];
  return (site) => {
    if (events[site] !== clock.event) {
      events[site] = clock.event;
      counts[site] = 0;
    }
    return ++counts[site] > budget;
  };
}

module.exports = { createAccesses };
