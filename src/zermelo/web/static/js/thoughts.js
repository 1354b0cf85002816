// The thoughts of a player while it thinks: depth, score, nodes per second, and the expected line.

import {make} from "./elements.js";
import {language, t} from "./language.js";
import {shown} from "./moves.js";

const box = document.getElementById("thoughts");
const toggle = document.getElementById("show-thinking");
const KEY = "zermelo-hide-thinking";

if (toggle) {
  toggle.checked = localStorage.getItem(KEY) === null;
  const apply = () => { box.hidden = !toggle.checked; };
  toggle.addEventListener("change", () => {
    if (toggle.checked) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, "yes");
    apply();
  });
  apply();
}

const number = new Intl.NumberFormat(language, {notation: "compact", maximumFractionDigits: 1});

export function showThought(thought) {
  const facts = [
    [t("score"), thought.text === null ? "" : t("{score} for {player}", {score: thought.text, player: thought.side})],
    [t("depth"), thought.depth ?? ""],
    [t("nodes"), thought.nodes ? number.format(thought.nodes) : ""],
    [t("nodes/s"), thought.nodes && thought.seconds > 0.001 ? number.format(thought.nodes / thought.seconds) : ""],
    [t("time"), `${thought.seconds.toFixed(2)} s`],
  ].filter(([, value]) => value !== "");
  const pairs = facts.map(([name, value]) => make("div", {}, make("dt", {text: name}), make("dd", {text: value})));
  box.replaceChildren(make("dl", {class: "facts"}, ...pairs), make("p", {class: "line", text: thought.line.map(shown).join(" ")}));
}

export function say(text) {
  box.replaceChildren(make("p", {class: "quiet small", text}));
}
