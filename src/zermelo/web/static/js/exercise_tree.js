// The tree of an exercise with its fields: the value stands in a node, the window below it, and branches can be cut.

import {make, makeSvg} from "./elements.js";
import {Cut, Entry, Pick} from "./exercise_fields.js";
import {t} from "./language.js";
import {shapeOf, write} from "./tree_shapes.js";

const SIZE = 1.8; // of a triangle, compared with those of See why
const SHAPE = 71, ROW = 40, LEAF = 40, NAME = 20; // heights, in pixels
const FIELD = 23; // half the distance of alpha and beta
const GAP = 64; // from the foot of a node to its children
const CUT_ABOVE = 25; // a branch is cut so many pixels above the child
const WIDE = 104, NARROW = 58; // room for an inner node and for a leaf
const MARGIN = 12;
const BELOW_SHAPE = new Set(["alpha", "beta", "first"]);
const PLACEHOLDERS = {alpha: "α", beta: "β", value: "?"};

export class ExerciseTree {
  /** on.changed(field): something was typed; on.entered(field): an entry is finished. */
  constructor(element, exercise, on) {
    this.box = element;
    this.on = on;
    this.nodes = exercise.nodes.map((node) => ({...node, children: [], fields: []}));
    this.byName = new Map(this.nodes.map((node) => [node.name, node]));
    for (const node of this.nodes) {
      node.above = node.parent === null ? null : this.byName.get(node.parent);
      node.depth = node.above ? node.above.depth + 1 : 0;
      node.above?.children.push(node);
    }
    this.hasRow = exercise.questions.some((question) => BELOW_SHAPE.has(question.kind));
    this.layOut();
    this.fields = exercise.questions.filter((question) => question.node !== null).map((question) => this.makeField(question));
    this.svg = makeSvg("svg", {width: this.width, height: this.height, "aria-hidden": "true"});
    const sheet = make("div", {class: "tree-sheet"}, this.svg, ...this.fields.map((field) => field.box));
    sheet.style.width = `${this.width}px`;
    sheet.style.height = `${this.height}px`;
    element.replaceChildren(sheet);
    this.chosen = "";
    this.current = null;
    this.draw();
    element.scrollLeft = this.nodes[0].x - element.clientWidth / 2;
    this.listen();
  }

  // ------------------------------------------------------------------------------ places

  /** Parents stand above the middle of their children, and nodes of one level beside each other without touching. */
  layOut() {
    const taken = [];
    const shift = (node, by) => {
      node.x += by;
      taken[node.depth] = Math.max(taken[node.depth] ?? MARGIN, node.x + node.room / 2);
      for (const child of node.children) shift(child, by);
    };
    const place = (node) => {
      node.room = node.children.length ? WIDE : NARROW;
      node.x = 0;
      for (const child of node.children) place(child);
      const first = (taken[node.depth] ?? MARGIN) + node.room / 2;
      const middle = node.children.length ? (node.children[0].x + node.children.at(-1).x) / 2 : first;
      const by = Math.max(0, first - middle);
      node.x = middle;
      shift(node, 0);
      if (by) shift(node, by);
    };
    place(this.nodes[0]);
    const inner = SHAPE + (this.hasRow ? ROW : 6);
    const deepest = Math.max(...this.nodes.map((node) => node.depth));
    for (const node of this.nodes) {
      node.top = MARGIN + node.depth * (inner + GAP);
      node.foot = node.top + (node.children.length ? inner : LEAF);
    }
    this.width = Math.ceil(Math.max(...taken.filter(Boolean)) + MARGIN);
    this.height = MARGIN + deepest * (inner + GAP) + LEAF + NAME + MARGIN;
  }

  /** Where a branch is cut. */
  cutPoint(node) {
    const share = 1 - CUT_ABOVE / (node.top - node.above.foot);
    return [node.above.x + (node.x - node.above.x) * share, node.top - CUT_ABOVE];
  }

  placeOf(kind, node) {
    if (kind === "cut") return this.cutPoint(node);
    if (BELOW_SHAPE.has(kind)) return [node.x + ({alpha: -FIELD, beta: FIELD}[kind] ?? 0), node.top + SHAPE + 22];
    return [node.x, node.top + (node.is_max ? SHAPE - 18 : 18)];
  }

  makeField(question) {
    const node = this.byName.get(question.node);
    const field = question.form === "cut" ? new Cut(question, this.on)
      : question.form === "node" ? new Pick(question, this.on)
      : new Entry(question, this.on, {placeholder: PLACEHOLDERS[question.kind] ?? "", inputmode: touches() ? "none" : "text"});
    const [x, y] = this.placeOf(question.kind, node);
    field.node = node;
    field.box.style.left = `${x}px`;
    field.box.style.top = `${y}px`;
    node.fields.push(field);
    return field;
  }

  // ------------------------------------------------------------------------------ the picture

  /** True if a branch above a node is marked as cut: nothing need be said of it. */
  isBelowCut(node) {
    for (let here = node; here.above; here = here.above) if (this.isCut(here)) return true;
    return false;
  }

  isCut(node) {
    return node.fields.some((field) => field.question.form === "cut" && field.value);
  }

  /** Draw the tree as it is now: what is cut, which move is chosen, where the reader is. */
  draw() {
    const tree = {isLeaf: (node) => !node.children.length, isMax: (node) => node.is_max};
    const edges = [], shapes = [];
    for (const node of this.nodes) {
      const isGone = this.isBelowCut(node);
      if (node.above) edges.push(...this.drawEdge(node, isGone));
      const kind = node.children.length ? (node.is_max ? "max" : "min") : "leaf";
      const classes = ["node", kind, isGone ? "gone" : "", node === this.current ? "current" : ""].filter(Boolean).join(" ");
      shapes.push(makeSvg("g", {class: classes, "data-node": node.name}, ...this.drawNode(tree, node)));
      for (const field of node.fields) {
        const isOwnCut = field.question.form === "cut" && !this.isBelowCut(node.above);
        field.box.hidden = isGone && !isOwnCut;
      }
    }
    this.svg.replaceChildren(...edges, ...shapes);
  }

  /** True if the branch to a node is the chosen move, or the child to search first. */
  isChosen(node) {
    if (node.above === this.nodes[0] && node.name === this.chosen) return true;
    return node.above.fields.some((field) => field.question.kind === "first" && field.value === node.name);
  }

  drawEdge(node, isGone) {
    const line = {x1: node.above.x, y1: node.above.foot, x2: node.x, y2: node.top};
    const kind = isGone ? "cut" : this.isChosen(node) ? "best" : "";
    const edge = makeSvg("line", {class: `edge ${kind}`.trim(), ...line});
    const hasCut = node.fields.some((field) => field.question.form === "cut");
    return hasCut ? [edge, makeSvg("line", {class: "edge-target", "data-branch": node.name, ...line})] : [edge];
  }

  drawNode(tree, node) {
    const {x, top} = node;
    if (!node.children.length) {
      return [
        makeSvg("rect", {class: "shape", x: x - LEAF / 2, y: top, width: LEAF, height: LEAF, rx: 7}),
        write(String(node.value).replace("-", "−"), x, top + LEAF / 2 + 6, "score"),
        write(node.name, x, top + LEAF + 15, "leaf-name"),
      ];
    }
    const middle = top + SIZE * (node.is_max ? 22 : 17);
    const name = write(node.name, x - 36, node.is_max ? top + 26 : top + SHAPE - 12, "name");
    const who = write(node.is_max ? t("MAX") : t("MIN"), x + 36, node.is_max ? top + 26 : top + SHAPE - 12, "who");
    return [shapeOf(tree, node, x, middle, SIZE), name, who];
  }

  /** Show where the reader is. */
  lookAt(node) {
    if (node === this.current) return;
    this.current = node;
    for (const shape of this.svg.querySelectorAll(".node")) shape.classList.toggle("current", shape.dataset.node === node?.name);
  }

  /** Bring a node into sight, if the tree is wider than the page. */
  reveal(node) {
    const {box} = this;
    const left = node.x - box.scrollLeft;
    if (left < 70 || left > box.clientWidth - 70) box.scrollTo({left: node.x - box.clientWidth / 2});
  }

  /** The same, and scroll the page too: as many pixels of it as `covered` are hidden at its foot. */
  bringUp(node, covered) {
    this.reveal(node);
    const top = this.svg.getBoundingClientRect().top;
    const hidden = top + node.foot + NAME - (innerHeight - covered);
    if (hidden > 0 || top + node.top < 0) scrollBy(0, hidden > 0 ? hidden : top + node.top - NAME);
  }

  // ------------------------------------------------------------------------------ moving about

  listen() {
    this.box.addEventListener("focusin", (event) => {
      const field = this.fieldOf(event.target);
      if (!field) return;
      this.lookAt(field.node);
      this.reveal(field.node);
    });
    this.box.addEventListener("focusout", (event) => {
      if (!this.box.contains(event.relatedTarget)) this.lookAt(null);
    });
    this.box.addEventListener("click", (event) => {
      const name = event.target.dataset?.branch;
      const field = name && this.byName.get(name).fields.find((one) => one.question.form === "cut");
      if (!field || field.box.hidden) return;
      field.focus();
      field.toggle();
    });
    this.box.addEventListener("keydown", (event) => {
      const field = this.fieldOf(event.target);
      if (!field || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (!event.key.startsWith("Arrow") || isForField(event)) return;
      const target = this.neighbour(field, event.key);
      if (target) target.focus();
      event.preventDefault();
    });
  }

  fieldOf(element) {
    return this.fields.find((field) => field.box.contains(element));
  }

  /** The field at the next node in a direction: one of the same kind, if that node has it. */
  neighbour(field, key) {
    const {node} = field;
    const level = this.nodes.filter((one) => one.depth === node.depth);
    const rows = {
      ArrowUp: ancestors(node),
      ArrowDown: this.nodes.filter((one) => one.above === node),
      ArrowLeft: level.slice(0, level.indexOf(node)).reverse(),
      ArrowRight: level.slice(level.indexOf(node) + 1),
    };
    for (const other of rows[key]) {
      const shown = other.fields.filter((one) => !one.box.hidden);
      const same = shown.find((one) => one.question.kind === field.question.kind) ?? shown[0];
      if (same) return same;
    }
    return null;
  }
}

/** True where fingers are used: the page has a keypad of its own, because those of phones have no minus sign and no ∞. */
export function touches() {
  return matchMedia("(pointer:coarse)").matches;
}

function ancestors(node) {
  return node.above ? [node.above, ...ancestors(node.above)] : [];
}

/** True if the field itself needs an arrow: to move the cursor within a text, or to choose from a list. */
function isForField({target, key}) {
  const isUpOrDown = key === "ArrowUp" || key === "ArrowDown";
  if (target.tagName === "SELECT") return isUpOrDown;
  if (target.tagName !== "INPUT" || isUpOrDown) return false;
  const {selectionStart: from, selectionEnd: to, value} = target;
  if (from === 0 && to === value.length) return false;
  return key === "ArrowLeft" ? to > 0 : from < value.length;
}
