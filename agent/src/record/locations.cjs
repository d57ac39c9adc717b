'use strict';

const { BRAND } = require('./brands.cjs');

/**
 * What the recorder writes to.
 * @typedef {object} AccessOutput
 * @property {(id: number, kind: string, label: string) => void} object
 * @property {(back: number, object: number, key: string, site: number) => void} read
 * @property {(back: number, object: number, key: string, site: number, digest: number) => void} write
 */

/**
 * The running event and the number of order records so far; the owner changes both fields in place.
 * @typedef {{ event: number, ordinal: number }} Clock
 */

const NO_EVENT = -1;
const NO_SITE = -1;
/** Locations of an object that are found by walking a list; the others are found in a map. */
const LISTED = 8;
/** From this index on the elements of an object share a location by blocks of this size. */
const INDEX_BLOCK = 1024;
const LONGEST_KEY = 64;
const KEY_HEAD = 40;

/** One memory location. Of each event it logs the first reads and writes of three different sites. */
class Location {
  /** @param {unknown} key @param {string} text @param {Location | undefined} next */
  constructor(key, text, next) {
    this.key = key;
    this.text = text;
    this.next = next;
    this.event = NO_EVENT;
    this.read0 = NO_SITE;
    this.read1 = NO_SITE;
    this.read2 = NO_SITE;
    this.write0 = NO_SITE;
    this.write1 = NO_SITE;
    this.write2 = NO_SITE;
    // The last value written, and the last one that was logged: they differ while a later write waits to be logged.
    this.digest = 0;
    this.logged = 0;
    this.lastSite = 0;
    this.lastOrdinal = 0;
  }
}

const NOWHERE = new Location({}, '', undefined);

/**
 * What is known of an object, a scope instance or a list of listeners. It never refers to the object.
 *
 * The *owner* is the first event that touches it. As long as no other event does, nothing can race: its accesses wait
 * in `pending` and are logged, with their age, when a second event comes.
 */
class Holder {
  /** @param {string} kind '' until known @param {string} label */
  constructor(kind, label) {
    this.kind = kind;
    this.label = label;
    this.id = 0;
    this.number = 0;
    this.brand = BRAND.UNSEEN;
    this.owner = NO_EVENT;
    this.last = NOWHERE;
    /** @type {Location | undefined} */
    this.first = undefined;
    this.listed = 0;
    /** @type {Map<unknown, Location> | undefined} */
    this.more = undefined;
    /** Locations of the elements from INDEX_BLOCK on, one for each block. @type {Location[] | undefined} */
    this.blocks = undefined;
    /** By fours: location, twice the site (odd for a write), ordinal, digest. @type {any[]} */
    this.pending = [];
    /** @type {Holder | undefined} */
    this.listeners = undefined;
    /** Entries of a Map or Set by primitive keys. @type {Map<unknown, Location> | undefined} */
    this.entries = undefined;
    /** Entries of containers that have this object as their key, by number of the container. @type {Map<number, Location> | undefined} */
    this.asKey = undefined;
    /** @type {Record<string, true> | undefined} */
    this.replaced = undefined;
  }
}

/**
 * Decides which accesses are logged.
 * @param {AccessOutput} out
 * @param {Clock} clock
 * @param {(text: string) => number} digestText
 * @param {(holder: Holder, object: unknown) => void} describe sets kind and label of a holder before it is announced
 */
function createLocations(out, clock, digestText, describe) {
  const bind = Function.prototype.call;
  /** @type {(map: Map<unknown, Location>, key: unknown) => Location | undefined} */
  const mapGet = bind.bind(Map.prototype.get);
  /** @type {(map: Map<unknown, Location>, key: unknown, value: Location) => void} */
  const mapSet = bind.bind(Map.prototype.set);
  /** @type {(text: string, from: number, to: number) => string} */
  const slice = bind.bind(String.prototype.slice);
  /** @type {(symbol: symbol) => string} */
  const symbolText = bind.bind(Symbol.prototype.toString);
  /** @type {(value: number, radix: number) => string} */
  const inRadix = bind.bind(Number.prototype.toString);
  let ids = 0;

  /** @param {string} text @param {number} longest @returns {string} text, or its beginning and its digest */
  function shorten(text, longest) {
    if (text.length <= longest) return text;
    return `${slice(text, 0, longest < KEY_HEAD ? 0 : KEY_HEAD)}…${inRadix(digestText(text), 16)}`;
  }

  /** @param {symbol | string | number} key */
  function textOf(key) {
    if (typeof key === 'number') return `${key}`;
    return shorten(typeof key === 'symbol' ? symbolText(key) : key, LONGEST_KEY);
  }

  /**
   * @param {unknown} key as the program gave it
   * @returns {string | symbol | number | undefined} one form for all spellings of a property, indices as numbers;
   *   undefined for objects, whose text only the program can tell
   */
  function canonical(key) {
    switch (typeof key) {
      case 'symbol': return key;
      case 'object': if (key !== null) return undefined; break;
      case 'function': return undefined;
      default:
    }
    const text = `${/** @type {any} */ (key)}`;
    const index = +text;
    return index >= 0 && index < 2 ** 32 && index % 1 === 0 && `${index}` === text ? index : text;
  }

  /** @param {Holder} holder @param {unknown} key @param {string} text */
  function addLocation(holder, key, text) {
    if (holder.listed < LISTED) {
      holder.listed++;
      return (holder.first = new Location(key, text, holder.first));
    }
    const location = new Location(key, text, undefined);
    alias(holder, key, location);
    return location;
  }

  /** @param {Holder} holder @param {unknown} key @param {Location} location */
  function alias(holder, key, location) {
    holder.more ??= new Map();
    mapSet(holder.more, key, location);
  }

  /** @param {Holder} holder @param {unknown} key @returns {Location | undefined} */
  function find(holder, key) {
    for (let location = holder.first; location !== undefined; location = location.next) {
      if (location.key === key) return location;
    }
    return holder.more === undefined ? undefined : mapGet(holder.more, key);
  }

  /** @param {Holder} holder @param {number} index @returns {Location} */
  function block(holder, index) {
    holder.blocks ??= [];
    const number = (index - (index % INDEX_BLOCK)) / INDEX_BLOCK;
    return (holder.blocks[number] ??= new Location({}, `${number * INDEX_BLOCK}…`, undefined));
  }

  /**
   * @param {Holder} holder
   * @param {unknown} key
   * @param {string | undefined} synonym the location that the key stands for in this object
   * @returns {Location | undefined} undefined for a key that cannot be named
   */
  function property(holder, key, synonym) {
    if (typeof key === 'number' && key >= INDEX_BLOCK && key % 1 === 0) return block(holder, key);
    let location = find(holder, key);
    if (location === undefined) {
      const name = synonym ?? canonical(key);
      if (name === undefined) return undefined;
      if (typeof name === 'number' && name >= INDEX_BLOCK) return block(holder, name);
      location = find(holder, name) ?? addLocation(holder, name, textOf(name));
      if (name !== key) alias(holder, key, location);
    }
    holder.last = location;
    return location;
  }

  /** @param {Holder} holder @param {Location} location @param {number} access @param {number} digest */
  function defer({ pending }, location, access, digest) {
    const { length } = pending;
    pending[length] = location;
    pending[length + 1] = access;
    pending[length + 2] = clock.ordinal;
    pending[length + 3] = digest;
  }

  /** @param {Holder} holder @param {unknown} object */
  function share(holder, object) {
    describe(holder, object);
    holder.id = ++ids;
    out.object(holder.id, holder.kind, holder.label);
    const { pending } = holder;
    for (let i = 0; i < pending.length; i += 4) {
      const location = pending[i];
      const access = pending[i + 1];
      const back = clock.ordinal - pending[i + 2];
      if (access % 2 === 0) out.read(back, holder.id, location.text, access / 2);
      else out.write(back, holder.id, location.text, (access - 1) / 2, pending[i + 3]);
    }
    for (let i = 0; i < pending.length; i += 4) settle(holder, pending[i]);
    holder.pending = [];
  }

  /** Logs the last write of the event that is over. @param {Holder} holder @param {Location} location */
  function settle(holder, location) {
    if (location.digest === location.logged) return;
    location.logged = location.digest;
    out.write(clock.ordinal - location.lastOrdinal, holder.id, location.text, location.lastSite, location.digest);
  }

  /** The running event touches the location for the first time. @param {Holder} holder @param {unknown} object @param {Location} location */
  function enter(holder, object, location) {
    if (holder.id !== 0) settle(holder, location);
    else if (holder.owner === NO_EVENT) holder.owner = clock.event;
    else if (holder.owner !== clock.event) share(holder, object);
    location.event = clock.event;
    location.read0 = location.read1 = location.read2 = NO_SITE;
    location.write0 = location.write1 = location.write2 = NO_SITE;
  }

  /** @param {Holder} holder @param {unknown} object @param {Location} location @param {number} site */
  function read(holder, object, location, site) {
    if (location.event !== clock.event) enter(holder, object, location);
    if (location.read0 === site || location.read1 === site || location.read2 === site) return;
    if (location.read0 === NO_SITE) location.read0 = site;
    else if (location.read1 === NO_SITE) location.read1 = site;
    else if (location.read2 === NO_SITE) location.read2 = site;
    else return;
    if (holder.id !== 0) out.read(0, holder.id, location.text, site);
    else defer(holder, location, site * 2, 0);
  }

  /** @param {Holder} holder @param {unknown} object @param {Location} location @param {number} site @param {number} digest */
  function write(holder, object, location, site, digest) {
    if (location.event !== clock.event) enter(holder, object, location);
    location.digest = digest;
    location.lastSite = site;
    location.lastOrdinal = clock.ordinal;
    if (location.write0 === site || location.write1 === site || location.write2 === site) return;
    if (location.write0 === NO_SITE) location.write0 = site;
    else if (location.write1 === NO_SITE) location.write1 = site;
    else if (location.write2 === NO_SITE) location.write2 = site;
    else return;
    location.logged = digest;
    if (holder.id !== 0) out.write(0, holder.id, location.text, site, digest);
    else defer(holder, location, site * 2 + 1, digest);
  }

  /** @param {Map<unknown, Location>} entries @param {unknown} key @param {string} text @returns {Location} */
  function entry(entries, key, text) {
    const known = mapGet(entries, key);
    if (known !== undefined) return known;
    const location = new Location(NOWHERE, text, undefined);
    mapSet(entries, key, location);
    return location;
  }

  return { entry, property, read, shorten, symbolText, write };
}

module.exports = { Holder, Location, createLocations };
