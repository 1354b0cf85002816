// The containers of translated Python (see python.js), its errors and its arguments.

export class Kw {
  constructor(pairs) {
    this.pairs = pairs;
  }
}

/** Where a Map finds a key: equal numbers, texts and tuples are found at the same place. */
function place(key) {
  if (typeof key === "boolean") return Number(key);
  if (typeof key === "bigint") return key <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(key) : key;
  if (Array.isArray(key)) return `\u0000(${key.map((part) => `${typeof place(part)}${String(place(part))}`).join("\u0001")})`;
  return key;
}

export class Dict {
  constructor(pairs = []) {
    this.map = new Map();
    for (const [key, value] of pairs) this.set(key, value);
  }

  get size() {
    return this.map.size;
  }

  has(key) {
    return this.map.has(place(key));
  }

  at(key) {
    return this.map.get(place(key))?.[1];
  }

  set(key, value) {
    const where = place(key);
    const known = this.map.get(where);
    this.map.set(where, [known ? known[0] : key, value]);
  }

  drop(key) {
    this.map.delete(place(key));
  }

  * [Symbol.iterator]() {
    for (const [key] of this.map.values()) yield key;
  }

  pairs() {
    return [...this.map.values()];
  }
}

export class PySet {
  constructor(items = []) {
    this.map = new Map();
    for (const item of items) this.add(item);
  }

  get size() {
    return this.map.size;
  }

  has(item) {
    return this.map.has(place(item));
  }

  add(item) {
    const where = place(item);
    if (!this.map.has(where)) this.map.set(where, item);
  }

  drop(item) {
    this.map.delete(place(item));
  }

  [Symbol.iterator]() {
    return this.map.values();
  }
}

/** An error that Python code raises. `kinds` are the names of its class and of the classes above it. */
export class PythonError extends Error {
  constructor(kinds, message) {
    super(message);
    this.kinds = kinds;
  }
}

export const fail = (kind, message) => { throw new PythonError([kind, "Exception"], message); };
export const isInt32 = (number) => (number | 0) === number;
export const wrap = (number) => BigInt.asUintN(64, number);
export const big = (number) => (typeof number === "bigint" ? number : BigInt(number));
export const isNumber = (value) => typeof value === "number" || typeof value === "boolean" || typeof value === "bigint";

/** The arguments in their order, and the named ones as a dictionary. */
export function parted(given) {
  const last = given.at(-1);
  return last instanceof Kw ? [given.slice(0, -1), new Dict(last.pairs)] : [given, new Dict()];
}
