// The page that walks through a search: its settings, its steps, and the trees side by side.

import {notify, send} from "./api.js";
import {make} from "./elements.js";
import {drawView} from "./picture.js";
import {language, t} from "./language.js";
import {shown} from "./moves.js";
import {SearchTree} from "./search_tree.js";
import {TreeView} from "./tree_view.js";

const page = document.getElementById("why");
const form = document.getElementById("settings");
const problem = document.getElementById("problem");
const walk = document.getElementById("walk");
const panesBox = document.getElementById("panes");
const slider = document.getElementById("slider");
const SMALL_TREE = 60; // trees up to this number of nodes are open from the beginning
const RUNNING_PAUSE = 700; // milliseconds per step, at most
const FIELDS = ["search", "depth", "heuristic", "tolerance", "order", "order_plies", "top_moves", "alpha", "beta"];
const NUMBERS = new Set(["depth", "tolerance", "order_plies", "top_moves", "alpha", "beta"]);
const ONLY = {
  alphabeta: ["tolerance", "order", "order_plies", "top_moves"],
  own: ["alpha", "beta", ...(page.dataset.tree === "yes" ? ["depth"] : [])],
};
const WHOLE_TREE = 60;

let panes = [];
let step = 0;
let isFollowing = false;
let running = 0;
let latest = 0; // the number of the last search asked for

// -------------------------------------------------------------------------------- settings

function place() {
  const {game, setup, moves, start} = page.dataset;
  const own = document.getElementById("own");
  return own ? {tree: own.value} : {game, setup, moves, start};
}

function settings() {
  const wanted = page.dataset.tree === "yes" ? {depth: WHOLE_TREE} : {};
  const foreign = Object.entries(ONLY).filter(([kind]) => kind !== kindOfSearch()).flatMap(([, names]) => names);
  for (const name of FIELDS) {
    const value = form.elements[name]?.value;
    if (value && !foreign.includes(name)) wanted[name] = NUMBERS.has(name) ? Number(value) : value;
  }
  return wanted;
}

/** Put the settings that are not the usual ones into the address. */
function remember() {
  const query = new URLSearchParams(location.search);
  for (const name of [...FIELDS, "step"]) query.delete(name);
  for (const name of FIELDS) {
    const field = form.elements[name];
    if (field && field.value && field.value !== usual.get(name)) query.set(name, field.value);
  }
  query.delete("beside");
  if (!form.elements.beside.checked) query.set("beside", "no");
  const own = document.getElementById("own");
  const hash = own ? `#${encodeURIComponent(own.value)}` : "";
  const address = `${location.pathname}${query.size ? `?${query}` : ""}${hash}`;
  if (address !== location.pathname + location.search + location.hash) history.pushState(null, "", address);
}

const usual = new Map(FIELDS.map((name) => [name, form.elements[name]?.value ?? ""]));

function recall() {
  const query = new URLSearchParams(location.search);
  for (const name of FIELDS) {
    const field = form.elements[name];
    if (field) field.value = query.get(name) ?? usual.get(name);
    if (name === "search" && !field.value) field.value = usual.get(name); // a search that is no longer in the workshop
  }
  form.elements.beside.checked = query.get("beside") !== "no";
  document.getElementById("options").open = ONLY.alphabeta.some((name) => query.has(name));
  const own = document.getElementById("own");
  if (own && location.hash.length > 1) own.value = decodeURIComponent(location.hash.slice(1));
  showOptions();
}

/** `minimax`, `alphabeta`, or `own` for a search of the workshop. */
function kindOfSearch() {
  const {value} = form.elements.search;
  return value.includes(":") ? "own" : value;
}

function showOptions() {
  const kind = kindOfSearch();
  for (const part of form.querySelectorAll(".alphabeta-only")) part.hidden = kind !== "alphabeta";
  for (const part of form.querySelectorAll(".own-only")) part.hidden = kind !== "own";
  for (const part of form.querySelectorAll(".not-minimax")) part.hidden = kind === "minimax";
}

// -------------------------------------------------------------------------------- searching

async function search() {
  const number = ++latest;
  stopRunning();
  const wanted = {...place(), ...settings()};
  const both = wanted.search !== "minimax" && wanted.depth !== 0 && form.elements.beside.checked;
  const plain = {...place(), search: "minimax", depth: wanted.depth, heuristic: wanted.heuristic};
  const button = document.getElementById("run");
  button.disabled = true;
  button.textContent = t("Searching…");
  problem.hidden = true;
  try {
    const asked = [wanted, ...(both ? [plain] : [])].map((one) => send("POST", "/api/tree", one));
    const found = await Promise.allSettled(asked);
    if (number !== latest) return;
    if (found[0].status === "rejected") throw found[0].reason;
    if (found[1]?.status === "rejected") notify(t("Minimax cannot be shown beside it: {problem}", {problem: found[1].reason.message}));
    show(found.filter((one) => one.status === "fulfilled").map((one) => new SearchTree(one.value)));
  } catch (error) {
    if (number !== latest) return;
    problem.textContent = error.message;
    problem.hidden = false;
    walk.hidden = true;
  } finally {
    if (number === latest) {
      button.disabled = false;
      button.textContent = t("Search");
    }
  }
}

function show(trees) {
  walk.hidden = false;
  panesBox.classList.toggle("two", trees.length > 1);
  panes = trees.map(makePane);
  panesBox.replaceChildren(...panes.map((pane) => pane.element));
  isFollowing = trees.some((tree) => tree.size > SMALL_TREE);
  for (const pane of panes) pane.view.show(pane.tree, !isFollowing);
  slider.max = Math.max(...trees.map((tree) => tree.steps.length)) - 1;
  goTo(Number(slider.max), false);
  choose(panes[0], 0);
}

function makePane(tree) {
  const element = document.getElementById("pane").content.cloneNode(true).firstElementChild;
  element.querySelector("h2").textContent = tree.title;
  const pane = {tree, element, counts: element.querySelector(".counts")};
  pane.view = new TreeView(element.querySelector(".tree-box"), {select: (node) => choose(pane, node)});
  element.querySelector(".tree-buttons").addEventListener("click", (event) => {
    const action = {
      out: () => pane.view.zoom(1 / 1.5),
      in: () => pane.view.zoom(1.5),
      fit: () => pane.view.fit(),
      open: () => pane.view.openAll(),
      fold: () => pane.view.foldAll(),
    }[event.target.dataset.view];
    action?.();
  });
  return pane;
}

// -------------------------------------------------------------------------------- steps

/** Show the same step in both trees. The shorter search waits at its end. */
function goTo(wanted, moves = true) {
  step = Math.max(0, Math.min(wanted, Number(slider.max)));
  slider.value = step;
  for (const pane of panes) {
    pane.view.goTo(step);
    const {node, kind} = pane.tree.steps[pane.view.step];
    const target = kind === "skip" ? pane.tree.data.parent[node] : node;
    if (moves && isFollowing && pane.view.step < pane.tree.steps.length - 1) pane.view.follow(target);
    else pane.view.draw();
    count(pane);
  }
  const [first] = panes;
  document.getElementById("where").textContent = t("Step {step} of {all}", {step: (step + 1).toLocaleString(language), all: (Number(slider.max) + 1).toLocaleString(language)});
  document.getElementById("said").textContent = first.tree.describe(first.view.step);
  for (const [name, disabled] of [["first", !step], ["previous", !step], ["next", step >= slider.max], ["last", step >= slider.max]]) {
    document.querySelector(`[data-step="${name}"]`).disabled = disabled;
  }
  if (moves) {
    const {node} = first.tree.steps[first.view.step];
    choose(first, node);
  }
}

function count(pane) {
  const {tree, view} = pane;
  const visited = tree.visitedAt[view.step].toLocaleString(language), all = tree.data.visited.toLocaleString(language);
  const isOver = view.step === tree.steps.length - 1;
  const other = panes.find((one) => one !== pane)?.tree;
  const saved = isOver && !tree.isMinimax && other?.isMinimax && step >= other.steps.length - 1;
  const fewer = saved && tree.data.visited <= other.data.visited;
  const share = fewer ? t(", {share}% fewer", {share: Math.round(100 * (1 - tree.data.visited / other.data.visited))}) : "";
  const nodes = isOver ? t("{number} nodes", {number: all}) + share : t("{visited} of {all} nodes", {visited, all});
  const number = tree.cutsAt[view.step];
  const cuts = !tree.hasWindows ? "" : number === 1 ? t(", 1 cut-off") : t(", {number} cut-offs", {number: number.toLocaleString(language)});
  const value = isOver ? t(" · best {move}, value {value}", {move: tree.shownBest ?? t("none"), value: tree.data.value}) : "";
  pane.counts.textContent = `${nodes}${cuts}${value}`;
}

const STEPS = {
  first: () => goTo(0),
  previous: () => goTo(step - 1),
  next: () => goTo(step + 1),
  last: () => goTo(Number(slider.max)),
  play: () => (running ? stopRunning() : run()),
};

function run() {
  if (step >= Number(slider.max)) goTo(0);
  const pause = Math.max(40, Math.min(RUNNING_PAUSE, 60_000 / Number(slider.max)));
  running = setInterval(() => {
    if (step >= Number(slider.max)) stopRunning();
    else goTo(step + 1);
  }, pause);
  document.querySelector('[data-step="play"]').textContent = t("Pause");
}

function stopRunning() {
  clearInterval(running);
  running = 0;
  document.querySelector('[data-step="play"]').textContent = t("Run");
}

// -------------------------------------------------------------------------------- the chosen node

const boards = new Map();
let asked = 0;

function choose(pane, node) {
  const line = pane.tree.lineTo(node);
  pane.view.selected = node;
  pane.view.draw();
  for (const other of panes) {
    if (other === pane) continue;
    const same = other.tree.find(line);
    if (same === null) continue;
    other.view.selected = same;
    other.view.draw();
  }
  tell(pane, node);
  clearTimeout(asked);
  asked = setTimeout(() => showBoard(line), running ? 0 : 60);
}

function tell(pane, node) {
  const {tree, view} = pane;
  const state = tree.stateAt(node, view.step);
  document.getElementById("node-name").textContent = node ? tree.lineTo(node).map(shown).join(" ") : t("Root");
  const facts = [[t("Kind of search"), tree.title]];
  if (state === "ahead") facts.push([t("State"), t("not reached yet")]);
  else if (state === "cut") facts.push([t("State"), tree.fate(node)], [t("Why"), tree.reason(node)]);
  else {
    facts.push([tree.isLeaf(node) ? t("Leaf") : t("To move"), tree.isLeaf(node) ? t("the search stops here") : tree.player(node)]);
    if (tree.hasWindows) facts.push([t("Window"), tree.windowAt(node, view.step)]);
    facts.push([t("Value"), state === "done" ? tree.value(node) : t("being searched")]);
    if (tree.below[node]) facts.push([t("Below"), belowText(tree, node)]);
  }
  document.getElementById("node-facts").replaceChildren(...facts.flatMap(([name, text]) => [make("dt", {text: name}), make("dd", {text})]));
}

/** The number of visited nodes below a node, counted as above the tree, and the number of skipped ones. */
function belowText(tree, node) {
  const number = tree.visitedBelow[node].toLocaleString(language);
  const left = tree.below[node] - tree.visitedBelow[node];
  return left ? t("{number} nodes visited, {left} left out", {number, left: left.toLocaleString(language)}) : t("{number} nodes", {number});
}

async function showBoard(line) {
  if (page.dataset.tree === "yes") return; // the tree itself is the picture
  const key = line.join(" ");
  const box = document.getElementById("node-board"), links = document.getElementById("node-links");
  box.dataset.line = key;
  try {
    if (!boards.has(key)) boards.set(key, await send("POST", "/api/tree/node", {...place(), line}));
  } catch (error) {
    notify(error.message);
    return;
  }
  if (box.dataset.line !== key) return; // another node was chosen meanwhile
  const board = boards.get(key);
  box.replaceChildren(drawView(board.picture));
  box.setAttribute("role", "img");
  box.setAttribute("aria-label", t("Board: {position}", {position: board.text}));
  links.replaceChildren(...(board.path && page.dataset.tree === "no" ? [link(`/${board.path}`, t("Play from here")), link(`/why/${board.path}${location.search}`, t("Search from here"))] : []));
  if (board.over) links.replaceChildren(...[...links.children].slice(0, 1));
}

function link(address, text) {
  return make("a", {href: address, text});
}

// -------------------------------------------------------------------------------- events

form.addEventListener("submit", (event) => {
  event.preventDefault();
  boards.clear();
  remember();
  search();
});
form.elements.search.addEventListener("change", showOptions);
form.elements.game.addEventListener("change", () => { location.href = `/why/${form.elements.game.value}`; });
document.querySelector(".step-buttons").addEventListener("click", (event) => {
  const name = event.target.dataset.step;
  if (name !== "play") stopRunning();
  STEPS[name]?.();
});
slider.addEventListener("input", () => {
  stopRunning();
  goTo(Number(slider.value));
});
document.addEventListener("keydown", (event) => {
  if (walk.hidden || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.target.closest("input, select, textarea")) return;
  const name = {ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last", p: "previous", n: "next"}[event.key]
    ?? (event.key === " " && !event.target.closest("button, a, summary, svg") ? "play" : null);
  if (!name) return;
  event.preventDefault();
  if (name !== "play") stopRunning();
  STEPS[name]();
});
addEventListener("popstate", () => {
  recall();
  boards.clear();
  search();
});

recall();
if (page.dataset.over === "yes") {
  problem.textContent = t("The game is over here: there is nothing to search.");
  problem.hidden = false;
} else {
  search();
}
