// The page of a game. The address holds the whole game; this module keeps it up to date and lets the players move.

import {get, notify, send, stream} from "./api.js";
import {Board} from "./board.js";
import {Clocks} from "./clock.js";
import {chooseMove, prepareNewGame} from "./dialogs.js";
import {t} from "./language.js";
import {showEnding} from "./ending.js";
import {newId, recall, store} from "./kept.js";
import {shown, showMoves, showViews} from "./moves.js";
import {showPreparing} from "./preparing.js";
import {prepareSharing} from "./share.js";
import {prepareSounds, sound} from "./sounds.js";
import {countResult} from "./strength.js";
import {say, showThought} from "./thoughts.js";

const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const LEAST_PAUSE = 450; // milliseconds between the moves of two machines, so that people can follow

let saving = Promise.resolve(); // the last order to save the game
let view = data.view;
let ended = null; // `1-resigned`, `2-time`
let paused = false; // two machines play, and the user wants to look
let working = null; // the AbortController of the running request
let turnBegan = performance.now();
let game = begunBefore();

const options = () => new URLSearchParams(location.search);
const isPerson = (player) => data.people[player - 1];
const watching = !data.people[0] && !data.people[1];
const atEnd = () => view.at === view.moves.length;
const isOver = () => view.ending !== null;
const lineQuery = () => ({line: view.line, from: view.start, at: view.at});

const board = new Board(byId("board"), {
  move: (move) => play(move),
  pressed: (move) => foresee({...lineQuery(), play: move}),
  refused: (place) => explain(place),
  several: (moves) => chooseMove(moves, play),
  disabled: () => notify(isOver() ? t("The game is over.") : t("It is not your turn."), 2),
});
const clocks = new Clocks(options().get("clock"), game.left, (late) => finish(`${late}-time`));

// ------------------------------------------------------------------ the address

/** The saved game that this page continues: from its history, the list of saved games or this tab; otherwise a new one. */
function begunBefore() {
  const saved = new URLSearchParams(location.search).get("saved");
  const found = saved && /^[0-9a-f-]{8,64}$/.test(saved) ? {id: saved, kept: data.view.moves.length} : recall(data.view, data.players);
  return {id: newId(), log: [], kept: 0, ...found, ...history.state};
}

function queryText() {
  const query = options();
  const set = (name, value) => (value === null || value === "" ? query.delete(name) : query.set(name, value));
  set("at", atEnd() ? null : view.at);
  set("end", ended);
  query.delete("saved"); // it is kept in history.state, so that links that are sent to others do not have it
  const text = query.toString();
  return text ? `?${text}` : "";
}

function remember(how) {
  game.left = clocks.runs ? clocks.left : undefined;
  const target = `/${view.path}${queryText()}`;
  if (how === "push") history.pushState({...game}, "", target);
  else history.replaceState({...game}, "", target);
}

window.addEventListener("popstate", async (event) => {
  stopWorking();
  game = {...game, ...event.state};
  const query = options();
  const line = location.pathname.slice(1).split("/").map(decodeURIComponent).join("/");
  ended = query.get("end");
  paused = true;
  const found = await ask({line, from: query.get("from") ?? "", at: query.get("at"), end: ended});
  if (found) show(found);
});

// ------------------------------------------------------------------ showing

function show(fresh) {
  view = fresh;
  board.show(fresh);
  showAround();
  next();
}

function showAround() {
  byId("status").textContent = view.spoken;
  showMoves(byId("moves"), view, go);
  showViews(view, queryText());
  for (const player of [1, 2]) {
    const seat = byId(`seat-${player}`);
    seat.classList.toggle("turn", !isOver() && view.to_move === player);
    seat.classList.toggle("won", isOver() && view.ending.winner === player);
  }
  byId("undo").disabled = view.at === 0;
  byId("redo").disabled = atEnd();
  byId("hint").disabled = isOver();
  byId("resign").disabled = isOver() || watching || !atEnd();
  byId("opening").textContent = view.opening;
  showEnding(view, data, queryText());
}

function showBusy(player) {
  for (const seat of document.querySelectorAll(".seat")) {
    seat.querySelector(".busy").hidden = Number(seat.dataset.player) !== player;
  }
}

// ------------------------------------------------------------------ asking the server

function stopWorking() {
  working?.abort();
  working = null;
  showBusy(null);
}

let foreseen = null; // what is asked for already, because somebody presses a button: {text, answer, controller}

/** Ask for a position that will probably be wanted in a moment: a finger stays down for about a tenth of a second. */
function foresee(query) {
  const text = JSON.stringify(query);
  if (foreseen?.text === text) return;
  foreseen?.controller.abort();
  const controller = new AbortController();
  foreseen = {text, controller, answer: get("/api/position", query, {signal: controller.signal})};
  foreseen.answer.catch(() => {}); // whoever wants the position asks again
}

/** The answer that was asked for already, or null if it was another position or did not come. */
async function takeForeseen(query) {
  const found = foreseen;
  foreseen = null;
  if (found?.text === JSON.stringify(query)) return found.answer.catch(() => null);
  found?.controller.abort();
  return null;
}

/** A position from the server, asked for again while the server cannot be reached. Null if something else was asked meanwhile. */
async function ask(query) {
  stopWorking();
  const mine = new AbortController();
  working = mine;
  for (let failures = 0; ; failures++) {
    try {
      const found = (foreseen && await takeForeseen(query)) || await get("/api/position", query, {signal: mine.signal});
      if (failures) notify(null);
      return working === mine ? found : null;
    } catch (error) {
      if (mine.signal.aborted) return null;
      if (error.status) {
        notify(error.message);
        return null;
      }
      notify(t("The server cannot be reached. Trying again…"), 0);
      await new Promise((resolve) => setTimeout(resolve, Math.min(4000, 300 * 2 ** failures)));
      if (mine.signal.aborted) return null;
    }
  }
}

async function explain(place) {
  const {reason} = await get("/api/why-not", {...lineQuery(), move: place});
  if (reason) notify(reason[0].toUpperCase() + reason.slice(1), 4);
}

// ------------------------------------------------------------------ moving

/** Play a move in the position that is shown, and drop the moves that followed. `thought` is what the player said about it. */
async function play(move, thought = null) {
  const mover = view.to_move;
  const byPerson = isPerson(mover);
  const seconds = Math.round(performance.now() - turnBegan) / 1000;
  const asked = ask({...lineQuery(), play: move}); // the server works while the page draws
  board.enable(false);
  if (byPerson) board.anticipate(move);
  const found = await asked;
  if (!found) {
    board.takeBack();
    board.enable(byPerson);
    return;
  }
  ended = null;
  paused = false;
  clocks.moved(mover);
  if (view.at < game.kept) game = {...game, id: newId(), kept: 0}; // from here it is another game than the saved one
  game.log = [...Array.from({length: view.at}, (_, place) => game.log[place] ?? null), {seconds, score: thought?.score, depth: thought?.depth, nodes: thought?.nodes}];
  view = found;
  board.show(found);
  sound(isOver() ? "end" : byPerson ? "own" : "move");
  // The answer of a machine replaces the entry of the person's move, so that going back leads to the person's turn.
  remember(byPerson ? "push" : "replace");
  showAround();
  save();
  countIfOver();
  next();
}

/** Let the next player move: a person at the board, or a machine. */
function next() {
  board.classify({});
  turnBegan = performance.now();
  const thinks = !isOver() && !isPerson(view.to_move);
  const waits = thinks && (!atEnd() || paused);
  board.enable(!isOver() && (isPerson(view.to_move) || waits));
  byId("go").hidden = isOver() || !(watching || waits);
  byId("go").textContent = waits ? t("Continue") : t("Pause");
  clocks.turn(isOver() || !atEnd() || waits ? null : view.to_move);
  if (thinks && !waits) think(view.to_move);
}

async function think(player) {
  stopWorking();
  const mine = new AbortController();
  working = mine;
  showBusy(player);
  const began = performance.now();
  const budget = clocks.runs ? Math.max(0.02, clocks.now(player) / 30) : null;
  let chosen = null;
  try {
    await stream("/api/think", {...lineQuery(), player: data.players[player - 1], seconds: budget}, {
      compiling: ({game: title}) => say(t("Compiling the search for {title}. This happens only once…", {title})),
      thinking: showThought,
      move: (thought) => { chosen = thought; showThought(thought); },
      lost: () => notify(t("The server cannot be reached. Trying again…"), 0),
      back: () => notify(null),
    }, mine.signal);
  } catch (error) {
    notify(error.message, 0);
  }
  if (working !== mine) return;
  showBusy(null);
  if (!chosen) return;
  if (watching) await new Promise((resolve) => setTimeout(resolve, Math.max(0, began + LEAST_PAUSE - performance.now())));
  if (working === mine) play(chosen.move, chosen);
}

async function hint() {
  stopWorking();
  const mine = new AbortController();
  working = mine;
  byId("status").textContent = t("Looking for a good move…");
  let chosen = null;
  try {
    await stream("/api/think", {...lineQuery(), player: data.hints}, {
      thinking: showThought,
      move: (thought) => { chosen = thought; showThought(thought); },
    }, mine.signal);
  } catch (error) {
    notify(error.message);
  }
  if (!chosen || working !== mine) return;
  board.classify({[chosen.move]: "hint"});
  const score = chosen.text ? ` (${chosen.text})` : "";
  const said = chosen.stand_in ? t("A small search would play {move}; the engine is still being compiled.") : t("The engine would play {move}.");
  byId("status").textContent = said.replace("{move}", shown(chosen.move) + score);
}

/** Show the position after the first `at` moves of this game. */
async function go(at, how = "replace") {
  if (at < 0 || at > view.moves.length || at === view.at) return;
  const found = await ask({...lineQuery(), at, end: ended});
  if (!found) return;
  view = found;
  board.show(found);
  paused = !isPerson(view.to_move);
  remember(how);
  showAround();
  next();
}

/** Go back to the person's last turn; if both players are people, or neither is, go back one move. */
function undo(step = -1) {
  let at = view.at + step;
  if (data.people[0] !== data.people[1]) {
    const person = data.people[0] ? 1 : 2;
    while (at > 0 && at < view.moves.length && view.movers[at] !== person) at += step;
  }
  go(Math.max(0, Math.min(at, view.moves.length)));
}

async function finish(how) {
  stopWorking();
  clocks.turn(null);
  const found = await ask({...lineQuery(), end: how});
  if (!found) return;
  ended = how;
  view = found;
  board.show(found);
  remember("replace");
  showAround();
  save();
  countIfOver();
  next();
}

/** Count a game that has just ended here; a finished game that somebody opens is not counted. */
function countIfOver() {
  if (isOver()) countResult(game.id, view, data).catch(() => {}); // the estimate can wait until the next game
}

function save() {
  const record = {
    line: view.line,
    from: view.start,
    players: data.players,
    end: ended ?? "",
    moves: view.moves.map((move, place) => ({move, seconds: 0, ...game.log[place]})),
  };
  store(game, view, data.players);
  const address = `/api/saved/${game.id}`;
  // One after the other: an earlier one that had to be sent again must not replace a later one.
  saving = saving.then(() => send("PUT", address, record)).catch(() => {}); // the address holds the game anyway
}

// ------------------------------------------------------------------ controls

byId("undo").addEventListener("click", () => undo(-1));
byId("redo").addEventListener("click", () => undo(1));
byId("hint").addEventListener("click", hint);
byId("new").addEventListener("click", () => byId("new-game").showModal());
byId("resign").addEventListener("click", () => {
  const person = isPerson(view.to_move) ? view.to_move : data.people[0] ? 1 : 2;
  finish(`${person}-resigned`);
});
byId("go").addEventListener("click", () => {
  const going = byId("go").textContent === t("Pause");
  stopWorking();
  paused = going;
  if (!going && !atEnd()) playOn();
  else next();
});
prepareSharing(byId("share"), lineQuery, () => ({first: data.players[0], second: data.players[1], end: ended}));

/** Let the machine continue from an earlier position, and drop the moves that followed. */
function playOn() {
  paused = false;
  byId("go").hidden = !watching;
  think(view.to_move);
}

document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, select, textarea, dialog, [data-move]") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "ArrowLeft") go(view.at - 1);
  else if (event.key === "ArrowRight") go(view.at + 1);
  else if (event.key === "h" && !byId("hint").disabled) hint();
});

prepareNewGame(byId("new-game"));
prepareSounds(byId("sounds"));
showPreparing(byId("preparing"), {line: view.line, from: view.start}, data.players, data.preparing);
ended = options().get("end");
remember("replace");
showAround();
next();
