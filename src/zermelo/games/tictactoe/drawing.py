"""Pictures of tic-tac-toe positions."""

from collections.abc import Mapping
from typing import Any

from zermelo.drawing import svg
from zermelo.drawing.picture import Picture, dark_style, glyph
from zermelo.games.tictactoe.notation import cell_text, marks
from zermelo.games.tictactoe.rules import TicTacToe
from zermelo.language import _
from zermelo.position import Position

SIZE = 80
SHAPES = {
    "X": svg.tag("path", d="M-18 -18L18 18M18 -18L-18 18", stroke="#d7353a", stroke_width=9, stroke_linecap="round"),
    "O": svg.tag("circle", r=21, fill="none", stroke="#2456a6", stroke_width=9),
}

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
STYLE = dark_style(
    "tictactoe",
    {"#f4f6fb": "#252a35", "#fff": "#1c2029", "#c9d3e6": "#3d4656", "#d7353a": "#f0767a", "#2456a6": "#82abee"}
    | {"#fff3cf": "#4a3d14", "#33415c": "#dbe1ec"},
)


def text_board(state: TicTacToe) -> str:
    """The rows from the top, with their names."""
    cells = marks(state)
    rows = [f"{row + 1} " + " ".join(cells[3 * row : 3 * row + 3]) for row in range(3)]
    return "\n".join(["  a b c", *rows])


def draw(position: Position, notes: Mapping[str, str]) -> Picture:
    """The board; a click on an empty cell plays there."""
    cells, legal = marks(position.state), position.moves
    picture = Picture(width=3 * SIZE, height=3 * SIZE, label=position.label, classes="tictactoe", dark=STYLE)
    picture.background.append(svg.tag("rect", width=3 * SIZE, height=3 * SIZE, rx=10, fill="#f4f6fb"))
    for number, cell in enumerate(cells):
        x, y, name = number % 3 * SIZE, number // 3 * SIZE, cell_text(number)
        place = picture.place(name, x + SIZE / 2, y + SIZE / 2, SIZE)
        parts = []
        if number == position.last_move:
            light = svg.tag("rect", x=x + 6, y=y + 6, width=SIZE - 12, height=SIZE - 12, rx=4, fill="#fff3cf")
            parts.append(glyph("last", "last", place, light))
        if cell in SHAPES:
            parts.append(glyph(f"mark-{name}", cell, place, SHAPES[cell], offset=(0, 0), motion="pop"))
        elif name in notes:
            note = svg.text(notes[name], 0, 7, class_="mark", font_size=20, fill="#33415c")
            parts.append(glyph(f"note-{name}", f"note-{notes[name]}", place, note, offset=(0, 0)))
        if name in legal:
            told: dict[str, Any] = {"classes": "ahead", "data": {"comes": "pop"}, "is_ahead": True}
            mine = "XO"[position.to_move - 1]
            parts.append(glyph(f"ahead-{name}", mine, place, SHAPES[mine], offset=(0, 0), **told))
        box = svg.tag("rect", x=x + 2, y=y + 2, width=SIZE - 4, height=SIZE - 4, rx=6, fill="#fff", stroke="#c9d3e6")
        label = f"{name}: {_('empty') if cell == '.' else cell}"
        button: dict[str, Any] = {"move": name} if name in legal else {"data": {"place": name}, "role": "img"}
        picture.draw(f"cell-{name}", "cell", place, box, label=label, parts=tuple(parts), **button)
    for line in LINES:
        if cells[line[0]] in SHAPES and len({cells[number] for number in line}) == 1:
            first, last = picture.places[cell_text(line[0])], picture.places[cell_text(line[2])]
            ends = {"x1": first.x, "y1": first.y, "x2": last.x, "y2": last.y}
            style = {"stroke": "#33415c", "stroke_width": 7, "stroke_linecap": "round", "pointer_events": "none"}
            drawn = svg.tag("line", class_="winning-line", pathLength=1, **ends, **style)
            picture.draw(f"win-{line[0]}-{line[2]}", "win", None, drawn)
    return picture
