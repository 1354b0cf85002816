// A Connect 4 engine in JavaScript, for `zermelo` (docs/how-to/connect-an-engine.md): node connect4.mjs
// It wins if it can, blocks if it must, and else plays as near the middle as it can without giving the win away.

import { createInterface } from "node:readline";

/** Columns of 1s and 2s, the lowest stone first, after the moves of a position text such as "324443". */
function setUp(text, columns) {
  const board = Array.from({ length: columns }, () => []);
  let player = 1;
  for (const letter of text === "-" ? "" : text) {
    board[Number(letter) - 1].push(player);
    player = 3 - player;
  }
  return board;
}

/** Does the stone on top of this column make four in a line? */
function wins(board, column) {
  const row = board[column].length - 1, mine = board[column][row];
  for (const [dc, dr] of [[1, 0], [0, 1], [1, 1], [1, -1]]) {
    let long = 1;
    for (const way of [1, -1]) {
      let c = column + way * dc, r = row + way * dr;
      while (board[c]?.[r] === mine) { long += 1; c += way * dc; r += way * dr; }
    }
    if (long >= 4) return true;
  }
  return false;
}

/** Would this player win at once in this column? */
function winsIn(board, column, player) {
  board[column].push(player);
  const won = wins(board, column);
  board[column].pop();
  return won;
}

function choose({ game, position, player, legal }) {
  const size = /columns=(\d+)/.exec(game), high = /rows=(\d+)/.exec(game);
  const columns = size ? Number(size[1]) : 7, rows = high ? Number(high[1]) : 6;
  const board = setUp(position, columns);
  const moves = legal.map(move => Number(move) - 1);
  moves.sort((a, b) => Math.abs(a - (columns - 1) / 2) - Math.abs(b - (columns - 1) / 2) || a - b);
  const win = moves.find(column => winsIn(board, column, player));
  if (win !== undefined) return { move: String(win + 1), score: 100 };
  const block = moves.find(column => winsIn(board, column, 3 - player));
  if (block !== undefined) return { move: String(block + 1), score: 0 };
  const safe = moves.find(column => {
    board[column].push(player);
    const gives = board[column].length < rows && winsIn(board, column, 3 - player);
    board[column].pop();
    return !gives;
  });
  return { move: String((safe ?? moves[0]) + 1), score: 0 };
}

for await (const line of createInterface({ input: process.stdin })) {
  const question = JSON.parse(line);
  console.log(JSON.stringify({ id: question.id, ...choose(question) }));
}
