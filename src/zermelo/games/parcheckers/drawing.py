"""The Parcheckers board as a picture: the parchís board of Spanish homes, with both players' dice above and below.

Every legal move is a small die at its destination, in the colour of the piece. It names its die and its piece, so that
a page can show the moves of one die or of one piece only. Passes are on the dice of the panels.
"""

import functools
from collections.abc import Mapping
from typing import Any

from zermelo.drawing import svg
from zermelo.drawing.picture import Picture
from zermelo.drawing.svg import Element
from zermelo.games.parcheckers.dice_drawing import arrow, dice_panel, die_chip
from zermelo.games.parcheckers.geometry import (
    BOARD,
    DEPTH,
    HOME_RADIUS,
    LANE,
    PANEL,
    Place,
    Point,
    corridor_place,
    home_place,
    lined_up,
    place_at,
    ring_place,
)
from zermelo.games.parcheckers.notation import (
    bounces_of,
    captured_colour,
    colour_of_turn,
    move_text,
    piece_text,
    place_text,
)
from zermelo.games.parcheckers.reading import destination, distance_of, victim
from zermelo.games.parcheckers.rules import (
    COLOURS,
    DICE,
    GOAL,
    HOME,
    LAST_DISTANCE,
    LAST_SQUARES,
    MOST_BOUNCES,
    PASS,
    RING,
    SAFE_SQUARES,
    Parcheckers,
)
from zermelo.games.parcheckers.style import (
    BOARD_EDGE,
    CHOOSING,
    DARK,
    DARK_MODE,
    FAINT,
    FILL,
    INK,
    LINE,
    ON_FILL,
    PALE,
    PAPER,
    STYLE,
)
from zermelo.language import _
from zermelo.position import Position
from zermelo.rules import is_over, moves_of

STARTS = {(last + 3) % RING + 1: colour for colour, last in enumerate(LAST_SQUARES)}
LASTS = {last: colour for colour, last in enumerate(LAST_SQUARES)}
EDGE = {"x": 1.5, "y": PANEL + 1.5, "width": BOARD - 3, "height": BOARD - 3, "rx": 16}
PIECE_RADIUS, HOME_PIECE_RADIUS = 14.5, 24.0
PIECE_ROOM, CHIP_ROOM, MARKED_ROOM, MOST_ROOM = 30.0, 26.0, 52.0, 92.0


def draw(position: Position, marks: Mapping[str, str]) -> Picture:
    """The board between the panels of player 2, above, and player 1, below."""
    state = position.state
    moves = [] if is_over(state) else moves_of(state)
    picture = Picture(width=BOARD, height=BOARD + 2 * PANEL, label=position.label, style=STYLE, words="{from}:{die}")
    picture.classes, picture.page_style, picture.dark = "parcheckers", CHOOSING, DARK_MODE
    picture.background.append(
        svg.tag("g", svg.tag("rect", **EDGE, fill=PAPER, stroke=BOARD_EDGE, stroke_width=3), *squares())
    )
    made = made_by(position)
    for player in (1, 0):
        dice_panel(picture, state, player, moves, marks, position.last_move_text if made == player else None)
    for colour in range(4):
        home(picture, state, colour)
    last_move(picture, position)
    contents(picture, state, moves, marks)
    return picture


def made_by(position: Position) -> int | None:
    """The player (0 or 1) who made the last move."""
    return None if position.parent is None else int(position.parent.to_move) - 1


# ------------------------------------------------------------------------------------------ the empty board


def corners(place: Place) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in place.outline)


def shape(place: Place, fill: str, **attributes: Any) -> Element:
    return svg.tag(
        "polygon",
        points=corners(place),
        fill=fill,
        stroke=LINE,
        stroke_width=1.2,
        stroke_linejoin="round",
        **attributes,
    )


@functools.cache
def squares() -> list[Element]:
    """Ring, corridors and goal."""
    parts = []
    for square in range(1, RING + 1):
        parts += ring_square(square)
    for colour in range(4):
        for distance in range(1, LAST_DISTANCE):
            parts.append(shape(corridor_place(colour, distance), FILL[colour], fill_opacity=0.75))
        parts.append(shape(corridor_place(colour, GOAL), FILL[colour]))
    return parts


def ring_square(square: int) -> list[Element]:
    """A square with its number. Safe squares have a circle; a colour's first and last squares are in that colour."""
    place = ring_place(square)
    colour = STARTS.get(square, LASTS.get(square))
    fill = PAPER if colour is None else FILL[colour] if square in STARTS else PALE[colour]
    parts = [shape(place, fill)]
    x, y = place.centre
    if square in SAFE_SQUARES:
        ink = LINE if colour is None else DARK[colour]
        parts.append(svg.tag("circle", cx=x, cy=y, r=13, fill=PAPER, fill_opacity=0.6, stroke=ink, stroke_width=1.6))
    nx, ny = place.number
    if square in LASTS:
        nx, ny = x, y
    ink = FAINT if colour is None or square in LASTS else ON_FILL[colour]
    size = 12 if square % 17 in (8, 9) else 14  # the squares cut at the corner have less room
    parts.append(svg.text(str(square), nx, ny + 5, font_size=size, fill=ink))
    return parts


def home(picture: Picture, state: Parcheckers, colour: int) -> None:
    """The corner in which pieces wait, with a heavy ring while it is the colour's turn."""
    place = home_place(colour)
    x, y = place.centre
    turn = colour_of_turn(state) == colour and not is_over(state)
    corner = svg.tag(
        "circle",
        cx=x,
        cy=y,
        r=HOME_RADIUS,
        fill=PALE[colour],
        stroke=INK if turn else DARK[colour],
        stroke_width=5 if turn else 1.5,
    )
    parts = [rounded(place, FILL[colour]), corner]
    bounces = bounces_of(state, colour)
    if bounces:
        words = _("{number} of {most} bounces").format(number=bounces, most=MOST_BOUNCES)
        parts.append(svg.text(words, x, y + HOME_RADIUS - 34, font_size=14, fill=DARK[colour]))
    told = _("home of {colour}, whose turn it is") if turn else _("home of {colour}")
    picture.place(place.name, x, y, 2 * HOME_RADIUS)
    picture.draw(place.name, "home", place.name, *parts, label=told.format(colour=_(COLOURS[colour])))


def rounded(place: Place, fill: str) -> Element:
    """A home's corner of the board, rounded like the board itself."""
    (left, top), (right, bottom) = place.outline[0], place.outline[2]
    x, y, size = min(left, right), min(top, bottom), abs(right - left)
    return svg.tag("rect", x=x + 3, y=y + 3, width=size - 6, height=size - 6, rx=12, fill=fill)


# ------------------------------------------------------------------------------------------ what stands on it


def contents(picture: Picture, state: Parcheckers, moves: list[int], marks: Mapping[str, str]) -> None:
    """The pieces, and the moves as dice at their destinations, side by side where several meet."""
    pieces: dict[Place, list[int]] = {}
    chips: dict[Place, list[int]] = {}
    for piece in range(8):
        pieces.setdefault(place_at(piece >> 1, int(distance_of(state.pieces, piece))), []).append(piece)
    for move in moves:
        if move & 15 != PASS:
            new = int(destination(state.pieces, move & 15, move >> 4))
            chips.setdefault(place_at((move & 15) >> 1, new), []).append(move)
    standing = {
        place: arranged(place, pieces.get(place, []), chips.get(place, []), marks) for place in {**pieces, **chips}
    }
    for place, points in standing.items():
        picture.place(place.name, *place.centre, LANE, DEPTH)
        for piece, point in zip(pieces.get(place, []), points, strict=False):
            draw_piece(picture, state, piece, place, point)
    for place, points in standing.items():
        offered = chips.get(place, [])
        for move, point in zip(offered, points[len(pieces.get(place, [])) :], strict=True):
            offer(picture, state, move, point, place, marks.get(move_text(move)), len(offered) == 1)


def arranged(place: Place, here: list[int], offered: list[int], marks: Mapping[str, str]) -> list[Point]:
    """Where the pieces and then the dice at a place are drawn, closer together if there are too many."""
    if place in HOMES:
        return lined_up(place, len(here), 2.4 * HOME_PIECE_RADIUS)
    rooms = [PIECE_ROOM] * len(here) + [MARKED_ROOM if move_text(move) in marks else CHIP_ROOM for move in offered]
    squeeze = min(1.0, MOST_ROOM / sum(rooms))
    offset = -sum(rooms) * squeeze / 2
    points = []
    for room in rooms:
        middle = offset + room * squeeze / 2
        points.append((place.centre[0] + place.along[0] * middle, place.centre[1] + place.along[1] * middle))
        offset += room * squeeze
    return points


HOMES = {home_place(colour) for colour in range(4)}


def draw_piece(picture: Picture, state: Parcheckers, piece: int, place: Place, point: Point) -> None:
    colour, distance, name = piece >> 1, int(distance_of(state.pieces, piece)), piece_text(piece)
    radius = HOME_PIECE_RADIUS if distance == HOME else PIECE_RADIUS
    rim = {"fill": "none", "stroke": "#ffffff", "stroke_opacity": 0.75, "stroke_width": 1.6}
    number = {"font_size": round(radius * 1.05), "font_weight": 700, "fill": ON_FILL[colour]}
    shapes = [
        svg.tag("circle", r=radius, fill=FILL[colour], stroke=DARK[colour], stroke_width=2.2),
        svg.tag("circle", r=radius * 0.68, **rim),
        svg.text(str(piece & 1), 0, radius * 0.36, **number),
    ]
    where = {HOME: _("{piece} at home"), GOAL: _("{piece} in the goal")}.get(distance, _("{piece} on {square}"))
    label = where.format(piece=name, square=place_text(colour, distance))
    kind = f"{name}-at-home" if distance == HOME else name
    offset = point[0] - place.centre[0], point[1] - place.centre[1]
    data = {"from": name, "piece": name}
    told = {"label": label, "classes": "choice", "data": data, "motion": "walk"}
    picture.put(f"piece-{name}", kind, place.name, *shapes, offset=offset, **told)


def offer(
    picture: Picture, state: Parcheckers, move: int, point: Point, place: Place, mark: str | None, alone: bool
) -> None:
    """A legal move as a small die to click; the whole square takes the click if no other move leads there."""
    piece, die = move & 15, move >> 4
    new = int(destination(state.pieces, piece, die))
    captured = int(victim(state.pieces, piece, new))
    told = (
        _("{piece} with {die} to the goal")
        if new == GOAL
        else _("{piece} with {die} to {square}, captures {captured}")
        if captured >= 0
        else _("{piece} with {die} to {square}")
    )
    label = told.format(
        piece=piece_text(piece), die=DICE[die], square=place_text(piece >> 1, new), captured=piece_text(captured)
    )
    around = svg.tag("circle", cx=point[0], cy=point[1], r=15, fill="transparent")
    if alone:
        around = svg.tag("polygon", points=corners(place), fill="transparent")
    chip = die_chip(die, point, piece >> 1, mark, place.along, captured >= 0)
    button: dict[str, Any] = {"label": label, "move": move_text(move), "is_focusable": True}
    data = {"die": DICE[die], "from": piece_text(piece)}
    button["classes"] = "move"
    picture.draw(f"move-{move_text(move)}", "move", place.name, around, *chip, data=data, **button)


def last_move(picture: Picture, position: Position) -> None:
    """Show where the piece that moved last came from and went, and which piece it sent home."""
    if position.parent is None or position.last_move is None or position.last_move & 15 == PASS:
        return
    before, piece = position.parent.state, position.last_move & 15
    colour = piece >> 1
    origin = place_at(colour, int(distance_of(before.pieces, piece)))
    arrival = place_at(colour, int(distance_of(position.state.pieces, piece)))
    light = {"fill": FILL[colour], "fill_opacity": 0.28, "stroke": DARK[colour], "stroke_width": 3}
    parts = [svg.tag("polygon", points=corners(place), **light) for place in (origin, arrival) if place not in HOMES]
    x, y = origin.centre
    ghost = {"fill": "none", "stroke": DARK[colour], "stroke_width": 2, "stroke_dasharray": "4 4"}
    parts.append(svg.tag("circle", cx=x, cy=y, r=PIECE_RADIUS - 1, **ghost))
    line: dict[str, Any] = {"stroke": DARK[colour], "stroke_width": 2.5, "stroke_opacity": 0.7}
    parts += arrow(origin.centre, arrival.centre, PIECE_RADIUS + 3, **line)
    victim_colour = captured_colour(position.state)
    if victim_colour is not None:
        away = home_place(victim_colour).centre
        line = {"stroke": DARK[victim_colour], "stroke_width": 2, "stroke_opacity": 0.6, "stroke_dasharray": "2 7"}
        parts += arrow(arrival.centre, away, PIECE_RADIUS + 3, **line)
    picture.draw("last", "last", arrival.name, *parts)
