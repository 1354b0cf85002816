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

export function showMoves(list, view, go) {
  useWords(view.words);
  const items = view.moves.map((move, place) => {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.className = `ply p${view.movers[place]}`;
    button.textContent = shown(move);
    button.setAttribute("aria-label", `${place + 1}. ${t(view.players[view.movers[place] - 1])}: ${shown(move)}`);
    if (place + 1 === view.at) button.setAttribute("aria-current", "step");
    button.addEventListener("click", () => go(place + 1));
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
