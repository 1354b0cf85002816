// The page of a finished game, move by move.

import {get, notify} from "./api.js";
import {make} from "./elements.js";
import {language, t} from "./language.js";
import {shown, useWords} from "./moves.js";
import {movePicture} from "./motion.js";
import {drawView} from "./picture.js";
import {reasonText} from "./standings.js";

const page = document.getElementById("game");
const {api, pair, swapped, path, start, first, second} = page.dataset;
const board = document.getElementById("board");
const moves = document.getElementById("moves");
const said = document.getElementById("said");
const boards = new Map();
let game = null;
let ply = 0;

function boardAt(wanted) {
  if (!boards.has(wanted)) boards.set(wanted, get(`${api}/board`, {pair, swapped, ply: wanted}));
  return boards.get(wanted);
}

async function show(wanted, push = true) {
  ply = Math.max(0, Math.min(wanted, game.moves.length));
  const here = ply;
  for (const [name, off] of [["first", !ply], ["back", !ply], ["on", ply === game.moves.length], ["last", ply === game.moves.length]]) {
    document.querySelector(`[data-step="${name}"]`).disabled = off;
  }
  moves.querySelectorAll("button").forEach((button, place) => {
    if (place === ply - 1) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  });
  const current = moves.querySelector("[aria-current]");
  if (current) moves.scrollTop = current.offsetTop - moves.offsetTop - moves.clientHeight / 2;
  said.textContent = words();
  const query = new URLSearchParams(start ? {from: start} : {});
  if (ply < game.moves.length) query.set("at", ply);
  for (const link of page.querySelectorAll("[data-view]")) {
    const own = new URLSearchParams([...query, ...(link.dataset.view === "/analyse/" ? Object.entries({first, second}) : [])]);
    link.href = `${link.dataset.view}${path}${own.size ? `?${own}` : ""}`;
  }
  const address = new URL(location.href);
  address.searchParams.set("ply", ply);
  if (push) history.replaceState(null, "", address);
  try {
    const {picture, position} = await boardAt(here);
    if (here !== ply) return;
    if (board.firstElementChild) movePicture(board.firstElementChild, picture);
    else board.append(drawView(picture));
    board.setAttribute("aria-label", t("Board: {position}", {position}));
    if (ply < game.moves.length) boardAt(ply + 1).catch(() => boards.delete(ply + 1));
  } catch (error) {
    boards.delete(here);
    notify(error.message);
  }
}

function words() {
  if (!ply) return start ? t("The opening.") : t("The start.");
  const {move, player, score, depth, nodes, seconds} = game.moves[ply - 1];
  const colour = t(game.colours[player - 1]);
  const parts = [`${colour}: ${shown(move)}`];
  if (score !== null) parts.push(t("score {score} for {player}", {score, player: colour}));
  if (depth !== null) parts.push(t("depth {depth}", {depth}));
  if (nodes !== null) parts.push(t("{number} positions", {number: nodes.toLocaleString(language)}));
  if (seconds !== null) parts.push(seconds < 1 ? `${(1000 * seconds).toFixed(1)} ms` : `${seconds.toFixed(1)} s`);
  return `${parts.join(", ")}.${ply === game.moves.length ? ` ${sentence(reasonText(game.reason))}.` : ""}`;
}

const sentence = (text) => text[0].toUpperCase() + text.slice(1);

const STEPS = {first: () => show(0), back: () => show(ply - 1), on: () => show(ply + 1), last: () => show(game.moves.length)};

document.querySelector(".step-buttons").addEventListener("click", (event) => STEPS[event.target.closest("button")?.dataset.step]?.());
document.addEventListener("keydown", (event) => {
  if (!game || event.altKey || event.ctrlKey || event.metaKey) return;
  const name = {ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last"}[event.key];
  if (!name) return;
  event.preventDefault();
  STEPS[name]();
});

try {
  game = await get(`${api}/game`, {pair, swapped});
  useWords(game.words);
  moves.replaceChildren(...game.moves.map(({move, player}, place) => {
    const button = make("button", {type: "button", text: shown(move), class: `by-${player}`, "aria-label": t("Move {number}: {move}", {number: place + 1, move: shown(move)})});
    button.addEventListener("click", () => show(place + 1));
    return make("li", {}, button);
  }));
  const asked = new URLSearchParams(location.search).get("ply");
  show(asked === null ? game.moves.length : Number(asked), false);
} catch (error) {
  notify(error.message, 0);
}
