// Lets a published player search in a browser, as bench/answers.mjs and its like do in Node.

import {load} from "./module.js";

globalThis.searched = async (wasm, states, options) => {
  const bytes = (text) => Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
  const player = await load(bytes(wasm));
  return states.map((text) => {
    const state = bytes(text);
    if (player.isOver(state)) return null;
    const {move, depth, nodes, score} = player.search(state, options);
    return {move, depth, nodes, units: score.units};
  });
};
