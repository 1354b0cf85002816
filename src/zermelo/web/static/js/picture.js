// Draws pictures that the server describes: a background, places, and glyphs at places. This module knows no game.

import {makeSvg} from "./elements.js";

const described = new WeakMap(); // what the server said of a glyph that is drawn: its element, and the text of it
const pictures = new WeakMap(); // the picture that a drawing shows

/** A new drawing of a picture. */
export function drawPicture(picture) {
  const svg = drawing(picture, descriptions(picture), new Set());
  pictures.set(svg, picture);
  return svg;
}

const worn = new Set(); // the styles of views that this page has

/** A new drawing of a picture to look at, with its dark colours. (The style of a board to play on is the board's matter.) */
export function drawView(picture) {
  if (picture.style && !worn.has(picture.style)) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(picture.style);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    worn.add(picture.style);
  }
  return drawPicture(picture);
}

/** A drawing of a picture. Of the glyphs in `kept`, by name, there is only an empty element with the name. */
function drawing(picture, texts, kept) {
  const glyphs = picture.glyphs.map((glyph) => {
    if (kept.has(glyph.name)) return makeSvg("g", {"data-glyph": glyph.name, "data-kept": ""});
    const element = drawGlyph(picture, glyph);
    described.set(element, texts.get(glyph.name));
    return element;
  });
  const whole = makeSvg("g", {class: "whole"}, ...picture.background.map(drawShape), ...glyphs);
  return makeSvg("svg", picture.root, ...picture.title.map(drawShape), whole);
}

/** What a move would put there is drawn only when somebody points there: half of a Hex board would be hidden stones. */
const isAhead = ({attributes}) => attributes?.class === "ahead";

/** All that decides how each glyph is drawn, as texts, by its name. */
function descriptions({shapes, places, glyphs}) {
  const used = ({kind, place, parts = [], ...own}) => [own, own.shapes ? null : shapes[kind], own.offset ? places[place] : null,
    ...parts.filter((part) => !isAhead(part)).map(used)];
  return new Map(glyphs.map((glyph) => [glyph.name, JSON.stringify(used(glyph))]));
}

/**
 * Change a drawn picture into another, as little as possible: glyphs that both have are the same elements, moved.
 * before(kept) is called first, with the names of the glyphs that stay as they are; they are also returned.
 */
export function changePicture(svg, picture, before = () => {}) {
  const texts = descriptions(picture);
  const now = [...(svg.querySelector(".whole")?.children ?? [])];
  const kept = new Set(now.filter((child) => described.has(child) && described.get(child) === texts.get(nameOf(child))).map(nameOf));
  before(kept);
  merge(svg, drawing(picture, texts, kept));
  for (const ahead of svg.querySelectorAll("[data-move] > .ahead")) ahead.remove();
  pictures.set(svg, picture);
  return kept;
}

/** What a move at this place would put there, as a hidden part of the place; null if the game does not show that. */
export function aheadOf(place) {
  const drawn = place.querySelector(".ahead");
  const picture = pictures.get(place.ownerSVGElement);
  if (drawn || !picture) return drawn;
  const part = picture.glyphs.find(({name}) => name === nameOf(place))?.parts?.find(isAhead);
  if (part) place.append(drawGlyph(picture, part));
  return place.querySelector(".ahead");
}

/** Let the next change draw the glyph to which an element belongs even if the server says the same of it. */
export function drawAnew(element) {
  for (let one = element; one; one = one.parentElement) described.delete(one);
}

function drawShape([name, attributes, ...content]) {
  return makeSvg(name, attributes, ...content.map((part) => (typeof part === "string" ? part : drawShape(part))));
}

function drawGlyph(picture, {kind, place, offset, attributes, title, shapes = picture.shapes[kind], parts = []}) {
  const element = makeSvg("g", attributes);
  if (offset) {
    const [x, y] = [0, 1].map((axis) => Number((picture.places[place][axis] + offset[axis]).toFixed(2)));
    element.setAttribute("transform", `translate(${x} ${y})`);
  }
  if (title) element.append(makeSvg("title", {}, title));
  element.append(...shapes.map(drawShape), ...parts.filter((part) => !isAhead(part)).map((part) => drawGlyph(picture, part)));
  return element;
}

const nameOf = (node) => node.dataset?.glyph;

/** Make `old` equal to `fresh`. Glyphs are found again by their names, and other nodes by their order. */
function merge(old, fresh) {
  if (fresh.dataset?.kept !== undefined) return;
  if (described.has(fresh)) described.set(old, described.get(fresh));
  for (const {name} of [...old.attributes]) {
    if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  }
  for (const {name, value} of fresh.attributes) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  const wanted = new Set([...fresh.children].map(nameOf));
  for (const child of [...old.children]) if (nameOf(child) && !wanted.has(nameOf(child))) child.remove();
  const named = new Map([...old.children].map((child) => [nameOf(child), child]));
  let here = old.firstChild;
  for (const node of [...fresh.childNodes]) {
    const found = nameOf(node) ? named.get(nameOf(node)) : here;
    if (!found || nameOf(found) !== nameOf(node) || found.nodeName !== node.nodeName) {
      old.insertBefore(node, here);
      continue;
    }
    if (found === here) here = here.nextSibling;
    else old.insertBefore(found, here);
    if (node.nodeType !== Node.TEXT_NODE) merge(found, node);
    else if (found.data !== node.data) found.data = node.data;
  }
  while (here) {
    const next = here.nextSibling;
    here.remove();
    here = next;
  }
}
