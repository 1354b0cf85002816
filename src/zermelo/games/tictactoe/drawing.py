"""Pictures of tic-tac-toe positions."""

from collections.abc import Mapping
from typing import Any

from zermelo.drawing import svg
from zermelo.games.tictactoe.notation import cell_text, marks
from zermelo.language import _

SIZE = 80
INK = {"X": "#d7353a", "O": "#2456a6"}


def text_board(state: Any) -> str:
    """The rows from the top, with their names."""
    cells = marks(state)
    rows = [f"{row + 1} " + " ".join(cells[3 * row : 3 * row + 3]) for row in range(3)]
    return "\n".join(["  a b c", *rows])


def draw(position: Any, notes: Mapping[str, str] | None) -> str:
    """The board; a click on an empty cell plays there."""
    cells, legal = marks(position.state), position.moves
    parts = [svg.tag("rect", width=3 * SIZE, height=3 * SIZE, rx=10, fill="#f4f6fb")]
    for place, cell in enumerate(cells):
        x, y, name = place % 3 * SIZE, place // 3 * SIZE, cell_text(place)
        drawn = [
            svg.tag("rect", x=x + 2, y=y + 2, width=SIZE - 4, height=SIZE - 4, rx=6, fill="#fff", stroke="#c9d3e6")
        ]
        if place == position.last_move:
            drawn.append(svg.tag("rect", x=x + 6, y=y + 6, width=SIZE - 12, height=SIZE - 12, rx=4, fill="#fff3cf"))
        if cell == "X":
            near, far = 22, SIZE - 22
            path = f"M{x + near} {y + near}L{x + far} {y + far}M{x + far} {y + near}L{x + near} {y + far}"
            drawn.append(svg.tag("path", d=path, stroke=INK["X"], stroke_width=9, stroke_linecap="round"))
        elif cell == "O":
            drawn.append(
                svg.tag("circle", cx=x + SIZE / 2, cy=y + SIZE / 2, r=21, fill="none", stroke=INK["O"], stroke_width=9)
            )
        elif notes and name in notes:
            drawn.append(
                svg.text(notes[name], x + SIZE / 2, y + SIZE / 2 + 7, class_="mark", font_size=20, fill="#33415c")
            )
        label = f"{name}: {_('empty') if cell == '.' else cell}"
        button = {"data_move": name, "role": "button"} if name in legal else {"data_place": name, "role": "img"}
        parts.append(svg.tag("g", svg.title(label), *drawn, **button, aria_label=label))
    return svg.picture(3 * SIZE, 3 * SIZE, *parts, label=position.label)
