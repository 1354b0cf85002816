"""Parcheckers as a vector: distances, dice, whose turn it is, and the bounces.

One's own colours come first: the order is yellow, green, blue, red for player 1, and blue, red, yellow, green for
player 2. An action is die * 5 + piece. Dice are in the order 1 2 4 5 6 * 10 20, pieces are the four of the player to
move, in the order of the colours, and piece 4 is the pass.
"""

from zermelo.evaluation.planes import Layout, action_of, write_planes
from zermelo.games.parcheckers.rules import (
    BONUS_AT,
    BOUNCES_AT,
    CAPTURED_AT,
    DICE,
    HOME,
    MOST_BOUNCES,
    PASS,
    SIX_AT,
    TURN_AT,
    TURNS,
    Parcheckers,
    distance_of,
    field,
)
from zermelo.rules import to_move

OWN_COLOURS = ("my first colour", "my second colour", "their first colour", "their second colour")
CHANNELS = (
    *(f"{colour}, piece {piece}: distance to the goal, 1 at home" for colour in OWN_COLOURS for piece in (1, 2)),
    *(f"{colour}, piece {piece}: at home" for colour in OWN_COLOURS for piece in (1, 2)),
    *(f"I have the die {die}" for die in DICE[:6]),
    *(f"they have the die {die}" for die in DICE[:6]),
    "a bonus of 10",
    "a bonus of 20",
    "the turn goes on after the bonus",
    *(f"turn of {colour}" for colour in OWN_COLOURS),
    *(f"just captured: {colour}" for colour in OWN_COLOURS),
    *(f"{colour}: bounces, 1 when they lose the game" for colour in OWN_COLOURS),
    "I am to move",
)
PIECES = 5  # of an action: four, and the pass


def layout(game):
    return Layout((len(CHANNELS),), CHANNELS, len(DICE) * PIECES)


@write_planes.of(Parcheckers)
def _(state, viewer, rows, columns, out):
    for place in range(8):
        distance = distance_of(state.pieces, (place + 4 * viewer) % 8)
        out[place] = distance / HOME
        out[8 + place] = 1.0 if distance == HOME else 0.0
    for die in range(6):
        out[16 + die] = field(state.rest, 6 * viewer + die, 1)
        out[22 + die] = field(state.rest, 6 * (1 - viewer) + die, 1)
    bonus = field(state.rest, BONUS_AT, 2)
    out[28] = 1.0 if bonus == 1 else 0.0
    out[29] = 1.0 if bonus == 2 else 0.0
    out[30] = field(state.rest, SIX_AT, 1)
    out[31 + (TURNS[field(state.rest, TURN_AT, 2)] + 2 * viewer) % 4] = 1.0
    captured = field(state.rest, CAPTURED_AT, 3)
    if captured > 0:
        out[35 + (captured - 1 + 2 * viewer) % 4] = 1.0
    for colour in range(4):
        out[39 + colour] = field(state.rest, BOUNCES_AT + 6 * ((colour + 2 * viewer) % 4), 6) / (MOST_BOUNCES + 1)
    out[43] = 1.0 if viewer == to_move(state) else 0.0


@action_of.of(Parcheckers)
def _(state, move, rows, columns):
    place = move & 15
    return (move >> 4) * PIECES + (PIECES - 1 if place == PASS else place & 3)
