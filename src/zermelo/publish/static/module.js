// A published player: loads a module and knows its memory. No DOM, so that Node, a page and a worker can all use it.
// (The last line is the only one that makes this an ES module; a page that must run from file:// leaves it out.)

const UNLIMITED = 1n << 62n;
const [DONE, GO_ON, AGAIN] = [0, 1, 2];
const HOPELESS = -2; // what `solve` returns if more nodes would not help
const FIRST_SLICE = 20000; // nodes of a search against the clock before its speed is known
const LEAST_SLICE = 1000;
const FIRST_ATTEMPT = 200; // nodes of the game's own solver against the clock, before its speed is known
const MORE = 2; // its next attempt has so many times as many nodes
const SOLVER_RATE = 5000; // nodes of the solver per millisecond, before its speed is known
const HARDLY = 500; // a move that has less than this part of all visits has hardly been looked at
const SOLVER_PART = 0.5; // of the time of a search
const FINE = 1000000; // up to this many points, every unit is a thousandth of a point (core/numbers.py)
const ROOM_BEYOND = 900000000;

function manifestOf(module) {
  const found = WebAssembly.Module.customSections(module, "zermelo");
  if (!found.length) throw new Error("this module was not published by zermelo: it has no manifest");
  return JSON.parse(new TextDecoder().decode(found[0]));
}

// A score in units (core/numbers.py) as {units, points, outcome, plies}: outcome 1 or -1 for a forced win or loss in so
// many plies, null for an estimate in points. All for the player to move.
function scoreOf(units, numbers) {
  const size = Math.abs(units);
  if (size > numbers.proven) {
    return { units, points: 0, outcome: Math.sign(units), plies: Math.floor((numbers.win - size) / numbers.ply) };
  }
  let points = size / numbers.point;
  if (points > FINE) {
    const share = (size - FINE * numbers.point) / ROOM_BEYOND;
    points = Math.round(FINE + ((ROOM_BEYOND / numbers.point) * share) / (1 - share));
  }
  return { units, points: units < 0 ? -points : points, outcome: null, plies: null };
}

class PublishedPlayer {
  constructor(instance, manifest) {
    this.manifest = manifest;
    this.exports = instance.exports;
    this.size = manifest.state.size;
    this.rate = 0; // nodes per millisecond, measured in earlier searches
    this.solverRate = SOLVER_RATE;
    const places = manifest.memory;
    this.controlAt = places.control.address;
    this.stateAt = places.room.address;
    this.otherAt = this.stateAt + this.size;
    this.listAt = (this.otherAt + this.size + 63) & ~63;
  }

  // Memory may have grown, and then old views are empty: make them anew.
  get bytes() {
    return new Uint8Array(this.exports.memory.buffer);
  }

  get view() {
    return new DataView(this.exports.memory.buffer);
  }

  call(name, ...given) {
    const failed = this.controlAt + this.manifest.control.failed;
    this.view.setBigInt64(failed, 0n, true);
    try {
      return this.exports[name](...given);
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      const because = this.view.getBigInt64(failed, true) ? "an exception in its code" : error.message;
      throw new Error(`the player failed in ${name}: ${because}`, { cause: error });
    }
  }

  put(state) {
    this.bytes.set(state, this.stateAt);
    return this.stateAt;
  }

  start() {
    const { address } = this.manifest.memory.start;
    return this.bytes.slice(address, address + this.size);
  }

  moves(state) {
    const count = this.call("moves", this.put(state), this.listAt);
    return Array.from(new Int32Array(this.exports.memory.buffer, this.listAt, count));
  }

  play(state, move) {
    this.call("play", this.put(state), move, this.otherAt);
    return this.bytes.slice(this.otherAt, this.otherAt + this.size);
  }

  isOver(state) {
    return this.call("is_over", this.put(state)) !== 0;
  }

  // 1, 0 or -1 for the player to move.
  outcome(state) {
    return this.call("outcome", this.put(state));
  }

  // The result in the game's own points, for the player to move.
  margin(state) {
    return this.call("margin", this.put(state));
  }

  // 0 for the first player, 1 for the second.
  mover(state) {
    return this.call("mover", this.put(state));
  }

  key(state) {
    return BigInt.asUintN(64, this.call("key", this.put(state)));
  }

  // The heuristic's value, for the player to move.
  evaluate(state) {
    return scoreOf(this.call("evaluate", this.put(state)), this.manifest.units);
  }

  control(name) {
    return Number(this.view.getBigInt64(this.controlAt + this.manifest.control[name], true));
  }

  // Search with a limit of nodes, which gives the native player's move, or of milliseconds, or both. Without either, the
  // player's own budget counts. past: the keys of the positions before this one, the oldest first (BigInt), which matter
  // in games whose positions can repeat. tell: called with the answer after each depth; it ends the search by returning
  // false. clock: a function that gives the time in milliseconds. solver: may the game's own solver choose the move? By
  // default, it may where the engine itself would ask it, unless a depth is given. tables: if it may not, may the search
  // look up the game's own tables, if they are ready?
  search(state, options = {}) {
    const own = this.manifest.player.budget || {};
    let { nodes, milliseconds } = options;
    if (nodes === undefined && milliseconds === undefined && options.depth === undefined) {
      nodes = own.nodes;
      milliseconds = own.seconds === undefined ? undefined : 1000 * own.seconds;
    }
    const clock = options.clock || (() => performance.now());
    const began = clock();
    const { control } = this.manifest;
    const view = this.view;
    const put = (name, value) => view.setBigInt64(this.controlAt + control[name], BigInt(value), true);
    put("limit", nodes === undefined ? UNLIMITED : nodes);
    put("seed", options.seed === undefined ? -1 : options.seed);
    put("depth_limit", options.depth || 0);
    const asks = options.solver ?? options.depth === undefined;
    put("no_solver", asks ? 0 : options.tables ? 2 : 1);
    const past = (options.past || []).slice(-this.manifest.limits.past);
    put("past", past.length);
    past.forEach((key, i) => view.setBigUint64(this.controlAt + control.keys + 8 * i, BigInt(key), true));
    this.call("begin", this.put(state));
    const isTimed = nodes === undefined && milliseconds !== undefined;
    let status = isTimed && !this.control("no_solver") && this.attempt(() => clock() - began, SOLVER_PART * milliseconds) ? DONE : GO_ON;
    const before = this.control("nodes");
    const prepared = clock() - began;
    while (status !== DONE) {
      let slice = -1;
      const spent = clock() - began;
      if (milliseconds !== undefined) {
        const left = milliseconds - spent;
        if (left <= 0 && this.control("depth") > 0) break;
        const visited = this.control("nodes") - before;
        if (spent - prepared > 5 && visited > LEAST_SLICE) this.rate = visited / (spent - prepared);
        if (status === AGAIN && left < 0.1 * milliseconds) break;
        slice = this.rate ? Math.max(LEAST_SLICE, Math.round(this.rate * left)) : FIRST_SLICE;
        slice = Math.min(slice, 0x7fffffff);
      }
      status = this.call("step", slice);
      if (options.tell && status !== DONE && options.tell(this.answer(clock() - began)) === false) break;
    }
    return this.answer(clock() - began);
  }

  // Do a part of what the game's own solver would otherwise do when it is first needed; whether there is more to do.
  prepare() {
    return "prepare" in this.exports && this.call("prepare", this.manifest.memory.start.address) === 1;
  }

  // Let the game's own solver look for a move, with more and more nodes; whether it has found one. An attempt that has
  // too few nodes to be worth while costs nothing, so time alone does not end the attempts.
  attempt(spent, milliseconds) {
    let found = -1;
    if ("attempt" in this.exports) {
      for (let given = FIRST_ATTEMPT; given < 0x7fffffff; given *= MORE) {
        found = this.call("attempt", given);
        const searched = this.control("nodes");
        if (spent() > 5 && searched > LEAST_SLICE) this.solverRate = searched / spent();
        if (found !== 0 || (1 + MORE) * spent() > milliseconds || MORE * given > this.solverRate * milliseconds) break;
      }
    }
    return found === 1;
  }

  answer(milliseconds) {
    const line = new Int32Array(
      this.exports.memory.buffer,
      this.controlAt + this.manifest.control.line,
      this.control("length"),
    );
    return {
      move: this.control("move"),
      score: this.solvedScore() ?? scoreOf(this.control("score"), this.manifest.units),
      solved: this.control("solved") !== 0,
      depth: this.control("depth"),
      nodes: this.control("nodes"),
      line: Array.from(line),
      exact: this.control("exact") !== 0,
      complete: this.control("complete") !== 0,
      milliseconds,
    };
  }

  // The score, if the game's own solver has found it in points of the game.
  solvedScore() {
    const units = this.control("score");
    if (!this.control("solved") || Math.abs(units) > this.manifest.units.proven) return null;
    return { units, points: units / this.manifest.units.point, outcome: Math.sign(units), plies: this.control("plies") || null };
  }

  // Can the game's own solver in the module score every move?
  get hasSolver() {
    return "solve" in this.exports;
  }

  // The exact score of every legal move in the game's own points, or of one move, best first; null if it takes more than
  // so many nodes, and an empty list if the solver does not try such positions.
  solve(state, { nodes, move = -1 } = {}) {
    const { control, limits, memory, units } = this.manifest;
    const limit = nodes === undefined ? UNLIMITED : BigInt(nodes);
    this.view.setBigInt64(this.controlAt + control.limit, limit, true);
    const count = this.call("solve", this.put(state), move);
    if (count < 0) return count === HOPELESS ? [] : null;
    const list = (place) => new Int32Array(this.exports.memory.buffer, memory.solved.address + 4 * limits.moves * place, count);
    const [moves, scores, plies] = [list(0), list(1), list(2)];
    const searched = this.control("nodes");
    const found = Array.from(moves, (move, i) => ({
      move,
      score: { units: scores[i] * units.point, points: scores[i], outcome: Math.sign(scores[i]), plies: plies[i] || null },
      line: [move],
      depth: 0,
      nodes: searched,
      exact: true,
      complete: true,
    }));
    return found.sort((one, other) => other.score.points - one.score.points);
  }

  // What the tree of the last search knows about the moves: the one that it would play first, then those that it has
  // visited most. Moves that it has hardly looked at are left out. Only for Monte Carlo tree search.
  ranked() {
    const { limits, memory, units } = this.manifest;
    const count = this.call("ranked");
    const list = (place) => new Int32Array(this.exports.memory.buffer, memory.ranked.address + 4 * limits.moves * place, count);
    const [moves, scores, visits] = [list(0), list(1), list(2)];
    const chosen = this.control("move");
    const depth = this.control("depth");
    const simulations = visits.reduce((sum, one) => sum + one, 0);
    const perSimulation = this.control("nodes") / Math.max(1, simulations);
    const found = Array.from(moves, (move, i) => ({
      move,
      score: scoreOf(scores[i], units),
      line: move === chosen ? this.answer(0).line : [move],
      depth,
      nodes: Math.round(visits[i] * perSimulation),
      exact: Math.abs(scores[i]) > units.proven,
      complete: false,
      visits: visits[i],
    })).filter(({ move, visits, exact }) => move === chosen || exact || (visits > 0 && HARDLY * visits >= simulations));
    return found.sort((one, other) => (other.move === chosen) - (one.move === chosen) || other.visits - one.visits);
  }

  // A score for every legal move, for the player to move, best first: exact ones if there is a solver and it needs no
  // more than solverNodes. Otherwise each move is searched, and the nodes or milliseconds are shared equally.
  scoreMoves(state, options = {}) {
    if (this.hasSolver && options.solverNodes !== 0) {
      const solved = this.solve(state, { nodes: options.solverNodes });
      if (solved?.length) return solved;
    }
    const moves = this.moves(state);
    const share = (value) => (value === undefined ? undefined : Math.max(1, Math.floor(value / moves.length)));
    const given = { ...options, solver: false, tables: true, nodes: share(options.nodes), milliseconds: share(options.milliseconds) };
    given.past = [...(options.past || []), this.key(state)];
    delete given.tell;
    const { units } = this.manifest;
    const found = moves.map((move) => {
      const child = this.play(state, move);
      const sign = this.mover(child) === this.mover(state) ? 1 : -1;
      let answer = { line: [], depth: 0, nodes: 0, exact: true, score: { units: 0 } };
      let value;
      if (this.isOver(child)) {
        value = this.call("end_score", this.put(child), 1);
      } else {
        answer = this.search(child, given);
        value = answer.score.units;
        if (Math.abs(value) > units.proven) value -= Math.sign(value) * units.ply; // one ply further away from here
      }
      return { ...answer, move, line: [move, ...answer.line], depth: answer.depth + 1, score: scoreOf(sign * value, units) };
    });
    return found.sort((one, other) => other.score.units - one.score.units);
  }
}

// module: its bytes, or what WebAssembly.compile makes of them; manifest: player.json, or nothing, since the module holds
// a copy.
async function load(module, manifest) {
  const compiled = module instanceof WebAssembly.Module ? module : await WebAssembly.compile(module);
  const instance = await WebAssembly.instantiate(compiled, {});
  return new PublishedPlayer(instance, manifest || manifestOf(compiled));
}

export { load, scoreOf, PublishedPlayer };
