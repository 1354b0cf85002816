// The workshop: the editor, faults at their lines, the values of a heuristic, and games against others.

import {notify, send} from "./api.js";
import {make} from "./elements.js";
import {drawPicture} from "./picture.js";
import {language, t} from "./language.js";
import {listen} from "./live.js";
import {progressText, ratingPlot, standingsTable} from "./standings.js";

const page = document.getElementById("workshop");
const part = (id) => document.getElementById(id);
const {rivals, starters} = JSON.parse(part("data").textContent);
const editor = CodeMirror.fromTextArea(part("text"), { // eslint-disable-line no-undef
  mode: {name: "python", version: 3},
  lineNumbers: true,
  indentUnit: 4,
  matchBrackets: true,
  inputStyle: "contenteditable", // screen readers and phones
  viewportMargin: 200,
  screenReaderLabel: t("Python code of the heuristic"),
  extraKeys: {
    "Ctrl-Enter": () => check(),
    "Cmd-Enter": () => check(),
    "Ctrl-S": () => save(),
    "Cmd-S": () => save(),
    "Ctrl-/": "toggleComment",
    "Cmd-/": "toggleComment",
    Tab: (cm) => (cm.somethingSelected() ? cm.indentSelection("add") : cm.replaceSelection("    ")),
    "Shift-Tab": "indentLess",
    Esc: () => part("check").focus(), // the way out for the keyboard, since Tab indents
  },
});
const draftKey = () => `zermelo workshop ${page.dataset.file}`;
let marks = [];
let stopListening = null;
let fighting = null; // the tournament under way
let lastSaved = page.dataset.new === "yes" ? null : editor.getValue();

// -------------------------------------------------------------------------------- files

async function save() {
  const text = editor.getValue();
  try {
    await send("PUT", `/api/workshop/files/${page.dataset.file}`, {text});
    lastSaved = text;
    page.dataset.new = "no";
    part("delete").disabled = false;
    forgetDraft();
    showSaved();
    return true;
  } catch (error) {
    notify(error.message);
    return false;
  }
}

function showSaved() {
  part("saved").textContent = editor.getValue() === lastSaved ? t("saved") : t("not saved");
}

/** Keep what was typed, in case the tab is closed. */
function keepDraft() {
  try {
    if (editor.getValue() === lastSaved) localStorage.removeItem(draftKey());
    else localStorage.setItem(draftKey(), editor.getValue());
  } catch {
    // there is no room, or it is not allowed: the text is lost with the tab
  }
}

function forgetDraft() {
  try {
    localStorage.removeItem(draftKey());
  } catch {
    // as above
  }
}

function recallDraft() {
  try {
    const draft = localStorage.getItem(draftKey());
    if (draft !== null && draft !== editor.getValue()) editor.setValue(draft);
  } catch {
    // as above
  }
}

part("file").addEventListener("change", () => {
  keepDraft();
  location.href = `/workshop?file=${encodeURIComponent(part("file").value)}`;
});
part("new").addEventListener("click", () => part("new-dialog").showModal());
part("new-cancel").addEventListener("click", () => part("new-dialog").close());
part("new-dialog").addEventListener("close", async () => {
  if (part("new-dialog").returnValue !== "make") return;
  const name = part("new-name").value.replace(/(\.py)?$/, ".py");
  if ([...part("file").options].some((option) => option.value === name)) {
    notify(t("There is already a file {name}.", {name}));
    return;
  }
  try {
    await send("PUT", `/api/workshop/files/${name}`, {text: starters[part("new-game").value]});
    location.href = `/workshop?file=${encodeURIComponent(name)}`;
  } catch (error) {
    notify(error.message);
  }
});
part("delete").addEventListener("click", async () => {
  if (!confirm(t("Delete {name}?", {name: page.dataset.file}))) return;
  try {
    await send("DELETE", `/api/workshop/files/${page.dataset.file}`);
    forgetDraft();
    location.href = "/workshop";
  } catch (error) {
    notify(error.message);
  }
});

// -------------------------------------------------------------------------------- compile and try

async function check() {
  if (part("check").disabled) return;
  clearFault();
  part("check").disabled = true;
  part("stop").hidden = false;
  part("busy").textContent = t("Compiling…");
  try {
    if (!await save()) return;
    const {fault, done} = await send("POST", `/api/workshop/files/${page.dataset.file}/check`);
    if (fault) showFault(fault);
    else showResults(done);
  } catch (error) {
    notify(error.message);
  } finally {
    part("check").disabled = false;
    part("stop").hidden = true;
    part("busy").textContent = "";
  }
}

function clearFault() {
  for (const line of marks) {
    editor.removeLineClass(line, "background", "fault-line");
    editor.removeLineClass(line, "gutter", "fault-gutter");
  }
  marks = [];
  part("fault").hidden = true;
  part("warnings").replaceChildren();
}

function showFault({line, text}) {
  part("fault").hidden = false;
  part("fault-where").textContent = line ? t("Line {number}:", {number: line}) : "";
  part("fault-text").textContent = text;
  part("fault-go").hidden = !line;
  if (!line) return;
  const handle = editor.addLineClass(line - 1, "background", "fault-line");
  if (!handle) return;
  editor.addLineClass(handle, "gutter", "fault-gutter");
  marks.push(handle);
  part("fault-go").onclick = () => {
    editor.setCursor(line - 1, 0);
    editor.focus();
  };
  editor.scrollIntoView({line: line - 1, ch: 0}, 80);
}

function showResults({heuristics, seconds, warnings}) {
  part("warnings").replaceChildren(...warnings.map((text) => make("li", {text})));
  part("results").replaceChildren(...heuristics.map((one) => resultPanel(one, seconds)));
  showPit(heuristics);
}

function resultPanel(one, seconds) {
  const weights = Object.entries(one.weights).map(([name, value]) => `${name} ${value}`).join(", ");
  const facts = [
    [t("Game"), one.title],
    ...(weights ? [[t("Weights"), weights]] : []),
    [t("Values"), t("{low} to {high} in random games", {low: one.low, high: one.high})],
    [t("Speed"), t("{number} positions per second", {number: one.rate.toLocaleString(language)})],
    [t("First move"), one.choice],
    [t("Compiled in"), `${seconds.toFixed(1)} s`],
  ];
  const list = make("dl", {class: "check-facts"}, ...facts.flatMap(([name, text]) => [make("dt", {text: name}), make("dd", {text})]));
  const samples = make("div", {class: "samples"}, ...one.samples.map(({picture, value, mover}) => make("figure", {},
    make("div", {class: "sample-board"}, drawPicture(picture)), make("figcaption", {}, make("b", {text: value > 0 ? `+${value}` : value}), make("span", {text: t(" for {player}", {player: mover}), class: "quiet"})))));
  const player = `alphabeta(depth=4, heuristic=${page.dataset.file}:${one.name})`;
  const link = make("a", {class: "button", text: t("Play against it"), href: `/${one.game}/-/-?${new URLSearchParams({second: player})}`});
  const watch = make("a", {class: "button", text: t("Watch it play"), href: `/${one.game}/-/-?${new URLSearchParams({first: player, second: "alphabeta(depth=4)"})}`});
  return make("section", {class: "panel checked"}, make("h2", {text: one.name}), make("p", {text: one.about, class: "quiet"}), list, samples, make("p", {class: "actions"}, link, watch));
}

part("check").addEventListener("click", check);
part("stop").addEventListener("click", async () => {
  try {
    // The file may still be being saved, and then there is no check to stop yet.
    while (part("check").disabled) {
      const {stopped} = await send("POST", "/api/workshop/stop");
      if (stopped > 0) return;
      await new Promise((done) => setTimeout(done, 200));
    }
  } catch (error) {
    notify(error.message);
  }
});

// -------------------------------------------------------------------------------- against the others

let checked = [];

function showPit(heuristics) {
  checked = heuristics;
  part("pit").hidden = false;
  const chosen = part("mine").value;
  part("mine").replaceChildren(...heuristics.map(({name}) => make("option", {text: name})));
  if (heuristics.some(({name}) => name === chosen)) part("mine").value = chosen;
  showRivals();
}

function showRivals() {
  const {game} = checked.find(({name}) => name === part("mine").value);
  if (part("rivals").dataset.game === game) return;
  part("rivals").dataset.game = game;
  const names = [...(rivals[game] ?? []), "random"];
  part("rivals").replaceChildren(...names.map((name, place) => {
    const box = make("input", {type: "checkbox", value: name});
    box.checked = place < 4 || name === "random";
    return make("label", {class: "tick"}, box, make("b", {text: name}));
  }));
}

async function fight(event) {
  event.preventDefault();
  const {game, name} = checked.find((one) => one.name === part("mine").value);
  const others = [...part("rivals").querySelectorAll(":checked")].map((box) => box.value);
  part("pit-problem").hidden = true;
  part("fight").disabled = true;
  part("progress").textContent = t("Preparing the games…");
  part("pit-live").hidden = false;
  part("bar").removeAttribute("value");
  try {
    const {id} = await send("POST", "/api/tournaments", {
      name: t("{name} against the others", {name}), game, format: "gauntlet", pairs: Number(part("pairs").value),
      depth: Number(part("depth").value), contestants: [`${page.dataset.file}:${name}`, ...others],
    });
    follow(id);
  } catch (error) {
    part("pit-problem").textContent = error.message;
    part("pit-problem").hidden = false;
    part("pit-live").hidden = true;
    part("fight").disabled = false;
  }
}

function follow(id) {
  stopListening?.();
  fighting = id;
  part("pit-link").href = `/tournaments/${id}`;
  part("standings").replaceChildren();
  part("chart").replaceChildren();
  stopListening = listen(`/ws/tournaments/${id}`, {
    state: ({state, error}) => {
      const runs = state === "preparing" || state === "playing";
      part("fight").disabled = runs;
      part("fight-stop").hidden = !runs;
      part("pit-problem").hidden = !error;
      part("pit-problem").textContent = error ?? "";
    },
    progress: ({done, total, seconds_left: left}) => {
      part("bar").max = total;
      part("bar").value = done;
      part("progress").textContent = progressText(done, total, left);
    },
    report: (report) => {
      if (!report.games) return;
      part("standings").replaceChildren(standingsTable(report));
      part("chart").replaceChildren(...ratingPlot(report));
    },
    lost: () => notify(t("The connection was lost. Trying again…"), 0),
    back: () => notify(t("Connected again.")),
  });
}

part("mine").addEventListener("change", showRivals);
part("pit-form").addEventListener("submit", fight);
part("fight-stop").addEventListener("click", async () => {
  try {
    await send("POST", `/api/tournaments/${fighting}/stop`);
  } catch (error) {
    notify(error.message);
  }
});

recallDraft();
showSaved();
editor.on("change", () => {
  showSaved();
  keepDraft();
});
