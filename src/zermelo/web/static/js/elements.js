// Making elements: of a page, of a picture, and whole charts that the server drew.

const SVG = "http://www.w3.org/2000/svg";

/** An element of the page with attributes (those that are null are left out), text and children. */
export function make(name, {text = null, ...attributes} = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value !== null) element.setAttribute(key, value);
  if (text !== null) element.textContent = text;
  element.append(...children);
  return element;
}

/** An element of a picture. Children may be texts. */
export function makeSvg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** A chart that the server drew. */
export function chart(svg) {
  return document.importNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement, true);
}
