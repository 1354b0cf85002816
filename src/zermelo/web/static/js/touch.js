// Fingers and dragging: a board whose targets are too small for a finger comes nearer, and men can be dragged.

import {make} from "./elements.js";
import {t} from "./language.js";
import {pointOf} from "./motion.js";

const LEAST = 40; // pixels that a finger needs
const AIMED = 46; // the size of a target when the board has come nearer
const SLACK = 7; // pixels that a pointer may move before it drags

/** Tap to aim: the first tap on a small target brings the board nearer, the next one counts. */
export class Aim {
  constructor(board) {
    this.board = board;
    this.near = false;
    this.button = make("button", {class: "whole-board small", type: "button", text: t("Whole board"), hidden: ""});
    this.button.addEventListener("click", () => this.leave());
    board.element.append(this.button);
  }

  /** Whether this click only aimed. */
  takes(event) {
    const target = event.target.closest("[data-move], .choice, [data-place]");
    if (event.pointerType !== "touch" || this.near || !target) return false;
    const shape = target.querySelector("polygon, circle, rect") ?? target;
    const [{width, height}, {a, b}] = [shape.getBBox(), shape.getScreenCTM()]; // a turned shape has too large a frame
    const size = Math.min(width, height) * Math.hypot(a, b);
    if (!size || size >= LEAST) return false;
    this.approach(event, Math.min(4, AIMED / size));
    return true;
  }

  approach(event, times) {
    const {svg} = this.board;
    const {x, y, width, height} = svg.viewBox.baseVal;
    const frame = svg.getBoundingClientRect();
    const [w, h] = [width / times, height / times];
    const middle = [x + ((event.clientX - frame.x) / frame.width) * width, y + ((event.clientY - frame.y) / frame.height) * height];
    const left = Math.max(x, Math.min(x + width - w, middle[0] - w / 2));
    const top = Math.max(y, Math.min(y + height - h, middle[1] - h / 2));
    this.far = svg.getAttribute("viewBox");
    svg.setAttribute("viewBox", [left, top, w, h].map((number) => number.toFixed(1)).join(" "));
    this.near = true;
    this.button.hidden = false;
  }

  leave() {
    if (!this.near) return;
    this.board.svg.setAttribute("viewBox", this.far);
    this.forget();
  }

  /** Another picture is shown, and with it the whole board. */
  forget() {
    this.near = false;
    this.button.hidden = true;
  }
}

/** Dragging a man to the place where he goes, beside clicking. */
export class Drag {
  constructor(board) {
    this.board = board;
    this.man = null;
    board.element.addEventListener("pointerdown", (event) => this.begin(event));
    board.element.addEventListener("pointermove", (event) => this.move(event));
    board.element.addEventListener("pointerup", (event) => this.end(event));
    board.element.addEventListener("pointercancel", () => this.drop());
    // A click follows the end of a drag, and must not choose anything.
    board.element.addEventListener("click", (event) => this.swallow && (event.stopPropagation(), this.swallow = false), true);
  }

  begin(event) {
    this.swallow = false;
    const man = event.target.closest(".choice[data-from][data-motion]");
    if (!man || event.button || !this.board.enabled || !pointOf(man)) return;
    this.man = {man, from: pointOf(man), start: [event.clientX, event.clientY], moving: false, id: event.pointerId};
  }

  /** A point of the window in the units of the picture. */
  pointAt(event) {
    const {x, y} = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.board.element.querySelector(".whole").getScreenCTM().inverse());
    return [x, y];
  }

  move(event) {
    if (!this.man || event.pointerId !== this.man.id) return;
    if (!this.man.moving) {
      if (Math.hypot(event.clientX - this.man.start[0], event.clientY - this.man.start[1]) < SLACK) return;
      this.man.moving = true;
      this.board.element.setPointerCapture(event.pointerId);
      this.man.man.classList.add("dragged");
      this.board.only({from: this.man.man.dataset.from});
    }
    const [x, y] = this.pointAt(event);
    this.man.man.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
  }

  /** Make the move that leads nearest to here, if it leads near enough; otherwise the man goes back. */
  end(event) {
    if (!this.man?.moving) {
      this.man = null;
      return;
    }
    const {man} = this.man;
    const [x, y] = this.pointAt(event);
    const reach = Math.max(24, man.getBBox().width);
    const near = this.board.places.filter((place) => place.dataset.from === man.dataset.from && this.board.fits(place))
      .map((place) => [place, Math.hypot(...this.board.targetOf(place).map((middle, axis) => middle - [x, y][axis]))])
      .filter(([, far]) => far < reach).sort(([, a], [, b]) => a - b);
    const alike = near.filter(([, far]) => far < near[0][1] + 2).map(([place]) => place);
    this.drop();
    this.swallow = true;
    if (alike.length === 1) this.board.choose(alike[0]);
    else if (alike.length) this.board.ask(alike);
  }

  drop() {
    if (this.man?.moving) {
      this.man.man.classList.remove("dragged");
      this.man.man.setAttribute("transform", `translate(${this.man.from[0]} ${this.man.from[1]})`);
      this.board.only({});
    }
    this.man = null;
  }
}
