// The page that explains a game: its lessons are boards on which the reader makes the moves that the text asks for.

import {get, notify} from "./api.js";
import {Board} from "./board.js";
import {chooseMove} from "./dialogs.js";
import {t} from "./language.js";

const PAUSE = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 700; // milliseconds before the opponent replies
const data = JSON.parse(document.getElementById("data").textContent);

class Lesson {
  constructor(element, {view, steps}) {
    this.element = element;
    this.steps = steps;
    this.first = view;
    this.said = element.querySelector(".lesson-said");
    this.board = new Board(element.querySelector(".board"), {
      move: (move) => this.play(move),
      several: (moves) => chooseMove(moves, (move) => this.play(move)),
      refused: (place) => this.explain(place),
      disabled: () => notify(t("This lesson is finished."), 2),
    });
    element.querySelector(".lesson-show").addEventListener("click", () => this.steps[this.step] && this.play(this.steps[this.step].moves[0]));
    element.querySelector(".lesson-again").addEventListener("click", () => this.begin(true));
    this.begin();
  }

  async begin(again = false) {
    [this.view, this.step] = [this.first, 0];
    if (again) this.board.show(await this.ask({}));
    this.tell(this.steps[0].ask);
  }

  /** The position after some moves. */
  ask(more) {
    return get("/api/position", {line: this.view.line, from: this.view.start, at: this.view.at, ...more});
  }

  tell(text) {
    const done = this.step >= this.steps.length;
    this.said.textContent = text;
    this.element.classList.toggle("done", done);
    this.board.enable(!done);
    this.element.querySelector(".lesson-show").disabled = done;
    const number = Math.min(this.step + 1, this.steps.length);
    this.element.querySelector(".lesson-count").textContent = done ? t("Done") : t("Move {number} of {all}", {number, all: this.steps.length});
  }

  async explain(place) {
    const {reason} = await get("/api/why-not", {line: this.view.line, from: this.view.start, at: this.view.at, move: place});
    if (reason) notify(reason[0].toUpperCase() + reason.slice(1), 4);
  }

  async play(move) {
    const step = this.steps[this.step];
    if (!step.moves.includes(move)) {
      notify(t("That is a legal move, but not the one that the lesson asks for."), 4);
      return;
    }
    this.board.enable(false);
    await this.show({play: [move]});
    this.step++;
    this.tell(step.said);
    if (step.replies.length) {
      this.board.enable(false);
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
      await this.show({play: step.replies});
    }
    const following = this.steps[this.step];
    this.tell(following ? `${step.said} ${following.ask}` : step.said);
  }

  async show(more) {
    this.view = await this.ask(more);
    this.board.show(this.view);
  }
}

for (const element of document.querySelectorAll("[data-lesson]")) new Lesson(element, data.lessons[element.dataset.lesson]);
