// Nodes per second of processor time of a published player in Node. Standard input: JSON with `moduleJs`, `wasm`,
// `state` (base64), `nodes` and `seconds`; standard output: nodes per second.
import fs from "node:fs";
import { pathToFileURL } from "node:url";

const request = JSON.parse(fs.readFileSync(0, "utf8"));
const { load } = await import(pathToFileURL(request.moduleJs));
const player = await load(fs.readFileSync(request.wasm));
const state = new Uint8Array(Buffer.from(request.state, "base64"));
const used = () => process.cpuUsage().user / 1e6;
const measure = (seconds) => {
  const began = used();
  let nodes = 0;
  while (used() - began < seconds) nodes += player.search(state, { nodes: request.nodes }).nodes;
  return nodes / (used() - began);
};
measure(request.seconds); // the browser's second compiler needs a while
console.log(measure(request.seconds));
