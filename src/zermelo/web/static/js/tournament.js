// The page of a tournament, live: state, standings, boards, and all games.

import {get, notify, Refused, send} from "./api.js";
import {make} from "./elements.js";
import {t} from "./language.js";
import {listen} from "./live.js";
import {crosstable, gameItem, progressText, ratingPlot, standingsTable, Tables} from "./standings.js";

const identity = document.getElementById("tournament").dataset.id;
const part = (id) => document.getElementById(id);
const tables = new Tables(part("tables"));
const WORDS = {preparing: t("preparing"), playing: t("playing"), kept: t("stopped"), finished: t("finished"), failed: t("failed"), removed: t("deleted")};
const PAGE = 20;
let offset = 0;
let isComplete = false;

/** Show a refusal by the server. Lost connections are shown elsewhere, as long as they last. */
function complain(error) {
  if (error instanceof Refused) notify(error.message);
}

function showState({state, error}) {
  const pill = part("state");
  pill.textContent = state === "kept" && isComplete ? t("complete") : WORDS[state] ?? state;
  pill.className = `pill ${state}`;
  const runs = state === "preparing" || state === "playing";
  part("stop").hidden = !runs;
  part("resume").hidden = runs || state === "finished" || state === "removed" || (state === "kept" && isComplete);
  part("problem").hidden = !error;
  part("problem").textContent = error ?? "";
  if (!runs) {
    part("live").hidden = true;
    tables.clear();
  }
}

function showProgress({done, total, seconds_left: left, latest}) {
  isComplete = done > 0 && done >= total;
  part("bar").max = Math.max(total, 1);
  part("bar").value = done;
  part("progress").textContent = progressText(done, total, left);
  part("latest").replaceChildren(...latest.map((game) => gameItem(identity, game)));
}

function showReport(report) {
  if (!report.games) return;
  part("standings").replaceChildren(standingsTable(report));
  part("chart").replaceChildren(...ratingPlot(report));
  part("cross").replaceChildren(crosstable(report, chooseBoth));
  part("verdict").hidden = !report.verdict;
  part("verdict").textContent = report.verdict ?? "";
  part("notes").replaceChildren(...report.notes.map((text) => make("li", {text})));
}

// -------------------------------------------------------------------------------- games

async function showGames(more = false) {
  offset = more ? offset + PAGE : 0;
  const query = new URLSearchParams({offset, limit: PAGE});
  for (const id of ["one", "other"]) if (part(id).value) query.append("player", part(id).value);
  try {
    const found = await get(`/api/tournaments/${identity}/games?${query}`);
    const items = found.games.map((game) => gameItem(identity, game));
    if (more) part("games").append(...items);
    else part("games").replaceChildren(...items);
    part("more").hidden = !found.more;
    if (!more && !items.length) part("games").append(make("li", {text: t("There are no games yet."), class: "quiet"}));
  } catch (error) {
    complain(error);
  }
}

function chooseBoth(one, other) {
  part("one").value = one;
  part("other").value = other;
  showGames();
  part("games-panel").scrollIntoView({block: "start"});
}

// -------------------------------------------------------------------------------- actions

async function act(method, path, then) {
  for (const id of ["stop", "resume", "remove"]) part(id).disabled = true;
  try {
    await send(method, `/api/tournaments/${identity}${path}`);
    then?.();
  } catch (error) {
    complain(error);
  } finally {
    for (const id of ["stop", "resume", "remove"]) part(id).disabled = false;
  }
}

part("stop").addEventListener("click", () => act("POST", "/stop"));
part("resume").addEventListener("click", () => act("POST", "/resume"));
part("remove").addEventListener("click", () => {
  if (confirm(t("Delete this tournament and all its games?"))) act("DELETE", "", () => location.assign("/tournaments"));
});
part("one").addEventListener("change", () => showGames());
part("other").addEventListener("change", () => showGames());
part("more").addEventListener("click", () => showGames(true));

async function load() {
  try {
    const found = await get(`/api/tournaments/${identity}`);
    showProgress(found.progress);
    showReport(found.report);
    showState(found);
  } catch (error) {
    complain(error);
  }
}

await load();
showGames();
listen(`/ws/tournaments/${identity}`, {
  state: (news) => {
    showState(news);
    if (news.state === "finished") {
      load();
      showGames();
    }
  },
  progress: showProgress,
  report: showReport,
  board: (board) => {
    part("live").hidden = false;
    tables.show(board);
  },
  lost: () => notify(t("The connection was lost. Trying again…"), 0),
  back: () => {
    notify(t("Connected again."));
    load();
  },
  gone: (reason) => notify(reason, 0),
});
