"""Pictures of Hex positions."""

import functools
import math
from collections.abc import Mapping
from typing import Any

from zermelo.drawing import svg
from zermelo.drawing.picture import Picture, dark_style, glyph
from zermelo.drawing.svg import Element
from zermelo.games.hex.boards import BLACK, WHITE
from zermelo.games.hex.notation import NAMES, cell_text, stones
from zermelo.games.hex.paths import shortest_path, winning_path
from zermelo.games.hex.rules import SWAP
from zermelo.language import _
from zermelo.position import Position

RADIUS = 24.0  # of a cell, centre to corner
WIDTH = RADIUS * math.sqrt(3)
MARGIN = 1.5 * RADIUS
PANEL = "#e6ebf3"
EMPTY_CELL, LINE = "#f7f0e0", "#bfae8c"
WON_CELL = "#ffdf8c"
STONE = {"B": "#22262f", "W": "#ffffff"}
OUTLINE = "#7b8496"
DISCS = {
    stone: svg.tag("circle", r=0.62 * RADIUS, fill=fill, stroke=OUTLINE, stroke_width=1.5)
    for stone, fill in STONE.items()
}
LAST = "#e2533b"
INK = "#3a4660"
PATH = ("#22262f", "#5b79b8")
DARK = dark_style(
    "hex",
    {EMPTY_CELL: "#3b414d", LINE: "#596172", WON_CELL: "#7d6524", STONE["B"]: "#0d0f13", STONE["W"]: "#e9ebef"}
    | {INK: "#dbe1ec", "#fff": "#2b313d", PANEL: "#3c4454"},
)
NAME = {"class_": "panel-ink", "font_size": 17, "fill": INK}


def text_board(state: Any) -> str:
    """The rows from the top, each half a cell further right, with the names of rows and columns."""
    size, cells = int(state.size), stones(state)
    lines = ["   " + " ".join(chr(ord("a") + x) for x in range(size))]
    for y in range(size):
        row = " ".join(cells[size * y : size * (y + 1)])
        lines.append(f"{' ' * y}{y + 1:>2} {row}")
    return "\n".join(lines)


def centre(cell: int, size: int) -> tuple[float, float]:
    """Where the middle of a cell is drawn."""
    x, y = cell % size, cell // size
    return MARGIN + WIDTH * (x + y / 2 + 0.5), MARGIN + RADIUS * (1.5 * y + 1)


def corner(cell: int, size: int, number: int, radius: float = RADIUS) -> tuple[float, float]:
    """A corner of a cell's hexagon; 0 is the upper right one, and they go on clockwise."""
    x, y = centre(cell, size)
    angle = math.radians(60 * number - 30)
    return x + radius * math.cos(angle), y + radius * math.sin(angle)


def _points(points: list[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def _middle(a: tuple[float, float], b: tuple[float, float]) -> tuple[float, float]:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


@functools.cache
def _edges(size: int) -> list[Element]:
    """The four coloured rims. In the two sharp corners of the board they meet in the middle of a cell's side."""
    side, last = range(size), size * size - 1
    right_corner, left_corner = size - 1, size * (size - 1)
    top = [corner(x, size, c) for x in side for c in (4, 5)]
    bottom = [corner(last - x, size, c) for x in side for c in (1, 2)]
    left = [corner(size * (size - 1 - y), size, c) for y in side for c in (3, 4)]
    right = [corner(size * (y + 1) - 1, size, c) for y in side for c in (0, 1)]
    upper = _middle(corner(right_corner, size, 5), corner(right_corner, size, 0))
    lower = _middle(corner(left_corner, size, 2), corner(left_corner, size, 3))
    rims = [
        (WHITE, [lower, *left]),
        (WHITE, [upper, *right]),
        (BLACK, [*top, upper]),
        (BLACK, [*bottom, lower]),
    ]
    drawn = []
    for player, line in rims:
        shape = {"points": _points(line), "fill": "none", "stroke_linejoin": "round"}
        drawn.append(svg.tag("polyline", **shape, stroke=OUTLINE, stroke_width=16.5))
        drawn.append(svg.tag("polyline", **shape, stroke=STONE["BW"[player]], stroke_width=14))
    return drawn


@functools.cache
def _names(size: int) -> list[Element]:
    """Letters above the columns, numbers left of the rows."""
    drawn = []
    for place in range(size):
        x, y = centre(place, size)
        drawn.append(svg.text(chr(ord("a") + place), x - WIDTH / 2, y - 1.3 * RADIUS, **NAME))
        x, y = centre(place * size, size)
        drawn.append(svg.text(str(place + 1), x - 0.82 * WIDTH, y + 4, **NAME, text_anchor="end"))
    return drawn


@functools.cache
def _hexagon(cell: int, size: int, is_won: bool) -> Element:
    """The outline of a cell."""
    points = _points([corner(cell, size, number) for number in range(6)])
    return svg.tag("polygon", points=points, fill=WON_CELL if is_won else EMPTY_CELL, stroke=LINE, stroke_width=1.5)


def _cell(
    picture: Picture,
    cell: int,
    size: int,
    stone: str,
    mark: str | None,
    is_won: bool,
    is_last: bool,
    is_legal: bool,
    mover: str,
) -> None:
    """A cell and what is on it: a stone, or the mark of the move that puts one there."""
    name = cell_text(cell, size)
    place = picture.place(name, *centre(cell, size), WIDTH, 2 * RADIUS)
    parts = []
    if stone != ".":
        kind = f"{NAMES['BW'.index(stone)]}-stone"
        parts.append(glyph(f"stone-{name}", kind, place, DISCS[stone], offset=(0, 0), motion="pop"))
    elif mark:
        height = 0.78 * RADIUS if len(mark) < 3 else 1.7 * RADIUS / len(mark)
        x, y = centre(cell, size)
        shown = svg.text(mark, x, y + 0.36 * height, class_="mark", font_size=height, font_weight=600, fill=INK)
        parts.append(glyph(f"mark-{name}", "mark", place, shown))
    if is_last:
        parts.append(glyph("last", "last", place, svg.tag("circle", r=0.2 * RADIUS, fill=LAST), offset=(0, 0)))
    if is_legal:
        told: dict[str, Any] = {"classes": "ahead", "data": {"comes": "pop"}, "is_ahead": True}
        kind = f"{NAMES['BW'.index(mover)]}-stone"
        parts.append(glyph(f"ahead-{name}", kind, place, DISCS[mover], offset=(0, 0), **told))
    label = f"{name}: {_(NAMES['BW'.index(stone)]) if stone != '.' else _('empty')}"
    button: dict[str, Any] = {"move": name} if is_legal else {"data": {"place": name}, "role": "img"}
    kind = "won-cell" if is_won else "cell"
    picture.draw(f"cell-{name}", kind, place, _hexagon(cell, size, is_won), label=label, parts=tuple(parts), **button)


def _path(picture: Picture, state: Any, player: int) -> None:
    """Draw a path across the board with the fewest cells still to fill, which are marked with a ring."""
    size, cells = int(state.size), stones(state)
    path = shortest_path(state, player)
    points = [centre(cell, size) for cell in path]
    line = {"points": _points(points), "fill": "none", "stroke_linejoin": "round", "stroke_linecap": "round"}
    drawn = [svg.tag("polyline", **line, stroke=PATH[player], stroke_width=4, opacity=0.65)]
    for cell, (x, y) in zip(path, points, strict=True):
        if cells[cell] == ".":
            ring = {"cx": x, "cy": y, "r": 0.3 * RADIUS, "stroke_width": 3}
            drawn.append(svg.tag("circle", **ring, fill=EMPTY_CELL, stroke=PATH[player]))
    needed = sum(cells[cell] == "." for cell in path)
    told = _("{player} needs {number} more") if path else _("{player} is cut off")
    label = told.format(player=_(NAMES[player]), number=needed)
    whole = svg.tag("g", *drawn, pointer_events="none")
    picture.draw(f"path-of-{NAMES[player]}", "path", None, whole, label=label)


def _swap_button(picture: Picture, size: int, mark: str | None) -> None:
    """Draw the button for a swap, in the empty corner at the lower left."""
    x, y = MARGIN * 0.5, centre(size * (size - 1), size)[1]
    width, height = 2.4 * RADIUS, 1.2 * RADIUS
    drawn = [
        svg.tag(
            "rect", class_="level", x=x, y=y - height / 2, width=width, height=height, rx=6, fill="#fff", stroke=OUTLINE
        ),
        svg.text(_("swap"), x + width / 2, y + 5, font_size=min(17.0, 84 / len(_("swap"))), fill=INK),
    ]
    if mark:
        drawn.append(
            svg.text(mark, x + width / 2, y - height / 2 - 7, class_="mark", font_size=17, font_weight=600, fill=INK)
        )
    place = picture.place("swap", x + width / 2, y, width, height)
    label = _("swap: take over Black's stone, mirrored")
    picture.draw("swap", "button", place, *drawn, label=label, move="swap")


def _tall(size: int, with_swap: bool) -> tuple[float, float, float, float]:
    """The part of the picture that shows the board if all of it is turned by 60 degrees: x, y, width, height."""
    corners = [centre(cell, size) for cell in (0, size - 1, size * (size - 1), size * size - 1)]
    if with_swap:
        corners.append((MARGIN * 0.5 + 1.2 * RADIUS, corners[2][1]))
    half, rest = 0.5, math.sqrt(3) / 2
    across = [half * x - rest * y for x, y in corners]
    down = [rest * x + half * y for x, y in corners]
    room = MARGIN + RADIUS
    left, top = min(across) - room, min(down) - room
    return left, top, max(across) + room - left, max(down) + room - top


def _last_cell(position: Position) -> int | None:
    """The cell of the last stone; after a swap it is the only stone on the board."""
    move = position.last_move
    return stones(position.state).index("W") if move == SWAP else move


def draw(position: Position, marks: Mapping[str, str], paths: bool = False) -> Picture:
    """The board; a click on an empty cell plays there. With paths, each side's shortest way across is drawn too."""
    state, legal, last = position.state, set(position.moves), _last_cell(position)
    size, mover = int(state.size), "BW"[position.to_move - 1]
    way = winning_path(state, 1 - int(state.player)) if position.is_over else []
    won = set(way)
    end = centre(size * size - 1, size)
    width, height = end[0] + WIDTH / 2 + MARGIN, end[1] + RADIUS + 0.8 * MARGIN
    picture = Picture(width=width, height=height, label=position.label, classes="hex", dark=DARK)
    picture.tall = _tall(size, "swap" in legal)
    panel = svg.tag("rect", class_="panel", width=width, height=height, rx=12, fill=PANEL)
    picture.background += [panel, *_edges(size), *_names(size)]
    for cell, stone in enumerate(stones(state)):
        name = cell_text(cell, size)
        _cell(picture, cell, size, stone, marks.get(name), cell in won, cell == last, name in legal, mover)
    if paths and not position.is_over:
        _path(picture, state, WHITE)
        _path(picture, state, BLACK)
    if way:
        points = _points([centre(cell, size) for cell in way])
        line = {"fill": "none", "stroke": LAST, "stroke_width": 6, "stroke_linejoin": "round", "opacity": 0.85}
        drawn = svg.tag("polyline", class_="winning-line", pathLength=1, points=points, pointer_events="none", **line)
        picture.draw("win", "win", None, drawn)
    if "swap" in legal:
        _swap_button(picture, size, marks.get("swap"))
    return picture
