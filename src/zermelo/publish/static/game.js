// A game as a page without a server knows it: the compiled rules, and the translated functions that write its moves and
// draw its boards. Nothing here names a game.

import {$} from "./python.js";

/** An element of a picture, as drawing/svg.py has it. */
function Element(name, attributes, content = []) {
  const element = Object.create(Element.prototype);
  element.name = name;
  element.attributes = attributes;
  element.content = [...content].filter((part) => $.t(part));
  return element;
}

Object.assign(Element.prototype, {
  to_json() {
    return [this.name, this.attributes, ...this.content.map((part) => (part instanceof Element ? part.to_json() : $.unescape(part)))];
  },
  __eq__(other) {
    return this === other || (other instanceof Element && this.written() === other.written());
  },
  written() {
    this.text ??= JSON.stringify(plain(this.to_json()));
    return this.text;
  },
});
Object.defineProperty(Element.prototype, "constructor", {value: Element});
Element.above = new Set([Element, $.str]);

/** A value of translated Python as JSON has it. */
function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof $.Dict) return Object.fromEntries(value.pairs().map(([key, one]) => [key, plain(one)]));
  return typeof value === "bigint" ? Number(value) : value;
}

/** A position: a state, its game, and the moves that led to it. The names are those of zermelo.position.Position. */
class Position {
  constructor(game, state, parent = null, lastMove = null) {
    Object.assign(this, {game, state, parent, last_move: lastMove});
  }

  kept(name, find) {
    if (!Object.hasOwn(this, `kept_${name}`)) this[`kept_${name}`] = find();
    return this[`kept_${name}`];
  }

  get codes() {
    return this.kept("codes", () => this.game.$rules.moves_of(this.state));
  }

  get moves() {
    return this.kept("moves", () => (this.is_over ? [] : this.codes.map((move) => this.game.move_text(this.state, move))));
  }

  get to_move() {
    return this.kept("to_move", () => Number(this.game.$rules.to_move(this.state)) + 1);
  }

  get is_ended() {
    return this.kept("is_ended", () => Boolean(this.game.$rules.is_over(this.state)));
  }

  get is_over() {
    return this.kept("is_over", () => this.is_ended || $.t(this.game.is_drawn_by_history(this)));
  }

  get winner() {
    if (!this.is_ended) return null;
    const result = Number(this.game.$rules.outcome(this.state));
    return result === 0 ? null : result > 0 ? this.to_move : 3 - this.to_move;
  }

  get margin() {
    if (!this.is_over) return null;
    return this.is_ended ? Number(this.game.$rules.margin(this.state)) * (this.to_move === 1 ? 1 : -1) + 0 : 0;
  }

  get last_move_text() {
    return this.parent === null ? null : this.game.move_text(this.parent.state, this.last_move);
  }

  get path() {
    const found = [];
    for (let here = this; here; here = here.parent) found.unshift(here);
    return found;
  }

  get line() {
    return this.path.slice(1).map((one) => one.last_move_text);
  }

  get label() {
    return this.game.$t("{title} position {position}", {title: this.game.$t(this.game.title), position: $.str(this)});
  }

  __str__() {
    return this.game.position_text(this);
  }

  /** The position after a move given by its code. */
  after(move) {
    return new Position(this.game, this.game.$rules.play(this.state, move), this, move);
  }

  /** The position after a move given by its text; null if the move is not legal. */
  play(text) {
    const at = this.moves.indexOf(text);
    return at < 0 ? null : this.after(this.codes[at]);
  }

  /** The board as the scripts of the pages draw it. marks: a short text per move. */
  picture(marks = {}) {
    const picture = this.game.picture(this, $.dict(Object.entries(marks)));
    const title = this.game.$t("{title} board", {title: this.game.$t(this.game.title)});
    return plain(picture.to_json("board", title));
  }
}
Position.above = new Set([Position]);

/**
 * The game of a translated program. `rules` answers questions about states: start, moves_of, play, is_over, outcome,
 * to_move and key; t(text, parts) translates a text. The program is given both as `$z`, beside Python's own functions.
 */
export function makeGame(program, makeRules, t) {
  const $z = {
    Element, Position,
    gettext: (text) => t(text),
    marked: (text) => text,
    message: (text, ...given) => $.str($.error([], (one) => t(one), [text, ...given])),
    count: (board) => $.call($.int(board), "bit_count"),
    lowest: (board) => { const found = BigInt(board).toString(2).split("").reverse().indexOf("1"); return found < 0 ? 64 : found; },
    numbers_of(state) {
      const {cells} = $z.grid;
      return Array.from({length: cells}, (_, cell) => Number(BigInt.asIntN(8, state[Math.floor(cell / 8)] >> BigInt(8 * (cell % 8)))));
    },
    defaultdict: $.dictionary,
  };
  const {game, State, ...questions} = program($, $z);
  const rules = {...questions, ...makeRules(State)};
  Object.assign($z, rules);
  game.$rules = rules;
  game.$t = t;
  return {game, start: () => new Position(game, rules.start()), at: (bytes) => new Position(game, rules.opened(bytes))};
}
