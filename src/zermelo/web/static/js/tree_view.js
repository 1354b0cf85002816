// Shows a large tree on a small screen. Nodes keep their size, and zooming spreads them sideways. Only what can be seen
// is drawn: subtrees outside the picture are skipped, and subtrees too narrow to tell nodes apart are drawn as a wedge.
// So there are never more than some hundreds of elements, however large the tree is.

import {makeSvg} from "./elements.js";
import {language, t} from "./language.js";
import {AHEAD, CUT, DONE, OPEN} from "./search_tree.js";
import {linesOf, shapeOf, shortValue, shortWindow, write} from "./tree_shapes.js";

const LEVEL = 92, TOP = 40, FOOT = 60;
const FULL = 24, SMALL = 7; // pixels between siblings at which nodes have names, and at which they are drawn at all
const ROOMY = 46; // pixels between siblings at which nodes have their full size
const WIDEST = 92; // pixels for a node, at most
const SIGNED = 62; // pixels between siblings at which all of their values have room for a sign before them
const LETTER = 6.9; // pixels, on average, in the text under a node
const FOLLOWED = 32; // pixels for a node, at least, while a search is followed
const ASIDE = 0.4; // share of that for nodes that are not on its way
const STEP_ZOOM = 1.4;

export class TreeView {
  /** on.select(node) is called when a node is chosen. */
  constructor(element, on) {
    this.on = on;
    this.svg = makeSvg("svg", {role: "application", tabindex: "0", "aria-roledescription": t("search tree")});
    element.replaceChildren(this.svg);
    this.box = element;
    this.tree = null;
    this.step = 0;
    this.selected = 0;
    this.opened = new Set();
    this.focus = null; // the node whose children have room, while a search is followed
    this.scale = 60;
    this.offset = 0;
    this.listen();
    new ResizeObserver(() => { if (this.tree) this.draw(); }).observe(element);
  }

  /** Show a tree, open as a whole or only at its root. */
  show(tree, isOpen) {
    this.tree = tree;
    this.x = new Float32Array(tree.size);
    this.from = new Float32Array(tree.size);
    this.to = new Float32Array(tree.size);
    this.step = tree.steps.length - 1;
    this.selected = 0;
    this.opened = new Set(isOpen ? tree.children.keys() : [0]);
    this.focus = null;
    this.layOut();
    this.fit();
  }

  get width() {
    return this.box.clientWidth || 600;
  }

  // ------------------------------------------------------------------------------ places

  layOut() {
    this.deepest = 0;
    this.slots = this.place(0, 0);
    this.height = TOP + this.deepest * LEVEL + FOOT;
    this.svg.setAttribute("height", this.height);
  }

  /** Place a subtree, beginning at a slot, and return the number of slots that it takes. */
  place(node, slot) {
    const children = this.tree.children[node];
    this.from[node] = slot;
    this.deepest = Math.max(this.deepest, this.tree.depth[node]);
    if (!children.length || !this.opened.has(node)) {
      const slots = this.focus === null || this.tree.data.parent[node] === this.focus ? 1 : ASIDE;
      this.x[node] = slot + slots / 2;
      this.to[node] = slot + slots;
      return slots;
    }
    let at = slot;
    for (const child of children) at += this.place(child, at);
    this.to[node] = at;
    this.x[node] = (this.x[children[0]] + this.x[children.at(-1)]) / 2;
    return at - slot;
  }

  get fitting() {
    return Math.min(WIDEST, this.width / Math.max(this.slots, 1));
  }

  fit() {
    this.scale = this.fitting;
    this.offset = (this.width - this.slots * this.scale) / 2;
    this.draw();
  }

  zoom(factor, middle = this.width / 2) {
    const slot = (middle - this.offset) / this.scale;
    this.scale = Math.min(WIDEST * 1.5, Math.max(this.fitting, this.scale * factor));
    this.offset = middle - slot * this.scale;
    this.draw();
  }

  /** Keep the tree within reach. */
  clampOffset() {
    const wide = this.slots * this.scale;
    if (wide <= this.width) this.offset = (this.width - wide) / 2;
    else this.offset = Math.min(this.width / 3, Math.max(this.offset, this.width * 2 / 3 - wide));
  }

  /** Bring a node into view, wide enough to be read. */
  reveal(node) {
    for (const above of this.tree.pathTo(node).slice(0, -1)) this.opened.add(above);
    this.layOut();
    this.lookAt(node);
  }

  lookAt(node) {
    if (this.scale < FULL) this.scale = Math.max(this.fitting, FOLLOWED);
    const at = this.x[node] * this.scale + this.offset;
    if (at < 60 || at > this.width - 60) this.offset += this.width / 2 - at;
    this.draw();
  }

  /** Open only the way to a node, so that a search can be followed through thousands of nodes. */
  follow(node) {
    this.opened = new Set(this.tree.pathTo(node));
    this.focus = this.tree.isLeaf(node) && node ? this.tree.data.parent[node] : node;
    this.layOut();
    this.scale = Math.min(WIDEST, Math.max(this.fitting, FOLLOWED));
    this.offset = this.width / 2 - this.x[node] * this.scale;
    this.draw();
  }

  goTo(step) {
    this.step = Math.max(0, Math.min(step, this.tree.steps.length - 1));
  }

  toggle(node) {
    if (!this.tree.children[node].length) return;
    const before = this.x[node] * this.scale;
    this.focus = null;
    if (!this.opened.delete(node)) this.opened.add(node);
    this.layOut();
    this.scale = Math.max(this.scale, this.fitting);
    this.offset += before - this.x[node] * this.scale;
    this.draw();
  }

  openAll() {
    this.focus = null;
    this.opened = new Set(this.tree.children.keys());
    this.layOut();
    this.fit();
  }

  foldAll() {
    this.focus = null;
    this.opened = new Set([0]);
    this.selected = 0;
    this.layOut();
    this.fit();
  }

  // ------------------------------------------------------------------------------ drawing

  draw() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.render());
  }

  render() {
    if (!this.tree) return;
    this.clampOffset();
    this.edges = [];
    this.nodes = [];
    const current = this.tree.steps[this.step];
    this.current = new Set(current.row ?? [current.node]);
    this.drawNode(0, this.width, TOP);
    this.svg.setAttribute("width", this.width);
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    this.svg.setAttribute("aria-label", this.label());
    this.svg.replaceChildren(...this.edges, ...this.nodes);
  }

  label() {
    return t("{search}; selected: {node}", {search: this.tree.data.search, node: this.describe(this.selected)});
  }

  /** A node as a screen reader says it. */
  describe(node) {
    const tree = this.tree, state = tree.stateAt(node, this.step), name = tree.shownName(node);
    if (state === AHEAD) return t("{node}, not reached yet", {node: name});
    if (state === CUT) return `${name}, ${tree.reason(node)}`;
    const window = tree.windowAt(node, this.step);
    const value = state === DONE ? t(", value {value}", {value: tree.value(node)}) : t(", being searched");
    const who = tree.isLeaf(node) ? t("leaf") : t("{player} to move", {player: tree.player(node)});
    const within = window && !tree.isLeaf(node) ? t(", window {window}", {window}) : "";
    return `${name}, ${who}${within}${value}`;
  }

  drawNode(node, spacing, y) {
    const px = this.x[node] * this.scale + this.offset;
    const children = this.tree.children[node];
    if (children.length && this.opened.has(node)) this.drawChildren(node, children, px, y);
    if (px < -WIDEST || px > this.width + WIDEST) return;
    this.nodes.push(spacing >= FULL ? this.fullNode(node, px, y, spacing) : this.smallNode(node, px, y));
  }

  drawChildren(node, children, px, y) {
    const span = this.x[children.at(-1)] - this.x[children[0]];
    const below = y + LEVEL;
    if (children.length > 1 && span / (children.length - 1) * this.scale < SMALL) {
      this.edges.push(this.wedge(node, px, y));
      return;
    }
    for (const [place, child] of children.entries()) {
      const from = this.from[child] * this.scale + this.offset, to = this.to[child] * this.scale + this.offset;
      if (to < -WIDEST || from > this.width + WIDEST) continue;
      const at = this.x[child] * this.scale + this.offset;
      const state = this.tree.stateAt(child, this.step);
      const classes = ["edge", state];
      if (this.isOnBestLine(child)) classes.push("best");
      const room = Math.min(this.gap(children[place - 1], child), this.gap(child, children[place + 1]));
      const full = room >= FULL;
      this.edges.push(makeSvg("path", {class: classes.join(" "), d: `M${px.toFixed(1)} ${y + 14}L${at.toFixed(1)} ${below - (full ? 17 : 6)}`}));
      this.drawNode(child, Math.min(room, WIDEST), below);
    }
  }

  /** Pixels between two neighbours. */
  gap(one, other) {
    return one === undefined || other === undefined ? Infinity : (this.x[other] - this.x[one]) * this.scale;
  }

  isOnBestLine(node) {
    return this.tree.best.has(node) && this.step === this.tree.steps.length - 1;
  }

  wedge(node, px, y) {
    const from = Math.max(-10, this.from[node] * this.scale + this.offset);
    const to = Math.min(this.width + 10, this.to[node] * this.scale + this.offset);
    const at = Math.min(Math.max(px, from), to);
    const bottom = y + LEVEL - 22;
    const wedge = makeSvg("g", {class: "wedge"});
    wedge.append(makeSvg("path", {d: `M${at.toFixed(1)} ${y + 14}L${to.toFixed(1)} ${bottom}H${from.toFixed(1)}Z`}));
    if (to - from > 40) wedge.append(write(`${this.tree.below[node].toLocaleString(language)}`, (from + to) / 2, bottom + 15));
    return wedge;
  }

  classesOf(node) {
    const tree = this.tree;
    const classes = ["node", tree.stateAt(node, this.step), tree.isLeaf(node) ? "leaf" : tree.isMax(node) ? "max" : "min"];
    if (this.current.has(node)) classes.push("current");
    if (node === this.selected) classes.push("selected");
    if (this.isOnBestLine(node)) classes.push("best");
    return classes.join(" ");
  }

  smallNode(node, x, y) {
    const group = makeSvg("g", {class: `${this.classesOf(node)} small`, "data-node": node});
    group.append(shapeOf(this.tree, node, x, y, 0.3), makeSvg("rect", {class: "target", x: x - 5, y: y - 16, width: 10, height: 32}));
    return group;
  }

  fullNode(node, x, y, spacing) {
    const tree = this.tree, state = tree.stateAt(node, this.step);
    const group = makeSvg("g", {class: this.classesOf(node), "data-node": node});
    group.append(makeSvg("title", {}, this.describe(node)));
    group.append(makeSvg("rect", {class: "target", x: x - Math.min(spacing, 60) / 2, y: y - 24, width: Math.min(spacing, 60), height: 48}));
    const size = Math.min(1, Math.max(0.62, spacing / ROOMY));
    group.append(shapeOf(tree, node, x, y, size));
    const name = tree.shownName(node);
    const isInside = name.length <= (tree.isLeaf(node) ? 4 : 3) * size;
    if (isInside) group.append(write(name, x, y + (tree.isLeaf(node) ? 4 : tree.isMax(node) ? 9 : 1) * size, "name"));
    else if (spacing >= ROOMY) linesOf(name, spacing).reverse().forEach((line, above) => group.append(write(line, x, y - 25 - 13 * above, "name")));
    this.notes(node, state, spacing).forEach((note, line) => group.append(write(note, x, y + 31 + 13 * line, "note")));
    if (tree.children[node].length && !this.opened.has(node) && spacing >= ROOMY - 6) group.append(this.badge(node, x, y));
    return group;
  }

  /** The text under a node: its window while it is searched, its value afterwards. */
  notes(node, state, spacing) {
    const tree = this.tree;
    if (state === DONE) return [fitting(shortValue(tree.value(node)), spacing, tree.isLeaf(node) || spacing < SIGNED ? "" : "= ")];
    if (state === OPEN) return !tree.hasWindows ? [] : [shortWindow(tree.windowAt(node, this.step))];
    return [];
  }

  badge(node, x, y) {
    const text = `+${this.tree.below[node].toLocaleString(language)}`;
    const wide = 9 + 6.4 * text.length;
    const badge = makeSvg("g", {class: "badge", "data-fold": node});
    badge.append(makeSvg("rect", {x: x - wide / 2, y: y + 37, width: wide, height: 17, rx: 8.5}), write(text, x, y + 49.5));
    return badge;
  }

  // ------------------------------------------------------------------------------ pointers and keys

  listen() {
    const {svg} = this;
    svg.addEventListener("keydown", (event) => this.pressed(event));
    svg.addEventListener("wheel", (event) => this.wheeled(event), {passive: false});
    const pointers = new Map();
    let moved = 0, apart = 0;
    svg.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      pointers.set(event.pointerId, event.clientX);
      if (pointers.size === 1) moved = 0;
      apart = distance(pointers);
    });
    svg.addEventListener("pointermove", (event) => {
      if (!pointers.has(event.pointerId) || !this.tree) return;
      const by = event.clientX - pointers.get(event.pointerId);
      pointers.set(event.pointerId, event.clientX);
      moved += Math.abs(by);
      if (pointers.size === 2) {
        const now = distance(pointers);
        if (apart > 10 && now > 10) this.zoom(now / apart, event.clientX - svg.getBoundingClientRect().x);
        apart = now;
      } else if (moved > 4) {
        svg.setPointerCapture(event.pointerId);
        this.offset += by;
        this.draw();
      }
    });
    const ended = (event) => pointers.delete(event.pointerId);
    svg.addEventListener("pointerup", ended);
    svg.addEventListener("pointercancel", ended);
    svg.addEventListener("click", (event) => { if (moved <= 4) this.clicked(event); });
    svg.addEventListener("dblclick", (event) => {
      const node = event.target.closest("[data-node]");
      if (node && !event.target.closest("[data-fold]")) this.toggle(Number(node.dataset.node));
    });
  }

  clicked(event) {
    const fold = event.target.closest("[data-fold]");
    const node = event.target.closest("[data-node]");
    const wedge = event.target.closest(".wedge");
    if (fold) this.toggle(Number(fold.dataset.fold));
    if (node) this.choose(Number(node.dataset.node));
    else if (wedge) this.zoom(3, event.clientX - this.svg.getBoundingClientRect().x);
  }

  choose(node) {
    this.selected = node;
    this.draw();
    this.on.select?.(node);
  }

  wheeled(event) {
    if (!this.tree) return;
    const sideways = event.shiftKey ? event.deltaY : event.deltaX;
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY / 200), event.clientX - this.svg.getBoundingClientRect().x);
    } else if (Math.abs(sideways) > Math.abs(event.shiftKey ? 0 : event.deltaY)) {
      event.preventDefault();
      this.offset -= sideways;
      this.draw();
    }
  }

  pressed(event) {
    if (!this.tree || event.altKey || event.ctrlKey || event.metaKey) return;
    const {children, data} = this.tree;
    const parent = data.parent[this.selected];
    const row = parent < 0 ? [0] : children[parent];
    const place = row.indexOf(this.selected);
    const go = (node) => {
      if (node === undefined || node < 0) return;
      this.reveal(node);
      this.choose(node);
    };
    const keys = {
      ArrowUp: () => go(parent),
      ArrowDown: () => go(children[this.selected][0]),
      ArrowLeft: () => go(row[place - 1]),
      ArrowRight: () => go(row[place + 1]),
      Enter: () => this.toggle(this.selected),
      " ": () => this.toggle(this.selected),
      "+": () => this.zoom(STEP_ZOOM),
      "-": () => this.zoom(1 / STEP_ZOOM),
      0: () => this.fit(),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
  }
}

function distance(pointers) {
  const [one, other] = [...pointers.values()];
  return other === undefined ? 0 : Math.abs(one - other);
}

/** A value with its sign, or without, or with fewer decimals, so that it does not run into its neighbours'. */
function fitting(value, spacing, sign) {
  const shorter = [2, 1, 0].map((digits) => value.replace(/-?\d+\.\d+/g, (number) => Number(number).toFixed(digits)));
  const forms = [sign + value, value, ...shorter];
  return forms.find((form) => form.length * LETTER <= spacing) ?? forms.at(-1);
}
