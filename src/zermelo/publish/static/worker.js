// A worker of a page: searches here, so that the page never waits. A search is stopped by ending the worker.

import {load} from "./module.js";

const MOST = 1 << 24; // nodes for each move of an analysis
const FIRST = 500; // the same at the beginning
const QUICK = 200000; // nodes in which the game's own solver finds all scores at once, or the scores of one move are shared out
const loaded = new Map();
let preparing = 0;

self.addEventListener("message", async ({data}) => {
  try {
    const {module, manifest, what, state, options, number} = data;
    if (module) loaded.set(number, load(module, manifest));
    if (!what) return;
    const player = await loaded.get(number);
    self.postMessage({done: ANSWERS[what](player, state, options)});
    clearTimeout(preparing);
    prepare(player);
  } catch (error) {
    self.postMessage({failed: String(error.message ?? error)});
  }
});

/** While nobody waits, do what would make a later answer slow, a part at a time, so that questions come in between. */
function prepare(player) {
  preparing = setTimeout(() => player.prepare() && prepare(player));
}

const told = (found) => self.postMessage({thinking: found});

const ANSWERS = {
  search: (player, state, options) => player.search(state, {...options, tell: told}),
  scores,
  solve: (player, state, {move}) => player.solve(state, {move})[0],
};

/** What every move is worth, with more and more nodes, until the time is up or nothing is left to find. If the game's own
    solver may find it out, but not at once, the answer is a first estimate. */
function scores(player, state, {milliseconds, past = [], solver = true}) {
  const began = performance.now();
  const moves = solver && player.hasSolver ? player.solve(state, {nodes: QUICK}) : [];
  if (moves?.length) return summary(moves, began);
  const solves = moves === null;
  if (player.manifest.player.grows_tree) {
    const ranked = () => summary(player.ranked(), began);
    player.search(state, {milliseconds, past, solver: false, tell: () => told(ranked())});
    return ranked();
  }
  let found = null;
  for (let nodes = FIRST; nodes <= MOST; nodes *= 4) {
    const each = player.scoreMoves(state, {nodes: nodes * player.moves(state).length, solverNodes: 0, past});
    found = summary(each, began);
    const known = each.every((move) => move.exact || move.complete || move.score.outcome !== null);
    if (known || solves || 4000 * found.seconds > milliseconds) break;
    told(found);
  }
  return {...found, unsolved: solves};
}

function summary(moves, began) {
  return {moves, nodes: moves.reduce((total, move) => total + move.nodes, 0), seconds: (performance.now() - began) / 1000};
}
