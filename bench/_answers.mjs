// Lets a published player search positions with its own budget. Standard input: JSON with `moduleJs`, `wasm` (a path) and
// `states` (base64); standard output: what it answers, a JSON list.
import fs from "node:fs";
import { pathToFileURL } from "node:url";

const request = JSON.parse(fs.readFileSync(0, "utf8"));
const { load } = await import(pathToFileURL(request.moduleJs));
const player = await load(fs.readFileSync(request.wasm));
const answers = request.states.map((text) => {
  const state = new Uint8Array(Buffer.from(text, "base64"));
  const over = player.isOver(state);
  return {
    moves: player.moves(state),
    over,
    mover: player.mover(state),
    key: String(player.key(state)),
    outcome: over ? player.outcome(state) : null,
    evaluation: player.evaluate(state).units,
    ...(over ? {} : player.search(state)),
  };
});
console.log(JSON.stringify(answers));
