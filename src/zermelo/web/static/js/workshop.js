// The workshop: the editor, faults at their lines, what the code does, whether it is right, and games against others.

import {address, notify, send, work} from "./api.js";
import {reportPanel} from "./check_report.js";
import {make} from "./elements.js";
import {drawView} from "./picture.js";
import {language, t} from "./language.js";
import {listen} from "./live.js";
import {progressText, ratingPlot, standingsTable} from "./standings.js";

const page = document.getElementById("workshop");
const part = (id) => document.getElementById(id);
const {heuristics, starters} = JSON.parse(part("data").textContent);
const editor = CodeMirror.fromTextArea(part("text"), { // eslint-disable-line no-undef
  mode: {name: "python", version: 3},
  lineNumbers: true,
  indentUnit: 4,
  matchBrackets: true,
  inputStyle: "contenteditable", // screen readers and phones
  viewportMargin: 200,
  screenReaderLabel: t("Python code of the file"),
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
  location.href = address("/workshop", {file: part("file").value, game: part("game").value});
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
    await send("PUT", `/api/workshop/files/${name}`, {text: starters[part("new-game").value][part("new-kind").value]});
    location.href = address("/workshop", {file: name, game: part("new-game").value});
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

/** Save the file and do something with it, which can be stopped meanwhile. */
async function busyWith(text, run) {
  if (part("check").disabled) return;
  clearFault();
  part("check").disabled = part("report").disabled = true;
  part("stop").hidden = false;
  part("busy").textContent = text;
  try {
    if (await save()) await run();
  } catch (error) {
    notify(error.message);
  } finally {
    part("check").disabled = part("report").disabled = false;
    part("stop").hidden = part("steps").hidden = true;
    part("busy").textContent = "";
  }
}

function check() {
  return busyWith(t("Compiling…"), async () => {
    const path = address(`/api/workshop/files/${page.dataset.file}/check`, {game: part("game").value});
    const {fault, done} = await send("POST", path);
    if (fault) showFault(fault);
    else showResults(done);
  });
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

function showResults({seconds, warnings, ...found}) {
  part("warnings").replaceChildren(...warnings.map((text) => make("li", {text})));
  const panels = {heuristics: resultPanel, searches: searchPanel, players: playerPanel};
  const all = Object.keys(panels).flatMap((kind) => found[kind].map((one) => ({...one, kind})));
  part("results").replaceChildren(...all.map((one) => panels[one.kind](one, seconds)));
  showPit(all);
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
  const samples = one.samples.map(({picture, value, mover}) => sample(picture, value > 0 ? `+${value}` : value, mover));
  return checkedPanel(one, facts, samples, links(one, `alphabeta(depth=4, heuristic=${page.dataset.file}:${one.name})`));
}

function searchPanel(one, seconds) {
  const weights = Object.entries(one.weights).map(([name, value]) => `${name} ${value}`).join(", ");
  const number = (nodes) => nodes.toLocaleString(language);
  const facts = [
    [t("Game"), t("{title}, with the heuristic {heuristic}", one)],
    ...(weights ? [[t("Weights"), weights]] : []),
    [t("Code"), one.compiled ? t("compiled") : t("plain Python, which is slow")],
    [t("Nodes"), t("{own} at depth {depth} below; the built-in alpha-beta visits {ours}", {own: number(one.nodes), depth: one.depth, ours: number(one.alphabeta)})],
    [t("Speed"), t("{number} positions per second", {number: number(one.rate)})],
    [t("Tried in"), `${seconds.toFixed(1)} s`],
  ];
  const samples = one.samples.map(({picture, move, value, mover}) => sample(picture, `${move} (${value})`, mover));
  const why = make("a", {class: "button", text: t("See why"), href: address(`/why/${one.game}`, {search: `${page.dataset.file}:${one.name}`})});
  return checkedPanel(one, facts, samples, [...links(one, `${page.dataset.file}:${one.name}(depth=4)`), why]);
}

function playerPanel(one, seconds) {
  const facts = [
    [t("Game"), one.title],
    [t("Longest thought"), `${one.slowest.toFixed(2)} s`],
    [t("Tried in"), `${seconds.toFixed(1)} s`],
  ];
  const samples = one.samples.map(({picture, move, mover}) => sample(picture, move, mover));
  return checkedPanel(one, facts, samples, links(one, `${page.dataset.file}:${one.name}`));
}

function checkedPanel(one, facts, samples, actions) {
  const list = make("dl", {class: "check-facts"}, ...facts.flatMap(([name, text]) => [make("dt", {text: name}), make("dd", {text})]));
  return make("section", {class: "panel checked"}, make("h2", {text: one.name}), make("p", {text: one.about, class: "quiet"}), list,
    make("div", {class: "samples"}, ...samples), make("p", {class: "actions"}, ...actions));
}

function sample(picture, text, mover) {
  return make("figure", {}, make("div", {class: "sample-board"}, drawView(picture)),
    make("figcaption", {}, make("b", {text}), make("span", {text: t(" for {player}", {player: mover}), class: "quiet"})));
}

/** Links to play against a player and to watch it. */
function links({game}, player) {
  return [
    make("a", {class: "button", text: t("Play against it"), href: address(`/${game}/-/-`, {second: player})}),
    make("a", {class: "button", text: t("Watch it play"), href: address(`/${game}/-/-`, {first: player, second: "alphabeta(depth=4)"})}),
  ];
}

// -------------------------------------------------------------------------------- is it right?

let checking = null; // what ends the check under way

function report() {
  return busyWith(t("Checking…"), async () => {
    checking = new AbortController();
    const panels = [];
    part("steps").hidden = false;
    part("steps").removeAttribute("value");
    try {
      const isOver = await work(`/api/workshop/files/${page.dataset.file}/report`, {
        step: ({name, done, of}) => {
          part("busy").textContent = t("Checking {name}…", {name});
          if (of > 1) part("steps").value = done / of;
          else part("steps").removeAttribute("value"); // nobody knows how long it takes
        },
        report: (found) => {
          panels.push(reportPanel(found, page.dataset.file));
          part("results").replaceChildren(...panels);
        },
      }, checking.signal);
      if (!isOver) showFault({line: null, text: t("stopped")});
    } finally {
      checking = null;
    }
  });
}

part("report").addEventListener("click", report);
part("check").addEventListener("click", check);
part("stop").addEventListener("click", async () => {
  if (checking) {
    checking.abort();
    return;
  }
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

const chosen = () => checked.find(({name}) => name === part("mine").value);

function showPit(found) {
  checked = found;
  part("pit").hidden = false;
  const before = part("mine").value;
  part("mine").replaceChildren(...found.map(({name}) => make("option", {text: name})));
  if (found.some(({name}) => name === before)) part("mine").value = before;
  showRivals();
}

function showRivals() {
  const {game, kind} = chosen();
  part("with-field").hidden = kind !== "searches";
  const shown = `${game} ${kind}`;
  if (part("rivals").dataset.shown === shown) return;
  part("rivals").dataset.shown = shown;
  const known = heuristics[game] ?? {built_in: [], usual: "", own: []};
  part("with").replaceChildren(...[...known.built_in, ...known.own].map((name) => make("option", {text: name})));
  part("with").value = known.usual;
  const names = [...(kind === "searches" ? ["alphabeta", "minimax"] : known.built_in), "random"];
  part("rivals").replaceChildren(...names.map((name, place) => {
    const box = make("input", {type: "checkbox", value: name});
    box.checked = place < 4 || name === "random";
    return make("label", {class: "tick"}, box, make("b", {text: name}));
  }));
}

/** The contestants: yours first. A search and the built-in ones use the same heuristic. */
function contestants() {
  const {name, kind} = chosen();
  const mine = `${page.dataset.file}:${name}`;
  const others = [...part("rivals").querySelectorAll(":checked")].map((box) => box.value);
  if (kind !== "searches") return [mine, ...others];
  const by = `(heuristic=${part("with").value})`;
  return [mine + by, ...others.map((one) => (one === "random" ? one : one + by))];
}

async function fight(event) {
  event.preventDefault();
  const {game, name} = chosen();
  part("pit-problem").hidden = true;
  part("fight").disabled = true;
  part("progress").textContent = t("Preparing the games…");
  part("pit-live").hidden = false;
  part("bar").removeAttribute("value");
  try {
    const {id} = await send("POST", "/api/tournaments", {
      name: t("{name} against the others", {name}), game, format: "gauntlet", pairs: Number(part("pairs").value),
      depth: Number(part("depth").value), contestants: contestants(),
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

/** Show the words of what the file is about, and a choice of games if a search or a player is to be tried. */
function showWords() {
  const text = editor.getValue();
  const isSearch = /^@(\w+\.)?search\b/m.test(text), isPlayer = /^class .*^ +def choose\(/ms.test(text);
  part("node-words").hidden = !isSearch;
  part("position-words").hidden = !isPlayer;
  part("game-field").hidden = !isSearch && !isPlayer;
}

recallDraft();
showSaved();
showWords();
part("node-words").open = part("position-words").open = matchMedia("(min-width: 961px)").matches; // on a phone the results would be far below
editor.on("change", () => {
  showSaved();
  showWords();
  keepDraft();
});
