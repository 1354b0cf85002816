"""Hex as programs that speak GTP know it: moves are cells, `c3`, and `swap-pieces`; black moves first."""

import itertools

from zermelo.position import Game, Position
from zermelo.rules import moves_of

NAME = "Hex"
SWAP = "swap-pieces"
AFTER_THE_END = "resign"  # who is asked for a move then has lost


def board_size(game: Game) -> int:
    """The number of rows and columns."""
    size: int = game.size  # type: ignore[attr-defined]
    return size


def resized(game: Game, size: int) -> Game:
    """The same game on a board of another size."""
    return type(game)(**(game.options | {"size": size}))  # type: ignore[arg-type]


def move_of(vertex: str) -> str:
    return "swap" if vertex in (SWAP, "swap") else vertex


def vertex_of(move: str) -> str:
    return SWAP if move == "swap" else move


def steps(position: Position) -> list[tuple[int, str]]:
    """The stones to place, in their order: whose they are, and where.

    A swap is told as the stone that lies there afterwards, since programs differ in what they do on `swap-pieces`
    (MoHex and Wolve leave the stone where it is).
    """
    told = [(before.to_move, str(after.last_move_text)) for before, after in itertools.pairwise(position.path)]
    if len(told) > 1 and told[1][1] == "swap":
        column, row = told[0][1][0], int(told[0][1][1:])
        told[:2] = [(told[1][0], f"{chr(ord('a') + row - 1)}{ord(column) - ord('a') + 1}")]
    return told


def may_be_refused(vertex: str) -> bool:
    """Do some programs refuse to be told this move, although they know of it?"""
    return False


def with_other_to_move(position: Position) -> Position | None:
    """The same stones with the other side to move, as when a person sets up a position."""
    rows, side = str(position).split()
    return position.game.position(f"{rows} {'w' if side == 'b' else 'b'}")


def final_score(position: Position) -> str:
    """The result of a game that is over. Hex has no points."""
    return "B+" if position.winner == 1 else "W+"


def moves_left(position: Position) -> int:
    """About how many more moves the player to move will make, for dividing the time. Few games fill half the board."""
    return max(4, len(moves_of(position.state)) // 4)
