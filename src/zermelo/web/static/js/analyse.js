// The page of an analysis, to walk through a game, try other moves, and see what every move is worth.

import {get, notify, stream} from "./api.js";
import {Board} from "./board.js";
import {chooseMove} from "./dialogs.js";
import {commentOn, keepComment} from "./comments.js";
import {prepareEditor} from "./editor.js";
import {make} from "./elements.js";
import {drawArrows} from "./arrows.js";
import {language, t} from "./language.js";
import {numbersOf, shown, showMoves, showViews} from "./moves.js";
import {Review} from "./review.js";
import {prepareSharing} from "./share.js";
import {shared, treeOf, treeText, variationItems, withLine} from "./variations.js";

const byId = (id) => document.getElementById(id);
const number = new Intl.NumberFormat(language, {notation: "compact", maximumFractionDigits: 1});

const data = JSON.parse(byId("data").textContent);
let {view} = data;
let main = history.state?.main ?? data.main; // the game itself
let variations = history.state?.variations ?? data.variations; // the lines that left it, and those that left these
let searching = null;
let asking = null;
let drawing = null;
let retry = null; // the mistake that is being tried again

const review = new Review(view.players, {
  number: (ply) => numbersOf(main.movers)[ply],
  go: (ply) => toGame(ply),
  show: (ply) => {
    retry = null;
    toGame(ply);
  },
  retry: (point) => beginRetry(point),
});

const options = () => new URLSearchParams(location.search);
const lineQuery = () => ({line: view.line, from: view.start, at: view.at});
const isMain = () => view.line === main.line;

const board = new Board(byId("board"), {
  move: (move) => (retry ? tryAgain(move) : walk([move])),
  refused: async (place) => {
    const {reason} = await get("/api/why-not", {...lineQuery(), move: place});
    if (reason) notify(reason[0].toUpperCase() + reason.slice(1), 4);
  },
  several: (moves) => chooseMove(moves, (move) => (retry ? tryAgain(move) : walk([move]))),
});

// ------------------------------------------------------------------ the position shown

function queryText() {
  const query = options();
  if (view.at === view.moves.length) query.delete("at");
  else query.set("at", view.at);
  if (variations.length) query.set("tree", tree());
  else query.delete("tree");
  const text = query.toString();
  return text ? `?${text}` : "";
}

/** The game with its variations, as text. */
const tree = () => treeText(treeOf(main, variations));

/** Keep the state of the page in its address, which can be sent to others, and in the history: `push` or `replace`. */
const keepState = (how) => history[`${how}State`]({main, variations}, "", `/analyse/${view.path}${queryText()}`);

async function load(query, how) {
  asking?.abort();
  const mine = new AbortController();
  asking = mine;
  searching?.abort();
  let found;
  try {
    found = await get("/api/position", query, {signal: mine.signal});
  } catch (error) {
    board.takeBack();
    if (!mine.signal.aborted) notify(error.status ? error.message : t("The server cannot be reached. Try again in a moment."));
    return;
  }
  if (asking !== mine) return;
  view = found;
  variations = withLine(main, variations, view);
  if (how) keepState(how);
  board.show(view);
  showAround();
  search();
}

const go = (at) => {
  retry = null;
  if (at >= 0 && at <= view.moves.length && at !== view.at) load({...lineQuery(), at}, "replace");
};
const walk = (moves) => {
  if (moves.length === 1) board.anticipate(moves[0]);
  load({...lineQuery(), play: moves}, "push");
};
function showVariations() {
  byId("variations").replaceChildren(...variationItems(treeOf(main, variations), view, {
    go: (line, at) => {
      retry = null;
      load({line, from: view.start, at}, "push");
    },
    remove,
  }));
}

/** Forget a variation with all that hang on it. Whoever was looking at one of them is back where it began. */
function remove(node) {
  const gone = (one) => shared(node.moves.slice(0, node.from + 1), one.moves) > node.from;
  variations = variations.filter((one) => !gone(one));
  if (gone(view)) {
    const parent = [main, ...variations].find((one) => shared(one.moves, node.moves) === node.from);
    load({line: parent.line, from: view.start, at: node.from}, "push");
  } else {
    keepState("replace");
    showVariations();
  }
}

/** Go to a position of the game itself. */
const toGame = (at) => load({line: main.line, from: view.start, at}, isMain() ? "replace" : "push");

window.addEventListener("popstate", (event) => {
  main = event.state?.main ?? main;
  variations = event.state?.variations ?? variations;
  const line = location.pathname.split("/").slice(2).map(decodeURIComponent).join("/");
  retry = null;
  load({line, from: options().get("from") ?? "", at: options().get("at")}, null);
});

function showAround() {
  byId("status").textContent = view.spoken;
  showList();
  showVariations();
  byId("comment").value = commentOn(view);
  showViews(view, queryText());
  byId("first").disabled = byId("back").disabled = view.at === 0;
  byId("last").disabled = byId("forward").disabled = view.at === view.moves.length;
  byId("return").hidden = isMain();
  showGraph();
}

/** The moves with what the review says about them, and a note where there is a comment. */
function showList() {
  const same = shared(view.moves, main.moves);
  const marks = view.moves.map((move, place) => {
    const noted = commentOn(view, place + 1) ? "✎" : "";
    const judged = place < same ? review.marks[place] : null;
    return judged || noted ? {text: `${judged?.text ?? ""}${noted}`, kind: judged?.kind ?? "noted"} : null;
  });
  showMoves(byId("moves"), view, go, marks, isMain() ? view.moves.length : same);
}

// ------------------------------------------------------------------ what each move is worth

function search() {
  searching?.abort();
  board.classify({});
  byId("stop").hidden = view.ending !== null;
  if (view.ending) {
    const won = view.ending.winner === 1 ? 1 : view.ending.winner === 2 ? 0 : 0.5;
    showChance(won, view.ending.text, ["0–1", "½", "1–0"][2 * won]);
    byId("lines").replaceChildren();
    byId("facts").textContent = byId("legend").textContent = "";
    return;
  }
  if (retry) return; // the scores would give the answer away
  const mine = new AbortController();
  searching = mine;
  byId("facts").textContent = "…";
  byId("stop").textContent = t("Stop");
  const query = {...lineQuery(), seconds: byId("seconds").value, heuristic: byId("heuristic").value, points: byId("points").checked};
  stream("/api/analyse", query, {
    compiling: ({game}) => { byId("facts").textContent = t("compiling {game}; this happens only once…", {game}); },
    analysis: (found) => !mine.signal.aborted && showAnalysis(found),
    lost: () => notify(t("The server cannot be reached. Trying again…"), 0),
    back: () => notify(null),
  }, mine.signal).catch((error) => notify(error.message)).finally(() => {
    if (searching === mine) byId("stop").textContent = t("Again");
  });
}

function showAnalysis(found) {
  board.show(found);
  board.classify(found.qualities);
  drawArrows(board, found.lines, found.qualities);
  showChance(found.chance, found.text, found.number);
  byId("legend").textContent = found.legend ?? "";
  const depth = found.depth ? t("depth {depth}", {depth: found.depth}) : t("solved");
  const nodes = found.nodes ? ` · ${t("{number} nodes", {number: number.format(found.nodes)})}` : "";
  const speed = found.nodes && found.seconds > 0.01 ? ` · ${number.format(found.nodes / found.seconds)}/s` : "";
  byId("facts").textContent = depth + nodes + speed;
  byId("lines").replaceChildren(...found.lines.map((line) => lineItem(line, found.qualities[line.move])));
  if (found.exact && isMain() && review.correct(view.at, found.qualities)) {
    showGraph();
    showList();
  }
}

function lineItem({text, line}, quality) {
  const steps = line.map((move, place) => button(shown(move), "step", () => walk(line.slice(0, place + 1))));
  return make("li", {}, make("span", {class: `score ${quality}`, text}), ...steps);
}

function button(text, kind, act) {
  const made = make("button", {class: kind, text});
  made.addEventListener("click", act);
  return made;
}

function showChance(chance, text, short) {
  const bar = byId("bar");
  bar.style.setProperty("--chance", `${(100 * chance).toFixed(1)}%`);
  bar.setAttribute("aria-valuenow", Math.round(100 * chance));
  bar.setAttribute("aria-valuetext", `${Math.round(100 * chance)} %, ${text}`);
  bar.querySelector(".bar-text").textContent = short ?? `${Math.round(100 * chance)}%`;
}

// ------------------------------------------------------------------ the whole game

function drawAll() {
  drawing?.abort();
  review.clear();
  byId("graph-panel").hidden = !main.moves.length;
  if (!main.moves.length) return;
  drawing = new AbortController();
  byId("graph-facts").textContent = t("analysing the game…");
  stream("/api/graph", {line: main.line, from: view.start, heuristic: byId("heuristic").value}, {
    point: (point) => {
      review.add(point);
      showGraph();
      if (point.word) showList();
    },
    done: () => review.facts(),
  }, drawing.signal).catch((error) => notify(error.message));
}

function showGraph() {
  if (main.moves.length) review.graph(main.moves.length, isMain() ? view.at : -1);
}

// ------------------------------------------------------------------ mistakes

async function beginRetry(point) {
  retry = point;
  await toGame(point.ply);
  byId("lines").replaceChildren();
  byId("facts").textContent = "";
  byId("status").textContent = t("{player} played {move} here. Find a better move.", {player: t(view.players[point.mover - 1]), move: shown(point.played)});
  byId("board").scrollIntoView({block: "nearest"});
}

function tryAgain(move) {
  const {as_good: asGood, better, played, sure} = retry;
  const words = {move: shown(move), played: shown(played)};
  if (asGood.includes(move)) {
    byId("status").textContent = sure
      ? t("Yes, {move} is better than {played}. This is what the moves are worth:", words)
      : t("Yes, {move} seems to be better than {played}, by an estimate. This is what the moves are worth:", words);
    board.classify({[move]: "hint"});
    retry = null;
    review.solve();
    search();
  } else if (better.includes(move)) {
    byId("status").textContent = sure
      ? t("{move} is better than {played}, but there is something better still. Try again.", words)
      : t("{move} seems to be better than {played}, but there may be something better still. Try again.", words);
  } else {
    byId("status").textContent = move === played
      ? t("{move} is the move that was played. Try another.", words)
      : t("{move} is no better than {played}. Try again.", words);
  }
}

// ------------------------------------------------------------------ controls

byId("first").addEventListener("click", () => go(0));
byId("back").addEventListener("click", () => go(view.at - 1));
byId("forward").addEventListener("click", () => go(view.at + 1));
byId("last").addEventListener("click", () => go(view.moves.length));
byId("return").addEventListener("click", () => toGame(Math.min(view.at, main.moves.length)));
byId("seconds").addEventListener("change", search);
byId("points").addEventListener("change", search);
byId("comment").addEventListener("change", () => {
  keepComment(view, byId("comment").value);
  showList();
});
prepareSharing(byId("share"), lineQuery, () => (variations.length ? {tree: tree()} : {}));
byId("flip").addEventListener("click", () => board.turn());
byId("flip").hidden = !board.canTurn;
prepareEditor(byId("edit"), () => view, data.edit);
byId("heuristic").addEventListener("change", () => {
  const query = options();
  if (byId("heuristic").value) query.set("heuristic", byId("heuristic").value);
  else query.delete("heuristic");
  history.replaceState({main, variations}, "", `${location.pathname}?${query}`);
  search();
  drawAll();
});
byId("stop").addEventListener("click", () => {
  if (byId("stop").textContent === t("Stop")) searching?.abort();
  else search();
  byId("stop").textContent = searching?.signal.aborted ? t("Again") : t("Stop");
});
document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, select, textarea, dialog, [data-move]") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "ArrowLeft") go(view.at - 1);
  else if (event.key === "ArrowRight") go(view.at + 1);
});

variations = withLine(main, variations, view);
history.replaceState({main, variations}, "", location.href);
showAround();
search();
drawAll();
