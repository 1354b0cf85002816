"""Tic-tac-toe in text: a move is a cell, `b2`; a position is the rows from the top and the side, `X../.O./... x`."""

import re

import numpy as np

from zermelo.errors import PositionError
from zermelo.games.tictactoe.rules import TicTacToe, has_line

SIDES = "xo"


def cell_text(cell: int) -> str:
    return "abc"[cell % 3] + "123"[cell // 3]


def marks(state: TicTacToe) -> str:
    """The nine cells in order, `X`, `O` or `.`."""
    mover = (int(state.mine) | int(state.theirs)).bit_count() % 2
    mine, theirs = "XO"[mover], "OX"[mover]
    return "".join(
        mine if int(state.mine) >> i & 1 else theirs if int(state.theirs) >> i & 1 else "." for i in range(9)
    )


def state_text(state: TicTacToe) -> str:
    cells = marks(state)
    side = SIDES[sum(cell != "." for cell in cells) % 2]
    return f"{cells[:3]}/{cells[3:6]}/{cells[6:]} {side}"


def parse_state(text: str) -> TicTacToe | None:
    """The state of a drawn board; None if the text does not draw one."""
    if "/" not in text:
        return None
    found = re.fullmatch(r"([^/\s]{3})/([^/\s]{3})/([^/\s]{3})(?:\s+([xXoO]))?", text)
    if not found:
        raise PositionError(
            "{text!r}: write three rows of three cells joined by /, and the side to move, as in 'X../.O./... x'",
            text=text,
        )
    cells = (found[1] + found[2] + found[3]).upper()
    for place, cell in enumerate(cells):
        if cell not in "XO.":
            raise PositionError(
                "{text!r}: cell {place} is {cell!r}, not X, O or .", text=text, place=cell_text(place), cell=cell
            )
    crosses, noughts = cells.count("X"), cells.count("O")
    if crosses - noughts not in (0, 1):
        raise PositionError(
            "{text!r}: {crosses} X and {noughts} O are impossible, since X moves first",
            text=text,
            crosses=crosses,
            noughts=noughts,
        )
    mover = crosses - noughts
    if found[4] and found[4].lower() != SIDES[mover]:
        raise PositionError(
            "{text!r}: with these marks {side} is to move, not {found}", text=text, side=SIDES[mover], found=found[4]
        )
    boards = [sum(1 << i for i, cell in enumerate(cells) if cell == mark) for mark in "XO"]
    state = TicTacToe(np.uint64(boards[mover]), np.uint64(boards[1 - mover]))
    if has_line(state.mine):
        raise PositionError("{text!r}: {side} is to move but has three in a line already", text=text, side="XO"[mover])
    return state


def symmetries(state: TicTacToe) -> list[TicTacToe]:
    """The board turned and mirrored, in all eight ways."""
    rows = [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
    found = []
    for _ in range(4):
        rows = [list(row) for row in zip(*rows[::-1], strict=True)]  # a quarter turn
        for cells in (rows[0] + rows[1] + rows[2], rows[2] + rows[1] + rows[0]):
            boards = (sum((int(marks) >> cell & 1) << i for i, cell in enumerate(cells)) for marks in state)
            found.append(TicTacToe(*map(np.uint64, boards)))
    return found
