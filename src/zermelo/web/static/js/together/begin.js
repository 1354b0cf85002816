// The page on which a game for two devices is opened, or joined by its code.

import {send} from "../api.js";
import {keepSeat} from "./seats.js";

const byId = (id) => document.getElementById(id);

byId("together-game")?.addEventListener("change", (event) => location.assign(`/together?game=${encodeURIComponent(event.target.value)}`));

/** Call work() when a form is sent, and show why it was refused. */
function onSubmit(form, work) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const refused = form.querySelector("[data-refused]");
    refused.hidden = true;
    try {
      location.assign(await work());
    } catch (error) {
      refused.textContent = error.message;
      refused.hidden = false;
    }
  });
}

/** The game that the fields describe, in the form that addresses have. */
function chosenLine(form) {
  if (form.dataset.line) return form.dataset.line;
  const fields = [...form.querySelectorAll("[data-option]")].filter((field) => (field.type === "checkbox" ? field.checked : field.value.trim()));
  const setup = fields.map((field) => `${field.dataset.option}=${field.value.trim().replaceAll(" ", "_")}`).join(",");
  return `${byId("together-game").value}/${setup || "-"}/-`;
}

onSubmit(byId("open"), async () => {
  const form = byId("open");
  const order = {line: chosenLine(form), from: form.dataset.from, clock: byId("together-clock").value, side: byId("together-side").value};
  const {code, seat} = await send("POST", "/api/together", order);
  keepSeat(code, seat);
  return `/together/${code}`;
});

onSubmit(byId("join"), async () => {
  const {code, invite} = await send("POST", "/api/together/find", {code: byId("together-code").value});
  return `/together/${code}${invite ? `#join-${invite}` : ""}`;
});
