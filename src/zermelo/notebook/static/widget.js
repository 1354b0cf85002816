// The widgets of notebooks: a board to play on and the tree of a search, with the lab's own modules. The kernel answers.

import {Board} from "./board.js";
import {make} from "./elements.js";
import {t} from "./language.js";
import {drawPicture} from "./picture.js";
import {SearchTree} from "./search_tree.js";
import {TreeView} from "./tree_view.js";

const SMALL_TREE = 60; // trees up to this number of nodes are open from the beginning

export function render({model, el}) {
  const root = make("div", {class: "zermelo-widget"});
  el.append(root);
  (model.get("kind") === "board" ? renderBoard : renderTree)(model, root);
}

// ------------------------------------------------------------------ a board

function renderBoard(model, root) {
  const style = make("style"); // some front ends put widgets into a tree of their own, which the page's styles do not reach
  const element = make("div", {class: "board"});
  const said = make("p", {class: "said", role: "status"});
  const list = make("p", {class: "line"});
  const undo = make("button", {type: "button", text: t("Undo")});
  const again = make("button", {type: "button", text: t("New game")});
  const choices = make("p", {class: "choices"});
  root.append(style, element, said, choices, make("p", {class: "tools"}, undo, again), list);
  const order = (message) => model.send(message);
  const play = (move) => {
    board.anticipate(move);
    board.enable(false);
    order({do: "move", move, position: model.get("view").position});
  };
  const board = new Board(element, {
    move: play,
    refused: (move) => order({do: "why", move}),
    several: (moves) => choices.replaceChildren(...moves.map(([move, label]) => {
      const button = make("button", {type: "button", text: label});
      button.addEventListener("click", () => play(move));
      return button;
    })),
  });
  const show = () => {
    const view = model.get("view");
    style.textContent = view.picture.style;
    board.show(view);
    board.enable(view.enabled);
    choices.replaceChildren();
    said.textContent = view.thinking ? t("thinks…") : view.said;
    list.textContent = view.moves.join(" ");
    undo.disabled = !view.undo;
    again.disabled = !view.undo;
  };
  undo.addEventListener("click", () => order({do: "undo"}));
  again.addEventListener("click", () => order({do: "again"}));
  model.on("change:view", show);
  model.on("msg:custom", ({refused}) => {
    if (!refused) return;
    board.takeBack();
    said.textContent = refused[0].toUpperCase() + refused.slice(1);
    board.enable(model.get("view").enabled);
  });
  show();
}

// ------------------------------------------------------------------ a tree

function renderTree(model, root) {
  const tree = new SearchTree(model.get("tree"));
  const said = make("p", {class: "said", role: "status"});
  const slider = make("input", {type: "range", min: 0, max: tree.steps.length - 1, "aria-label": t("Step of the search")});
  const box = make("div", {class: "tree-box"});
  const about = make("p", {class: "said"});
  const place = make("div", {class: "node-board"});
  const step = (text, label, change) => {
    const button = make("button", {type: "button", text, "aria-label": label});
    button.addEventListener("click", () => goTo(Number(slider.value) + change));
    return button;
  };
  const tools = make("p", {class: "tools"}, step("◀", t("Previous step"), -1), slider, step("▶", t("Next step"), 1));
  root.append(tools, said, box, make("div", {class: "node-panel"}, place, about));
  const isLarge = tree.size > SMALL_TREE;
  const view = new TreeView(box, {select: (node) => choose(node)});
  const goTo = (number) => {
    const at = Math.max(0, Math.min(number, tree.steps.length - 1));
    slider.value = at;
    said.textContent = tree.describe(at);
    if (isLarge) view.follow(tree.steps[at].node);
    view.goTo(at);
  };
  const choose = (node) => {
    about.textContent = [tree.lineTo(node).join(" "), tree.value(node), tree.fate(node)].filter(Boolean).join(" · ");
    model.send({do: "show", line: tree.lineTo(node)});
  };
  slider.addEventListener("input", () => goTo(Number(slider.value)));
  model.on("msg:custom", ({picture, said: text}) => {
    if (!picture) return;
    place.replaceChildren(drawPicture(picture));
    place.title = text;
  });
  const first = () => {
    view.show(tree, !isLarge);
    goTo(tree.steps.length - 1);
    choose(0);
  };
  requestAnimationFrame(first); // the tree needs to know how wide it is
}
