"""Hex in text: a move is a cell, `c3`, or `swap`; a position is the rows from the top and the side, `.../.B./... w`."""

import re
from typing import Any

from zermelo.errors import PositionError
from zermelo.games.hex.boards import BLACK, WHITE, WORD, words_for
from zermelo.games.hex.rules import FIRST_WORD, SWAP, has_joined, set_up
from zermelo.language import Message, _, marked

SIDES = "bw"
STONES = "BW"
NAMES = (marked("Black"), marked("White"))

_MOVE = re.compile(r"swap|[a-z][0-9]+|[^\s,]+", re.IGNORECASE)


def cell_text(cell: int, size: int) -> str:
    """The name of a cell: its column's letter and its row's number."""
    return f"{chr(ord('a') + cell % size)}{cell // size + 1}"


def move_text(move: int, size: int) -> str:
    return "swap" if move == SWAP else cell_text(move, size)


def move_code(text: str, size: int) -> int | None:
    """The code of a move's text; None if it does not name a cell of the board."""
    if text == "swap":
        return SWAP
    found = re.fullmatch("([a-z])([1-9][0-9]?)", text)
    if not found:
        return None
    column, row = ord(found[1]) - ord("a"), int(found[2]) - 1
    return row * size + column if column < size and row < size else None


def split_moves(text: str) -> list[str]:
    """The moves in a text; there may be blanks or commas between them, or nothing: `c3a1swap`."""
    return _MOVE.findall(text)


def why_not(text: str, size: int) -> str | None:
    """Why a text is not a legal move; None if it is not a Hex move at all."""
    if text == "swap":
        return _("White may swap only in answer to the first stone, and only in a game with swap=yes")
    if not re.fullmatch("[a-z][0-9]+", text):
        return None
    taken = move_code(text, size) is not None
    return (
        _("the cell is taken")
        if taken
        else _("the cells are a1 to {last}").format(last=cell_text(size * size - 1, size))
    )


def cells_of(state: Any, player: int) -> set[int]:
    """The cells that hold this player's stones."""
    size, words = int(state.size), words_for(int(state.size))
    first = FIRST_WORD + player * words
    return {cell for cell in range(size * size) if int(state[first + cell // WORD]) >> cell % WORD & 1}


def stones(state: Any) -> str:
    """All cells, row by row from the top: `B`, `W` or `.`."""
    black, white = cells_of(state, BLACK), cells_of(state, WHITE)
    return "".join("B" if c in black else "W" if c in white else "." for c in range(int(state.size) ** 2))


def state_text(state: Any) -> str:
    size, cells = int(state.size), stones(state)
    rows = [cells[size * row : size * (row + 1)] for row in range(size)]
    return f"{'/'.join(rows)} {SIDES[int(state.player)]}"


def parse_state(text: str, size: int, swap: bool) -> Any:
    """The state of a drawn board of this size; None if the text does not draw one.

    There may be any number of stones (to try things out), as long as the game was not over before the last move.
    """
    if "/" not in text:
        return None
    drawn, *side = text.split()
    if len(side) > 1 or (side and side[0].lower() not in SIDES):
        raise PositionError(
            "Hex position {text!r}: after the rows, write the side to move as b or w, not {side!r}",
            text=text,
            side=" ".join(side),
        )
    cells = _parse_rows(text, drawn, size)
    black, white = ([place for place, cell in enumerate(cells) if cell == stone] for stone in STONES)
    turn = SIDES.index(side[0].lower()) if side else _turn_by_count(text, len(black), len(white))
    first_moves = not white and len(black) == turn
    state = set_up(size, black, white, turn, swap and first_moves)
    if has_joined(state, turn):
        raise PositionError(
            "Hex position {text!r}: {side} has won already, so it cannot be {side}'s move",
            text=text,
            side=Message(NAMES[turn]),
        )
    return state


def turned(state: Any) -> Any:
    """The board turned by half a turn: each side's edges change places, and nothing else changes."""
    drawn, side = state_text(state).split()
    return parse_state(f"{drawn[::-1]} {side}", int(state.size), bool(state.swap))


def _parse_rows(text: str, drawn: str, size: int) -> str:
    rows = drawn.upper().split("/")
    if len(rows) != size:
        raise PositionError(
            "Hex position {text!r}: {number} rows, but the board has {size} (the option size)",
            text=text,
            number=len(rows),
            size=size,
        )
    for number, row in enumerate(rows, 1):
        if len(row) != size:
            raise PositionError(
                "Hex position {text!r}: row {number}, {row!r}, has {cells} cells instead of {size}",
                text=text,
                number=number,
                row=row,
                cells=len(row),
                size=size,
            )
    cells = "".join(rows)
    for place, cell in enumerate(cells):
        if cell not in "BW.":
            raise PositionError(
                "Hex position {text!r}: cell {place} is {cell!r}, not B, W or .",
                text=text,
                place=cell_text(place, size),
                cell=cell,
            )
    return cells


def _turn_by_count(text: str, black: int, white: int) -> int:
    if black - white not in (0, 1):
        raise PositionError(
            "Hex position {text!r}: with {black} B and {white} W, add b or w at the end to say whose move it is",
            text=text,
            black=black,
            white=white,
        )
    return black - white
