// The review of a whole game: its graph, how accurate the players were, and their mistakes one after another.

import {make} from "./elements.js";
import {drawGraph} from "./graph.js";
import {t} from "./language.js";
import {shown} from "./moves.js";

const byId = (id) => document.getElementById(id);
const MISTAKES = {inaccuracy: t("inaccuracy"), mistake: t("mistake"), blunder: t("blunder")};
const SIGNS = {inaccuracy: "?!", mistake: "?", blunder: "??"};

export class Review {
  /**
   * `players` are the game's names for them; on.number(ply) is the number before a move, on.go(ply) shows a position of
   * the game, on.retry(point) hides what it is worth.
   */
  constructor(players, on) {
    this.players = players;
    this.on = on;
    this.points = []; // by ply
    this.solved = new Set(); // plies whose mistakes were corrected
    this.current = null;
    byId("whose").addEventListener("change", () => this.show());
    byId("next-mistake").addEventListener("click", () => this.next());
  }

  clear() {
    this.points = [];
    this.solved.clear();
    this.current = null;
    this.show();
  }

  add(point) {
    this.points[point.ply] = point;
    if (point.word) this.show();
  }

  /** What the list of moves adds to each of them. */
  get marks() {
    return this.points.map((point) => point?.word && {text: SIGNS[point.word], kind: point.word});
  }

  get mistakes() {
    const whose = Number(byId("whose").value);
    return this.points.filter((point) => point?.word && (!whose || point.mover === whose));
  }

  /** Draw the graph of the game. */
  graph(plies, at) {
    drawGraph(byId("graph"), {points: this.points, plies, at, players: this.players}, this.on.go);
  }

  facts() {
    const known = this.points.filter((point) => point?.played !== undefined);
    const each = [1, 2].map((player) => {
      const own = known.filter((point) => point.mover === player);
      const lost = own.reduce((sum, point) => sum + (point.word === null && point.lost < 0.08 ? 0 : point.lost), 0);
      return own.length ? `${t(this.players[player - 1])} ${Math.round(100 * (1 - lost / own.length))} %` : "";
    });
    byId("accuracy").textContent = known.length ? `${t("Accuracy")}: ${each.filter(Boolean).join(", ")}` : "";
    const found = this.points.some((point) => point?.word) ? "" : t("no mistakes found");
    const estimated = this.points.some((point) => point && !point.exact) ? t("dashed lines are estimates") : "";
    byId("graph-facts").textContent = [found, estimated].filter(Boolean).join(" · ");
  }

  /** Withdraw an estimated verdict that an exact analysis of the position contradicts. */
  correct(ply, qualities) {
    const point = this.points[ply];
    if (!point?.word || point.sure || !["best", "good"].includes(qualities[point.played])) return false;
    point.word = null;
    this.show();
    this.facts();
    return true;
  }

  show() {
    const found = this.mistakes;
    byId("learn").hidden = !this.points.some((point) => point?.word);
    const done = found.filter((point) => this.solved.has(point.ply)).length;
    byId("progress").textContent = t("{done} of {number} corrected", {done, number: found.length});
    byId("next-mistake").textContent = this.current ? t("Next") : t("Start");
    byId("next-mistake").disabled = done === found.length;
    byId("mistakes").replaceChildren(...found.map((point) => this.item(point)));
  }

  item(point) {
    const name = make("b", {class: point.word, text: MISTAKES[point.word] + (point.sure ? "" : "?")});
    const done = this.solved.has(point.ply) ? "✓ " : "";
    const played = `${done}${this.on.number(point.ply)} ${t(this.players[point.mover - 1])} ${shown(point.played)}: `;
    const percent = Math.round(100 * point.lost);
    const much = point.sure ? `−${percent} %` : t("about −{percent} %, estimated", {percent});
    const again = button(t("Retry"), () => this.begin(point));
    const show = button(t("Show"), () => {
      this.current = null;
      this.on.show(point.ply);
    });
    return make("li", {}, make("span", {}, played, name, ` (${much})`), make("span", {class: "row"}, again, show));
  }

  begin(point) {
    this.current = point;
    this.on.retry(point);
    this.show();
  }

  /** Go to the next mistake that is not corrected yet, and begin again after the last. */
  next() {
    const open = this.mistakes.filter((point) => !this.solved.has(point.ply));
    const after = open.find((point) => point.ply > (this.current?.ply ?? -1)) ?? open[0];
    if (after) this.begin(after);
  }

  /** The mistake that is being tried again was corrected. */
  solve() {
    this.solved.add(this.current.ply);
    this.show();
  }
}

function button(text, act) {
  const made = make("button", {class: "small", text});
  made.addEventListener("click", act);
  return made;
}
