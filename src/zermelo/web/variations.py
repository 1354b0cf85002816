"""A game with its variations as text. A variation stands in parentheses after the move that it replaces, and so do
variations inside it: in `a1 b1 (c2 a3 (b3)) b2`, O may answer c2 instead of b1, and X may then play b3 instead of a3.
Variations that continue the game where it ends stand after `*`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from zermelo.errors import PositionError
from zermelo.position import Game
from zermelo.web.positions import MOST_TEXT, Line, position_of

END = "*"
MOST_LINES = 40
"""Variations of one game. The page keeps no more, either."""


@dataclass(frozen=True)
class Tree:
    """A game and its variations. Each has all moves from the start; those that others branch off come first."""

    main: Line
    variations: tuple[Line, ...]


def read_tree(game: Game, start: str, text: str, most_plies: int) -> Tree:
    """The tree that a text describes. An error names the part that is wrong."""
    if len(text) > MOST_TEXT:
        raise PositionError("the variations in this address are too long")
    main: list[str] = []
    lines, here, outside = [main], main, []
    for part in re.findall(r"[()]|[^\s()]+", text):
        if part == "(":
            if not here:
                raise PositionError("{text!r}: no move stands before this parenthesis", text=text[:200])
            outside.append(here)
            here = here[:-1]
            lines.append(here)
        elif part == ")":
            if not outside:
                raise PositionError("{text!r}: a parenthesis is closed that was not opened", text=text[:200])
            here = outside.pop()
        else:
            here.extend([END] if part == END else game.split_moves(part))
    if outside:
        raise PositionError("{text!r}: a parenthesis is not closed", text=text[:200])
    if len(lines) > MOST_LINES + 1 or any(len(moves) > most_plies for moves in lines):
        raise PositionError("{text!r}: there are too many variations, or too many moves", text=text[:200])
    found = [_line(game, start, [move for move in moves if move != END]) for moves in lines]
    return Tree(found[0], tuple(found[1:]))


def _line(game: Game, start: str, moves: Sequence[str]) -> Line:
    """A line with all its moves, each as the game writes it."""
    position = position_of(game, start, tuple(moves))
    return Line(game, start, position.line[-len(moves) :] if moves else (), len(moves))
