// The editor: another position, by clicks on its board or as text.

import {get} from "./api.js";
import {t} from "./language.js";
import {drawView} from "./picture.js";

const byId = (id) => document.getElementById(id);
const CELL = /^([a-z])(\d+)$/;

/** The text with the next symbol on a cell, such as c2. */
export function withNext(text, cell, {symbols, fromTop}) {
  const [, letter, number] = cell.match(CELL);
  const [cells, ...rest] = text.split(" ");
  const side = Math.round(Math.sqrt(cells.replaceAll("/", "").length));
  const row = fromTop ? side - Number(number) : Number(number) - 1;
  const place = row * (side + (cells.includes("/") ? 1 : 0)) + letter.charCodeAt(0) - "a".charCodeAt(0);
  const next = symbols[(symbols.indexOf(cells[place]) + 1) % symbols.length];
  return [cells.slice(0, place) + next + cells.slice(place + 1), ...rest].join(" ");
}

/** The name of the place of a drawn picture at which a click is. */
function placeAt(svg, places, {clientX, clientY}) {
  const {x, y} = new DOMPoint(clientX, clientY).matrixTransform(svg.querySelector(".whole").getScreenCTM().inverse());
  const found = Object.entries(places).find(([, [left, top, width, height]]) => Math.abs(x - left) <= width / 2 && Math.abs(y - top) <= height / 2);
  return found?.[0];
}

/** Let a button open the editor with the position that current() tells: {line, position}. */
export function prepareEditor(button, current, edit) {
  const [dialog, text, problem, board] = [byId("editor"), byId("editor-text"), byId("editor-problem"), byId("editor-board")];
  let base = "";
  let asked = 0;
  let drawn = null; // the picture on the board, and the legal moves there
  const look = async () => {
    const mine = (asked += 1);
    try {
      const {picture, legal} = await get("/api/position", {line: base, from: text.value.trim()});
      if (mine !== asked) return;
      drawn = {picture, legal};
      board.replaceChildren(drawView(picture));
      board.firstElementChild.setAttribute("inert", "");
      problem.hidden = true;
    } catch (error) {
      if (mine !== asked) return;
      problem.textContent = error.message;
      problem.hidden = false;
    }
    byId("editor-go").disabled = !problem.hidden;
  };
  const change = (changed) => {
    text.value = changed;
    look();
  };
  button.addEventListener("click", () => {
    const {line, position} = current();
    base = [...line.split("/").slice(0, 2), "-"].join("/");
    text.value = position;
    dialog.showModal();
    look();
  });
  byId("editor-help").textContent = edit.symbols ? t("Click a cell to change what stands there.") : t("Click a move to play it.");
  byId("editor-turn").hidden = !edit.movers;
  byId("editor-turn").addEventListener("click", () => {
    const now = text.value.trim();
    change(now.slice(0, -1) + edit.movers[1 - edit.movers.indexOf(now.at(-1))]);
  });
  board.addEventListener("click", (event) => {
    const place = drawn && placeAt(board.firstElementChild, drawn.picture.places, event);
    const move = place?.split("-")[0];
    if (edit.symbols && CELL.test(place)) change(withNext(text.value.trim(), place, edit));
    else if (drawn?.legal.includes(move)) change(`${text.value.trim().replace(/^-$/, "")}${move}`);
  });
  text.addEventListener("input", look);
  dialog.addEventListener("close", () => {
    if (dialog.returnValue === "go") location.assign(`/analyse/${base}?${new URLSearchParams({from: text.value.trim()})}`);
  });
}
