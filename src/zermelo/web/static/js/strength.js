// How strong the visitor is: results against the levels are kept in this browser, and the server does the arithmetic.

import {get} from "./api.js";

const KEY = "zermelo-strength";
const MOST = 200; // results that are kept for a game; the oldest are dropped

/** Count the result of a finished game between a person and a level, once, and show what all results say. */
export async function countResult(id, view, {players, people}) {
  if (people[0] === people[1]) return;
  const person = people[0] ? 1 : 2;
  const level = /^level\((\d+)\)$/.exec(players[2 - person])?.[1];
  if (!level) return;
  const name = view.line.split("/")[0];
  const points = view.ending.winner === null ? 1 : view.ending.winner === person ? 2 : 0;
  let all = {};
  try {
    all = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    const own = (all[name] ??= []);
    if (!own.some((one) => one.id === id)) own.push({id, result: `${level}:${points}`});
    all[name] = own.slice(-MOST);
    localStorage.setItem(KEY, JSON.stringify(all));
  } catch {
    return; // it is not allowed: nothing is remembered
  }
  const {text} = await get("/api/strength", {game: name, results: all[name].map((one) => one.result).join(",")});
  const shown = document.getElementById("strength");
  shown.textContent = text;
  shown.hidden = !text;
}
