// A position within its game, as the scripts of the lab expect it from their server (see zermelo.web.views).

import {t} from "./language.js";

const ENDINGS = {resigned: () => t("{loser} resigned: {winner} wins"), time: () => t("{loser}'s time is up: {winner} wins")};

const sentence = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);
const filled = (text, parts) => text.replace(/\{(\w+)\}/g, (whole, name) => parts[name] ?? whole);

/** A line of play: its positions from the first to the last, and how many of its moves are shown. */
export class Line {
  constructor(positions, at = positions.length - 1) {
    this.positions = positions;
    this.at = at;
  }

  get position() {
    return this.positions[this.at];
  }

  /** The line of these moves, as far as they are legal. */
  static read(start, moves, at = null) {
    const positions = [start];
    for (const move of moves) {
      const next = positions.at(-1).play(move);
      if (!next) break;
      positions.push(next);
    }
    return new Line(positions, Math.max(0, Math.min(at ?? Infinity, positions.length - 1)));
  }

  /** The line after a move in the position that is shown, which replaces the moves that followed; null if it is illegal. */
  after(move) {
    const next = this.position.play(move);
    return next && new Line([...this.positions.slice(0, this.at + 1), next]);
  }

  showing(at) {
    return new Line(this.positions, at);
  }
}

function endingOf(position, end) {
  const names = position.game.players.map((name) => t(name));
  if (position.is_over) {
    const {winner, margin} = position;
    if (winner === null) return {winner, text: t("A draw")};
    const by = Math.abs(margin) > 1 ? t("{player} wins by {margin}") : t("{player} wins");
    return {winner, text: sentence(filled(by, {player: names[winner - 1], margin: Math.abs(margin)}))};
  }
  const [loser, reason] = (end ?? "").split("-");
  if (!["1", "2"].includes(loser) || !ENDINGS[reason]) return null;
  const winner = 3 - Number(loser);
  return {winner, text: sentence(filled(ENDINGS[reason](), {loser: names[loser - 1], winner: names[winner - 1]}))};
}

/** What the scripts of the lab show. words: how the words in moves are called in the page's language. */
export function viewOf(line, {end = null, marks = {}, words = {}} = {}) {
  const {position, positions, at} = line;
  const ending = endingOf(position, at === positions.length - 1 ? end : null);
  const names = position.game.players.map((name) => t(name));
  const shown = (move) => move.replace(/[a-z]{2,}/g, (word) => words[word] ?? word);
  const said = position.parent ? [t("{player} played {move}.", {player: names[position.parent.to_move - 1], move: shown(position.last_move_text)})] : [];
  said.push(ending ? `${ending.text}.` : t("{player} to move.", {player: names[position.to_move - 1]}));
  return {
    moves: positions.slice(1).map((one) => one.last_move_text),
    movers: positions.slice(0, -1).map((one) => one.to_move),
    at,
    players: position.game.players,
    to_move: position.to_move,
    legal: position.moves,
    last: position.last_move_text,
    spoken: said.map(sentence).join(" "),
    ending,
    words,
    picture: position.picture(marks),
  };
}
