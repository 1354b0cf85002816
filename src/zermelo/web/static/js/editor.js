// The editor: another position as text, with its board while one writes.

import {get} from "./api.js";
import {drawPicture} from "./picture.js";

const byId = (id) => document.getElementById(id);

/** Let a button open the editor with the position that current() tells: {line, position}. */
export function prepareEditor(button, current) {
  const [dialog, text, problem] = [byId("editor"), byId("editor-text"), byId("editor-problem")];
  let base = "";
  let asked = 0;
  const look = async () => {
    const mine = (asked += 1);
    try {
      const {picture} = await get("/api/position", {line: base, from: text.value.trim()});
      if (mine !== asked) return;
      byId("editor-board").replaceChildren(drawPicture(picture));
      byId("editor-board").setAttribute("inert", "");
      problem.hidden = true;
    } catch (error) {
      if (mine !== asked) return;
      problem.textContent = error.message;
      problem.hidden = false;
    }
    byId("editor-go").disabled = !problem.hidden;
  };
  button.addEventListener("click", () => {
    const {line, position} = current();
    base = [...line.split("/").slice(0, 2), "-"].join("/");
    text.value = position;
    dialog.showModal();
    look();
  });
  text.addEventListener("input", look);
  dialog.addEventListener("close", () => {
    if (dialog.returnValue === "go") location.assign(`/analyse/${base}?${new URLSearchParams({from: text.value.trim()})}`);
  });
}
