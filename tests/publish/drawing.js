// Compares boards, moves and labels of a translated game with those of Python. Cases come in on standard input as JSON:
// the rules' answers for every state on the way, so that no module has to be compiled.

import {makeGame} from "./game.js";

const {kinds, words, cases} = JSON.parse(require("fs").readFileSync(0));
const known = new Map();
const keyOf = (state) => [...state].join();
const t = (text, parts = {}) => (words[text] ?? text).replace(/\{(\w+)\}/g, (whole, name) => parts[name] ?? whole);
const asked = (name) => (state) => {
  if (!known.has(keyOf(state))) throw new Error(`Python never asked about ${keyOf(state)}`);
  return known.get(keyOf(state))[name];
};
let read = null;
const {game, start} = makeGame(globalThis.program, (State) => {
  read = (fields) => State(...fields.map((value, at) => (kinds[at] === "uint64" ? BigInt(value) : value)));
  return {
    start: () => read(cases.first), moves_of: asked("moves"), is_over: asked("over"), outcome: asked("outcome"), margin: asked("margin"),
    to_move: asked("mover"), play: (state, move) => read(asked("after")(state)[move]),
  };
}, t);

/** The same with all numbers in texts written alike: Python writes 60.0 where a page writes 60. */
function normal(value) {
  if (typeof value === "string") return value.replace(/-?\d+\.\d+/g, (number) => String(Number(number)));
  if (Array.isArray(value)) return value.map(normal);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, normal(value[key])]));
}

const answers = [];
for (const one of cases.positions) {
  for (const [fields, answer] of one.states) known.set(keyOf(read(fields)), answer);
  let position = start();
  for (const move of one.moves) position = position.after(move);
  const whyNot = one.tried.map((text) => (position.is_over ? null : game.why_not(position.state, game.normal_move_text(text))));
  answers.push(normal({
    picture: position.picture(one.marks), moves: position.moves, over: position.is_over, winner: position.winner,
    margin: position.margin, text: position.__str__(), line: position.line, label: position.label, whyNot,
  }));
}
process.stdout.write(JSON.stringify(answers));
