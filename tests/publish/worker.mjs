// Asks the worker of a page in Node: the same question against the clock before and after the worker had time for itself.
// Standard input: JSON with `moduleJs`, `wasm` and `states` (base64: one to begin with, one with few pieces).
import fs from "node:fs";
import { pathToFileURL } from "node:url";

const request = JSON.parse(fs.readFileSync(0, "utf8"));
const [first, few] = request.states.map((text) => new Uint8Array(Buffer.from(text, "base64")));
let hear = null;
let answered = null;
globalThis.self = {
  addEventListener: (_, listener) => (hear = listener),
  postMessage: (told) => told.thinking || answered(told),
};
await import(pathToFileURL(request.moduleJs.replace("module.js", "worker.js")));
const module = await WebAssembly.compile(fs.readFileSync(request.wasm));

const ask = (state, options, more = {}) =>
  new Promise((resolve) => {
    answered = resolve;
    hear({ data: { number: 0, what: "search", state, options, ...more } });
  });

const found = [await ask(few, { milliseconds: 20 }, { module })];
await ask(first, { nodes: 100 }); // a question that comes in between
await new Promise((resolve) => process.once("beforeExit", resolve)); // nothing is left to do
found.push(await ask(few, { milliseconds: 20 }));
console.log(JSON.stringify(found.map(({ done, failed }) => failed ?? done.solved)));
