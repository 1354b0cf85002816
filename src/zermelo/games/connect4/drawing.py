"""Pictures of Connect 4 positions."""

from collections.abc import Mapping
from typing import Any

from zermelo.core import bit
from zermelo.drawing import svg
from zermelo.games.connect4.notation import column_count, row_count, stone_at
from zermelo.games.connect4.rules import COLUMN, has_four
from zermelo.language import _, marked

SIZE = 60
FILL = {0: "#f4f6fb", 1: "#d7353a", 2: "#f2c230"}
NAME = {1: marked("red"), 2: marked("yellow")}
FRAME = "#2456a6"


def text_board(state: Any) -> str:
    """Rows from the top, X for the first player and O for the second, column numbers below."""
    columns, rows = column_count(state), row_count(state)
    lines = [" ".join(".XO"[stone_at(state, c, r)] for c in range(columns)) for r in reversed(range(rows))]
    return "\n".join([*lines, " ".join(str(c + 1) for c in range(columns))])


def winning_cells(state: Any) -> set[tuple[int, int]]:
    """The cells of the four (or more) in a line of the player who has just won."""
    theirs = state.mine ^ state.stones
    if not has_four(theirs):
        return set()
    columns, rows = column_count(state), row_count(state)
    found = set()
    for column in range(columns):
        for row in range(rows):
            for dc, dr in ((1, 0), (0, 1), (1, 1), (1, -1)):
                line = [(column + i * dc, row + i * dr) for i in range(4)]
                inside = all(0 <= c < columns and 0 <= r < rows for c, r in line)
                if inside and all(theirs & bit(COLUMN * c + r) for c, r in line):
                    found.update(line)
    return found


def draw(position: Any, marks: Mapping[str, str] | None) -> str:
    """The board seen from the front; a click anywhere in a column plays there."""
    state = position.state
    columns, rows = column_count(state), row_count(state)
    width, height = columns * SIZE, rows * SIZE
    last = position.last_move
    won, legal = winning_cells(state), position.moves
    parts = [svg.tag("rect", width=width, height=height + 26, rx=10, fill=FRAME)]
    for column in range(columns):
        x = column * SIZE + SIZE / 2
        stones = [stone_at(state, column, row) for row in range(rows)]
        top = max((row for row in range(rows) if stones[row]), default=None)
        cells = []
        for row in range(rows):
            y = height - row * SIZE - SIZE / 2
            cells.append(svg.tag("circle", cx=x, cy=y, r=SIZE * 0.41, fill=FILL[stones[row]]))
            if (column, row) in won:
                cells.append(svg.tag("circle", cx=x, cy=y, r=SIZE * 0.3, fill="none", stroke="#fff", stroke_width=5))
            elif last == column and row == top:
                cells.append(svg.tag("circle", cx=x, cy=y, r=SIZE * 0.11, fill="#fff"))
        move = str(column + 1)
        mark = (marks or {}).get(move)
        landing = 0 if top is None else top + 1
        if mark and landing < rows:
            y = height - landing * SIZE - SIZE / 2
            cells.append(svg.text(mark, x, y + 6, class_="mark", font_size=18, font_weight=600, fill="#33415c"))
        cells.append(svg.text(move, x, height + 17, font_size=15, fill="#dbe6fa"))
        hit = svg.tag("rect", x=column * SIZE, width=SIZE, height=height + 26, fill="transparent")
        names = ", ".join(_(NAME[stone]) for stone in stones if stone) or _("empty")
        label = _("column {move}: {stones}").format(move=move, stones=names)
        place = {"data_move": move, "role": "button"} if move in legal else {"data_place": move, "role": "img"}
        parts.append(svg.tag("g", svg.title(label), *cells, hit, **place, aria_label=label))
    return svg.picture(width, height + 26, *parts, label=position.label)
