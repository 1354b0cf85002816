// Who plays: a person, or a compiled player at one of its levels; and the form that chooses it.

import {make} from "./elements.js";
import {t} from "./language.js";

export const PERSON = "person";
const NAMES = ["first", "second"];

export class Seats {
  /** `settings.players` are [{title, levels: [{title, options}]}]; begin() is called when a new game is wanted. */
  constructor(dialog, settings, begin) {
    this.settings = settings;
    this.chosen = [PERSON, settings.usual];
    this.dialog = dialog;
    const form = dialog.querySelector("form");
    this.selects = NAMES.map((name) => form.elements[name]);
    for (const select of this.selects) select.append(...this.options());
    dialog.querySelector("[data-close]").addEventListener("click", () => dialog.close());
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.chosen = this.selects.map((select) => select.value);
      dialog.close();
      begin();
    });
  }

  options() {
    const groups = this.settings.players.map(({title, levels}, number) => make("optgroup", {label: t(title)}, ...levels.map((level, at) => make("option", {value: `${number}.${at}`, text: t(level.title)}))));
    return [make("option", {value: PERSON, text: t("Person")}), ...groups];
  }

  open() {
    this.selects.forEach((select, at) => { select.value = this.chosen[at]; });
    this.dialog.showModal();
  }

  known(key) {
    return key === PERSON || this.level(key) !== undefined;
  }

  level(key) {
    const [number, at] = key.split(".").map(Number);
    return this.settings.players[number]?.levels[at];
  }

  read(query) {
    this.chosen = NAMES.map((name, at) => (this.known(query.get(name) ?? "") ? query.get(name) : at ? this.settings.usual : PERSON));
  }

  /** What an address says of the players; nothing if they are the usual ones. */
  query() {
    const usual = [PERSON, this.settings.usual];
    return Object.fromEntries(NAMES.map((name, at) => [name, this.chosen[at] === usual[at] ? "" : this.chosen[at]]));
  }

  isPerson(player) {
    return this.chosen[player - 1] === PERSON;
  }

  get watching() {
    return !this.isPerson(1) && !this.isPerson(2);
  }

  /** The only person's number, 1 or 2; null if both players are people, or neither is. */
  get onlyPerson() {
    return this.isPerson(1) === this.isPerson(2) ? null : this.isPerson(1) ? 1 : 2;
  }

  title(player) {
    const key = this.chosen[player - 1];
    if (key === PERSON) return t("You");
    const {title} = this.settings.players[Number(key.split(".")[0])];
    return `${t(title)} · ${t(this.level(key).title)}`;
  }

  /** The number of the module that plays for a player, and the limits of its search. */
  machine(player) {
    const key = this.chosen[player - 1];
    return {number: Number(key.split(".")[0]), options: this.level(key).options};
  }
}
