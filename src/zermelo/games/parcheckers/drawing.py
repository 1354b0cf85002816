"""The Parcheckers board as a picture: the parchís board of Spanish homes, with both players' dice above and below.

Every legal move is a small die at its destination, in the colour of the piece, with `data-move`, `data-die` and
`data-from`: a page can show those of one die or of one piece alone. Passes are on the dice of the panels.
"""

from collections.abc import Mapping
from typing import Any

from zermelo.drawing import svg
from zermelo.games.parcheckers.dice_drawing import PANEL, arrow, dice_panel, die_chip
from zermelo.games.parcheckers.geometry import (
    BOARD,
    HOME_RADIUS,
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
    destination,
    distance_of,
    victim,
)
from zermelo.games.parcheckers.style import BOARD_EDGE, DARK, FAINT, FILL, INK, LINE, ON_FILL, PALE, PAPER, STYLE
from zermelo.language import _
from zermelo.rules import is_over, moves_of

STARTS = {(last + 3) % RING + 1: colour for colour, last in enumerate(LAST_SQUARES)}
LASTS = {last: colour for colour, last in enumerate(LAST_SQUARES)}
PIECE_RADIUS, HOME_PIECE_RADIUS = 14.5, 24.0
PIECE_ROOM, CHIP_ROOM, MARKED_ROOM, MOST_ROOM = 30.0, 26.0, 52.0, 92.0


def draw(position: Any, marks: Mapping[str, str] | None) -> str:
    """The board between the panels of player 2, above, and player 1, below."""
    state = position.state
    moves = [] if is_over(state) else moves_of(state)
    board = "".join([*empty_board(state), *last_move(position), *contents(state, moves, marks or {})])
    made = made_by(position)
    panels = [
        dice_panel(state, player, top, moves, marks or {}, position.last_move_text if made == player else None)
        for player, top in ((1, 0.0), (0, PANEL + BOARD))
    ]
    frame = svg.tag("g", board, transform=f"translate(0 {PANEL:g})", data_words="{from}:{die}")
    return svg.picture(BOARD, BOARD + 2 * PANEL, *panels, frame, label=position.label, style=STYLE)


def made_by(position: Any) -> int | None:
    """The player (0 or 1) who made the last move."""
    return None if position.parent is None else int(position.parent.to_move) - 1


# ------------------------------------------------------------------------------------------ the empty board


def corners(place: Place) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in place.outline)


def shape(place: Place, fill: str, **attributes: Any) -> str:
    return svg.tag(
        "polygon",
        points=corners(place),
        fill=fill,
        stroke=LINE,
        stroke_width=1.2,
        stroke_linejoin="round",
        **attributes,
    )


def empty_board(state: Any) -> list[str]:
    """Homes, ring, corridors and goal."""
    parts = [
        svg.tag(
            "rect",
            x=1.5,
            y=1.5,
            width=BOARD - 3,
            height=BOARD - 3,
            rx=16,
            fill=PAPER,
            stroke=BOARD_EDGE,
            stroke_width=3,
        )
    ]
    for colour in range(4):
        parts.append(home(state, colour))
    for square in range(1, RING + 1):
        parts.append(ring_square(square))
    for colour in range(4):
        for distance in range(1, LAST_DISTANCE):
            parts.append(shape(corridor_place(colour, distance), FILL[colour], fill_opacity=0.75))
        parts.append(shape(corridor_place(colour, GOAL), FILL[colour]))
    return parts


def ring_square(square: int) -> str:
    """A square with its number; safe ones with a circle, a colour's first and last ones in its colour."""
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
    return "".join(parts)


def home(state: Any, colour: int) -> str:
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
    return svg.tag("g", svg.title(told.format(colour=_(COLOURS[colour]))), *parts)


def rounded(place: Place, fill: str) -> str:
    """A home's corner of the board, rounded like the board itself."""
    (left, top), (right, bottom) = place.outline[0], place.outline[2]
    x, y, size = min(left, right), min(top, bottom), abs(right - left)
    return svg.tag("rect", x=x + 3, y=y + 3, width=size - 6, height=size - 6, rx=12, fill=fill)


# ------------------------------------------------------------------------------------------ what stands on it


def contents(state: Any, moves: list[int], marks: Mapping[str, str]) -> list[str]:
    """The pieces, and the moves as dice at their destinations, side by side where several meet."""
    pieces: dict[Place, list[int]] = {}
    chips: dict[Place, list[int]] = {}
    for piece in range(8):
        pieces.setdefault(place_at(piece >> 1, int(distance_of(state.pieces, piece))), []).append(piece)
    for move in moves:
        if move & 15 != PASS:
            new = int(destination(state.pieces, move & 15, move >> 4))
            chips.setdefault(place_at((move & 15) >> 1, new), []).append(move)
    drawn: list[str] = []
    offers: list[str] = []
    for place in {**pieces, **chips}:
        here, offered = pieces.get(place, []), chips.get(place, [])
        points = arranged(place, here, offered, marks)
        drawn += [draw_piece(state, piece, point) for piece, point in zip(here, points, strict=False)]
        offers += [
            offer(state, move, point, place, marks.get(move_text(move)), len(offered) == 1)
            for move, point in zip(offered, points[len(here) :], strict=True)
        ]
    return drawn + offers


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


def draw_piece(state: Any, piece: int, point: Point) -> str:
    colour, distance = piece >> 1, int(distance_of(state.pieces, piece))
    (x, y), radius = point, HOME_PIECE_RADIUS if distance == HOME else PIECE_RADIUS
    parts = [
        svg.tag("circle", cx=x, cy=y, r=radius, fill=FILL[colour], stroke=DARK[colour], stroke_width=2.2),
        svg.tag(
            "circle", cx=x, cy=y, r=radius * 0.68, fill="none", stroke="#fff", stroke_opacity=0.75, stroke_width=1.6
        ),
        svg.text(
            str(piece & 1), x, y + radius * 0.36, font_size=round(radius * 1.05), font_weight=700, fill=ON_FILL[colour]
        ),
    ]
    told = {HOME: _("{piece} at home"), GOAL: _("{piece} in the goal")}.get(distance, _("{piece} on {square}"))
    label = told.format(piece=piece_text(piece), square=place_text(colour, distance))
    return svg.tag(
        "g", svg.title(label), *parts, class_="choice", data_from=piece_text(piece), data_piece=piece_text(piece)
    )


def offer(state: Any, move: int, point: Point, place: Place, mark: str | None, alone: bool) -> str:
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
    return svg.tag(
        "g",
        svg.title(label),
        around,
        chip,
        data_move=move_text(move),
        data_die=DICE[die],
        data_from=piece_text(piece),
        role="button",
        tabindex=0,
        aria_label=label,
    )


def last_move(position: Any) -> list[str]:
    """Where the piece that moved last came from and went, and whom it sent home."""
    if position.parent is None or position.last_move & 15 == PASS:
        return []
    before, piece = position.parent.state, position.last_move & 15
    colour = piece >> 1
    origin = place_at(colour, int(distance_of(before.pieces, piece)))
    arrival = place_at(colour, int(distance_of(position.state.pieces, piece)))
    parts = []
    for place in (origin, arrival):
        if place not in HOMES:
            parts.append(
                svg.tag(
                    "polygon",
                    points=corners(place),
                    fill=FILL[colour],
                    fill_opacity=0.28,
                    stroke=DARK[colour],
                    stroke_width=3,
                )
            )
    x, y = origin.centre
    ghost = {"fill": "none", "stroke": DARK[colour], "stroke_width": 2, "stroke_dasharray": "4 4"}
    parts.append(svg.tag("circle", cx=x, cy=y, r=PIECE_RADIUS - 1, **ghost))
    parts.append(
        arrow(
            origin.centre, arrival.centre, PIECE_RADIUS + 3, stroke=DARK[colour], stroke_width=2.5, stroke_opacity=0.7
        )
    )
    victim_colour = captured_colour(position.state)
    if victim_colour is not None:
        away = home_place(victim_colour).centre
        line = {"stroke": DARK[victim_colour], "stroke_width": 2, "stroke_opacity": 0.6, "stroke_dasharray": "2 7"}
        parts.append(arrow(arrival.centre, away, PIECE_RADIUS + 3, **line))
    return parts
