// Draws pictures that the server describes: a background, places, and glyphs at places. This module knows no game.

import {makeSvg} from "./elements.js";

/** A new drawing of a picture. */
export function drawPicture(picture) {
  const whole = makeSvg("g", {class: "whole"}, ...picture.background.map(drawShape), ...picture.glyphs.map((glyph) => drawGlyph(picture, glyph)));
  return makeSvg("svg", picture.root, ...picture.title.map(drawShape), whole);
}

/** Change a drawn picture into another, as little as possible: glyphs that both have are the same elements, moved. */
export function changePicture(svg, picture) {
  merge(svg, drawPicture(picture));
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
  element.append(...shapes.map(drawShape), ...parts.map((part) => drawGlyph(picture, part)));
  return element;
}

const nameOf = (node) => node.dataset?.glyph;

/** Make `old` equal to `fresh`. Glyphs are found again by their names, and other nodes by their order. */
function merge(old, fresh) {
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
