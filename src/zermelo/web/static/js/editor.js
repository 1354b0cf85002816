// The editor: another position, by clicks on its board or as text.

import {get} from "./api.js";
import {makeSvg} from "./elements.js";
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

/** The name of the place of a drawn picture at which a click is; of two that overlap, the one whose middle is nearer. */
function placeAt(svg, places, {clientX, clientY}) {
  const {x, y} = new DOMPoint(clientX, clientY).matrixTransform(svg.querySelector(".whole").getScreenCTM().inverse());
  const away = ([, [left, top]]) => Math.hypot(x - left, y - top);
  const found = Object.entries(places).filter(([, [left, top, width, height]]) => Math.abs(x - left) <= width / 2 && Math.abs(y - top) <= height / 2);
  return found.sort((one, other) => away(one) - away(other))[0]?.[0];
}

/** Let a button open the editor with the position that current() tells: {line, position}. */
export function prepareEditor(button, current, edit) {
  const [dialog, text, problem, board] = [byId("editor"), byId("editor-text"), byId("editor-problem"), byId("editor-board")];
  let base = "";
  let asked = 0;
  let drawn = null; // the picture on the board, and the legal moves there
  let held = ""; // the place whose piece the next click moves
  const byPlaces = Object.keys(edit.places).length > 0;
  const look = async () => {
    const mine = (asked += 1);
    try {
      const {picture, legal} = await get("/api/position", {line: base, from: text.value.trim()});
      if (mine !== asked) return;
      drawn = {picture, legal};
      board.replaceChildren(drawView(picture));
      board.firstElementChild.setAttribute("inert", "");
      if (held) markHeld();
      problem.hidden = true;
    } catch (error) {
      if (mine !== asked) return;
      tell(error);
    }
    byId("editor-go").disabled = !problem.hidden;
  };
  const tell = (error) => {
    problem.textContent = error.message;
    problem.hidden = false;
  };
  const markHeld = () => {
    const [x, y, width, height] = edit.places[held];
    const box = makeSvg("rect", {x: x - width / 2, y: y - height / 2, width, height, rx: 6, class: "held"});
    board.querySelector(".whole").append(box);
  };
  /** A click on a place: the server knows what it does to the position. */
  const clickPlace = async (place) => {
    try {
      const found = await get("/api/edited", {line: base, from: text.value.trim(), place, held});
      held = found.held;
      change(found.text);
    } catch (error) {
      held = "";
      await look();
      tell(error);
    }
  };
  const change = (changed) => {
    text.value = changed;
    look();
  };
  button.addEventListener("click", () => {
    const {line, position} = current();
    held = "";
    base = [...line.split("/").slice(0, 2), "-"].join("/");
    text.value = position;
    dialog.showModal();
    look();
  });
  byId("editor-help").textContent = byPlaces
    ? t("Click a piece, then the place where it shall stand. Click a die to take it away or to give it back.")
    : edit.symbols ? t("Click a cell to change what stands there.") : t("Click a move to play it.");
  byId("editor-turn").hidden = !edit.movers && !byPlaces;
  byId("editor-turn").addEventListener("click", () => {
    if (byPlaces) return clickPlace("turn");
    const now = text.value.trim();
    change(now.slice(0, -1) + edit.movers[1 - edit.movers.indexOf(now.at(-1))]);
  });
  board.addEventListener("click", (event) => {
    const place = drawn && placeAt(board.firstElementChild, byPlaces ? edit.places : drawn.picture.places, event);
    if (byPlaces) {
      if (place) clickPlace(place);
      return;
    }
    const move = place?.split("-")[0];
    if (edit.symbols && CELL.test(place)) change(withNext(text.value.trim(), place, edit));
    else if (drawn?.legal.includes(move)) change(`${text.value.trim().replace(/^-$/, "")}${move}`);
  });
  text.addEventListener("input", look);
  dialog.addEventListener("close", () => {
    if (dialog.returnValue === "go") location.assign(`/analyse/${base}?${new URLSearchParams({from: text.value.trim()})}`);
  });
}
