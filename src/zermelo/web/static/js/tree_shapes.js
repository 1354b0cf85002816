// The shapes and short texts of which a drawn search tree is made.

import {makeSvg} from "./elements.js";
import {t} from "./language.js";

const LETTER = 8.4; // pixels of a letter of a name

export function shapeOf(tree, node, x, y, size) {
  if (tree.isLeaf(node)) return makeSvg("rect", {class: "shape", x: x - 15 * size, y: y - 15 * size, width: 30 * size, height: 30 * size, rx: 5 * size});
  const up = tree.isMax(node) ? 1 : -1;
  const points = [[0, -22 * up], [-25, 17 * up], [25, 17 * up]].map(([dx, dy]) => `${(x + dx * size).toFixed(1)},${(y + dy * size).toFixed(1)}`);
  return makeSvg("polygon", {class: "shape", points: points.join(" ")});
}

export function write(text, x, y, kind = "") {
  return makeSvg("text", {x: x.toFixed(1), y: y.toFixed(1), class: kind}, text);
}

export function shortened(text, spacing) {
  const room = Math.max(3, Math.floor(spacing / LETTER));
  return text.length <= room ? text : `${text.slice(0, room - 1)}…`;
}

/** The lines of a name above a node: what is before a colon has a line of its own if both parts do not fit on one. */
export function linesOf(name, spacing) {
  const colon = name.indexOf(":") + 1;
  const parts = colon && name.length * LETTER > spacing ? [name.slice(0, colon), name.slice(colon)] : [name];
  return parts.map((part) => shortened(part, spacing));
}

/** `win in 3` as `W3`, so that it fits under a node. */
export function shortValue(text) {
  return text.replaceAll(t("win in {plies}", {plies: ""}), t("W")).replaceAll(t("loss in {plies}", {plies: ""}), t("L"));
}

export function shortWindow(text) {
  return shortValue(text).replaceAll("inf", "∞");
}
