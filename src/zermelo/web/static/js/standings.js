// Standings, crosstable, rating plot and boards of a tournament, drawn from the server's report.

import {chart, make} from "./elements.js";
import {drawView} from "./picture.js";
import {language, t} from "./language.js";

const signed = (value) => `${value >= 0 ? "+" : "−"}${Math.abs(value).toFixed(0)}`;
const percent = (value) => `${(100 * value).toFixed(1)}%`;

export function standingsTable(report) {
  const hasFaults = report.standings.some((line) => line.faults);
  const heads = [["#", "number"], [t("Player"), ""], ["Elo", "number"], ["±", "number"], [t("Score"), "number"], [t("Games played"), "number more"], [t("Won"), "number more"], [t("Drawn"), "number more"], [t("Lost"), "number more"]];
  if (hasFaults) heads.push([t("Faults"), "number"]);
  const rows = report.standings.map((line, place) => {
    const cells = [
      [place + 1, "number quiet"], [line.name, "player", line.player],
      [signed(line.elo), "number"], [(line.elo_interval[1] - line.elo).toFixed(0), "number quiet"],
      [line.games ? percent(line.score) : "", "number"], [line.games.toLocaleString(language), "number more"],
      [line.wins, "number more"], [line.draws, "number more"], [line.losses, "number more"],
    ];
    if (hasFaults) cells.push([line.faults, "number"]);
    return make("tr", {}, ...cells.map(([text, kind, title = null], column) => make(column === 1 ? "th" : "td", {text, class: kind, title, scope: column === 1 ? "row" : null})));
  });
  const head = make("tr", {}, ...heads.map(([text, kind]) => make("th", {text, class: kind, scope: "col"})));
  return make("table", {class: "standings"}, make("thead", {}, head), make("tbody", {}, ...rows));
}

/** The scores of all players against each other. A click on a cell calls choose(one, other). */
export function crosstable(report, choose) {
  const names = report.standings.map((line) => line.name);
  const met = new Map();
  for (const {player, against, score} of report.pairings) {
    met.set(`${player}\n${against}`, score);
    met.set(`${against}\n${player}`, player === against ? score : 1 - score);
  }
  const head = make("tr", {}, make("th", {text: t("Player"), scope: "col"}), ...names.map((name, place) => make("th", {text: place + 1, scope: "col", class: "middle", title: name})));
  const rows = names.map((one, place) => make("tr", {}, make("th", {text: `${place + 1}  ${one}`, scope: "row", class: "player"}), ...names.map((other) => {
    const score = met.get(`${one}\n${other}`);
    if (score === undefined) return make("td", {text: "·", class: "middle quiet"});
    const button = make("button", {type: "button", text: (100 * score).toFixed(0), "aria-label": t("{one} against {other}: {score}", {one, other, score: percent(score)})});
    button.addEventListener("click", () => choose(one, other));
    const cell = make("td", {class: score >= 0.5 ? "won" : "lost"}, button);
    cell.style.setProperty("--strength", `${Math.round(Math.abs(2 * score - 1) * 100)}%`);
    return cell;
  })));
  return make("table", {class: "cross"}, make("thead", {}, head), make("tbody", {}, ...rows));
}

export function ratingPlot(report) {
  const wide = make("div", {class: "wide-chart"}, chart(report.charts.wide));
  const narrow = make("div", {class: "narrow-chart"}, chart(report.charts.narrow));
  return [wide, narrow];
}

/** How a game ended. The details of a fault are shown as the referee wrote them. */
export function reasonText(reason) {
  const tooLong = /^a draw after (\d+) plies$/.exec(reason);
  if (tooLong) return t("a draw after {plies} plies", {plies: tooLong[1]});
  const [kind, ...rest] = reason.split(":");
  const known = {
    "played out": t("played out"),
    resigned: t("resigned"),
    unfinished: t("unfinished"),
    proven: t("proven"),
    timeout: t("timeout"),
    crash: t("crash"),
    "illegal move": t("illegal move"),
    "wrong answer": t("wrong answer"),
  };
  return [known[kind] ?? kind, ...rest].join(":");
}

const RESULTS = new Map([[1, "1 – 0"], [0.5, "½ – ½"], [0, "0 – 1"]]);

export function gameItem(identity, game) {
  const query = new URLSearchParams({pair: game.pair, swapped: game.swapped});
  const [first, second] = game.players;
  const link = make("a", {href: `/tournaments/${identity}/game?${query}`},
    make("span", {text: first, class: game.score === 1 ? "winner" : ""}), make("b", {text: RESULTS.get(game.score) ?? ""}), make("span", {text: second, class: game.score === 0 ? "winner" : ""}));
  const why = game.reason === "played out" ? t("{number} moves", {number: game.plies}) : reasonText(game.reason);
  return make("li", {}, link, make("small", {text: why, class: "quiet"}));
}

/** The boards of the games that are being played, one for each table. */
export class Tables {
  constructor(element) {
    this.element = element;
    this.tables = new Map();
  }

  show(board) {
    let table = this.tables.get(board.table);
    if (!table) {
      table = {box: make("figure", {class: "live-table"}), caption: make("figcaption"), board: make("div", {class: "table-board"})};
      table.box.append(table.board, table.caption);
      this.tables.set(board.table, table);
      this.element.append(table.box);
    }
    table.board.replaceChildren(drawView(board.picture));
    table.caption.replaceChildren(...board.players.map((name, seat) => {
      const won = board.over && board.winner === seat + 1;
      const moving = !board.over && board.to_move === seat + 1;
      return make("span", {text: `${name}${won ? " ✓" : ""}`, class: won ? "winner" : moving ? "moving" : ""});
    }));
  }

  clear() {
    this.tables.clear();
    this.element.replaceChildren();
  }
}

/** 45 s, 3 min, 2 h 10 min. */
function duration(seconds) {
  const minutes = Math.round(seconds / 60);
  if (seconds < 90) return `${Math.round(seconds)} s`;
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** 12 of 40 games, about 3 min left. */
export function progressText(done, total, secondsLeft) {
  const parts = {done: done.toLocaleString(language), total: total.toLocaleString(language)};
  const played = done < total ? t("{done} of {total} games", parts) : t("{done} games", parts);
  return secondsLeft && done < total ? played + t(", about {duration} left", {duration: duration(secondsLeft)}) : played;
}
