// The dialogs: the form for a new game, and the choice between several moves.

import {get} from "./api.js";

/** Prepare the fields of the form for a new game that depend on others. */
export function prepareNewGame(dialog) {
  for (const select of dialog.querySelectorAll("select[data-other]")) {
    const other = document.getElementById(select.dataset.other);
    select.addEventListener("change", () => {
      other.hidden = select.value !== "";
      if (other.hidden) other.value = "";
      else other.focus();
    });
  }
  dialog.querySelector("[data-close]").addEventListener("click", () => dialog.close());
  const seed = dialog.querySelector('[name="seed"]');
  const bySeed = [...dialog.querySelectorAll("[data-by-seed]")];
  const deal = () => {
    seed.value = Math.floor(Math.random() * 100000);
    for (const field of bySeed) field.value = "";
  };
  const same = () => [seed, ...bySeed].forEach((field) => { field.value = field.defaultValue; });
  dialog.querySelector("[data-deal]")?.addEventListener("click", deal);
  dialog.querySelector("[data-same]")?.addEventListener("click", same);
  if (seed) deal(); // other cards for every game, unless somebody wants the same ones
  dialog.querySelector("form").addEventListener("submit", (event) => begin(event, dialog));
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
}

/** Ask the server whether such a game can begin. If not, say why, and keep what was typed. */
async function begin(event, dialog) {
  event.preventDefault();
  const refused = dialog.querySelector("[data-refused]");
  try {
    const {address} = await get(event.target.dataset.check, Object.fromEntries(new FormData(event.target)));
    location.assign(address);
  } catch (error) {
    refused.textContent = error.message;
    refused.hidden = false;
  }
}

/** Ask which of several moves, [[move, label], ...], is meant, and call play(move). */
export function chooseMove(moves, play) {
  const dialog = document.getElementById("several");
  const buttons = moves.map(([move, label]) => {
    const button = document.createElement("button");
    button.textContent = label;
    button.addEventListener("click", () => {
      dialog.close();
      play(move);
    });
    return button;
  });
  document.getElementById("several-moves").replaceChildren(...buttons);
  dialog.onclick = (event) => event.target === dialog && dialog.close();
  dialog.showModal();
}
