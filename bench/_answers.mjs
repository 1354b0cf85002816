// Lets a published player search positions with its own budget. Standard input: JSON with `moduleJs`, `wasm` (a path) and
// `states` (base64); standard output: what it answers, a JSON list.
import fs from "node:fs";
import { pathToFileURL } from "node:url";
import { answer } from "./_answer.mjs";

const request = JSON.parse(fs.readFileSync(0, "utf8"));
const { load } = await import(pathToFileURL(request.moduleJs));
const player = await load(fs.readFileSync(request.wasm));
const answers = request.states.map((text) => answer(player, new Uint8Array(Buffer.from(text, "base64"))));
console.log(JSON.stringify(answers));
