// What a check found out about one thing in a file: right or wrong, why, and the smallest tree on which it is wrong.

import {address, notify, send} from "./api.js";
import {make} from "./elements.js";
import {language, t} from "./language.js";
import {SearchTree} from "./search_tree.js";
import {TreeView} from "./tree_view.js";

const LEVELS = {error: t("Mistake"), warning: t("Worth a look"), note: t("Note")};

export function reportPanel(report, file) {
  const verdict = make("span", {class: `verdict ${report.right ? "right" : "wrong"}`, text: report.right ? t("right") : t("wrong")});
  const heading = make("h2", {}, report.kind === "file" ? file : report.name, " ", verdict);
  const parts = [heading];
  if (report.about) parts.push(make("p", {class: "quiet", text: report.about}));
  parts.push(...report.findings.map(findingPart));
  if (report.mistake) parts.push(make("p", {class: "named-mistake", text: report.mistake}));
  if (report.counterexample) parts.push(...counterexamplePart(report, file));
  if (report.right && report.nodes) parts.push(nodesTable(report.nodes));
  if (report.lines.length) parts.push(make("ul", {class: "notes"}, ...report.lines.map((text) => make("li", {text}))));
  return make("section", {class: "panel checked report"}, ...parts);
}

function findingPart({level, text, more}) {
  const lines = more.length ? [make("pre", {class: "finding-lines", tabindex: "0", text: more.join("\n")})] : [];
  return make("div", {class: `finding ${level}`}, make("p", {}, make("b", {text: `${LEVELS[level]}: `}), text), ...lines);
}

/** How many nodes the search visited, beside the two that it should lie between. */
function nodesTable({yours, minimax, alphabeta}) {
  const most = Math.max(yours, minimax, alphabeta);
  const row = (name, number) => make("tr", {}, make("th", {scope: "row", text: name}), make("td", {class: "number", text: number.toLocaleString(language)}),
    make("td", {}, make("meter", {min: 0, max: most, value: number, "aria-label": name})));
  return make("table", {class: "node-counts"}, make("caption", {text: t("Nodes visited")}),
    make("tbody", {}, row(t("Minimax"), minimax), row(t("Yours"), yours), row(t("Alpha-beta, same order"), alphabeta)));
}

/** The search's tree, drawn, and the way to the page that walks through it. */
function counterexamplePart({name, counterexample}, file) {
  const {tree, ...options} = counterexample;
  const search = `${file}:${name}`;
  const box = make("div", {class: "tree-box"});
  const link = make("a", {class: "button primary", text: t("See why"), href: `${address("/why/own", {search, ...options})}#${encodeURIComponent(tree)}`});
  draw(box, {tree, search, ...options});
  return [make("h3", {text: t("The smallest tree, with the values of your search")}), box, make("p", {class: "actions"}, link)];
}

async function draw(box, wanted) {
  try {
    const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== null));
    const found = new SearchTree(await send("POST", "/api/tree", given));
    new TreeView(box, {select: () => {}}).show(found, true);
  } catch (error) {
    notify(error.message);
  }
}
