// The texts of translated Python (see python.js): formats, and the methods of str.

import {Dict, PySet, PythonError, fail, isNumber, parted} from "./python_values.js";

/** A number with so many decimals. Halves go to the even neighbour, as in Python. */
export function fixed(number, decimals) {
  const scaled = Math.abs(number) * 10 ** decimals;
  if (Number.isInteger(number * 2 ** (decimals + 1)) && scaled % 1 === 0.5) {
    const even = Math.floor(scaled) % 2 === 0 ? Math.floor(scaled) : Math.ceil(scaled);
    return (Math.sign(number) * even / 10 ** decimals).toFixed(decimals);
  }
  return number.toFixed(decimals);
}

export function format(value, spec) {
  if (!spec) return str(value);
  const found = /^(?:(.)?([<>^=]))?([+ -])?#?(0)?(\d+)?(,)?(?:\.(\d+))?([a-z%])?$/s.exec(spec);
  if (!found) return fail("ValueError", `the format ${spec} is not known`);
  const [, fill, align, sign, zero, width, comma, precision, kind] = found;
  let text;
  if (!isNumber(value)) text = precision === undefined ? str(value) : str(value).slice(0, Number(precision));
  else if (kind === "f") text = fixed(Number(value), precision === undefined ? 6 : Number(precision));
  else if (kind === "g") text = general(Number(value), precision === undefined ? 6 : Number(precision));
  else if (kind === "x") text = value.toString(16);
  else if (kind === "b") text = value.toString(2);
  else if (kind === "%") text = `${fixed(100 * Number(value), precision === undefined ? 6 : Number(precision))}%`;
  else text = str(value);
  if (comma) text = text.replace(/\B(?=(\d{3})+(?!\d))/g, ",");
  if (sign === "+" && isNumber(value) && value >= 0) text = `+${text}`;
  const missing = Number(width ?? 0) - [...text].length;
  if (missing <= 0) return text;
  const pad = (zero ? "0" : fill ?? " ").repeat(missing);
  const side = align ?? (zero || isNumber(value) ? ">" : "<");
  if (side === "^") return pad.slice(0, missing >> 1) + text + pad.slice(missing >> 1);
  if (zero && /^[+-]/.test(text)) return text[0] + pad + text.slice(1);
  return side === "<" ? text + pad : pad + text;
}

function general(number, digits) {
  if (number === 0) return "0";
  const exponent = Math.floor(Math.log10(Math.abs(number)));
  const text = Number(number.toPrecision(digits));
  return exponent < -4 || exponent >= digits ? text.toExponential() : String(text);
}

export function str(value) {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  if (isNumber(value)) return String(value);
  if (value instanceof PythonError) return value.message;
  if (typeof value.__str__ === "function") return value.__str__();
  return repr(value);
}

export function repr(value) {
  if (typeof value === "string") {
    const quote = value.includes("'") && !value.includes('"') ? '"' : "'";
    return quote + value.replace(/\\/g, "\\\\").replace(/\n/g, "\\n").replaceAll(quote, `\\${quote}`) + quote;
  }
  if (Array.isArray(value)) return `[${value.map(repr).join(", ")}]`;
  if (value instanceof Dict) return `{${value.pairs().map(([key, item]) => `${repr(key)}: ${repr(item)}`).join(", ")}}`;
  if (value instanceof PySet) return `{${[...value].map(repr).join(", ")}}`;
  if (typeof value === "object" && value !== null && typeof value.__str__ !== "function") return `<${value.constructor?.title ?? "object"}>`;
  return str(value);
}

/** A text with its {parts} filled in, as str.format does. */
export function filled(text, ordered, named) {
  let next = 0;
  const value = (name) => (name === "" ? ordered[next++] : /^\d+$/.test(name) ? ordered[Number(name)] : named.at(name));
  return text.replace(/\{\{|\}\}|\{([^{}!:]*)(?:!([rs]))?(?::([^{}]*))?\}/g, (all, path, conversion, spec) => {
    if (all === "{{") return "{";
    if (all === "}}") return "}";
    const found = value(path);
    return conversion === "r" ? format(repr(found), spec) : format(found, spec);
  });
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const stripped = (text, chars, ends) => {
  const set = chars === undefined || chars === null ? "\\s" : escaped(chars).replace(/-/g, "\\-");
  if (ends & 1) text = text.replace(new RegExp(`^[${set}]+`), "");
  return ends & 2 ? text.replace(new RegExp(`[${set}]+$`), "") : text;
};
const padded = (text, width, fill, spec) => format(text, `${fill ?? " "}${spec}${width}`);

export const OF_TEXT = {
  join: (text, parts) => [...parts].map(str).join(text),
  split(text, separator = null, most = -1) {
    if (separator === null) {
      const words = text.trim() === "" ? [] : text.trim().split(/\s+/);
      return most < 0 || words.length <= most ? words : [...words.slice(0, most), words.slice(most).join(" ")];
    }
    const parts = text.split(separator);
    return most < 0 || parts.length <= most + 1 ? parts : [...parts.slice(0, most), parts.slice(most).join(separator)];
  },
  splitlines: (text) => (text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/)),
  strip: (text, chars) => stripped(text, chars, 3),
  lstrip: (text, chars) => stripped(text, chars, 1),
  rstrip: (text, chars) => stripped(text, chars, 2),
  replace: (text, old, fresh) => text.replaceAll(old, () => fresh),
  upper: (text) => text.toUpperCase(),
  lower: (text) => text.toLowerCase(),
  casefold: (text) => text.toLowerCase(),
  capitalize: (text) => text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase(),
  title: (text) => text.toLowerCase().replace(/\p{L}+/gu, (word) => word[0].toUpperCase() + word.slice(1)),
  startswith: (text, start) => [start].flat().some((one) => text.startsWith(one)),
  endswith: (text, end) => [end].flat().some((one) => text.endsWith(one)),
  removeprefix: (text, start) => (start && text.startsWith(start) ? text.slice(start.length) : text),
  removesuffix: (text, end) => (end && text.endsWith(end) ? text.slice(0, -end.length) : text),
  format: (text, ...given) => {
    const [ordered, named] = parted(given);
    return filled(text, ordered, named);
  },
  isdigit: (text) => /^\p{Nd}+$/u.test(text),
  isascii: (text) => /^[\x00-\x7f]*$/.test(text), // eslint-disable-line no-control-regex
  isupper: (text) => text !== text.toLowerCase() && text === text.toUpperCase(),
  islower: (text) => text !== text.toUpperCase() && text === text.toLowerCase(),
  isalpha: (text) => /^\p{L}+$/u.test(text),
  isalnum: (text) => /^[\p{L}\p{Nd}]+$/u.test(text),
  isspace: (text) => /^\s+$/.test(text),
  find: (text, part) => text.indexOf(part),
  rfind: (text, part) => text.lastIndexOf(part),
  index: (text, part) => (text.includes(part) ? text.indexOf(part) : fail("ValueError", "substring not found")),
  count: (text, part) => text.split(part).length - 1,
  partition(text, separator) {
    const at = text.indexOf(separator);
    return at < 0 ? [text, "", ""] : [text.slice(0, at), separator, text.slice(at + separator.length)];
  },
  rpartition(text, separator) {
    const at = text.lastIndexOf(separator);
    return at < 0 ? ["", "", text] : [text.slice(0, at), separator, text.slice(at + separator.length)];
  },
  zfill: (text, width) => format(text, `0>${width}`),
  ljust: (text, width, fill) => padded(text, width, fill, "<"),
  rjust: (text, width, fill) => padded(text, width, fill, ">"),
  center: (text, width, fill) => padded(text, width, fill, "^"),
};
