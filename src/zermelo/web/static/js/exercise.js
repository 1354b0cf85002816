// The page of exercises: answers are marked by the server, and kept in the browser.

import {get, notify, send} from "./api.js";
import {copy} from "./copying.js";
import {make} from "./elements.js";
import {Choice, Entry} from "./exercise_fields.js";
import {forget, keep, keptNames, recall} from "./exercise_kept.js";
import {Keypad} from "./exercise_keypad.js";
import {ExerciseTree, touches} from "./exercise_tree.js";
import {t} from "./language.js";

const byId = (id) => document.getElementById(id);
const page = byId("exercise");
const {kind, difficulty} = page.dataset;
const number = Number(page.dataset.number);
const place = {kind, difficulty, number};
const kept = `${kind}/${difficulty}/${number}`;
const AT_ONCE = "zermelo-exercise-at-once";
const MOST_DONE = 24; // numbers of exercises in the list of those that were done

let tree, fields, byQuestion;
let isSeen = false; // whether the solution was shown
let points = null; // of the last check: {points, most}
let steps = null; // of the solution, while it is shown
let step = 0;
let own = {}; // the student's answers, while the solution is shown
let asked = 0;

// -------------------------------------------------------------------------------- answers

function answers() {
  if (steps) return own;
  const found = {};
  for (const field of fields) if (field.value && !field.box.hidden) found[field.question.id] = field.value;
  return found;
}

function put(given) {
  for (const field of fields) field.value = given[field.question.id] ?? "";
  showState();
}

function showState() {
  tree.chosen = fields.find((field) => field.question.kind === "move")?.value ?? "";
  tree.draw();
}

function keepAnswers() {
  const given = answers();
  if (Object.keys(given).length || isSeen) keep(kept, {answers: given, isSeen, ...points});
  else forget(kept);
  listDone();
}

const on = {
  changed(field) {
    if (field.question.form === "cut" || field.question.form === "node") showState();
    points = null;
    byId("result").hidden = true;
    keepAnswers();
  },
  entered(field) {
    if (byId("at-once").checked && field.value) mark(field);
  },
};

// -------------------------------------------------------------------------------- marking

/** Have the answers marked: all of them, or only what was just entered. With `why`, the hint says why. */
async function mark(only = null, why = false) {
  const request = ++asked;
  const given = answers();
  let found;
  try {
    found = await send("POST", "/api/exercise/mark", {...place, answers: given, why});
  } catch (error) {
    notify(error.message);
    return;
  }
  if (steps) return;
  for (const field of only ? [only] : fields) {
    const {id} = field.question;
    if (field.value === given[id]) field.mark = found.marks[id] ?? ""; // otherwise it has been changed meanwhile
  }
  if (request !== asked) return;
  points = {points: found.points, most: found.out_of};
  if (only && only.mark !== "wrong" && found.hint) byId("result").hidden = true; // what is right needs no words
  else tell(found, only);
  keepAnswers();
}

function tell(found, only) {
  const hint = found.hint;
  const isOwnHint = hint && (!only || hint.question === only.question.id);
  const headline = !hint ? t("Everything is right.")
    : only ? t("{what}: this is wrong.", {what: capital(only.question.text)})
    : t("{right} right, {wrong} wrong, {missing} still missing.", found);
  byId("headline").textContent = headline;
  byId("points").textContent = only && hint ? "" : pointsText(found);
  byId("result").className = `panel result ${hint ? (found.wrong ? "wrong" : "open") : "right"}`;
  byId("hint").hidden = !isOwnHint;
  if (isOwnHint) {
    byId("hint-text").textContent = hint.text;
    byId("because").textContent = hint.why;
    byId("because").hidden = !hint.why;
    byId("why-hint").hidden = Boolean(hint.why);
    byId("hint").dataset.question = hint.question;
  }
  byId("next-done").hidden = Boolean(hint);
  byId("result").hidden = false;
}

function pointsText(found) {
  const text = t("{points} of {out_of} points.", found);
  return isSeen ? `${text} ${t("The solution has been shown.")}` : text;
}

/** The exercises of this kind and difficulty that were marked in this browser, with links to them. */
function listDone() {
  const prefix = `${kind}/${difficulty}/`;
  const numbers = keptNames().filter((name) => name.startsWith(prefix)).map((name) => Number(name.slice(prefix.length)));
  const done = numbers.sort((one, other) => one - other).map((one) => [one, recall(prefix + one)]).filter(([, what]) => what?.most);
  byId("done").hidden = !done.length;
  byId("done-list").replaceChildren(...done.slice(-MOST_DONE).map(([one, what]) => {
    const isWhole = what.points === what.most;
    const text = t("No. {number}: {points} of {most}", {number: one, ...what});
    return make("li", {}, make("a", {href: page.dataset.address.replace("{number}", one), class: isWhole && !what.isSeen ? "whole" : null, "aria-current": one === number ? "true" : null, text}));
  }));
}

// -------------------------------------------------------------------------------- the solution

async function showSolution() {
  if (steps) {
    hideSolution();
    return;
  }
  let found;
  try {
    found = await send("POST", "/api/exercise/solution", place);
  } catch (error) {
    notify(error.message);
    return;
  }
  own = answers();
  steps = found.steps;
  isSeen ||= points === null || points.points < points.most;
  keepAnswers();
  for (const field of fields) {
    field.mark = "";
    field.isLocked = true;
  }
  page.classList.add("solved");
  byId("check").disabled = true;
  byId("walk").hidden = false;
  byId("result").hidden = true;
  byId("solution").textContent = t("Back to my answers");
  byId("step").max = steps.length - 1;
  keypad.show(false);
  byId("step-next").focus({preventScroll: true});
  goTo(0);
}

function hideSolution() {
  steps = null;
  for (const field of fields) field.isLocked = false;
  page.classList.remove("solved");
  byId("check").disabled = false;
  byId("walk").hidden = true;
  byId("solution").textContent = t("Show the solution");
  tree.lookAt(null);
  put(own);
}

/** Show the solution as far as the search has come by a step. */
function goTo(wanted) {
  step = Math.max(0, Math.min(wanted, steps.length - 1));
  const known = Object.assign({}, ...steps.slice(0, step + 1).map((one) => one.answers));
  put(known);
  const latest = new Set(Object.keys(steps[step].answers));
  for (const field of fields) {
    field.isLocked = true;
    field.box.classList.toggle("latest", latest.has(field.question.id));
  }
  const node = tree.byName.get(steps[step].node) ?? null;
  tree.lookAt(node);
  byId("step").value = step;
  byId("said").textContent = steps[step].says;
  byId("where").textContent = t("Step {step} of {all}", {step: step + 1, all: steps.length});
  byId("step-back").disabled = step === 0;
  byId("step-next").disabled = step === steps.length - 1;
  if (node) tree.bringUp(node, byId("walk").offsetHeight);
}

// -------------------------------------------------------------------------------- fields below the tree

/** A question that is not about one node of the tree. */
function below(question) {
  const field = question.form === "node" ? new Choice(question, on) : new Entry(question, on, {inputmode: touches() ? "none" : "text"});
  byId("questions").append(make("div", {class: "question"}, make("span", {class: "question-label", "aria-hidden": "true", text: capital(question.text)}), field.box));
  return field;
}

function capital(text) {
  return text.slice(0, 1).toLocaleUpperCase() + text.slice(1);
}

function focused() {
  return fields.find((field) => field.box.contains(document.activeElement));
}

/** To the next field that is shown, in the order of the search. */
function goBy(by) {
  const shown = fields.filter((field) => !field.box.hidden);
  const target = shown[shown.indexOf(focused()) + by];
  target?.focus();
}

// -------------------------------------------------------------------------------- the page

const keypad = new Keypad(byId("keypad"), {field: focused, go: goBy});

function listen() {
  byId("answers").addEventListener("submit", (event) => {
    event.preventDefault();
    if (!steps) mark();
  });
  byId("answers").addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target.tagName !== "INPUT") return;
    event.preventDefault();
    if (!steps) mark();
  });
  byId("answers").addEventListener("focusin", (event) => {
    const isTyped = touches() && !steps && Boolean(focused()?.press);
    keypad.show(isTyped);
    if (isTyped) event.target.scrollIntoView({block: "nearest", inline: "nearest"}); // the keypad may cover it
  });
  byId("answers").addEventListener("focusout", (event) => {
    if (!byId("answers").contains(event.relatedTarget)) keypad.show(false);
  });
  byId("go-to-hint").addEventListener("click", () => byQuestion.get(byId("hint").dataset.question)?.focus());
  byId("why-hint").addEventListener("click", () => mark(null, true));
  byId("solution").addEventListener("click", showSolution);
  byId("step-back").addEventListener("click", () => goTo(step - 1));
  byId("step-next").addEventListener("click", () => goTo(step + 1));
  byId("step").addEventListener("input", () => goTo(Number(byId("step").value)));
  byId("clear").addEventListener("click", () => {
    if (steps) hideSolution();
    const before = answers();
    for (const field of fields) field.mark = "";
    put({});
    points = null;
    byId("result").hidden = true;
    keepAnswers();
    if (Object.keys(before).length) notify(t("All answers were removed."), 10, {label: t("Undo"), run: () => { put(before); keepAnswers(); notify(null); }});
    fields[0]?.focus();
  });
  byId("copy").addEventListener("click", async () => {
    const done = await copy(location.origin + page.dataset.address.replace("{number}", number));
    notify(done ? t("The address of this exercise was copied.") : t("The address could not be copied; it is in the address bar."));
  });
  byId("at-once").addEventListener("change", () => {
    try {
      localStorage.setItem(AT_ONCE, byId("at-once").checked ? "yes" : "");
    } catch {
      // not allowed: the choice holds until the page is left
    }
    if (byId("at-once").checked && Object.keys(answers()).length) mark();
  });
}

async function begin() {
  const exercise = await get("/api/exercise", place);
  tree = new ExerciseTree(byId("tree"), exercise, on);
  fields = [...tree.fields, ...exercise.questions.filter((question) => question.node === null).map(below)];
  byQuestion = new Map(fields.map((field) => [field.question.id, field]));
  const before = recall(kept);
  isSeen = Boolean(before?.isSeen);
  points = before?.most ? {points: before.points, most: before.most} : null;
  put(before?.answers ?? {});
  listDone();
  listen();
  try {
    byId("at-once").checked = localStorage.getItem(AT_ONCE) === "yes";
  } catch {
    // not allowed: entries are marked when the student asks
  }
  page.dataset.ready = "yes";
}

begin().catch((error) => notify(error.message, 0));
