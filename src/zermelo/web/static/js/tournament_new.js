// The form for a new tournament.

import {send} from "./api.js";
import {t} from "./language.js";

const form = document.getElementById("new");
const problem = document.getElementById("problem");
const waiting = document.getElementById("waiting");
const AMOUNTS = {depth: 3, nodes: 20000, seconds: 0.2};

form.elements.game.addEventListener("change", () => { location.href = `/tournaments/new?game=${encodeURIComponent(form.elements.game.value)}`; });
form.elements.budget.addEventListener("change", () => { form.elements.amount.value = AMOUNTS[form.elements.budget.value]; });

document.getElementById("add").addEventListener("click", addPlayer);
document.getElementById("another").addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  addPlayer();
});

function addPlayer() {
  const field = document.getElementById("another");
  const text = field.value.trim();
  if (!text) return;
  const label = document.createElement("label"), box = document.createElement("input"), name = document.createElement("b");
  label.className = "tick";
  Object.assign(box, {type: "checkbox", name: "contestant", value: text, checked: true});
  name.textContent = text;
  label.append(box, " ", name);
  form.querySelector(".ticks").append(label);
  field.value = "";
  field.focus();
}

function wanted() {
  const number = (name) => (form.elements[name].value === "" ? null : Number(form.elements[name].value));
  return {
    name: form.elements.name.value,
    game: form.elements.game.value,
    setup: form.dataset.setup,
    contestants: [...form.querySelectorAll("[name=contestant]:checked")].map((box) => box.value),
    format: form.elements.format.value,
    pairs: number("pairs"),
    seed: number("seed"),
    plies: number("plies"),
    positions: form.elements.positions.value.split("\n").map((line) => line.trim()).filter(Boolean),
    most_plies: number("most_plies"),
    prove_nodes: number("prove_nodes"),
    [form.elements.budget.value]: number("amount"),
  };
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = document.getElementById("begin");
  problem.hidden = true;
  if (form.querySelectorAll("[name=contestant]:checked").length < 2) {
    complain(t("A tournament needs at least two players. Tick some more."));
    return;
  }
  button.disabled = true;
  waiting.textContent = t("Preparing the players and the openings…");
  try {
    const {id} = await send("POST", "/api/tournaments", wanted());
    location.assign(`/tournaments/${id}`);
  } catch (error) {
    complain(error.message);
    button.disabled = false;
    waiting.textContent = "";
  }
});

function complain(text) {
  problem.textContent = text;
  problem.hidden = false;
  problem.scrollIntoView({block: "nearest"});
}
