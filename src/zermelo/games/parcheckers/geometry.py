"""Where things are on the drawn parchís board. Only the lower arm and its corner are described; the others are turned.

Lanes are wider than their squares are deep, as on the boards sold in Spain, and the squares nearest to the middle are
cut at the corner. Yellow comes in from below; then, anticlockwise, blue, red and green.
"""

from typing import NamedTuple

from zermelo.games.parcheckers.rules import COLOURS, GOAL, HOME, LAST_DISTANCE, RING, SQUARE_AT, TURNS

Point = tuple[float, float]

LANE = 78.0  # the width of a lane
DEPTH = 36.0  # of a square along it
GOAL_HALF = 1.5 * LANE - DEPTH  # half the side of the goal in the middle
ARM_END = 1.5 * LANE + 7 * DEPTH  # half the side of the board
BOARD = 2 * ARM_END
CORNER = (1.5 * LANE + ARM_END) / 2  # the middle of a home
PANEL = 108.0  # the height of a player's panel, above the board and below it
HOME_RADIUS = 84.0
NUMBER_ROOM = 8.0  # how far the pieces step aside for a square's number


class Place(NamedTuple):
    """A square, corridor square, goal or home as it is drawn."""

    name: str
    outline: tuple[Point, ...]
    centre: Point  # of what stands there
    along: Point  # the direction in which several things are lined up
    number: Point  # where its number is written


def turned(point: Point, quarters: int) -> Point:
    """A point, measured from the middle, after this many anticlockwise quarter turns (y grows downwards)."""
    for _ in range(quarters % 4):
        point = (point[1], -point[0])
    return point


def _placed(name: str, outline: list[Point], centre: Point, number: Point, quarter: int) -> Place:
    """Turn a place of the lower arm into its quarter, and measure from the top left corner of the picture."""

    def moved(point: Point) -> Point:
        x, y = turned(point, quarter)
        return x + ARM_END, y + ARM_END + PANEL

    along = (1.0, 0.0) if quarter % 2 == 0 else (0.0, 1.0)
    return Place(name, tuple(map(moved, outline)), moved(centre), along, moved(number))


def _box(left: float, top: float, right: float, bottom: float) -> list[Point]:
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def ring_place(square: int) -> Place:
    """A ring square, 1 to 68. Squares 68, 1 to 8 lie in yellow's arm, 9 to 16 come out along blue's, and so on."""
    name, (quarter, step) = f"square-{square}", divmod(square % RING, 17)
    if step == 0:
        top = ARM_END - DEPTH
        return _placed(name, _box(-LANE / 2, top, LANE / 2, ARM_END), (0, top + DEPTH / 2), (0, ARM_END - 9), quarter)
    if step > 8:  # the other lane of the next arm, outwards
        quarter, step, side = quarter + 1, 17 - step, -1.0
    else:
        side = 1.0
    inner, outer = side * LANE / 2, side * LANE * 1.5
    middle, number = side * (LANE - NUMBER_ROOM), side * (1.5 * LANE - 12)
    top = ARM_END - DEPTH * step
    if step < 8:
        outline = _box(inner, top, outer, top + DEPTH)
    else:
        outline = [(inner, top), (side * GOAL_HALF, top), (outer, top + DEPTH), (inner, top + DEPTH)]
        middle, number = side * (LANE - 18), side * (1.5 * LANE - 31)
    lower = DEPTH / 2 + (7 if step == 8 else 0)
    return _placed(name, outline, (middle, top + DEPTH / 2), (number, top + lower), quarter)


def corridor_place(colour: int, distance: int) -> Place:
    """A corridor square or, at distance 0, the goal's triangle."""
    quarter = TURNS.index(colour)
    if distance == GOAL:
        outline = [(0.0, 0.0), (GOAL_HALF, GOAL_HALF), (-GOAL_HALF, GOAL_HALF)]
        return _placed(f"goal-of-{COLOURS[colour]}", outline, (0, GOAL_HALF - 25), (0, 0), quarter)
    top = GOAL_HALF + DEPTH * (distance - 1)
    name = f"corridor-of-{COLOURS[colour]}-{distance}"
    return _placed(name, _box(-LANE / 2, top, LANE / 2, top + DEPTH), (0, top + DEPTH / 2), (0, top), quarter)


def home_place(colour: int) -> Place:
    """The corner in which a colour's pieces wait, beside its arm."""
    near = 1.5 * LANE
    name, middle = f"home-of-{COLOURS[colour]}", (CORNER, CORNER)
    place = _placed(name, _box(near, near, ARM_END, ARM_END), middle, middle, TURNS.index(colour))
    return place._replace(along=(1.0, 0.0))


def place_at(colour: int, distance: int) -> Place:
    """The place of a piece of this colour at this distance."""
    if distance == HOME:
        return home_place(colour)
    if distance < LAST_DISTANCE:
        return corridor_place(colour, distance)
    return ring_place(int(SQUARE_AT[colour, distance]) + 1)


def lined_up(place: Place, number: int, spacing: float) -> list[Point]:
    """Points for this number of things, side by side around the place's centre."""
    (x, y), (across, down) = place.centre, place.along
    offsets = [(i - (number - 1) / 2) * spacing for i in range(number)]
    return [(x + across * offset, y + down * offset) for offset in offsets]
