"""Reversi in text: a move is a square, `f5`, or `pass`; a position is its squares row by row and the side to move.

    ---------------------------OX------XO--------------------------- X

`X` is black and moves first, `O` white, `-` (or `.`) an empty square; blanks and `/` between rows are allowed.
"""

import re

from zermelo.core import bit
from zermelo.errors import PositionError
from zermelo.games.reversi.rules import MOST, PASS, ROW, Reversi, ReversiBoard, flips, make_state
from zermelo.language import _

COLUMNS = "abcdefgh"
SIDES = "XO"
MOVES = re.compile(r"(?:(?:pass|[a-z][0-9]+)[\s,]*)+", re.IGNORECASE)

State = Reversi | ReversiBoard


def square_text(square: int) -> str:
    return COLUMNS[square % ROW] + str(square // ROW + 1)


def move_text(move: int) -> str:
    return "pass" if move == PASS else square_text(move)


def size_of(state: State) -> tuple[int, int]:
    """Columns and rows."""
    if isinstance(state, Reversi):
        return MOST, MOST
    squares = int(state.board)
    return (squares & 0xFF).bit_count(), sum(squares >> ROW * row & 1 for row in range(MOST))


def squares_of(columns: int, rows: int) -> list[int]:
    """The bit numbers of the squares, row by row."""
    return [ROW * row + column for row in range(rows) for column in range(columns)]


def disc_at(state: State, square: int) -> str:
    """`X`, `O` or `-`."""
    if int(state.mine) >> square & 1:
        return SIDES[int(state.player)]
    return SIDES[1 - int(state.player)] if int(state.theirs) >> square & 1 else "-"


def state_text(state: State) -> str:
    cells = "".join(disc_at(state, square) for square in squares_of(*size_of(state)))
    return f"{cells} {SIDES[int(state.player)]}"


def parse_state(text: str, columns: int, rows: int) -> State | None:
    """The state of a drawn board; None if the text is a list of moves."""
    if MOVES.fullmatch(text):
        return None
    form = _("{number} squares, each X, O or -, and the side to move, X or O").format(number=columns * rows)
    drawn = text.replace("/", " ")
    cells, side = "".join(drawn[:-1].split()).upper().replace(".", "-"), drawn[-1:].strip()
    for place, cell in enumerate(cells):
        if cell not in "XO-":
            raise PositionError(
                "Reversi position {text!r}: character {place} is {cell!r}; write {form}",
                text=text,
                place=place + 1,
                cell=cell,
                form=form,
            )
    if len(cells) != columns * rows:
        raise PositionError(
            "Reversi position {text!r}: it has {number} squares and a side; write {form}",
            text=text,
            number=len(cells),
            form=form,
        )
    if side.upper() not in ("X", "O"):
        raise PositionError(
            "Reversi position {text!r}: the side is {side!r}; write {form}", text=text, side=side, form=form
        )
    squares = squares_of(columns, rows)
    black, white = (sum(1 << s for s, cell in zip(squares, cells, strict=True) if cell == mark) for mark in SIDES)
    return make_state(columns, rows, black, white, SIDES.index(side.upper()))


def symmetries(state: State) -> list[State]:
    """The board mirrored and turned by half a turn, in four ways; a square board also by quarter turns, in eight."""
    columns, rows = size_of(state)
    cells, side = state_text(state).split()
    grid = [cells[columns * row : columns * (row + 1)] for row in range(rows)]
    grids = [grid] if columns != rows else [grid, ["".join(column) for column in zip(*grid, strict=True)]]
    found = []
    for drawn in grids:
        for row_step in (1, -1):
            for column_step in (1, -1):
                text = "".join(row[::column_step] for row in drawn[::row_step])
                turned = parse_state(f"{text} {side}", columns, rows)
                assert turned is not None  # it is a drawn board
                found.append(turned)
    return found


def split_moves(text: str) -> list[str]:
    """The moves of a record: `f5 d6 c3`, `f5,d6,c3` or `f5d6c3`."""
    return re.findall(r"pass|[a-z][0-9]+|[^\s,]+?(?=$|[\s,])", text, re.IGNORECASE)


def why_not(state: State, text: str, legal: tuple[str, ...]) -> str | None:
    """Why a text is not a legal move here; None if it is neither a square nor `pass`."""
    columns, rows = size_of(state)
    if text == "pass":
        return _("a player who can move must not pass; the legal moves are {legal}").format(legal=" ".join(legal))
    if not re.fullmatch("[a-z][1-9]", text):
        return None
    column, row = ord(text[0]) - ord("a"), int(text[1]) - 1
    if column >= columns or row >= rows:
        return _("the squares are a1 to {last}").format(last=f"{COLUMNS[columns - 1]}{rows}")
    square = ROW * row + column
    if (state.mine | state.theirs) & bit(square):
        return _("the square is taken")
    assert not flips(state.mine, state.theirs, square)
    return _("the only legal move is to pass") if legal == ("pass",) else _("no disc would be flipped")
