// Motion between two pictures. Glyphs say how they move (data-motion); this module compares where they were and where
// they are. It knows no game. Visitors who prefer less motion see the new picture at once.

import {changePicture} from "./picture.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");
const TIME = {drop: 380, flip: 260, glide: 260, pop: 170, fade: 200};
const IN_TURN = 70; // milliseconds between one disc that is flipped and the next

/** The point to which a glyph is moved, [x, y]; null if it stays where it is drawn. */
export function pointOf(glyph) {
  const found = /translate\(([-\d.]+)[ ,]+([-\d.]+)\)/.exec(glyph.getAttribute("transform") ?? "");
  return found && [Number(found[1]), Number(found[2])];
}

export const at = ([x, y], more = "") => ["translate(", x, "px,", y, "px)", more].join("");

/** The glyphs of a drawing that can move, by name, except those that stay as they are: where each is, and a copy of it. */
function standing(svg, kept) {
  const found = new Map();
  for (const glyph of svg.querySelectorAll("[data-motion]")) {
    const point = kept.has(glyph.dataset.glyph) ? null : pointOf(glyph);
    if (point) found.set(glyph.dataset.glyph, {glyph, point, shapes: shapesOf(glyph), motion: glyph.dataset.motion, copy: null});
  }
  return found;
}

const shapesOf = (glyph) => [...glyph.children].filter(({nodeName}) => nodeName !== "title").map(({outerHTML}) => outerHTML).join("");

/**
 * Change a drawn picture into another one, and show what moved. `ahead` is what the page has shown already, before the
 * server answered: {point, began}. Returns how long the motion takes, in milliseconds.
 */
export function movePicture(svg, picture, ahead = null) {
  for (const ghost of svg.querySelectorAll("[data-ghost]")) ghost.remove();
  if (still.matches || document.hidden || !svg.animate) {
    changePicture(svg, picture);
    return 0;
  }
  let before = null;
  const kept = changePicture(svg, picture, (kept) => {
    before = standing(svg, kept);
    for (const one of before.values()) {
      for (const running of one.glyph.getAnimations()) running.finish();
      one.copy = ghostOf(one.glyph);
    }
  });
  const after = standing(svg, kept);
  const fresh = [...after].filter(([name]) => !before.has(name)).map(([, one]) => one);
  const moved = [...after].filter(([name, {point}]) => before.has(name) && apart(point, before.get(name).point) > 0.5);
  const changed = [...after].filter(([name, {point, shapes, motion}]) => motion === "flip" && before.has(name)
    && apart(point, before.get(name).point) <= 0.5 && shapes !== before.get(name).shapes);
  const gone = [...before].filter(([name]) => !after.has(name)).map(([, one]) => one);
  const source = fresh[0]?.point ?? moved[0]?.[1].point ?? gone[0]?.point;
  let longest = 0;
  if (fresh.length < 8) for (const one of fresh) longest = Math.max(longest, come(one, ahead));
  for (const [name, one] of moved) longest = Math.max(longest, glide(one.glyph, before.get(name).point, one.point));
  const turned = changed.sort(([, a], [, b]) => apart(a.point, source ?? a.point) - apart(b.point, source ?? b.point));
  turned.forEach(([name, one], place) => { longest = Math.max(longest, flip(one, before.get(name).copy, (place + 1) * IN_TURN)); });
  if (gone.length < 8) for (const one of gone) leave(svg, one);
  return longest;
}

const apart = ([x, y], [u, v]) => Math.hypot(x - u, y - v);

/** A copy of a glyph that nobody can click or hear, for a moment. */
function ghostOf(glyph) {
  const copy = glyph.cloneNode(true);
  for (const name of [...copy.getAttributeNames()]) if (!["transform", "class"].includes(name)) copy.removeAttribute(name);
  copy.querySelectorAll("title").forEach((title) => title.remove());
  copy.classList.remove("choice", "chosen");
  copy.dataset.ghost = "";
  copy.setAttribute("pointer-events", "none");
  copy.setAttribute("aria-hidden", "true");
  return copy;
}

/** Show a new glyph coming, or the rest of it if it has begun to come already. */
function come({glyph, point, motion}, ahead) {
  const begun = ahead && apart(ahead.point, point) < 1 ? performance.now() - ahead.began : 0;
  const running = comes(glyph, point, motion);
  if (running) running.currentTime = begun;
  return running ? TIME[motion] - begun : 0;
}

/** Let something drop to a point from above the picture, or pop up there. */
export function comes(element, point, motion) {
  if (still.matches || !element.animate) return null;
  if (motion === "drop") {
    const frames = [{transform: at([point[0], -40]), easing: "cubic-bezier(.5, 0, .9, .6)"}, {transform: at(point), offset: 0.72, easing: "ease-out"},
      {transform: at([point[0], point[1] - 9]), offset: 0.86, easing: "ease-in"}, {transform: at(point)}];
    return element.animate(frames, {duration: TIME.drop});
  }
  if (motion === "glide" || motion === "walk") return null; // it comes from nowhere
  return element.animate([{transform: at(point, "scale(.4)"), opacity: 0.3}, {transform: at(point, "scale(1.08)"), offset: 0.7}, {transform: at(point)}], {duration: TIME.pop});
}

/** Let a glyph glide from one point to another. */
export function glide(glyph, from, to) {
  if (still.matches || !glyph.animate) return 0;
  glyph.animate([{transform: at(from)}, {transform: at(to)}], {duration: TIME.glide, easing: "ease-in-out"});
  return TIME.glide;
}

function flip({glyph, point}, copy, delay) {
  const half = TIME.flip / 2;
  glyph.after(copy);
  copy.animate([{transform: at(point)}, {transform: at(point, "scaleX(0)")}], {duration: half, delay, fill: "both", easing: "ease-in"}).finished
    .then(() => copy.remove(), () => copy.remove());
  glyph.animate([{transform: at(point, "scaleX(0)")}, {transform: at(point)}], {duration: half, delay: delay + half, fill: "backwards", easing: "ease-out"});
  return delay + TIME.flip;
}

function leave(svg, {copy, point}) {
  (svg.querySelector(".whole") ?? svg).append(copy);
  copy.animate([{transform: at(point), opacity: 1}, {transform: at(point, "scale(.7)"), opacity: 0}], {duration: TIME.fade, fill: "forwards"}).finished
    .then(() => copy.remove(), () => copy.remove());
}
