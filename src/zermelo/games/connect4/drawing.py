"""Pictures of Connect 4 positions."""

from collections.abc import Iterator, Mapping
from typing import Any

from zermelo.core import bit
from zermelo.drawing import svg
from zermelo.drawing.picture import Glyph, Picture, glyph
from zermelo.games.connect4.notation import column_count, row_count, stone_at
from zermelo.games.connect4.rules import COLUMN, Connect4, has_four
from zermelo.language import _, marked
from zermelo.position import Position

SIZE = 60
FILL = {0: "#f4f6fb", 1: "#d7353a", 2: "#f2c230"}
NAME = {1: marked("red"), 2: marked("yellow")}
FRAME = "#2456a6"


def text_board(state: Connect4) -> str:
    """Rows from the top, X for the first player and O for the second, column numbers below."""
    columns, rows = column_count(state), row_count(state)
    lines = [" ".join(".XO"[stone_at(state, c, r)] for c in range(columns)) for r in reversed(range(rows))]
    return "\n".join([*lines, " ".join(str(c + 1) for c in range(columns))])


def winning_cells(state: Connect4) -> set[tuple[int, int]]:
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


def draw(position: Position, marks: Mapping[str, str]) -> Picture:
    """The board seen from the front; a click anywhere in a column plays there."""
    state, legal, won = position.state, position.moves, winning_cells(position.state)
    columns, rows = column_count(state), row_count(state)
    width, height = columns * SIZE, rows * SIZE
    picture = Picture(width=width, height=height + 26, label=position.label)
    picture.background.append(svg.tag("rect", width=width, height=height + 26, rx=10, fill=FRAME))
    for column in range(columns):
        x, move = column * SIZE + SIZE / 2, str(column + 1)
        for row in range(rows):
            picture.place(cell_name(column, row), x, height - row * SIZE - SIZE / 2, SIZE)
        stones = [stone_at(state, column, row) for row in range(rows)]
        names = ", ".join(_(NAME[stone]) for stone in stones if stone) or _("empty")
        label = _("column {move}: {stones}").format(move=move, stones=names)
        button: dict[str, Any] = {"move": move} if move in legal else {"data": {"place": move}, "role": "img"}
        parts = [*_cells(position, column, stones, won), *_front(picture, column, stones, marks.get(move))]
        place = picture.place(move, x, (height + 26) / 2, SIZE, height + 26)
        picture.draw(f"column-{move}", "column", place, label=label, parts=tuple(parts), **button)
    return picture


def cell_name(column: int, row: int) -> str:
    """`4-1` is the lowest cell of the fourth column."""
    return f"{column + 1}-{row + 1}"


def _cells(position: Position, column: int, stones: list[int], won: set[tuple[int, int]]) -> Iterator[Glyph]:
    """The holes and stones of a column; rings on a winning line, or else a dot on the last stone."""
    top = max((row for row, stone in enumerate(stones) if stone), default=None)
    for row, stone in enumerate(stones):
        place = cell_name(column, row)
        disc = svg.tag("circle", r=SIZE * 0.41, fill=FILL[stone])
        what, kind = ("stone", f"{NAME[stone]}-stone") if stone else ("hole", "hole")
        yield glyph(f"{what}-{place}", kind, place, disc, offset=(0, 0))
        if (column, row) in won:
            ring = svg.tag("circle", r=SIZE * 0.3, fill="none", stroke="#fff", stroke_width=5)
            yield glyph(f"won-{place}", "won", place, ring, offset=(0, 0))
        elif position.last_move == column and row == top:
            dot = svg.tag("circle", r=SIZE * 0.11, fill="#fff")
            yield glyph("last", "last", place, dot, offset=(0, 0))


def _front(picture: Picture, column: int, stones: list[int], mark: str | None) -> Iterator[Glyph]:
    """What lies before the stones: the mark where the next one would land, the number, and the area for clicks."""
    landing, x, height = sum(map(bool, stones)), column * SIZE + SIZE / 2, len(stones) * SIZE
    if mark and landing < len(stones):
        place = cell_name(column, landing)
        y = picture.places[place].y
        shown = svg.text(mark, x, y + 6, class_="mark", font_size=18, font_weight=600, fill="#33415c")
        yield glyph(f"mark-{column + 1}", "mark", place, shown)
    number = svg.text(str(column + 1), x, height + 17, font_size=15, fill="#dbe6fa")
    hit = svg.tag("rect", x=column * SIZE, width=SIZE, height=height + 26, fill="transparent")
    yield glyph(f"front-{column + 1}", "front", str(column + 1), number, hit)
