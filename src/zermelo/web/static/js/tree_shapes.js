// The shapes and short texts of which a drawn search tree is made.

import {makeSvg} from "./elements.js";
import {t} from "./language.js";

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
  const room = Math.max(3, Math.floor(spacing / 7));
  return text.length <= room ? text : `${text.slice(0, room - 1)}…`;
}

/** `win in 3` as `W3`, so that it fits under a node. */
export function shortValue(text) {
  return text.replaceAll(t("win in {plies}", {plies: ""}), t("W")).replaceAll(t("loss in {plies}", {plies: ""}), t("L"));
}

export function shortWindow(text) {
  return shortValue(text).replaceAll("inf", "∞");
}
