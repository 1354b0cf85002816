"""Reversi as programs that speak GTP know it, where it is called Othello: moves are squares, `f5`, and `pass`.

The square a1 is at the top left, as people write it, and not at the bottom left, as in Go.
"""

import itertools

from zermelo.position import Game, Position

NAME = "Othello"
PASS = "pass"
AFTER_THE_END = PASS


def board_size(game: Game) -> int | None:
    """The number of rows and columns; None if they differ, which GTP cannot say."""
    columns, rows = game.size  # type: ignore[attr-defined]
    return int(columns) if columns == rows else None


def resized(game: Game, size: int) -> Game:
    """The same game on a board of another size."""
    return type(game)(columns=size, rows=size)


def move_of(vertex: str) -> str:
    return vertex


def vertex_of(move: str) -> str:
    return move


def steps(position: Position) -> list[tuple[int, str]]:
    """The moves of the game, in their order: whose they are, and where."""
    return [(before.to_move, str(after.last_move_text)) for before, after in itertools.pairwise(position.path)]


def may_be_refused(vertex: str) -> bool:
    """Do some programs refuse to be told this move? gtp-rhino does not know `play black pass`: it passes by itself."""
    return vertex == PASS


def with_other_to_move(position: Position) -> Position | None:
    """The position after a pass, if the player must pass, since not every controller tells passes; otherwise None."""
    return position.play(PASS) if position.moves == (PASS,) else None


def final_score(position: Position) -> str:
    """The result of a game that is over, in discs."""
    margin = position.margin or 0
    return "0" if margin == 0 else f"{'B' if margin > 0 else 'W'}+{abs(margin)}"


def moves_left(position: Position) -> int:
    """How many more moves the player to move will make, about, for dividing the time."""
    return max(1, (str(position).count("-") + 1) // 2)
