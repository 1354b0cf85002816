// Moves in the reader's language, and the list of moves, each a button that leads to the position after it.

import {t} from "./language.js";

let words = {};

/** The words of the game's notation, from the server: {word: its translation}. Pages that have no list of moves call this. */
export function useWords(known) {
  words = known;
}

/** A move in the page's language: the words of some notations are translated, as in `tiger:c1-c3`. */
export function shown(move) {
  return move.replace(/[a-z]{2,}/g, (word) => words[word] ?? word);
}

/** The number before each move, as players write it: `3.` for player 1, `3…` for player 2. A turn may have several moves. */
export function numbersOf(movers) {
  let number = 0;
  return movers.map((mover, place) => {
    number += !place || mover === 1 || movers[place - 1] !== 1;
    return mover === 1 ? `${number}.` : `${number}…`;
  });
}

/**
 * Show the list of moves, in a row for each turn: what player 1 played, and player 2's answer. `marks` has what to add
 * to a move, by ply: {text, kind}; `main` is how many of the moves belong to the game itself, if not all do.
 */
export function showMoves(list, view, go, marks = [], main = view.moves.length) {
  useWords(view.words);
  const numbers = numbersOf(view.movers);
  const items = view.moves.map((move, place) => {
    const item = document.createElement("li");
    const begins = !place || view.movers[place] === 1 || view.movers[place - 1] !== 1;
    item.className = `by-${view.movers[place]}`;
    if (begins) item.dataset.number = numbers[place];
    const button = document.createElement("button");
    button.className = `ply p${view.movers[place]}${place >= main ? " aside" : ""}`;
    button.textContent = shown(move);
    button.setAttribute("aria-label", `${place + 1}. ${t(view.players[view.movers[place] - 1])}: ${shown(move)}`);
    if (place + 1 === view.at) button.setAttribute("aria-current", "step");
    button.addEventListener("click", () => go(place + 1));
    if (marks[place]) {
      const mark = document.createElement("span");
      mark.className = `judged ${marks[place].kind}`;
      mark.textContent = marks[place].text;
      button.append(mark);
    }
    item.append(button);
    return item;
  });
  list.replaceChildren(...items);
  const current = list.querySelector("[aria-current]");
  if (current) list.scrollTop = Math.max(0, current.offsetTop - list.clientHeight / 2);
}

/** Let the links to the other views follow the game. */
export function showViews(view, query) {
  for (const link of document.querySelectorAll("[data-view]")) {
    link.href = `${link.dataset.view}/${view.path}${query}`;
  }
}
