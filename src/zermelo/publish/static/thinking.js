// Asking workers, which are made from a text in the page: no browser lets a page that is a file load one.

import {workerSource} from "./worker_source.js";

const MOST_SOLVERS = 4; // workers that solve moves at the same time; each takes 40 MB

/** The compiled module in a text. It is compiled once, and every worker gets what was made. */
export async function unpacked(text) {
  const packed = atob(text);
  const bytes = new Uint8Array(packed.length);
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = packed.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return WebAssembly.compileStreaming(new Response(stream, {headers: {"Content-Type": "application/wasm"}}));
}

export class Thinker {
  /** `players` are {module, manifest}; a module may still be a promise. */
  constructor(players) {
    this.players = players;
    this.worker = null;
  }

  begin() {
    if (this.worker) return;
    const address = URL.createObjectURL(new Blob([workerSource], {type: "text/javascript"}));
    this.worker = new Worker(address);
    this.sent = new Set();
  }

  /** Let the worker prepare a player. */
  async prepare(number) {
    const {module, manifest} = this.players[number];
    const worker = this.worker;
    if (this.sent.has(number)) return;
    this.sent.add(number);
    const compiled = await module;
    worker.postMessage({number, manifest, module: compiled});
  }

  /** End what is running. The next question makes a new worker. */
  stop() {
    this.worker?.terminate();
    this.worker = null;
    this.refuse?.(new DOMException("stopped", "AbortError"));
    this.refuse = null;
  }

  /** The answer of a player. tell(found) is called with what it finds on the way. Rejected if it is stopped. */
  ask(what, number, state, options, tell) {
    if (this.refuse) this.stop();
    this.begin();
    const worker = this.worker;
    const prepared = this.prepare(number);
    return new Promise((resolve, reject) => {
      this.refuse = reject;
      const end = (act) => (value) => {
        if (worker === this.worker) this.refuse = null;
        act(value);
      };
      worker.onerror = (event) => end(reject)(new Error(event.message));
      worker.onmessage = ({data}) => {
        if (data.thinking) tell(data.thinking);
        else if (data.failed) end(reject)(new Error(data.failed));
        else end(resolve)(data.done);
      };
      prepared.then(() => worker.postMessage({what, number, state, options}), end(reject));
    });
  }
}

/** Several workers that find the exact score of every move with the game's own solver, each of one move at a time. */
export class Solvers {
  constructor(players) {
    this.all = Array.from({length: Math.max(1, Math.min(MOST_SOLVERS, navigator.hardwareConcurrency ?? 1))}, () => new Thinker(players));
  }

  /** End what is running. What the others have found is kept, since what is known of a position is always true. */
  stop() {
    clearTimeout(this.timer);
    for (const one of this.all) if (one.refuse) one.stop();
  }

  /** Calls found(answer) for each of the moves, until the time is up; resolves to whether all were found. */
  async solve(number, state, moves, milliseconds, found) {
    this.stop();
    const waiting = [...moves];
    this.timer = setTimeout(() => this.stop(), milliseconds);
    const work = async (one) => {
      while (waiting.length) found(await one.ask("solve", number, state, {move: waiting.shift()}, () => {}));
    };
    const ends = await Promise.allSettled(this.all.slice(0, moves.length).map(work));
    clearTimeout(this.timer);
    const failed = ends.find(({reason}) => reason && reason.name !== "AbortError");
    if (failed) throw failed.reason;
    return ends.every(({status}) => status === "fulfilled");
  }
}
