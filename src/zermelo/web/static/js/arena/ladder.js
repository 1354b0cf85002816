// The ladder, live.

import {notify} from "../api.js";
import {language, t} from "../language.js";
import {listen} from "../live.js";
import {inPage, ladderTable} from "./table.js";

const part = (id) => document.getElementById(id);
const SILENCE = 70; // seconds; the server says something every 20

function show(content) {
  const rows = content.rows ?? [];
  part("empty").hidden = rows.length > 0;
  part("ladder").hidden = rows.length === 0;
  if (rows.length) part("ladder").replaceChildren(ladderTable(content, part("ladder").dataset.badge));
  part("games").textContent = t("{games} games played", {games: (content.games ?? 0).toLocaleString(language)});
}

show(inPage());
listen("/api/live", {
  standings: show,
  queue: ({waiting}) => { part("queue").textContent = waiting.length ? t("{number} waiting to be checked", {number: waiting.length}) : ""; },
  state: ({paused, frozen}) => {
    part("paused").hidden = !paused;
    part("frozen").hidden = !frozen;
  },
  lost: () => notify(t("The connection was lost. Trying again…"), 0),
  back: () => notify(t("Connected again.")),
  gone: (reason) => notify(reason, 0),
}, SILENCE);
