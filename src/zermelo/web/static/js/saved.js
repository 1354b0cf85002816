// The list of saved games: deleting and importing.

import {notify, send} from "./api.js";
import {t} from "./language.js";

const byId = (id) => document.getElementById(id);

for (const button of document.querySelectorAll("[data-delete]")) {
  button.addEventListener("click", () => remove(button.closest("tr")));
}

async function remove(row) {
  try {
    await send("DELETE", `/api/saved/${row.dataset.id}`);
    row.hidden = true;
    notify(t("The game was deleted."), 30, {label: t("Undo"), run: () => restore(row)});
  } catch (error) {
    notify(error.message);
  }
}

async function restore(row) {
  try {
    await send("POST", `/api/saved/${row.dataset.id}/restore`);
    row.hidden = false;
    row.querySelector("a").focus();
    notify(t("The game was restored."), 2);
  } catch (error) {
    notify(error.message);
  }
}

byId("import").addEventListener("click", () => byId("import-dialog").showModal());
byId("import-cancel").addEventListener("click", () => byId("import-dialog").close());
byId("import-do").addEventListener("click", async () => {
  const file = byId("import-file").files[0];
  const text = file ? await file.text() : byId("import-text").value;
  try {
    const {games} = await send("POST", "/api/saved", text);
    byId("import-dialog").close();
    notify(t("Games imported: {number}.", {number: games}), 2);
    location.reload();
  } catch (error) {
    notify(error.message);
  }
});
