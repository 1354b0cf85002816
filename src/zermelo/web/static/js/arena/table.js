// The table of a ladder, a round or a final: ranks, names, and ratings with their error bars on one scale.

import {make, makeSvg} from "../elements.js";
import {language, t} from "../language.js";

const ROOM = 60; // Elo on both sides of the scale
const WIDEST = 400; // a rating that is still quite uncertain does not stretch the scale further

export const signed = (value) => `${value >= 0 ? "+" : "−"}${Math.abs(value).toFixed(0)}`;
const number = (value) => value.toLocaleString(language);

/** The places on the scale: a function that turns Elo into per cent of the width. */
function scaleOf(rows) {
  const rated = rows.filter((row) => row.elo !== null && row.elo !== undefined);
  if (!rated.length) return () => 50;
  const reach = (row) => Math.min(row.error ?? WIDEST, WIDEST);
  const low = Math.min(...rated.map((row) => row.elo - reach(row))) - ROOM;
  const high = Math.max(...rated.map((row) => row.elo + reach(row))) + ROOM;
  return (elo) => Math.min(100, Math.max(0, 100 * (elo - low) / (high - low)));
}

/** One row's part of the picture: the lines of the rungs, the error bar, and the rating. */
function bar(row, place, rungs) {
  const picture = makeSvg("svg", {class: "bar-picture", "aria-hidden": "true"});
  for (const rung of rungs) picture.append(makeSvg("line", {class: "rung-line", x1: `${place(rung.elo)}%`, x2: `${place(rung.elo)}%`, y1: "0%", y2: "100%"}));
  if (row.elo === null || row.elo === undefined) return picture;
  const error = row.error ?? 2 * WIDEST;
  const [left, right] = [`${place(row.elo - error)}%`, `${place(row.elo + error)}%`];
  picture.append(makeSvg("line", {class: "error-bar", x1: left, x2: right, y1: "50%", y2: "50%"}));
  picture.append(makeSvg("circle", {class: "rating", cx: `${place(row.elo)}%`, cy: "50%", r: 5}));
  return picture;
}

function changeText(change) {
  if (change === null || change === undefined || change === 0) return ["", t("no change")];
  return change > 0 ? [`▲ ${Math.abs(change)}`, t("up by {places}", {places: change})] : [`▼ ${Math.abs(change)}`, t("down by {places}", {places: -change})];
}

function tableRow(row, place, rungs, mine) {
  const isMine = mine !== "" && row.badge === mine;
  const name = make("th", {scope: "row", class: "name"}, make("bdi", {text: row.name}));
  if (row.is_rung) name.append(" ", make("small", {class: "tag", text: t("rung")}));
  else if (row.version) name.append(" ", make("small", {class: "quiet more extra", text: t("version {version}", {version: row.version})}));
  if (isMine) name.append(" ", make("small", {class: "tag you", text: t("you")}));
  if (row.faults) {
    const text = row.faults === 1 ? t("1 fault") : t("{number} faults", {number: row.faults});
    name.append(" ", make("small", {class: "tag faults", text}));
  }
  const [sign, words] = row.is_rung ? ["", ""] : changeText(row.change);
  const error = row.error === null || row.error === undefined ? "" : `±${row.error.toFixed(0)}`;
  const isRated = row.elo !== null && row.elo !== undefined;
  return make("tr", {class: [row.is_rung ? "rung" : "", isMine ? "mine" : ""].join(" ").trim() || null, "aria-current": isMine ? "true" : null},
    make("td", {class: "rank number", text: row.rank ?? ""}),
    name,
    make("td", {class: "scale"}, bar(row, place, rungs)),
    make("td", {class: "number elo", text: isRated ? signed(row.elo) : "–"}, make("small", {class: "less quiet", text: error})),
    make("td", {class: "number quiet error more", text: error}),
    make("td", {class: "number more extra", text: number(row.games ?? 0)}),
    make("td", {class: `number change ${row.change > 0 ? "up" : row.change < 0 ? "down" : ""}`}, make("span", {"aria-hidden": "true", text: sign}), make("span", {class: "visually-hidden", text: words})));
}

/** The table of some rows of a snapshot. The scale is that of all rows. `mine` is the badge of the reader. */
export function ladderTable(content, mine = "", shown = content.rows) {
  const place = scaleOf(content.rows);
  const rungs = content.rows.filter((row) => row.is_rung && row.elo !== null && row.elo !== undefined);
  const heads = [
    {text: t("Rank"), class: "rank number"}, {text: t("Name"), class: ""}, {text: t("Rating with error bar"), class: "scale"}, {text: "Elo", class: "number"},
    {text: "±", class: "number more"}, {text: t("Games played"), class: "number more extra"}, {text: t("Change"), class: "number change"}];
  const head = make("tr", {}, ...heads.map((column) => make("th", {...column, scope: "col"})));
  return make("table", {class: "ladder"}, make("thead", {}, head), make("tbody", {}, ...shown.map((row) => tableRow(row, place, rungs, mine))));
}

/** The snapshot that came with the page. */
export function inPage() {
  return JSON.parse(document.getElementById("news").textContent).standings;
}
