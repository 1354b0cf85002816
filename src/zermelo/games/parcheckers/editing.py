"""Setting up a position by clicks: first on a piece, then on where it shall stand; a die is taken or given back."""

from zermelo.errors import PositionError
from zermelo.games.parcheckers.dice_drawing import DIE, die_centre
from zermelo.games.parcheckers.geometry import place_at
from zermelo.games.parcheckers.notation import colour_of_turn, parse_state, place_text, state_text
from zermelo.games.parcheckers.reading import distance_of
from zermelo.games.parcheckers.rules import COLOURS, DICE, DISTANCE_OF, GOAL, HOME, LAST_DISTANCE, RING, TEN, TURNS
from zermelo.games.parcheckers.rules import Parcheckers as State

Box = tuple[float, float, float, float]
"""The middle of a place, its width and its height."""
GOAL_BOX = 50.0
NEXT = "turn"
"""The place that stands for the button which gives the turn to the next colour."""


def edit_places() -> dict[str, Box]:
    """Where one can click: dice, and all places on which a piece can stand, by names such as `44` and `F3-of-blue`."""
    found: dict[str, Box] = {}
    for player in (0, 1):
        for die in range(TEN):
            found[f"die-{DICE[die]}-of-player-{player + 1}"] = (*die_centre(player, die, TEN), DIE, DIE)
    for colour in TURNS:
        for distance in range(HOME + 1):
            place = place_at(colour, distance)
            across, down = zip(*place.outline, strict=True)
            middle = (sum((min(side), max(side))) / 2 for side in (across, down))
            box = (*middle, max(across) - min(across), max(down) - min(down))
            found[_name(colour, distance)] = (*place.centre, GOAL_BOX, GOAL_BOX) if distance == GOAL else box
    return found


def edited(state: State, place: str, held: str) -> tuple[str, str]:
    """The text of the position after a click, and the place whose piece the next click moves, if there is one."""
    if place == NEXT:
        turn = TURNS[(TURNS.index(colour_of_turn(state)) + 1) % len(TURNS)]
        return _with(state, {"turn": COLOURS[turn]}), ""
    if place.startswith("die-"):
        return _with(state, {"dice": _dice_without(state, place)}), ""
    if held in ("", place):
        return state_text(state), place if not held and _pieces_on(state, place) else ""
    fitting = [(colour, piece) for colour, piece in _pieces_on(state, held) if _distance(colour, place) is not None]
    if not fitting:
        raise PositionError("no piece of {held} can stand on {place}", held=held, place=place)
    colour, piece = fitting[0]
    distance = _distance(colour, place)
    assert distance is not None
    squares = [int(distance_of(state.pieces, 2 * colour + i)) for i in (0, 1)]
    squares[piece] = distance
    return _with(state, {COLOURS[colour]: ",".join(place_text(colour, square) for square in squares)}), ""


def _with(state: State, parts: dict[str, str]) -> str:
    """The position with other parts, and without what only the last move had brought about."""
    words = dict(word.partition("=")[::2] for word in state_text(state).split())
    for gone in ("bonus", "six", "captured"):
        words.pop(gone, None)
    text = " ".join(f"{name}={value}" for name, value in (words | parts).items())
    found = parse_state(text)
    assert found is not None
    return state_text(found)


def _dice_without(state: State, place: str) -> str:
    """The dice of both players, when one of them is taken away or given back."""
    die, player = place.removeprefix("die-").split("-of-player-")
    words = dict(word.partition("=")[::2] for word in state_text(state).split())
    sides = words["dice"].split("/")
    mine = set(sides[int(player) - 1]) ^ {die}
    sides[int(player) - 1] = "".join(one for one in DICE[:TEN] if one in mine)
    if not mine:
        raise PositionError("each player keeps at least one die")
    return "/".join(sides)


def _name(colour: int, distance: int) -> str:
    """The name of a place: a ring square has none of a colour."""
    text = place_text(colour, distance)
    return text if text.isdigit() else f"{text}-of-{COLOURS[colour]}"


def _distance(colour: int, place: str) -> int | None:
    """How far a piece of this colour is from the goal there; None if it cannot stand there."""
    if place.isdigit() and 1 <= int(place) <= RING:
        distance = int(DISTANCE_OF[colour, int(place) - 1])
        return distance if LAST_DISTANCE <= distance < HOME else None
    known = {_name(colour, distance): distance for distance in (*range(LAST_DISTANCE), HOME)}
    return known.get(place)


def _pieces_on(state: State, place: str) -> list[tuple[int, int]]:
    """The pieces on a place: their colour, and which of the two of this colour each is."""
    return [
        (colour, piece)
        for colour in TURNS
        for piece in (0, 1)
        if _name(colour, int(distance_of(state.pieces, 2 * colour + piece))) == place
    ]
