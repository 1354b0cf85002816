// What translated Python needs (see ../translating.py): its operators, its containers, its formats and its built-in
// functions. A whole number is a Number; a NumPy uint64, or a number too large for that, is a BigInt and wraps round at
// 64 bits. A tuple or a list is an Array. An argument list that ends with a Kw has named arguments.

import {OF_TEXT, filled, fixed, format, repr, str} from "./python_texts.js";
import {Dict, Kw, PySet, PythonError, big, fail, isInt32, isNumber, parted, wrap} from "./python_values.js";

/** An operation on whole numbers that a 32-bit operation of the language does for small ones. */
function whole(a, b, small, large) {
  if (typeof a === "boolean" && typeof b === "boolean") return Boolean(small(Number(a), Number(b)));
  if (typeof a !== "bigint" && typeof b !== "bigint") {
    if (isInt32(Number(a)) && isInt32(Number(b))) return small(Number(a), Number(b));
    const result = large(BigInt(a), BigInt(b));
    return result >= -9007199254740991n && result <= 9007199254740991n ? Number(result) : wrap(result);
  }
  return wrap(large(wrap(big(a)), wrap(big(b))));
}

function joined(a, b) {
  const both = new Dict(a.pairs());
  for (const [key, value] of b.pairs()) both.set(key, value);
  return both;
}

// ------------------------------------------------------------------ containers

const indexOf = (list, wanted) => list.findIndex((one) => eq(one, wanted));

const OF_LIST = {
  append: (list, one) => { list.push(one); return null; },
  extend: (list, more) => { list.push(...more); return null; },
  insert: (list, at, one) => { list.splice(Number(at), 0, one); return null; },
  pop: (list, at = -1) => list.splice(Number(at), 1)[0],
  remove: (list, one) => { list.splice(indexOf(list, one), 1); return null; },
  clear: (list) => { list.length = 0; return null; },
  copy: (list) => [...list],
  count: (list, wanted) => list.filter((one) => eq(one, wanted)).length,
  index: (list, wanted) => (indexOf(list, wanted) >= 0 ? indexOf(list, wanted) : fail("ValueError", `${repr(wanted)} is not in the list`)),
  reverse: (list) => { list.reverse(); return null; },
  sort: (list, ...given) => { list.splice(0, list.length, ...$.sorted(list, ...given)); return null; },
  tolist: (list) => [...list],
};

const OF_DICT = {
  get: (dict, key, other = null) => (dict.has(key) ? dict.at(key) : other),
  keys: (dict) => new PySet(dict),
  values: (dict) => dict.pairs().map(([, value]) => value),
  items: (dict) => dict.pairs().map(([key, value]) => [key, value]),
  pop(dict, key, ...other) {
    if (!dict.has(key)) return other.length ? other[0] : fail("KeyError", repr(key));
    const found = dict.at(key);
    dict.drop(key);
    return found;
  },
  setdefault(dict, key, value = null) {
    if (!dict.has(key)) dict.set(key, value);
    return dict.at(key);
  },
  update: (dict, more) => { for (const [key, value] of $.pairs(more)) dict.set(key, value); return null; },
  copy: (dict) => new Dict(dict.pairs()),
};

const OF_SET = {
  add: (set, one) => { set.add(one); return null; },
  discard: (set, one) => { set.drop(one); return null; },
  remove: (set, one) => { set.drop(one); return null; },
  update: (set, ...more) => { for (const items of more) for (const one of items) set.add(one); return null; },
  union: (set, ...more) => new PySet([...set, ...more.flatMap((items) => [...items])]),
  intersection: (set, other) => { const both = new PySet(other); return new PySet([...set].filter((one) => both.has(one))); },
  difference: (set, other) => { const less = new PySet(other); return new PySet([...set].filter((one) => !less.has(one))); },
  issubset: (set, other) => [...set].every((one) => new PySet(other).has(one)),
  issuperset: (set, other) => [...other].every((one) => set.has(one)),
  copy: (set) => new PySet(set),
};

const OF_NUMBER = {
  bit_count: (number) => big(number).toString(2).replace(/[^1]/g, "").length,
  bit_length: (number) => (number == 0 ? 0 : big(number).toString(2).replace("-", "").length), // eslint-disable-line eqeqeq
  item: (number) => number,
};

function methodsOf(value) {
  if (typeof value === "string") return OF_TEXT;
  if (isNumber(value)) return OF_NUMBER;
  if (Array.isArray(value)) return OF_LIST;
  if (value instanceof Dict) return OF_DICT;
  if (value instanceof PySet) return OF_SET;
  return {};
}

/** The attribute of an object. A method is bound to its object, as in Python. */
function get(value, name) {
  const own = methodsOf(value)[name];
  if (own !== undefined && !value?.constructor?.fields?.includes(name)) return (...given) => own(value, ...given);
  if (value === null || value === undefined || typeof value === "string" || !(name in Object(value))) {
    return fail("AttributeError", `${repr(value)} has no ${name}`);
  }
  const found = value[name];
  return typeof found === "function" && typeof value === "object" && !Object.hasOwn(value, name) ? (...given) => value[name](...given) : found;
}

function call(value, name, ...given) {
  const own = methodsOf(value)[name];
  if (own !== undefined) return own(value, ...given);
  if (value === null || value === undefined || typeof value[name] !== "function") return fail("AttributeError", `${repr(value)} has no ${name}`);
  return value[name](...given);
}

function item(value, key) {
  if (value instanceof Dict) return value.has(key) ? value.at(key) : fail("KeyError", repr(key));
  if (Array.isArray(key) && Array.isArray(value)) return key.reduce((part, index) => item(part, index), value);
  if (Array.isArray(value) || typeof value === "string") {
    const index = Number(key);
    const found = value[index < 0 ? value.length + index : index];
    return found === undefined ? fail("IndexError", `the index ${index} is out of range`) : found;
  }
  return typeof value?.__getitem__ === "function" ? value.__getitem__(key) : fail("TypeError", `${repr(value)} has no items`);
}

function slice(value, start, end, step) {
  const length = value.length;
  const by = step === null ? 1 : Number(step);
  const limit = (at, low, high) => Math.max(low, Math.min(high, Number(at) < 0 ? Number(at) + length : Number(at)));
  const from = start === null ? (by > 0 ? 0 : length - 1) : limit(start, by > 0 ? 0 : -1, by > 0 ? length : length - 1);
  const to = end === null ? (by > 0 ? length : -1) : limit(end, by > 0 ? 0 : -1, by > 0 ? length : length - 1);
  const found = [];
  for (let at = from; by > 0 ? at < to : at > to; at += by) found.push(value[at]);
  return typeof value === "string" ? found.join("") : found;
}

function eq(a, b) {
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((one, at) => eq(one, b[at]));
  if (a instanceof Dict) return b instanceof Dict && a.size === b.size && a.pairs().every(([key, value]) => b.has(key) && eq(value, b.at(key)));
  if (a instanceof PySet) return b instanceof PySet && a.size === b.size && [...a].every((one) => b.has(one));
  if (isNumber(a) && isNumber(b)) return a == b; // eslint-disable-line eqeqeq
  if (typeof a?.__eq__ === "function") return a.__eq__(b);
  return a === b;
}

/** Below zero, zero or above it, as a stands before, at or after b. */
function order(a, b) {
  if (Array.isArray(a)) {
    for (let at = 0; at < Math.min(a.length, b.length); at += 1) if (!eq(a[at], b[at])) return order(a[at], b[at]);
    return a.length - b.length;
  }
  return a < b ? -1 : a > b ? 1 : 0;
}

const compare = (a, b, sets, numbers) => (a instanceof PySet ? sets(a, b) : numbers(order(a, b)));

function has(one, where) {
  if (typeof where === "string") return where.includes(one);
  if (where instanceof Dict || where instanceof PySet) return where.has(one);
  if (typeof where?.__contains__ === "function") return where.__contains__(one);
  for (const other of where) if (eq(one, other)) return true;
  return false;
}

const truth = (value) => {
  if (value === null || value === undefined) return false;
  if (typeof value !== "object") return Boolean(value);
  if (Array.isArray(value)) return value.length > 0;
  if (value instanceof Dict || value instanceof PySet) return value.size > 0;
  return typeof value.__bool__ === "function" ? value.__bool__() : typeof value.__len__ === "function" ? value.__len__() > 0 : true;
};

function best(given, isBetter) {
  const [ordered, named] = parted(given);
  const items = ordered.length === 1 ? [...ordered[0]] : ordered;
  if (!items.length && named.has("default")) return named.at("default");
  const key = named.at("key") ?? ((one) => one);
  return items.reduce((found, one) => (isBetter(order(key(one), key(found))) ? one : found));
}

export const $ = {
  PySet, Dict, get, call, item, slice, eq, str, repr, t: truth, in: has, fmt: format, filled,
  kw: (pairs) => new Kw(pairs),
  pairs: (from) => (from instanceof Dict ? from.pairs() : from instanceof Kw ? from.pairs : [...from]),
  dict: (pairs) => new Dict(pairs),
  set: (items) => new PySet(items),
  or: (a, b) => (truth(a) ? a : b()),
  and: (a, b) => (truth(a) ? b() : a),

  /** The values of a function's parameters, in the order in which it names them. */
  bind(given, names, star, only, stars, usual, title) {
    if (given.length === names.length && !star && !stars && !only.length && !(given.at(-1) instanceof Kw)) return given;
    const [ordered, named] = parted(given);
    const value = (name, at) => {
      if (at < ordered.length) return ordered[at];
      if (named.has(name)) {
        const found = named.at(name);
        named.drop(name);
        return found;
      }
      return name in usual ? usual[name] : fail("TypeError", `${title}() is not given ${name}`);
    };
    const bound = names.map(value);
    if (star) bound.push(ordered.slice(names.length));
    else if (ordered.length > names.length) fail("TypeError", `${title}() is given too much`);
    bound.push(...only.map((name) => value(name, Infinity)));
    if (stars) bound.push(named);
    else if (named.size) fail("TypeError", `${title}() takes no ${[...named].join(", ")}`);
    return bound;
  },

  // ---------------------------------------------------------------- operators
  add(a, b) {
    if (typeof a === "number" && typeof b === "number") return a + b;
    if (typeof a === "string") return a + b;
    if (Array.isArray(a)) return [...a, ...b];
    return typeof a === "bigint" || typeof b === "bigint" ? wrap(big(a) + big(b)) : Number(a) + Number(b);
  },
  sub(a, b) {
    if (a instanceof PySet) return OF_SET.difference(a, b);
    return typeof a === "bigint" || typeof b === "bigint" ? wrap(big(a) - big(b)) : a - b;
  },
  mul(a, b) {
    if (typeof a === "string") return a.repeat(Math.max(0, Number(b)));
    if (Array.isArray(a)) return Array.from({length: Math.max(0, Number(b))}, () => a).flat();
    if (typeof b === "string" || Array.isArray(b)) return $.mul(b, a);
    return typeof a === "bigint" || typeof b === "bigint" ? wrap(big(a) * big(b)) : a * b;
  },
  div: (a, b) => Number(a) / Number(b),
  floordiv(a, b) {
    return typeof a === "bigint" || typeof b === "bigint" ? big(a) / big(b) : Math.floor(a / b);
  },
  mod(a, b) {
    if (typeof a === "bigint" || typeof b === "bigint") return big(a) % big(b);
    return ((a % b) + b) % b;
  },
  pow: (a, b) => (typeof a === "bigint" ? wrap(a ** big(b)) : Number(a) ** Number(b)),
  band(a, b) {
    return a instanceof PySet ? OF_SET.intersection(a, b) : whole(a, b, (x, y) => x & y, (x, y) => x & y);
  },
  bor(a, b) {
    if (a instanceof Dict) return joined(a, b);
    return a instanceof PySet ? OF_SET.union(a, b) : whole(a, b, (x, y) => x | y, (x, y) => x | y);
  },
  bxor: (a, b) => whole(a, b, (x, y) => x ^ y, (x, y) => x ^ y),
  shl(a, b) {
    if (typeof a === "bigint") return b >= 64 ? 0n : wrap(a << big(b));
    const result = Number(a) * 2 ** Number(b);
    return Number.isSafeInteger(result) ? result : wrap(BigInt(a) << big(b));
  },
  shr: (a, b) => (typeof a === "bigint" ? wrap(a) >> big(b) : Math.floor(Number(a) / 2 ** Number(b))),
  neg: (a) => (typeof a === "bigint" ? wrap(-a) : -a),
  invert: (a) => (typeof a === "bigint" ? wrap(~a) : ~Number(a)),
  /** `a += b`: lists and sets are changed where they are. */
  grow(a, b) {
    if (Array.isArray(a) && a.constructor === Array) {
      a.push(...b);
      return a;
    }
    return $.add(a, b);
  },
  lt: (a, b) => compare(a, b, (x, y) => x.size < y.size && OF_SET.issubset(x, y), (way) => way < 0),
  le: (a, b) => compare(a, b, OF_SET.issubset, (way) => way <= 0),
  gt: (a, b) => compare(a, b, (x, y) => x.size > y.size && OF_SET.issuperset(x, y), (way) => way > 0),
  ge: (a, b) => compare(a, b, OF_SET.issuperset, (way) => way >= 0),
  put(target, key, value) {
    if (target instanceof Dict) target.set(key, value);
    else if (Array.isArray(key)) $.put(key.slice(0, -1).reduce(item, target), key.at(-1), value);
    else if (Array.isArray(target)) target[Number(key) < 0 ? target.length + Number(key) : Number(key)] = value;
    else target.__setitem__(key, value);
  },
  drop(target, key) {
    if (target instanceof Dict) target.drop(key);
    else target.splice(Number(key), 1);
  },

  // ---------------------------------------------------------------- built-in functions
  len: (value) => (typeof value === "string" ? [...value].length : Array.isArray(value) ? value.length : value.size ?? value.__len__()),
  * range_(start, end, step) {
    for (let at = start; step > 0 ? at < end : at > end; at += step) yield at;
  },
  range(...given) {
    const [start, end, step] = given.length === 1 ? [0, Number(given[0]), 1] : [Number(given[0]), Number(given[1]), Number(given[2] ?? 1)];
    return [...$.range_(start, end, step)];
  },
  enumerate(items, start = 0) {
    const first = start instanceof Kw ? start.pairs[0][1] : start;
    return [...items].map((one, at) => [at + first, one]);
  },
  zip(...given) {
    const [ordered] = parted(given);
    const lists = ordered.map((one) => [...one]);
    return lists.length ? lists[0].slice(0, Math.min(...lists.map((one) => one.length))).map((_, at) => lists.map((one) => one[at])) : [];
  },
  map: (act, ...lists) => (lists.length === 1 ? [...lists[0]].map((one) => act(one)) : $.zip(...lists).map((ones) => act(...ones))),
  filter: (act, items) => [...items].filter((one) => truth(act === null ? one : act(one))),
  sorted(...given) {
    const [[items], named] = parted(given);
    const key = named.at("key") ?? ((one) => one);
    const way = named.at("reverse") ? -1 : 1;
    return [...items].map((one) => [key(one), one]).sort((a, b) => way * order(a[0], b[0])).map(([, one]) => one);
  },
  reversed: (items) => [...items].reverse(),
  sum: (items, start = 0) => [...items].reduce((total, one) => $.add(total, typeof one === "boolean" ? Number(one) : one), start),
  min: (...given) => best(given, (way) => way < 0),
  max: (...given) => best(given, (way) => way > 0),
  any: (items) => { for (const one of items) if (truth(one)) return true; return false; },
  all: (items) => { for (const one of items) if (!truth(one)) return false; return true; },
  abs: (number) => (number < 0 ? -number : number),
  int(value = 0, base = 10) {
    if (typeof value === "string") return parseInt(value, base);
    if (typeof value === "bigint") return value <= 9007199254740991n ? Number(value) : value;
    return Math.trunc(Number(value));
  },
  uint64: (value) => wrap(typeof value === "number" ? BigInt(Math.trunc(value)) : big(value)),
  float: (value = 0) => Number(value),
  bool: (value = false) => truth(value),
  list: (items = []) => [...items],
  tuple: (items = []) => [...items],
  dictionary(...given) {
    const [[from = []], named] = parted(given);
    return joined(new Dict($.pairs(from)), named);
  },
  divmod: (a, b) => [$.floordiv(a, b), $.mod(a, b)],
  round: (number, decimals = null) => Number(fixed(Number(number), decimals === null ? 0 : Number(decimals))),
  chr: (code) => String.fromCodePoint(Number(code)),
  ord: (text) => text.codePointAt(0),
  next(from, ...other) {
    const found = (from.next ? from : from[Symbol.iterator]()).next();
    return found.done ? (other.length ? other[0] : fail("StopIteration", "")) : found.value;
  },
  iter: (items) => items[Symbol.iterator](),
  getattr: (value, name, ...other) => {
    try {
      return get(value, name);
    } catch (error) {
      if (other.length) return other[0];
      throw error;
    }
  },
  hasattr: (value, name) => { try { get(value, name); return true; } catch { return false; } },
  isinstance(value, kinds) {
    return [kinds].flat().some((kind) => TYPES.get(kind)?.(value) ?? value?.constructor?.above?.has(kind) ?? false);
  },
  type: (value) => value.constructor,

  // ---------------------------------------------------------------- modules of the standard library
  escape: (text) => text.replace(/[&<>"']/g, (one) => ({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"})[one]),
  unescape: (text) => text.replace(/&(amp|lt|gt|quot|#x27);/g, (_, name) => ({amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'"})[name]),
  regex: (source, flags) => ({source, flags, ...Object.fromEntries(["fullmatch", "match", "search", "findall"].map((name) => [name, (text) => $[name](source, text, flags)]))}),
  found(pattern, text, flags, how) {
    const flagged = typeof pattern === "string" ? flags ?? "" : pattern.flags;
    const source = typeof pattern === "string" ? pattern : pattern.source;
    const found = new RegExp(how.replace("@", source), `${flagged}u`).exec(text);
    if (!found) return null;
    const match = [...found].map((one) => one ?? null);
    return {__getitem__: (at) => (typeof at === "string" ? found.groups[at] : match[at]), group: (at = 0) => match[at], groups: () => match.slice(1)};
  },
  fullmatch: (pattern, text, flags) => $.found(pattern, text, flags, "^(?:@)$"),
  match: (pattern, text, flags) => $.found(pattern, text, flags, "^(?:@)"),
  search: (pattern, text, flags) => $.found(pattern, text, flags, "@"),
  findall(pattern, text, flags) {
    const source = typeof pattern === "string" ? pattern : pattern.source;
    const all = [...text.matchAll(new RegExp(source, `g${(typeof pattern === "string" ? flags : pattern.flags) ?? ""}u`))];
    return all.map((one) => (one.length === 1 ? one[0] : one.length === 2 ? one[1] : one.slice(1)));
  },
  heapify: (heap) => { heap.sort(order); return null; },
  heappush: (heap, one) => { heap.push(one); return null; },
  heappop(heap) {
    const least = heap.reduce((found, one, at) => (order(one, heap[found]) < 0 ? at : found), 0);
    return heap.splice(least, 1)[0];
  },

  // ---------------------------------------------------------------- classes and errors
  /**
   * A class: called, it makes an object. kind: `tuple` (an Array with names), `data` (fields), `plain` (with __init__).
   * `usual` holds functions that give the fields' default values.
   */
  type_(title, kind, fields, usual, above) {
    const made = (...given) => {
      const values = kind === "plain" ? [] : made.bound(given);
      const object = kind === "tuple" ? values : Object.create(made.prototype);
      if (kind === "tuple") Object.setPrototypeOf(object, made.prototype);
      else fields.forEach((field, at) => { object[field] = values[at]; });
      if (object.__init__) object.__init__(...given);
      if (object.__post_init__) object.__post_init__();
      return object;
    };
    made.bound = (given) => {
      const [ordered, named] = parted(given);
      return fields.map((field, at) => (at < ordered.length ? ordered[at] : named.has(field) ? named.at(field) : usual[field] ? usual[field]() : fail("TypeError", `${title}() is not given ${field}`)));
    };
    made.title = title;
    made.fields = fields;
    made.prototype = Object.create(kind === "tuple" ? Array.prototype : Object.prototype, {constructor: {value: made}});
    if (kind === "tuple") {
      fields.forEach((field, at) => Object.defineProperty(made.prototype, field, {get() { return this[at]; }}));
      made.prototype._replace = function replace(changes) {
        const changed = new Dict(changes.pairs);
        return made(...fields.map((field, at) => (changed.has(field) ? changed.at(field) : this[at])));
      };
    }
    made.above = new Set([made, ...above]);
    return made;
  },
  methods(made, methods, getters) {
    for (const [name, act] of Object.entries(methods)) made.prototype[name] = function method(...given) { return act(this, ...given); };
    for (const [name, act] of Object.entries(getters)) Object.defineProperty(made.prototype, name, {configurable: true, get() { return act(this); }});
  },
  object: (made) => Object.create(made.prototype),
  error(kinds, translate, given) {
    const [ordered, named] = parted(given);
    const text = ordered.length ? (typeof ordered[0] === "string" ? translate(ordered[0]) : str(ordered[0])) : "";
    return new PythonError(kinds, named.size ? filled(text, [], named) : text);
  },
  caught(error, kinds) {
    if (!(error instanceof PythonError) || !kinds.some((kind) => error.kinds.includes(kind))) throw error;
  },
  missing(reason) {
    return () => fail("NotImplementedError", reason);
  },
};

const TYPES = new Map([
  [$.int, (value) => typeof value === "bigint" || Number.isInteger(value) || typeof value === "boolean"],
  [$.float, (value) => typeof value === "number"],
  [$.bool, (value) => typeof value === "boolean"],
  [$.str, (value) => typeof value === "string"],
  [$.list, (value) => Array.isArray(value)],
  [$.tuple, (value) => Array.isArray(value)],
  [$.dictionary, (value) => value instanceof Dict],
  [$.set, (value) => value instanceof PySet],
]);
