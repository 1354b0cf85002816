// Puzzles on the page of a game: positions in which exactly one move wins.

import {make} from "./elements.js";
import {t} from "./language.js";
import {shown} from "./moves.js";

const byId = (id) => document.getElementById(id);

export class Puzzles {
  /** `list` are [{id, state (base64), move, rating}]; open(puzzle) is called when one is chosen. */
  constructor(list, open) {
    this.list = list;
    this.now = list[0];
    byId("puzzle").append(...list.map(({id, rating}) => make("option", {value: id, text: t("Puzzle {id}, rated {rating}", {id, rating})})));
    byId("puzzle").addEventListener("change", () => open(this.find(byId("puzzle").value)));
    byId("next-puzzle").addEventListener("click", () => open(list[(list.indexOf(this.now) + 1) % list.length]));
    byId("solution").addEventListener("click", () => this.say(t("The winning move is {move}.", {move: shown(this.now.move)})));
  }

  find(id) {
    return this.list.find((one) => one.id === id) ?? this.list[0];
  }

  /** Show another puzzle; returns its state. */
  begin(puzzle) {
    this.now = puzzle;
    byId("puzzle").value = puzzle.id;
    this.say("");
    return Uint8Array.from(atob(puzzle.state), (one) => one.charCodeAt(0));
  }

  /** Judge the first move; says what is asked if there is none yet. */
  judge(move, player) {
    if (move === undefined) this.say(t("{player} to move. One move wins. Which one?", {player}));
    else if (move === this.now.move) this.say(t("Right! {move} wins.", {move: shown(move)}));
    else this.say(t("{move} does not win. Try again.", {move: shown(move)}));
  }

  say(text) {
    byId("puzzle-said").textContent = text.slice(0, 1).toUpperCase() + text.slice(1);
  }
}
