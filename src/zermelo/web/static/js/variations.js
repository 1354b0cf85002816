// The lines that leave a game, as a tree: a variation hangs on the line with which it shares the most moves.

import {make} from "./elements.js";
import {t} from "./language.js";
import {numbersOf, shown} from "./moves.js";

const MOST = 40; // as in variations.py
const END = "*"; // variations after it continue the game where it ends

/** The number of moves that two lines share. */
export function shared(moves, others) {
  const apart = moves.findIndex((move, place) => move !== others[place]);
  return apart < 0 ? moves.length : apart;
}

/** The variations with one more line, which replaces those that it continues. The beginning of a known line is not added. */
export function withLine(main, variations, {line, moves, movers}) {
  const begins = (short, long) => shared(short, long) === short.length;
  if ([main, ...variations].some((one) => begins(moves, one.moves))) return variations;
  const longer = variations.findIndex((one) => begins(one.moves, moves));
  if (longer < 0) return [...variations, {line, moves, movers}].slice(-MOST);
  return variations.map((one, place) => (place === longer ? {line, moves, movers} : one));
}

/** The tree of a game and its variations: {line, moves, from, branches}, where `from` is the first move of its own. */
export function treeOf(main, variations) {
  const root = {...main, from: 0, branches: []};
  const nodes = [root];
  for (const one of variations) {
    let parent = root;
    for (const node of nodes) if (shared(one.moves, node.moves) > shared(one.moves, parent.moves)) parent = node;
    const node = {...one, from: shared(one.moves, parent.moves), branches: []};
    parent.branches.push(node);
    nodes.push(node);
  }
  return root;
}

/** A tree as text: `a1 b1 (c2 a3 (b3)) b2`. */
export function treeText({moves, from, branches}) {
  const at = (place) => branches.filter((one) => one.from === place).map((one) => `(${treeText(one)})`);
  const words = moves.slice(from).flatMap((move, place) => [move, ...at(from + place)]);
  const beyond = at(moves.length);
  return [...words, ...(beyond.length ? [END, ...beyond] : [])].join(" ");
}

/** The variations of a tree as nested lists. `current` is the line and the move that are shown; on.go and on.remove do what buttons say. */
export function variationItems(tree, current, on) {
  return [...tree.branches].sort((one, other) => one.from - other.from).map((node) => {
    const steps = node.moves.slice(node.from).map((move, place) => {
      const at = node.from + place + 1;
      const step = make("button", {class: "step", text: shown(move)});
      if (node.line === current.line && at === current.at) step.setAttribute("aria-current", "step");
      step.addEventListener("click", () => on.go(node.line, at));
      return step;
    });
    const remove = make("button", {class: "step remove", text: "×", title: t("Remove this variation"), "aria-label": t("Remove this variation")});
    remove.addEventListener("click", () => on.remove(node));
    const inner = node.branches.length ? [make("ul", {}, ...variationItems(node, current, on))] : [];
    return make("li", {}, make("span", {class: "quiet", text: `${numbersOf(node.movers)[node.from]} `}), ...steps, remove, ...inner);
  });
}
