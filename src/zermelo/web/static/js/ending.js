// The end of a game: who won and how, and what to do next.

import {t} from "./language.js";

const byId = (id) => document.getElementById(id);

/** Show the panel if the game is over, and hide it otherwise. */
export function showEnding({ending, moves, path}, {people, players}, query) {
  byId("ending").hidden = !ending;
  if (!ending) return;
  const person = people[0] === people[1] ? null : people[0] ? 1 : 2; // the visitor, if the other player is a machine
  byId("ending").dataset.result = ending.winner === null ? "draw" : person === null || ending.winner === person ? "won" : "lost";
  byId("ending-heading").textContent = person === null || ending.winner === null ? ending.text
    : ending.winner === person ? t("You have won!") : t("You have lost.");
  const said = [byId("ending-heading").textContent === ending.text ? "" : ending.text, ending.how, t("{number} moves", {number: moves.length})];
  byId("ending-how").textContent = `${said.filter(Boolean).join(" · ")}`;
  const review = new URLSearchParams(query);
  ["first", "second"].forEach((name, place) => review.set(name, players[place]));
  byId("review").href = `/analyse/${path}?${review}`;
  const again = new URLSearchParams(query);
  for (const name of ["at", "end", "saved"]) again.delete(name);
  byId("again").href = `/${path.split("/").slice(0, 2).join("/")}/-${again.size ? `?${again}` : ""}`;
}
