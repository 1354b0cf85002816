// The page of an analysis, to walk through a game, try other moves, and see what every move is worth.

import {get, notify, stream} from "./api.js";
import {Board} from "./board.js";
import {chooseMove} from "./dialogs.js";
import {make} from "./elements.js";
import {drawGraph} from "./graph.js";
import {language, t} from "./language.js";
import {shown, showMoves, showViews} from "./moves.js";

const byId = (id) => document.getElementById(id);
const MISTAKES = {inaccuracy: t("inaccuracy"), mistake: t("mistake"), blunder: t("blunder")};
const number = new Intl.NumberFormat(language, {notation: "compact", maximumFractionDigits: 1});

let view = JSON.parse(byId("data").textContent).view;
let main = history.state?.main ?? {line: view.line, moves: view.moves, movers: view.movers}; // the game itself
let points = []; // the points of the graph, by ply
let searching = null;
let asking = null;
let drawing = null;
let retry = null; // the mistake that is being tried again

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
  const text = query.toString();
  return text ? `?${text}` : "";
}

async function load(query, how) {
  asking?.abort();
  const mine = new AbortController();
  asking = mine;
  searching?.abort();
  let found;
  try {
    found = await get("/api/position", query, {signal: mine.signal});
  } catch (error) {
    if (!mine.signal.aborted) notify(error.status ? error.message : t("The server cannot be reached. Try again in a moment."));
    return;
  }
  if (asking !== mine) return;
  view = found;
  if (how) history[`${how}State`]({main}, "", `/analyse/${view.path}${queryText()}`);
  board.show(view);
  showAround();
  search();
}

const go = (at) => {
  retry = null;
  if (at >= 0 && at <= view.moves.length && at !== view.at) load({...lineQuery(), at}, "replace");
};
const walk = (moves) => load({...lineQuery(), play: moves}, "push");
/** Go to a position of the game itself. */
const toGame = (at) => load({line: main.line, from: view.start, at}, isMain() ? "replace" : "push");

window.addEventListener("popstate", (event) => {
  main = event.state?.main ?? main;
  const line = location.pathname.split("/").slice(2).map(decodeURIComponent).join("/");
  retry = null;
  load({line, from: options().get("from") ?? "", at: options().get("at")}, null);
});

function showAround() {
  byId("status").textContent = view.spoken;
  showMoves(byId("moves"), view, go);
  showViews(view, queryText());
  byId("first").disabled = byId("back").disabled = view.at === 0;
  byId("last").disabled = byId("forward").disabled = view.at === view.moves.length;
  byId("return").hidden = isMain();
  showGraph();
  showMistakes();
}

// ------------------------------------------------------------------ what each move is worth

function search() {
  searching?.abort();
  board.classify({});
  byId("stop").hidden = view.ending !== null;
  if (view.ending) {
    showChance(view.ending.winner === 1 ? 1 : view.ending.winner === 2 ? 0 : 0.5, view.ending.text);
    byId("lines").replaceChildren();
    byId("facts").textContent = "";
    return;
  }
  if (retry) return; // the scores would give the answer away
  const mine = new AbortController();
  searching = mine;
  byId("facts").textContent = "…";
  byId("stop").textContent = t("Stop");
  const query = {...lineQuery(), seconds: byId("seconds").value, heuristic: byId("heuristic").value};
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
  showChance(found.chance, found.text);
  const depth = found.depth ? t("depth {depth}", {depth: found.depth}) : t("solved");
  const nodes = found.nodes ? ` · ${t("{number} nodes", {number: number.format(found.nodes)})}` : "";
  const speed = found.nodes && found.seconds > 0.01 ? ` · ${number.format(found.nodes / found.seconds)}/s` : "";
  byId("facts").textContent = depth + nodes + speed;
  byId("lines").replaceChildren(...found.lines.map((line) => lineItem(line, found.qualities[line.move])));
  if (found.exact && isMain()) correct(points[view.at], found.qualities);
}

/** Withdraw an estimated verdict that an exact analysis of the position contradicts. */
function correct(point, qualities) {
  if (!point?.word || point.sure || !["best", "good"].includes(qualities[point.played])) return;
  point.word = null;
  showGraph();
  showMistakes();
  showGraphFacts();
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

function showChance(chance, text) {
  const bar = byId("bar");
  bar.style.setProperty("--chance", `${(100 * chance).toFixed(1)}%`);
  bar.setAttribute("aria-valuenow", Math.round(100 * chance));
  bar.setAttribute("aria-valuetext", `${Math.round(100 * chance)} %, ${text}`);
  bar.querySelector(".bar-text").textContent = text;
}

// ------------------------------------------------------------------ the whole game

function drawAll() {
  drawing?.abort();
  points = [];
  if (!main.moves.length) {
    byId("graph-panel").classList.add("empty");
    return;
  }
  drawing = new AbortController();
  byId("graph-facts").textContent = t("analysing the game…");
  stream("/api/graph", {line: main.line, from: view.start, heuristic: byId("heuristic").value}, {
    point: (point) => {
      points[point.ply] = point;
      showGraph();
      if (point.word) showMistakes();
    },
    done: () => {
      showGraphFacts();
    },
  }, drawing.signal).catch((error) => notify(error.message));
}

function showGraphFacts() {
  const found = points.some((point) => point?.word) ? "" : t("no mistakes found");
  const estimated = points.some((point) => point && !point.exact) ? t("dashed lines are estimates") : "";
  byId("graph-facts").textContent = [found, estimated].filter(Boolean).join(" · ");
}

function showGraph() {
  if (!main.moves.length) return;
  const at = isMain() ? view.at : -1;
  drawGraph(byId("graph"), {points, plies: main.moves.length, at, players: view.players}, toGame);
}

// ------------------------------------------------------------------ mistakes

function showMistakes() {
  const found = points.filter((point) => point?.word);
  byId("learn").hidden = !found.length;
  byId("mistakes").replaceChildren(...found.map((point) => {
    const name = make("b", {class: point.word, text: MISTAKES[point.word] + (point.sure ? "" : "?")});
    const played = `${point.ply + 1}. ${t(view.players[point.mover - 1])} ${shown(point.played)}: `;
    const percent = Math.round(100 * point.lost);
    const much = point.sure ? `−${percent} %` : t("about −{percent} %, estimated", {percent});
    const words = make("span", {}, played, name, ` (${much})`);
    const again = button(t("Retry"), "small", () => beginRetry(point));
    const show = button(t("Show"), "small", () => {
      retry = null;
      toGame(point.ply);
    });
    return make("li", {}, words, make("span", {class: "row"}, again, show));
  }));
}

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
byId("heuristic").addEventListener("change", () => {
  const query = options();
  if (byId("heuristic").value) query.set("heuristic", byId("heuristic").value);
  else query.delete("heuristic");
  history.replaceState({main}, "", `${location.pathname}?${query}`);
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

history.replaceState({main}, "", location.href);
showAround();
search();
drawAll();
