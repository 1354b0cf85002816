// The ladder on a projector. It turns its pages by itself, and shows at the top when a connection was lost.

import {language, t} from "../language.js";
import {listen} from "../live.js";
import {inPage, ladderTable} from "./table.js";

const part = (id) => document.getElementById(id);
const SILENCE = 70;
let content = inPage();
let page = 0;

/** How many rows fit. All rows are equally high: a name that is too long is cut off. */
function rowsThatFit() {
  const row = part("ladder").querySelector("tbody tr");
  if (!row) return 1;
  const top = row.getBoundingClientRect();
  return Math.max(1, Math.floor((window.innerHeight - top.top - part("state").offsetHeight) / top.height));
}

function show() {
  const rows = content.rows ?? [];
  part("empty").hidden = rows.length > 0;
  part("ladder").hidden = rows.length === 0;
  if (!rows.length) return;
  if (!part("ladder").firstChild) part("ladder").replaceChildren(ladderTable(content, "", rows.slice(0, 1)));
  const fit = rowsThatFit();
  const pages = Math.ceil(rows.length / fit);
  page %= pages;
  part("ladder").replaceChildren(ladderTable(content, "", rows.slice(page * fit, (page + 1) * fit)));
  part("page").textContent = pages > 1 ? t("Page {page} of {pages}", {page: page + 1, pages}) : "";
  part("games").textContent = t("{games} games played", {games: (content.games ?? 0).toLocaleString(language)});
}

show();
window.addEventListener("resize", show);
setInterval(() => {
  page += 1;
  show();
}, 1000 * Number(part("ladder").dataset.seconds));
listen("/api/live", {
  standings: (news) => {
    content = news;
    show();
  },
  queue: ({waiting}) => { part("queue").textContent = waiting.length ? t("{number} waiting to be checked", {number: waiting.length}) : ""; },
  state: ({paused, frozen}) => {
    part("paused").hidden = !paused;
    part("frozen").hidden = !frozen;
  },
  lost: () => { part("lost").hidden = false; },
  back: () => { part("lost").hidden = true; },
  gone: () => { part("lost").hidden = false; },
}, SILENCE);
