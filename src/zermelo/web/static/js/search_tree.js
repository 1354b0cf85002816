// The tree of a search as the server recorded it, and the steps in which the search went through it.

import {t} from "./language.js";
import {shown, useWords} from "./moves.js";

export const AHEAD = "ahead", OPEN = "open", DONE = "done", CUT = "cut";
const FATES = ["", t("cut"), t("cut by the tolerance"), t("left out")];

export class SearchTree {
  constructor(data) {
    this.data = data;
    useWords(data.words);
    this.size = data.parent.length;
    this.isMinimax = data.search.startsWith("minimax");
    this.isOwn = data.search.includes(".py:");
    this.hasWindows = data.windows;
    this.children = Array.from({length: this.size}, () => []);
    this.depth = new Uint8Array(this.size);
    for (let node = 1; node < this.size; node++) {
      this.children[data.parent[node]].push(node);
      this.depth[node] = this.depth[data.parent[node]] + 1;
    }
    this.levels = 1 + this.depth.reduce((most, depth) => Math.max(most, depth), 0);
    this.best = new Set(data.line);
    this.countBelow();
    this.makeSteps();
  }

  countBelow() {
    this.below = new Uint32Array(this.size); // nodes that are drawn below a node, visited or skipped
    this.visitedBelow = new Uint32Array(this.size);
    for (let node = this.size - 1; node > 0; node--) {
      const parent = this.data.parent[node];
      this.below[parent] += 1 + this.below[node];
      this.visitedBelow[parent] += (this.data.fate[node] ? 0 : 1) + this.visitedBelow[node];
    }
  }

  /** The steps: a node is entered, a node is left with its value (a leaf does both at once), or a row of nodes is skipped. */
  makeSteps() {
    this.steps = [];
    this.entered = new Uint32Array(this.size);
    this.left = new Uint32Array(this.size);
    this.visitedAt = []; // step -> nodes visited so far
    this.cutsAt = [];
    this.visited = this.cuts = 0;
    this.walk(0);
  }

  walk(node) {
    const children = this.children[node];
    if (!children.length) {
      this.visited += 1;
      this.entered[node] = this.left[node] = this.addStep("leaf", node);
      return;
    }
    this.visited += 1;
    this.entered[node] = this.addStep("enter", node);
    for (let i = 0; i < children.length; i++) {
      const fate = this.data.fate[children[i]];
      if (!fate) {
        this.walk(children[i]);
        continue;
      }
      const row = [];
      while (i < children.length && this.data.fate[children[i]] === fate) row.push(children[i++]);
      i -= 1;
      if (fate !== 3) this.cuts += 1;
      const step = this.addStep("skip", row[0], row);
      for (const skipped of row) this.entered[skipped] = this.left[skipped] = step;
    }
    this.left[node] = this.addStep("leave", node);
  }

  addStep(kind, node, row = null) {
    this.steps.push({kind, node, row});
    this.visitedAt.push(this.visited);
    this.cutsAt.push(this.cuts);
    return this.steps.length - 1;
  }

  text(column, node) {
    const number = this.data[column][node];
    return number < 0 ? "" : this.data.texts[number];
  }

  /** The move that leads to a node, in the notation of requests. */
  name(node) {
    return this.text("name", node);
  }

  /** The same as the page shows it. */
  shownName(node) {
    return this.name(node) === "root" ? t("root") : shown(this.name(node));
  }

  /** The best move as the page shows it; null if there is none. */
  get shownBest() {
    return this.data.best === null ? null : shown(this.data.best);
  }

  isLeaf(node) {
    return !this.children[node].length;
  }

  isMax(node) {
    return this.data.player[node] === 1 || (this.data.player[node] === 0 && !this.isMax(this.data.parent[node]));
  }

  player(node) {
    return t(this.data.players[this.isMax(node) ? 0 : 1]);
  }

  /** The state of a node at a step. */
  stateAt(node, step) {
    if (this.entered[node] > step) return AHEAD;
    if (this.data.fate[node]) return CUT;
    return this.left[node] <= step ? DONE : OPEN;
  }

  /** What the page calls the search. */
  get title() {
    if (this.isOwn) return this.data.search.replace(/\(.*/s, "");
    return this.isMinimax ? t("Minimax") : t("Alpha-beta");
  }

  /** The window of a node at a step, as text. Minimax has none. */
  windowAt(node, step) {
    if (!this.hasWindows || this.data.fate[node]) return "";
    let window = [this.text("low", node), this.text("high", node)];
    for (const child of this.children[node]) {
      if (this.data.fate[child] || this.left[child] > step || !this.text("low_after", child)) continue;
      window = [this.text("low_after", child), this.text("high_after", child)];
    }
    return `[${window[0]}, ${window[1]}]`;
  }

  value(node) {
    return this.text("result", node);
  }

  fate(node) {
    return FATES[this.data.fate[node]];
  }

  /** Why a node was skipped. The reason is kept with the first node of its row. */
  reason(node) {
    const {row} = this.steps[this.entered[node]];
    return row ? this.data.reasons[row[0]] : "";
  }

  pathTo(node) {
    const path = [];
    for (let here = node; here >= 0; here = this.data.parent[here]) path.unshift(here);
    return path;
  }

  /** The moves from the root to a node. */
  lineTo(node) {
    return this.pathTo(node).slice(1).map((here) => this.name(here));
  }

  /** The node to which these moves lead; null if this search has none. */
  find(line) {
    let node = 0;
    for (const name of line) {
      node = this.children[node].find((child) => this.name(child) === name) ?? null;
      if (node === null) return null;
    }
    return node;
  }

  /** A step in words. */
  describe(number) {
    const {kind, node, row} = this.steps[number];
    if (kind === "skip") {
      const names = row.length > 6 ? t("{number} moves", {number: row.length}) : row.map((one) => this.shownName(one)).join(", ");
      return t("At {node}, the search skips {names} – {reason}.", {node: this.shownName(this.data.parent[node]), names, reason: this.data.reasons[node]});
    }
    if (kind === "enter") {
      const parts = {node: this.shownName(node), player: this.player(node), window: this.windowAt(node, number)};
      return !this.hasWindows ? t("{node}: {player} is to move.", parts) : t("{node}: {player} is to move, with the window {window}.", parts);
    }
    const parent = this.data.parent[node];
    const worth = t("{node} is worth {value}.", {node: this.shownName(node), value: this.value(node)});
    if (parent < 0) return `${worth} ${t("The search is over.")}`;
    if (!this.hasWindows || !this.text("low_after", node)) return worth;
    const before = this.windowAt(parent, number - 1);
    const after = this.windowAt(parent, number);
    const parts = {player: this.player(parent), node: this.shownName(parent), window: after};
    const change = before === after ? t("That changes nothing for {player} at {node}.", parts) : t("The window of {player} at {node} is now {window}.", parts);
    return `${worth} ${change}`;
  }
}
