// The page of a puzzle: one move wins. The server judges the moves; results and streaks are kept in this browser.

import {get, notify} from "./api.js";
import {Board} from "./board.js";
import {chooseMove} from "./dialogs.js";
import {t} from "./language.js";
import {useWords} from "./moves.js";

const KEY = "zermelo-puzzles";
const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
let results = recall();
let done = false;
let told = false; // whether the answer was shown

// ------------------------------------------------------------------ results

/** {solved: [ids], last: day, streak, longest}. A day is a text such as 2026-11-18. */
function recall() {
  const empty = {solved: [], last: null, streak: 0, longest: 0};
  try {
    return {...empty, ...JSON.parse(localStorage.getItem(KEY) ?? "{}")};
  } catch {
    return empty;
  }
}

const dayBefore = (day) => new Date(Date.parse(`${day}T12:00:00Z`) - 24 * 3600 * 1000).toISOString().slice(0, 10);

/** Note that the puzzle was solved. */
function remember() {
  results = recall(); // another tab may have changed them
  if (!results.solved.includes(data.id)) results.solved.push(data.id);
  if (data.day && results.last !== data.day && !(results.last > data.day)) {
    results.streak = results.last === dayBefore(data.day) ? results.streak + 1 : 1;
    results.last = data.day;
    results.longest = Math.max(results.longest, results.streak);
  }
  try {
    localStorage.setItem(KEY, JSON.stringify(results));
  } catch {
    // there is no room, or it is not allowed: the results are lost with the page
  }
}

function showResults() {
  const going = !data.day || results.last === data.day || results.last === dayBefore(data.day);
  byId("streak").textContent = going ? results.streak : 0;
  byId("longest").textContent = results.longest;
  byId("solved").textContent = results.solved.length;
  for (const link of document.querySelectorAll("[data-puzzle]")) link.classList.toggle("solved", results.solved.includes(link.dataset.puzzle));
}

// ------------------------------------------------------------------ the board

const board = new Board(byId("board"), {
  move: attempt,
  several: (moves) => chooseMove(moves, attempt),
  refused: explain,
  disabled: () => done && notify(t("This puzzle is solved."), 2),
});

async function attempt(move) {
  board.enable(false);
  try {
    const {right, text, view} = await get(`/api/puzzles/${data.id}/try`, {move});
    say(text, right ? "right" : "wrong");
    if (right) {
      done = true;
      board.show(view);
      finish();
    }
  } catch (error) {
    notify(error.message);
  }
  board.enable(!done);
}

function finish() {
  if (!told) remember();
  byId("answer").disabled = true;
  byId("analyse").hidden = false;
  byId("next").classList.add("primary");
  showResults();
}

async function explain(move) {
  const {reason} = await get("/api/why-not", {line: data.view.line, from: data.view.start, move});
  if (reason) notify(reason[0].toUpperCase() + reason.slice(1), 4);
}

function say(text, kind) {
  byId("status").textContent = text;
  byId("status").className = `status ${kind}`;
}

byId("answer").addEventListener("click", async () => {
  const {move, text} = await get(`/api/puzzles/${data.id}/answer`);
  told = true;
  board.classify({[move]: "hint"});
  say(text, "");
});
byId("puzzle-game").addEventListener("change", (event) => location.assign(`/puzzles/${encodeURIComponent(event.target.value)}`));
byId("puzzle-game").disabled = false; // before this script has come, a choice would have no effect
document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, select, textarea, dialog, [data-move]") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "n") byId("next").click();
});
useWords(data.view.words);
const [list, current] = [document.querySelector(".puzzle-list"), document.querySelector(".puzzle-list [aria-current]")];
if (current) list.scrollTop = current.offsetTop - list.clientHeight / 2; // the page itself stays at its top
showResults();
