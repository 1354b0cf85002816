// The fields of an exercise: numbers, branches that can be cut, and choices, at the nodes or below the tree. All have
// the same face: `value`, `mark`, `isLocked`, `focus()`, the element `box` that is put on the page, and its `question`.

import {make, makeSvg} from "./elements.js";
import {t} from "./language.js";

const INFINITE = /[i∞o]/i;

/** What is typed in a field for numbers, cleaned: a minus sign, then digits or ∞. */
export function cleaned(text) {
  const minus = /^\s*[-−–]/.test(text) ? "−" : "";
  return minus + (INFINITE.test(text) ? "∞" : text.replaceAll(",", ".").replace(/[^\d.]/g, ""));
}

/** The same as the server reads it. */
function plain(text) {
  return text.replace("−", "-").replace("∞", "inf");
}

class Field {
  constructor(question, on) {
    this.question = question;
    this.on = on;
    this.shownMark = "";
  }

  get mark() {
    return this.shownMark;
  }

  /** "right", "wrong" or "" for none. Colour, sign and the field's name tell it. */
  set mark(mark) {
    this.shownMark = mark;
    this.box.dataset.mark = mark;
    const words = {right: t("right"), wrong: t("wrong")}[mark];
    this.labelled.setAttribute("aria-label", words ? `${this.question.text}: ${words}` : this.question.text);
    this.setInvalid(mark === "wrong");
  }

  setInvalid(isWrong) {
    if (isWrong) this.control.setAttribute("aria-invalid", "true");
    else this.control.removeAttribute("aria-invalid");
  }

  get labelled() {
    return this.control;
  }

  focus() {
    this.control.focus();
  }
}

/** A field for a number or a bound. */
export class Entry extends Field {
  constructor(question, on, options = {}) {
    super(question, on);
    this.control = make("input", {type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false", "aria-label": question.text, ...options});
    this.box = make("span", {class: `entry ${question.kind}`}, this.control);
    this.control.addEventListener("focus", () => this.control.select());
    this.control.addEventListener("input", () => this.edited());
    this.control.addEventListener("change", () => on.entered(this));
  }

  edited() {
    const before = this.control.value, after = cleaned(before);
    if (before !== after) this.control.value = after;
    this.mark = "";
    this.on.changed(this);
  }

  /** A key of the keypad: a sign of a number, or "delete". */
  press(key) {
    const {control} = this;
    const isWhole = control.selectionStart === 0 && control.selectionEnd === control.value.length;
    const before = isWhole ? "" : control.value;
    control.value = cleaned(key === "delete" ? before.slice(0, -1) : INFINITE.test(key) || key === "−" ? key : before.replace("∞", "") + key);
    control.setSelectionRange(control.value.length, control.value.length);
    this.edited();
  }

  get value() {
    return plain(this.control.value);
  }

  set value(text) {
    this.control.value = cleaned(String(text));
  }

  set isLocked(locked) {
    this.control.readOnly = locked;
  }
}

/** A branch that is cut or not: a button on it. */
export class Cut extends Field {
  constructor(question, on) {
    super(question, on);
    const sign = makeSvg("svg", {viewBox: "0 0 24 24", "aria-hidden": "true"}, makeSvg("path", {d: "M6 17 13 7M11 17 18 7"}));
    this.control = make("button", {type: "button", class: "cut-button", "aria-pressed": "false", "aria-label": question.text}, sign);
    this.box = make("span", {class: "entry cut"}, this.control);
    this.control.addEventListener("click", () => this.toggle());
  }

  toggle() {
    if (this.control.disabled) return;
    this.value = !this.value;
    this.mark = "";
    this.on.changed(this);
    this.on.entered(this);
  }

  setInvalid() {} // buttons are not invalid; their name tells it

  get value() {
    return this.control.getAttribute("aria-pressed") === "true";
  }

  set value(isCut) {
    this.control.setAttribute("aria-pressed", isCut ? "true" : "false");
  }

  set isLocked(locked) {
    this.control.disabled = locked;
  }
}

/** One of the children of a node, in a small list at the node. */
export class Pick extends Field {
  constructor(question, on) {
    super(question, on);
    const options = ["", ...question.choices].map((choice) => make("option", {value: choice, text: choice || t("first?")}));
    this.control = make("select", {"aria-label": question.text}, ...options);
    this.box = make("span", {class: `entry ${question.kind}`}, this.control);
    this.control.addEventListener("change", () => {
      this.mark = "";
      on.changed(this);
      on.entered(this);
    });
  }

  get value() {
    return this.control.value;
  }

  set value(name) {
    this.control.value = name;
  }

  set isLocked(locked) {
    this.control.disabled = locked;
  }
}

/** One of several nodes, all in sight. */
export class Choice extends Field {
  constructor(question, on) {
    super(question, on);
    this.radios = question.choices.map((choice) => make("input", {type: "radio", name: question.id, value: choice}));
    const labels = this.radios.map((radio) => make("label", {class: "choice-label"}, radio, make("span", {text: radio.value})));
    this.group = make("span", {class: "choice-row", role: "radiogroup", "aria-label": question.text}, ...labels);
    this.box = make("span", {class: "entry choice"}, this.group);
    this.group.addEventListener("change", () => {
      this.mark = "";
      on.changed(this);
      on.entered(this);
    });
  }

  setInvalid(isWrong) {
    if (isWrong) this.group.setAttribute("aria-invalid", "true");
    else this.group.removeAttribute("aria-invalid");
  }

  get labelled() {
    return this.group;
  }

  get control() {
    return this.radios.find((radio) => radio.checked) ?? this.radios[0];
  }

  get value() {
    return this.radios.find((radio) => radio.checked)?.value ?? "";
  }

  set value(text) {
    for (const radio of this.radios) radio.checked = radio.value === text;
  }

  set isLocked(locked) {
    for (const radio of this.radios) radio.disabled = locked && !radio.checked;
  }
}
