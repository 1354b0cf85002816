// Lets published players search positions with their own budgets in a browser, as _answers.mjs does in Node.

import {answer} from "./answer.js";
import {load} from "./module.js";

const bytesOf = (text) => Uint8Array.from(atob(text), (one) => one.charCodeAt(0));

globalThis.answersOf = async (wasm, states) => {
  const player = await load(bytesOf(wasm));
  return states.map((text) => answer(player, bytesOf(text)));
};

let player = null;
let module = null;

/** Load a player; again with an empty memory, if it was loaded before. */
globalThis.freshPlayer = async (wasm) => {
  module ??= await WebAssembly.compile(bytesOf(wasm));
  player = await load(module);
};

/** The milliseconds that the solver of that player takes for each move. */
globalThis.solvedTimes = (text) => {
  const state = bytesOf(text);
  return player.moves(state).map((move) => {
    const began = performance.now();
    player.solve(state, {move});
    return performance.now() - began;
  });
};
