// Sharing a position: its link, also as a code for telephones, its picture as SVG and PNG, and the game as a file.

import {address, notify} from "./api.js";
import {copy} from "./copying.js";
import {chart} from "./elements.js";
import {t} from "./language.js";

const MOST_ADDRESS = 1500; // characters of an address in a QR code that telephones still read
const PNG_WIDTH = 1200; // pixels

/** Prepare the dialog that a button opens. line() gives {line, from, at}; players() gives {first, second, end}. */
export function prepareSharing(button, line, players = () => ({})) {
  const dialog = document.getElementById("share-dialog");
  const byId = (id) => document.getElementById(id);
  button.addEventListener("click", () => {
    byId("share-code").hidden = location.href.length > MOST_ADDRESS;
    if (!byId("share-code").hidden) byId("share-code").src = address("/api/qr.svg", {address: location.href});
    byId("share-svg").href = address("/api/picture.svg", {...line(), save: "position.svg"});
    byId("share-text").href = address("/api/game.txt", {...line(), ...players()});
    byId("share-json").href = address("/api/game.jsonl", {...line(), ...players()});
    dialog.showModal();
  });
  byId("share-link").addEventListener("click", () => copied(location.href, t("The link to this position was copied.")));
  byId("share-embed").addEventListener("click", async () => {
    const response = await fetch(address("/api/embed.html", line()));
    if (response.ok) copied(await response.text(), t("The HTML was copied."));
  });
  byId("share-png").addEventListener("click", () => savePng(line()));
  dialog.querySelector("[data-close]").addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
}

async function copied(text, said) {
  document.getElementById("share-dialog").close();
  if (await copy(text)) notify(said, 2);
  else notify(text, 10);
}

/** Draw the picture on a canvas, and save it. */
async function savePng(line) {
  const svg = chart(await (await fetch(address("/api/picture.svg", line))).text());
  const {width, height} = svg.viewBox.baseVal;
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [PNG_WIDTH, Math.round((PNG_WIDTH * height) / width)];
  svg.setAttribute("width", canvas.width);
  svg.setAttribute("height", canvas.height);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
  await image.decode();
  canvas.getContext("2d").drawImage(image, 0, 0);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = "position.png";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
