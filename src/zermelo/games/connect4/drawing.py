"""Pictures of Connect 4 positions."""

from collections.abc import Iterator, Mapping
from typing import Any

from zermelo.core import as_python, bit
from zermelo.drawing import svg
from zermelo.drawing.picture import Glyph, Picture, dark_style, glyph
from zermelo.drawing.svg import Element
from zermelo.games.connect4.notation import column_count, row_count, stone_at
from zermelo.games.connect4.rules import COLUMN, Connect4, has_four
from zermelo.language import _, marked
from zermelo.position import Position

SIZE = 60
FILL = {0: "#f4f6fb", 1: "#d7353a", 2: "#f2c230"}
NAME = {1: marked("red"), 2: marked("yellow")}
FRAME = "#2456a6"
STYLE = dark_style("connect4", {FILL[0]: "#141b29", FRAME: "#1d4079", "#33415c": "#dbe6fa"})

STONES = {stone: svg.tag("circle", r=SIZE * 0.43, fill=fill) for stone, fill in FILL.items() if stone}

_has_four = as_python(has_four)


def text_board(state: Connect4) -> str:
    """Rows from the top, X for the first player and O for the second, column numbers below."""
    columns, rows = column_count(state), row_count(state)
    lines = [" ".join(".XO"[stone_at(state, c, r)] for c in range(columns)) for r in reversed(range(rows))]
    return "\n".join([*lines, " ".join(str(c + 1) for c in range(columns))])


def winning_lines(state: Connect4) -> list[list[tuple[int, int]]]:
    """The lines of four cells of the player who has just won."""
    theirs = state.mine ^ state.stones
    if not _has_four(theirs):
        return []
    columns, rows = column_count(state), row_count(state)
    found = []
    for column in range(columns):
        for row in range(rows):
            for dc, dr in ((1, 0), (0, 1), (1, 1), (1, -1)):
                line = [(column + i * dc, row + i * dr) for i in range(4)]
                inside = all(0 <= c < columns and 0 <= r < rows for c, r in line)
                if inside and all(theirs & bit(COLUMN * c + r) for c, r in line):
                    found.append(line)
    return found


def draw(position: Position, marks: Mapping[str, str]) -> Picture:
    """The board seen from the front; a click anywhere in a column plays there."""
    state, legal, lines = position.state, position.moves, winning_lines(position.state)
    won = {cell for line in lines for cell in line}
    columns, rows = column_count(state), row_count(state)
    width, height = columns * SIZE, rows * SIZE
    picture = Picture(width=width, height=height + 26, label=position.label, classes="connect4", dark=STYLE)
    picture.background.append(svg.tag("rect", width=width, height=height, y=4, rx=10, fill=FILL[0]))
    for column in range(columns):
        x, move = column * SIZE + SIZE / 2, str(column + 1)
        for row in range(rows):
            picture.place(cell_name(column, row), x, height - row * SIZE - SIZE / 2, SIZE)
        stones = [stone_at(state, column, row) for row in range(rows)]
        names = ", ".join(_(NAME[stone]) for stone in stones if stone) or _("empty")
        label = _("column {move}: {stones}").format(move=move, stones=names)
        button: dict[str, Any] = {"move": move} if move in legal else {"data": {"place": move}, "role": "img"}
        parts = [*_cells(position, column, stones, won), *_front(picture, column, stones, marks.get(move))]
        if move in legal:
            parts.append(_coming(cell_name(column, sum(map(bool, stones))), position.to_move))
        place = picture.place(move, x, (height + 26) / 2, SIZE, height + 26)
        picture.draw(f"column-{move}", "column", place, label=label, parts=tuple(parts), **button)
    picture.draw("frame", "frame", None, *_frame(columns, rows))
    if lines:
        picture.draw("win", "win", None, *[_line(picture, line) for line in lines])
    return picture


def cell_name(column: int, row: int) -> str:
    """`4-1` is the lowest cell of the fourth column."""
    return f"{column + 1}-{row + 1}"


def _cells(position: Position, column: int, stones: list[int], won: set[tuple[int, int]]) -> Iterator[Glyph]:
    """The stones of a column; rings on a winning line, or else a dot on the last stone."""
    top = max((row for row, stone in enumerate(stones) if stone), default=None)
    for row, stone in enumerate(stones):
        if not stone:
            continue
        place = cell_name(column, row)
        yield glyph(f"stone-{place}", f"{NAME[stone]}-stone", place, STONES[stone], offset=(0, 0), motion="drop")
        if (column, row) in won:
            ring = svg.tag("circle", r=SIZE * 0.3, fill="none", stroke="#fff", stroke_width=5)
            yield glyph(f"won-{place}", "won", place, ring, offset=(0, 0))
        elif position.last_move == column and row == top:
            dot = svg.tag("circle", r=SIZE * 0.11, fill="#fff")
            yield glyph("last", "last", place, dot, offset=(0, 0))


def _coming(place: str, player: int) -> Glyph:
    """The stone that a click on the column will drop."""
    told: dict[str, Any] = {"classes": "ahead", "data": {"comes": "drop"}, "is_ahead": True}
    return glyph(f"ahead-{place}", f"{NAME[player]}-stone", place, STONES[player], offset=(0, 0), **told)


def _front(picture: Picture, column: int, stones: list[int], mark: str | None) -> Iterator[Glyph]:
    """What lies before the stones: the mark where the next one would land, and the area for clicks."""
    landing, x, height = sum(map(bool, stones)), column * SIZE + SIZE / 2, len(stones) * SIZE
    if mark and landing < len(stones):
        place = cell_name(column, landing)
        y = picture.places[place].y
        shown = svg.text(mark, x, y + 6, class_="mark", font_size=18, font_weight=600, fill="#33415c")
        yield glyph(f"mark-{column + 1}", "mark", place, shown)
    hit = svg.tag("rect", x=column * SIZE, width=SIZE, height=height + 26, fill="transparent")
    yield glyph(f"front-{column + 1}", "front", str(column + 1), hit)


def _frame(columns: int, rows: int) -> list[Element]:
    """The board in front of the stones, with a round hole for each, and the numbers of the columns."""
    width, height, radius = columns * SIZE, rows * SIZE + 26, SIZE * 0.41
    right, down, bend = width - 10, height - 10, "a10 10 0 0 1"
    outline = f"M10 0H{right}{bend} 10 10V{down}{bend} -10 10H10{bend} -10 -10V10{bend} 10 -10z"
    round_ = f"a{radius:g} {radius:g} 0 1 0 {2 * radius:g} 0a{radius:g} {radius:g} 0 1 0 {-2 * radius:g} 0z"
    holes = [
        f"M{(column + 0.5) * SIZE - radius:g} {(row + 0.5) * SIZE:g}{round_}"
        for column in range(columns)
        for row in range(rows)
    ]
    board = svg.tag("path", d=outline + "".join(holes), fill=FRAME, fill_rule="evenodd", pointer_events="none")
    names = {"font_size": 15, "fill": "#dbe6fa", "pointer_events": "none"}
    numbers = [svg.text(str(column + 1), (column + 0.5) * SIZE, height - 9, **names) for column in range(columns)]
    return [board, *numbers]


def _line(picture: Picture, cells: list[tuple[int, int]]) -> Element:
    """A line through the stones that won, from the first to the last."""
    start, end = picture.places[cell_name(*cells[0])], picture.places[cell_name(*cells[-1])]
    ends = {"x1": start.x, "y1": start.y, "x2": end.x, "y2": end.y}
    line = {"stroke": "#fff", "stroke_width": 7, "stroke_linecap": "round", "pointer_events": "none"}
    return svg.tag("line", class_="winning-line", pathLength=1, **ends, **line)
