// A page that plays without a server. The address holds the whole game; the compiled players think in a worker.

import {Board} from "./board.js";
import {copy} from "./copying.js";
import {chooseMove} from "./dialogs.js";
import {make} from "./elements.js";
import {makeGame} from "./game.js";
import {prepareLanguages, t, translatePage} from "./language.js";
import {load} from "./module.js";
import {shown, showMoves, useWords} from "./moves.js";
import {notify} from "./notices.js";
import {Puzzles} from "./puzzles.js";
import {rulesOf} from "./rules.js";
import {quality, scoreMark, scoreText} from "./scores.js";
import {Seats} from "./seats.js";
import {Solvers, Thinker, unpacked} from "./thinking.js";
import {say, showThought} from "./thoughts.js";
import {Line, viewOf} from "./views.js";

const {page: settings, players: packed, program} = globalThis.zermelo;
const byId = (id) => document.getElementById(id);
const LEAST_PAUSE = 450; // milliseconds between the moves of two machines, so that people can follow
const OPENING = 800; // if a machine begins, it moves so many milliseconds after the page was opened, if its time is limited
const LEAST_OPENING = 100; // and thinks at least so long
const HINT = {milliseconds: 1000};
const LINES = 5;
const SOLVING = 0.6; // the share of an analysis's time that the game's own solver may take

/** Sorts exact scores, which are in the game's points, among estimates: wins before them, losses after them. */
const worth = ({score}) => (score.outcome ?? 0) * 2 ** 40 + score.units;

/** The page of a game. `start` is the position in which the game begins; at(bytes) is the position of a state. */
class Page {
  constructor(start, at, players) {
    this.start = start;
    this.puzzles = settings.puzzles.length ? new Puzzles(settings.puzzles, (puzzle) => this.open(puzzle)) : null;
    this.at = at;
    this.players = players;
    this.thinker = new Thinker(players);
    this.thinker.begin();
    this.thinker.prepare(0);
    this.solvers = new Solvers(players);
    this.words = Object.fromEntries(settings.words.map((word) => [word, t(word)]).filter(([word, text]) => word !== text));
    useWords(this.words);
    this.asked = 0; // counts the questions, so that late answers are not taken
    this.seats = new Seats(byId("new-game"), settings, () => this.beginAgain());
    this.board = new Board(byId("board"), {
      move: (move) => this.play(move),
      refused: (place) => this.explain(place),
      several: (moves) => chooseMove(moves, (move) => this.play(move)),
      disabled: () => notify(this.isOver ? t("The game is over.") : t("It is not your turn."), 2),
    });
    this.prepare();
    this.read();
  }

  // ---------------------------------------------------------------- the address

  read() {
    const query = new URLSearchParams(location.hash.slice(1));
    if (this.puzzles) this.start = this.at(this.puzzles.begin(this.puzzles.find(query.get("puzzle"))));
    const moves = (query.get("moves") ?? "").split(",").filter(Boolean);
    this.line = Line.read(this.start, moves, query.has("at") ? Number(query.get("at")) : null);
    if (this.line.positions.length <= moves.length) notify(t("The address has a move that is not legal: {move}", {move: moves[this.line.positions.length - 1]}));
    this.ended = query.get("end");
    this.seats.read(query);
    this.paused = moves.length > 0 && !this.seats.isPerson(this.line.position.to_move);
    byId("show-scores").checked = query.has("scores") ? query.get("scores") === "yes" : settings.analysis;
    this.show();
  }

  open(puzzle) {
    this.start = this.at(this.puzzles.begin(puzzle));
    this.beginAgain();
  }

  remember() {
    const before = new URLSearchParams(location.hash.slice(1));
    const {moves, at} = this.view;
    const parts = {
      puzzle: this.puzzles?.now.id ?? "", moves: moves.join(","), at: at === moves.length ? "" : at, end: this.ended ?? "", ...this.seats.query(),
      scores: byId("show-scores").checked === settings.analysis ? "" : byId("show-scores").checked ? "yes" : "no", lang: before.get("lang") ?? "",
    };
    const given = Object.entries(parts).filter(([, value]) => value !== "");
    const text = given.map(([name, value]) => `${name}=${encodeURIComponent(value).replace(/%2C/g, ",").replace(/%3A/g, ":")}`).join("&");
    this.hash = text ? `#${text}` : "";
    if (location.hash !== this.hash) history.replaceState(null, "", this.hash || location.pathname + location.search);
  }

  // ---------------------------------------------------------------- showing

  get isOver() {
    return this.view.ending !== null;
  }

  get atEnd() {
    return this.view.at === this.view.moves.length;
  }

  show() {
    this.stop();
    this.view = viewOf(this.line, {end: this.ended, words: this.words});
    this.board.show(this.view);
    this.remember();
    this.showAround();
    this.next();
  }

  showAround() {
    byId("status").textContent = this.view.spoken;
    this.puzzles?.judge(this.view.at ? this.view.moves[0] : undefined, t(this.view.players[this.view.to_move - 1]));
    showMoves(byId("moves"), this.view, (at) => this.go(at));
    for (const player of [1, 2]) {
      const seat = byId(`seat-${player}`);
      seat.classList.toggle("turn", !this.isOver && this.view.to_move === player);
      seat.classList.toggle("won", this.isOver && this.view.ending.winner === player);
      seat.querySelector(".what").textContent = this.seats.title(player);
    }
    byId("undo").disabled = this.view.at === 0;
    byId("redo").disabled = this.atEnd;
    byId("hint").disabled = this.isOver;
    byId("resign").disabled = this.isOver || this.seats.watching || !this.atEnd;
  }

  showBusy(player) {
    for (const seat of document.querySelectorAll(".seat")) seat.querySelector(".busy").hidden = Number(seat.dataset.player) !== player;
  }

  // ---------------------------------------------------------------- moving

  play(move) {
    const line = this.line.after(move);
    if (!line) return;
    this.line = line;
    this.ended = null;
    this.paused = false;
    this.show();
  }

  go(at) {
    if (at < 0 || at > this.view.moves.length || at === this.view.at) return;
    this.line = this.line.showing(at);
    this.paused = !this.seats.isPerson(this.line.position.to_move);
    this.show();
  }

  /** Go back to the person's last turn, or on to the next; if both players are people, or neither is, by one move. */
  undo(step = -1) {
    let at = this.view.at + step;
    const person = this.seats.onlyPerson;
    while (person && at > 0 && at < this.view.moves.length && this.view.movers[at] !== person) at += step;
    this.go(Math.max(0, Math.min(at, this.view.moves.length)));
  }

  explain(place) {
    const {game} = this.start;
    const here = this.line.position;
    let reason = here.is_over ? t("the game is over") : t("no legal move leads to {move}", {move: shown(place)});
    try {
      if (!here.is_over) reason = game.why_not(here.state, game.normal_move_text(place)) ?? reason;
    } catch (error) {
      if (!error.kinds) throw error; // a game's own explanation may need what a page does not have
    }
    notify(reason[0].toUpperCase() + reason.slice(1), 4);
  }

  beginAgain() {
    this.line = new Line([this.start]);
    this.ended = null;
    this.paused = false;
    this.show();
  }

  /** Let the next player move: a person at the board, or a machine. */
  next() {
    this.board.classify({});
    const thinks = !this.isOver && !this.seats.isPerson(this.view.to_move);
    const waits = thinks && (!this.atEnd || this.paused);
    this.board.enable(!this.isOver && (!thinks || waits));
    byId("go").hidden = !thinks;
    byId("go").textContent = waits ? t("Continue") : t("Stop");
    if (thinks && !waits) this.think(this.view.to_move);
    else this.analyse();
  }

  // ---------------------------------------------------------------- thinking

  stop() {
    this.asked += 1;
    if (this.thinker.refuse) this.thinker.stop();
    this.solvers.stop();
    this.showBusy(null);
    byId("stop").hidden = true;
  }

  /** The answer of a compiled player about the position that is shown; null if something else was asked meanwhile. */
  async ask(what, number, options, tell) {
    this.stop();
    const mine = this.asked;
    const {game, state, path} = this.line.position;
    const rules = game.$rules;
    const past = rules.can_repeat(state) ? path.slice(0, -1).map((one) => rules.key(one.state)) : [];
    try {
      const found = await this.thinker.ask(what, number, rules.bytesOf(state), {...options, past}, (one) => mine === this.asked && tell(one));
      return mine === this.asked ? found : null;
    } catch (error) {
      if (error.name !== "AbortError" && mine === this.asked) notify(error.message, 0);
      return null;
    }
  }

  /** The texts of a line of play from here. */
  texts(codes) {
    const found = [];
    let here = this.line.position;
    for (const move of codes) {
      if (here.is_over || !here.codes.includes(move)) break;
      here = here.after(move);
      found.push(here.last_move_text);
    }
    return found;
  }

  thought(found) {
    const side = t(this.view.players[this.view.to_move - 1]);
    const text = found.score && found.depth !== 0 ? scoreText(found.score) : null;
    return {depth: found.depth || null, text, nodes: found.nodes, seconds: found.milliseconds / 1000, line: this.texts(found.line).slice(0, 12), side};
  }

  /** The module that plays for a player, and its limits. The first search makes up for the time that the page has taken to load. */
  budget(player) {
    const {number, options} = this.seats.machine(player);
    const {seconds} = this.players[number].manifest.player.budget;
    const own = Object.keys(options).length || seconds === undefined ? options.milliseconds : 1000 * seconds;
    if (this.hasThought || own === undefined || this.view.moves.length) return {number, options};
    const left = Math.max(LEAST_OPENING, OPENING - performance.now());
    return {number, options: {...options, milliseconds: Math.min(own, left)}};
  }

  async think(player) {
    const began = performance.now();
    const {number, options} = this.budget(player);
    say(t("thinks…"));
    this.hasThought = true;
    const asking = this.ask("search", number, options, (found) => showThought(this.thought(found)));
    this.showBusy(player);
    const found = await asking;
    if (!found) return;
    showThought(this.thought(found));
    this.showBusy(null);
    const mine = this.asked;
    if (this.seats.watching) await new Promise((resolve) => setTimeout(resolve, Math.max(0, began + LEAST_PAUSE - performance.now())));
    const [move] = this.texts([found.move]);
    if (mine !== this.asked || move === undefined) return;
    if (!performance.getEntriesByName("first move").length) performance.mark("first move");
    this.play(move);
  }

  async hint() {
    byId("status").textContent = t("Looking for a good move…");
    const found = await this.ask("search", settings.adviser, HINT, (one) => showThought(this.thought(one)));
    if (!found) return;
    const thought = this.thought(found);
    showThought(thought);
    const [move] = this.texts([found.move]);
    this.board.classify({[move]: "hint"});
    const score = thought.text ? ` (${thought.text})` : "";
    byId("status").textContent = t("The engine would play {move}.", {move: shown(move) + score});
  }

  /** What every move is worth, if the reader wants to see it. */
  async analyse() {
    const wanted = byId("show-scores").checked;
    byId("scores").hidden = !wanted;
    if (!wanted || this.isOver) {
      byId("lines").replaceChildren();
      byId("facts").textContent = "";
      return;
    }
    byId("facts").textContent = "…";
    const milliseconds = 1000 * Number(byId("seconds").value);
    const asking = this.ask("scores", settings.adviser, {milliseconds}, (found) => this.showScores(found));
    byId("stop").hidden = false;
    byId("stop").textContent = t("Stop");
    const found = await asking;
    if (!found) return;
    this.showScores(found);
    if (found.unsolved && !await this.solve(found, milliseconds)) return;
    byId("stop").hidden = true;
  }

  /** Put exact scores in the place of first estimates, as far as there is time; false if something else was asked. */
  async solve({moves, nodes, seconds}, milliseconds) {
    const [mine, began] = [this.asked, performance.now() - 1000 * seconds];
    const {game, state} = this.line.position;
    const [known, solved] = [new Map(moves.map((one) => [one.move, one])), new Map()];
    const show = (answers, table) => {
      for (const one of answers) {
        table.set(one.move, one);
        nodes += one.nodes;
      }
      const shown = [...known.values()].map((one) => solved.get(one.move) ?? one).sort((one, other) => worth(other) - worth(one));
      this.showScores({moves: shown, nodes, seconds: (performance.now() - began) / 1000});
    };
    try {
      const all = await this.solvers.solve(
        settings.adviser, game.$rules.bytesOf(state), moves.map(({move}) => move), SOLVING * milliseconds, (one) => mine === this.asked && show([one], solved),
      );
      if (all || mine !== this.asked) return mine === this.asked;
    } catch (error) {
      if (mine === this.asked) notify(error.message, 0);
      return false;
    }
    const rest = {milliseconds: (1 - SOLVING) * milliseconds, solver: false};
    const found = await this.ask("scores", settings.adviser, rest, (one) => show(one.moves, known));
    if (found) show(found.moves, known);
    return found !== null;
  }

  showScores({moves, nodes, seconds}) {
    const texts = moves.map(({move}) => this.texts([move])[0]);
    const marks = Object.fromEntries(moves.slice(0, settings.marked ?? moves.length).map(({score}, at) => [texts[at], scoreMark(score)]));
    const qualities = Object.fromEntries(moves.map(({score}, at) => [texts[at], quality(score, moves[0].score)]));
    this.board.show({picture: this.line.position.picture(marks)});
    this.board.classify(qualities);
    const number = new Intl.NumberFormat(document.documentElement.lang, {notation: "compact", maximumFractionDigits: 1});
    const exact = moves.every((move) => move.exact);
    const depth = exact ? t("solved") : t("depth {depth}", {depth: Math.min(...moves.filter((move) => !move.exact).map((move) => move.depth))});
    byId("facts").textContent = `${depth} · ${t("{number} nodes", {number: number.format(nodes)})} · ${seconds.toFixed(1)} s`;
    byId("lines").replaceChildren(...moves.slice(0, LINES).map(({score, line}, at) => {
      const steps = this.texts(line).slice(0, 8).map((move, place, all) => {
        const step = make("button", {class: "step", text: shown(move)});
        step.addEventListener("click", () => this.walk(all.slice(0, place + 1)));
        return step;
      });
      return make("li", {}, make("span", {class: `score ${qualities[texts[at]]}`, text: scoreText(score)}), ...steps);
    }));
  }

  /** Play several moves at once, to look at the position after them. */
  walk(moves) {
    for (const move of moves) this.line = this.line.after(move) ?? this.line;
    this.ended = null;
    this.paused = true;
    this.show();
  }

  // ---------------------------------------------------------------- controls

  prepare() {
    const on = (id, act, event = "click") => byId(id).addEventListener(event, act);
    on("undo", () => this.undo());
    on("redo", () => this.undo(1));
    on("hint", () => this.hint());
    on("go", () => {
      if (byId("go").textContent === t("Stop")) {
        this.stop();
        this.paused = true;
        say(t("Stopped."));
      } else {
        this.line = new Line(this.line.positions.slice(0, this.line.at + 1));
        this.paused = false;
      }
      this.show();
    });
    on("resign", () => {
      this.ended = `${this.seats.onlyPerson ?? this.view.to_move}-resigned`;
      this.show();
    });
    on("new", () => this.seats.open());
    on("share", async () => notify(await copy(location.href) ? t("Link copied.") : t("The link is in the address bar."), 2));
    on("show-scores", () => this.show(), "change");
    on("seconds", () => this.show(), "change");
    on("stop", () => {
      this.stop();
      byId("facts").textContent = t("Stopped.");
    });
    window.addEventListener("hashchange", () => location.hash !== this.hash && this.read());
    document.addEventListener("keydown", (event) => {
      if (event.target.closest("input, select, textarea, dialog, [data-move]") || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "ArrowLeft") this.undo();
      else if (event.key === "ArrowRight") this.undo(1);
      else if (event.key === "h") this.hint();
    });
  }
}

async function begin() {
  translatePage();
  prepareLanguages(byId("languages"));
  const players = packed.map(({manifest, wasm}) => ({manifest, module: unpacked(wasm)}));
  const rules = await load(await players[0].module, players[0].manifest);
  const {start, at} = makeGame(program, (State) => rulesOf(rules, State), t);
  globalThis.zermelo.shown = new Page(start(), at, players);
  document.documentElement.dataset.ready = Math.round(performance.now());
  if (settings.installable && location.protocol.startsWith("http") && "serviceWorker" in navigator) {
    navigator.serviceWorker.register(settings.root + "service-worker.js").catch(() => {}); // the page works without it
  }
}

begin();
