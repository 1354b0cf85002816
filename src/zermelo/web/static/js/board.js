// A board to play on. This module knows no game: what can be clicked has data-move, and the server says what it does.

import {comes, glide, movePicture, pointOf} from "./motion.js";
import {aheadOf, drawAnew, drawPicture} from "./picture.js";
import {Aim, Drag} from "./touch.js";

const tall = matchMedia("(max-width: 860px) and (orientation: portrait)");
const LONG = 150; // milliseconds after which a board that may not be used looks so: most answers come sooner
const sheet = new CSSStyleSheet();
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

export class Board {
  /**
   * `element` holds the svg. on.move(text) is called when a legal move is chosen, on.refused(text) when a place is
   * clicked that makes no legal move, and on.pressed(text) when a legal move will probably be chosen in a moment.
   */
  constructor(element, on) {
    this.element = element;
    this.on = on;
    this.enabled = true;
    this.filter = {};
    this.ahead = null; // the move that is shown before the server has answered: {point, began, undo}
    applyStyle(element.dataset.style ?? "");
    element.addEventListener("click", (event) => this.clicked(event));
    element.addEventListener("keydown", (event) => this.pressed(event));
    element.addEventListener("pointerdown", (event) => this.foresee(event));
    element.addEventListener("pointerover", ({target}) => target.closest("[data-move]") && aheadOf(target.closest("[data-move]")));
    element.addEventListener("focusin", (event) => this.rove(event.target.closest("[data-move]")));
    this.aim = new Aim(this);
    this.drag = new Drag(this);
    tall.addEventListener("change", () => this.fit());
    this.refresh();
    element.removeAttribute("inert"); // until now a click would have been lost
  }

  get svg() {
    return this.element.querySelector("svg");
  }

  get places() {
    return [...this.element.querySelectorAll("[data-move]")];
  }

  /** Show another picture of the same kind. */
  show({picture}) {
    applyStyle(picture.style ?? "");
    const focused = document.activeElement?.closest?.("[data-move]");
    const move = focused && this.element.contains(focused) ? focused.dataset.move : null;
    this.filter = {};
    if (this.svg) movePicture(this.svg, picture, this.ahead);
    else this.element.prepend(drawPicture(picture));
    this.aim.forget();
    this.ahead = null;
    this.refresh();
    this.classify({});
    const pointed = this.element.querySelector("[data-move]:hover");
    if (pointed) aheadOf(pointed);
    if (move !== null) {
      const again = this.places.find((place) => place.dataset.move === move) ?? this.places[0];
      if (again && again !== document.activeElement) this.focus(again);
    }
  }

  /** Show at once what a move puts on the board, or moves there. The next picture has it, or `takeBack` undoes it. */
  anticipate(move) {
    this.takeBack();
    const place = this.places.find((one) => one.dataset.move === move);
    if (!place) return;
    const coming = aheadOf(place);
    const walker = place.dataset.from && this.element.querySelector(`[data-motion][data-from="${place.dataset.from}"]`);
    drawAnew(place);
    if (coming) {
      const point = pointOf(coming);
      place.classList.add("played");
      comes(coming, point, coming.dataset.comes);
      this.ahead = {point, began: performance.now(), undo: () => place.classList.remove("played")};
    } else if (walker && pointOf(walker)) {
      const [from, point] = [pointOf(walker), this.targetOf(place)];
      drawAnew(walker);
      glide(walker, from, point);
      walker.setAttribute("transform", `translate(${point[0]} ${point[1]})`);
      this.ahead = {point, began: performance.now(), undo: () => walker.setAttribute("transform", `translate(${from[0]} ${from[1]})`)};
    }
  }

  /** The point to which a move leads: the middle of its square, or else of what is clicked. */
  targetOf(place) {
    const square = place.dataset.to && this.element.querySelector(`[data-place="${place.dataset.to}"]:not([data-motion])`);
    const box = (square || place).getBBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  }

  /** Undo what was shown ahead: the move was not made. */
  takeBack() {
    this.ahead?.undo();
    this.ahead = null;
  }

  /** Can the board be seen from the other side? Not if stones drop. */
  get canTurn() {
    return !this.element.querySelector('[data-comes="drop"], [data-motion="drop"]');
  }

  /** Show the board from the other side. */
  turn() {
    this.element.classList.toggle("turned");
  }

  /** Set whether the user may move. */
  enable(enabled) {
    this.enabled = enabled;
    clearTimeout(this.later);
    if (enabled) this.showEnabled();
    else this.later = setTimeout(() => this.showEnabled(), LONG);
  }

  showEnabled() {
    this.element.classList.toggle("waiting", !this.enabled);
    for (const place of this.places) set(place, "aria-disabled", this.enabled ? null : "true");
  }

  /** Mark places, {move: class name}, and remove the marks of all others. */
  classify(classes) {
    for (const place of this.places) {
      const wanted = classes[place.dataset.move];
      set(place, "data-quality", wanted ?? null);
    }
  }

  /** Turn a board that has an upright form, if the window is higher than wide. */
  fit() {
    const {svg} = this;
    if (!svg?.dataset.tall) return;
    this.wide ??= svg.getAttribute("viewBox");
    const box = tall.matches ? svg.dataset.tall : this.wide;
    const [, , width, height] = box.split(" ");
    for (const [name, value] of Object.entries({viewBox: box, width, height})) svg.setAttribute(name, value);
    this.element.classList.toggle("tall", tall.matches);
  }

  refresh() {
    this.fit();
    this.rove(this.places[0]);
    this.enable(this.enabled);
    this.applyFilter();
  }

  /** Put one place of the board into the tab order; the arrow keys lead to the others. */
  rove(place) {
    if (!place) return;
    for (const one of this.places) set(one, "tabindex", one === place ? "0" : "-1");
  }

  focus(place) {
    this.rove(place);
    place?.focus();
  }

  clicked(event) {
    if (this.aim.takes(event)) return;
    const place = event.target.closest("[data-move]");
    if (place) {
      const alike = event.target.closest(".target") ? this.places.filter((one) => one.dataset.to === place.dataset.to && this.fits(one)) : [];
      if (alike.length > 1) this.ask(alike);
      else this.choose(place);
      return;
    }
    const choice = event.target.closest(".choice");
    if (choice) {
      this.select(choice);
      return;
    }
    const elsewhere = event.target.closest("[data-place]");
    if (elsewhere) this.tryPlace(elsewhere.dataset.place);
  }

  /** Tell which move a click will make, if the pointer that was pressed is let go here. */
  foresee(event) {
    const place = event.target.closest("[data-move]");
    if (place && !event.button && this.enabled) this.on.pressed?.(place.dataset.move);
  }

  /** Ask which of several moves is meant. */
  ask(places) {
    this.on.several?.(places.map((place) => [place.dataset.move, place.getAttribute("aria-label")]));
  }

  /** Show only the moves with these parts. */
  only(filter) {
    this.filter = filter;
    this.applyFilter();
  }

  choose(place) {
    if (this.enabled) this.on.move?.(place.dataset.move);
    else this.on.disabled?.();
  }

  /** How the game writes a move by its parts, such as "{card}:{from}-{to}"; empty if a move is a single choice. */
  get words() {
    return this.element.querySelector("[data-words]")?.dataset.words ?? "";
  }

  /** The parts of a move that are chosen one by one before the place it leads to. */
  get parts() {
    return [...this.words.matchAll(/{(\w+)}/g)].map(([, name]) => name).filter((name) => name !== "to");
  }

  /** Choose a part of a move, such as a card or a die: only its moves stay bright. Choosing it again undoes that. */
  select(choice) {
    for (const key of this.parts) {
      const value = choice.dataset[key];
      if (value === undefined) continue;
      if (this.filter[key] === value) delete this.filter[key];
      else this.filter[key] = value;
    }
    this.applyFilter();
    const fitting = this.places.filter((place) => this.fits(place));
    const whole = this.words && !this.words.includes("{to}") && this.parts.every((part) => part in this.filter);
    if (whole && fitting.length === 1) this.choose(fitting[0]); // its parts say all of it
    if (Object.keys(this.filter).length && !this.places.some((place) => this.fits(place))) this.refuse({});
  }

  /** Say why no move is possible. If enough was chosen to write a move, the game explains that move. */
  refuse({to}) {
    const chosen = {...this.filter, ...(to ? {to} : {})};
    const move = this.words.replace(/{(\w+)}/g, (all, name) => chosen[name] ?? all);
    this.on.refused?.(move && !move.includes("{") ? move : to ?? Object.values(this.filter).join(" "));
    if (!to) this.filter = {};
    this.applyFilter();
  }

  fits(place) {
    return Object.entries(this.filter).every(([key, value]) => place.dataset[key] === value);
  }

  applyFilter() {
    const parts = this.parts;
    this.svg?.classList.toggle("choosing", Object.keys(this.filter).length > 0);
    for (const place of this.places) place.classList.toggle("other", !this.fits(place));
    for (const choice of this.element.querySelectorAll(".choice")) {
      const chosen = parts.some((key) => key in this.filter && this.filter[key] === choice.dataset[key]);
      choice.classList.toggle("chosen", chosen);
    }
  }

  /** Handle a click on a place to which several moves lead, or none. */
  tryPlace(text) {
    const leading = this.places.filter((place) => place.dataset.to === text && this.fits(place));
    if (!this.enabled) this.on.disabled?.();
    else if (leading.length === 1) this.choose(leading[0]);
    else if (leading.length) this.ask(leading);
    else this.refuse({to: text});
  }

  pressed(event) {
    const place = event.target.closest("[data-move]");
    if (!place) return;
    const ways = {ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1]};
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.choose(place);
    } else if (ways[event.key] && !event.altKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      event.stopPropagation();
      this.focus(this.neighbour(place, ...ways[event.key]) ?? place);
    } else if (event.key === "Home" || event.key === "End") {
      event.preventDefault();
      this.focus(this.places.at(event.key === "Home" ? 0 : -1));
    }
  }

  /** The nearest place in a direction: what lies straight ahead counts most. */
  neighbour(from, dx, dy) {
    const [x, y] = middle(from);
    let best = null;
    let least = Infinity;
    for (const place of this.places) {
      const [px, py] = middle(place);
      const ahead = (px - x) * dx + (py - y) * dy;
      const aside = Math.abs((px - x) * dy) + Math.abs((py - y) * dx);
      if (place === from || ahead < 1 || aside > 2.5 * ahead) continue;
      const far = ahead + 2 * aside;
      if (far < least) [best, least] = [place, far];
    }
    return best;
  }
}

/** Set an attribute, or remove it. What is so already is not touched: the browser would compute its style again. */
function set(element, name, value) {
  if (value === null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

function middle(place) {
  const box = place.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

let applied = "";

/** Apply the style of a game's pictures as a constructed sheet; the policy forbids inline style. */
function applyStyle(style) {
  if (style === applied) return; // all styles of the page would be computed again
  sheet.replaceSync(style);
  applied = style;
}
