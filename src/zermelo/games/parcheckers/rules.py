"""Parcheckers: parchís without luck. Nobody throws a die: each player chooses which of their remaining dice to spend.

A piece is its distance to the goal, which looks the same from all four colours (the board repeats every 17 squares):

    76      75 ........ 8          7 .. 1        0
    home    the ring; 8 is the     corridor      goal      A move of so many steps leads to |distance - steps|: a piece
            colour's last square   F1 .. F7                that overshoots the goal bounces back, and counts it.

The bits of `pieces`, seven for each distance; player 1 owns the low half (yellow, green), player 2 the high one:

    55    49 48    42 41     35 34     28 27      21 20      14 13       7 6        0
    |  red1 |  red0  |  blue1  |  blue0  |  green1  |  green0  |  yellow1 |  yellow0 |

The bits of `rest`:

    43     38 37      32 31       26 25        20 19    17 16  15  14  13   12 11      6 5       0
    |   red  |   blue   |   green   |   yellow   | captured | turn | six | bonus | dice 2  | dice 1  |
         bounces, six bits a colour               0 none,    0 to 3 in    0 none,   of player 2 and of player 1:
         (31 lose the game)                       1 + colour  TURNS       1 ten,    1 2 4 5 6 and the special die,
                                                                          2 twenty  from the lowest bit

A bonus die is spent on the very next move, and whoever won it keeps the turn: so it belongs to the player to move.
The six is remembered only while a bonus is: without one it changes nothing.
"""

from typing import NamedTuple

import numpy as np

from zermelo.core import ONE, ZERO, bit, mix, njit, state
from zermelo.language import marked
from zermelo.rules import is_noisy, is_over, key, legal_moves, move_hint, outcome, play, to_move

RING = 68
HOME, GOAL = 76, 0
START_DISTANCE = 72  # of the square on which a piece leaves home
LAST_DISTANCE = 8  # of the last ring square; the corridor is nearer

COLOURS = (marked("yellow"), marked("green"), marked("blue"), marked("red"))  # player 1 owns the first two
LAST_SQUARES = (68, 51, 17, 34)
TURNS = (0, 2, 3, 1)  # the colours as the turn goes round: yellow, blue, red, green
SAFE_SQUARES = (4, 13, 17, 21, 30, 34, 38, 47, 51, 55, 64, 68)

DICE = ("1", "2", "4", "5", "6", "*", "10", "20")
FIVE, SIX, SPECIAL, TEN, TWENTY = 3, 4, 5, 6, 7
ALL_DICE = (1 << 6) - 1
STEPS = np.array([2, 4, 8, 10, 12, 1, 20, 40])
LONG_SIX = 14  # the steps of a six when no piece of the moving colour is at home

MOST_BOUNCES = 30
BOUNCE_LIMITS = np.uint64(sum((32 - 1 - MOST_BOUNCES) << 6 * colour for colour in range(4)))
BOUNCED_OUT = np.uint64(sum(32 << 6 * colour for colour in range(4)))  # counter + limit reaches this bit at the 31st

PIECE, HALF = 7, 28  # bits a piece, a player
PIECE_MASK = np.uint64((1 << PIECE) - 1)
HALF_MASK = np.uint64((1 << HALF) - 1)
BONUS_AT, SIX_AT, TURN_AT, CAPTURED_AT, BOUNCES_AT = 12, 14, 15, 17, 20
CAPTURED_MASK = np.uint64(0b111 << CAPTURED_AT)

PASS = 8  # in a move, instead of a piece


def _square(colour: int, distance: int) -> int:
    """The ring square, counted from 0, at this distance from the colour's goal; -1 if it is not on the ring."""
    return (LAST_SQUARES[colour] - 1 - (distance - LAST_DISTANCE)) % RING if LAST_DISTANCE <= distance < HOME else -1


SQUARE_AT = np.array([[_square(colour, distance) for distance in range(128)] for colour in range(4)])
DISTANCE_OF = np.array([[LAST_DISTANCE + (last - 1 - at) % RING for at in range(RING)] for last in LAST_SQUARES])
IS_SAFE = np.array([_square(0, distance) + 1 in SAFE_SQUARES for distance in range(128)])  # alike for all colours


def pack_pieces(distances) -> np.uint64:
    """The pieces of eight distances: two of yellow, of green, of blue and of red."""
    return np.uint64(sum(int(distance) << PIECE * place for place, distance in enumerate(distances)))


USUAL_START = pack_pieces(
    DISTANCE_OF[colour, (last + offset - 1) % RING] for colour, last in enumerate(LAST_SQUARES) for offset in (4, 13)
)


@state
class Parcheckers(NamedTuple):
    """A position; the layout is drawn at the top of this file."""

    pieces: np.uint64 = USUAL_START
    rest: np.uint64 = np.uint64(ALL_DICE << 6 | ALL_DICE)


# ------------------------------------------------------------------------------------------ reading a state


@njit
def distance_of(pieces, place):
    """How far the piece at this place (0 to 7) is from its goal."""
    return np.int64(pieces >> np.uint64(PIECE * place) & PIECE_MASK)


@njit
def field(rest, at, width):
    """The number in these bits."""
    return np.int64(rest >> np.uint64(at) & ((ONE << np.uint64(width)) - ONE))


@njit
def player_of_turn(turn):
    """Yellow and green are player 0, blue and red player 1."""
    return (turn + 1) >> 1 & 1


@njit
def available_dice(state, player):
    """The dice that the player may spend, as bits: only the bonus die, if the player is to move and has one."""
    bonus = field(state.rest, BONUS_AT, 2)
    if bonus > 0 and player_of_turn(field(state.rest, TURN_AT, 2)) == player:
        return 1 << (TEN + bonus - 1)
    return field(state.rest, 6 * player, 6)


@njit
def steps_of(pieces, place, die):
    """How many squares the die moves this piece."""
    first = place & ~1
    if die == SIX and distance_of(pieces, first) != HOME and distance_of(pieces, first + 1) != HOME:
        return np.int64(LONG_SIX)
    return STEPS[die]


@njit
def destination(pieces, place, die):
    """The distance to which the die brings this piece."""
    distance = distance_of(pieces, place)
    return np.int64(START_DISTANCE) if distance == HOME else abs(distance - steps_of(pieces, place, die))


@njit
def victim(pieces, place, distance):
    """The place of the piece that this one would capture at the distance, or -1. The partner's pieces count too."""
    if IS_SAFE[distance] or SQUARE_AT[place >> 1, distance] < 0:
        return -1
    square = SQUARE_AT[place >> 1, distance]
    for other in range(8):
        if other >> 1 != place >> 1 and SQUARE_AT[other >> 1, distance_of(pieces, other)] == square:
            return other
    return -1


@njit
def in_wall(pieces, place):
    """Do both pieces of this colour stand on one square of ring or corridor?"""
    distance = distance_of(pieces, place)
    return distance == distance_of(pieces, place ^ 1) and GOAL < distance < HOME


@njit
def ring_walls(pieces):
    """The ring squares of the four colours' walls, seven bits each, counted from 1; 0 for none."""
    walls = ZERO
    for colour in range(4):
        distance = distance_of(pieces, 2 * colour)
        if distance == distance_of(pieces, 2 * colour + 1) and LAST_DISTANCE <= distance < HOME:
            walls |= np.uint64(SQUARE_AT[colour, distance] + 1) << np.uint64(PIECE * colour)
    return walls


# ------------------------------------------------------------------------------------------ moves


@njit
def is_walled_off(walls, colour, distance, new):
    """Does another colour's wall stand between a ring piece and its destination, or on it?

    The squares that count go from the one after the origin round to the destination, or to the last ring square if the
    move ends beyond it. A bounce may end on the ring behind the origin: then these squares are almost the whole round.
    For a bounce that ends on the origin itself no square counts (as in the course's own games).
    """
    for other in range(4):
        wall = field(walls, PIECE * other, PIECE)
        if wall > 0 and other != colour:
            at = DISTANCE_OF[colour, wall - 1]
            if new < distance:
                if max(new, LAST_DISTANCE) <= at < distance:
                    return True
            elif new > distance and (at < distance or at >= new):
                return True
    return False


@njit
def is_full(pieces, colour, distance):
    """Are there two pieces on the ring square at this distance? No square takes a third."""
    square = SQUARE_AT[colour, distance]
    number = 0
    for place in range(8):
        if SQUARE_AT[place >> 1, distance_of(pieces, place)] == square:
            number += 1
    return number >= 2


@njit
def can_move(pieces, walls, place, die):
    """May this piece spend this die? (The caller checks whether a six must break a wall.)"""
    distance = distance_of(pieces, place)
    if distance == GOAL or (distance == HOME and die != FIVE):
        return False
    new = destination(pieces, place, die)
    on_ring = LAST_DISTANCE <= distance < HOME
    if walls and on_ring and is_walled_off(walls, place >> 1, distance, new):
        return False
    return new < LAST_DISTANCE or new == distance or not is_full(pieces, place >> 1, new)


@legal_moves.of(Parcheckers)
def _(state, out, start):
    """Moves in the order of the course's engine: the special die, then from 6 down; yellow, green or blue, red."""
    if is_over(state):
        return start
    pieces = state.pieces
    player = to_move(state)
    first = 4 * player
    dice = available_dice(state, player)
    walls = ring_walls(pieces)
    must_break = in_wall(pieces, first) or in_wall(pieces, first + 2)
    for turn in range(8):
        die = SPECIAL - turn if turn <= SPECIAL else turn
        if dice >> die & 1 == 0:
            continue
        before = start
        for place in range(first, first + 4):
            stuck = die == SIX and must_break and not in_wall(pieces, place)
            if not stuck and can_move(pieces, walls, place, die):
                out[start] = die << 4 | place
                start += 1
        if start == before:
            out[start] = die << 4 | PASS
            start += 1
    return start


@njit
def moved_to(pieces, place, distance):
    """The pieces with this one at another distance."""
    at = np.uint64(PIECE * place)
    return pieces & ~(PIECE_MASK << at) | np.uint64(distance) << at


@njit
def dice_after(rest, player, die):
    """rest without the die just spent; when a player's last ordinary die is gone, all six come back."""
    if die >= TEN:
        return rest & ~np.uint64(0b11 << BONUS_AT)
    rest ^= bit(6 * player + die)
    if field(rest, 6 * player, 6) == 0:
        rest |= np.uint64(ALL_DICE) << np.uint64(6 * player)
    return rest


@play.of(Parcheckers)
def _(state, move):
    die, place = move >> 4, move & 15
    pieces = state.pieces
    turn = field(state.rest, TURN_AT, 2)
    player = player_of_turn(turn)
    six = die == SIX or (die >= TEN and field(state.rest, SIX_AT, 1) != 0)
    rest = dice_after(state.rest, player, die) & ~(CAPTURED_MASK | bit(SIX_AT))
    bonus = 0
    if place != PASS:
        new = destination(pieces, place, die)
        if distance_of(pieces, place) < steps_of(pieces, place, die):
            rest += bit(BOUNCES_AT + 6 * (place >> 1))
        captured = victim(pieces, place, new)
        pieces = moved_to(pieces, place, new)
        if new == GOAL:
            bonus = 1
        elif captured >= 0:
            bonus = 2
            pieces = moved_to(pieces, captured, HOME)
            rest |= np.uint64((captured >> 1) + 1) << np.uint64(CAPTURED_AT)
    if pieces & HALF_MASK == ZERO or pieces >> np.uint64(HALF) == ZERO:
        bonus = 0  # the piece that ends the game wins nothing more
    if bonus > 0:
        rest |= np.uint64(bonus) << np.uint64(BONUS_AT) | np.uint64(six) << np.uint64(SIX_AT)
    elif not six:
        rest = rest & ~np.uint64(0b11 << TURN_AT) | np.uint64((turn + 1) & 3) << np.uint64(TURN_AT)
    return Parcheckers(pieces, rest)


# ------------------------------------------------------------------------------------------ the end, and the rest


@njit
def bounced_out(rest):
    """The colours that have bounced too often, a bit each at six times their number plus 5."""
    return ((rest >> np.uint64(BOUNCES_AT)) + BOUNCE_LIMITS) & BOUNCED_OUT


@is_over.of(Parcheckers)
def _(state):
    pieces = state.pieces
    return pieces & HALF_MASK == ZERO or pieces >> np.uint64(HALF) == ZERO or bounced_out(state.rest) != ZERO


@outcome.of(Parcheckers)
def _(state):
    bounced = bounced_out(state.rest)
    if bounced != ZERO:
        winner = 1 if bounced & np.uint64((1 << 12) - 1) != ZERO else 0
    else:
        winner = 0 if state.pieces & HALF_MASK == ZERO else 1
    return 1 if winner == to_move(state) else -1


@to_move.of(Parcheckers)
def _(state):
    return player_of_turn(field(state.rest, TURN_AT, 2))


@key.of(Parcheckers)
def _(state):
    """The key leaves out the last capture. Only heuristics read it, no rule does, so states that differ in nothing else
    have the same future and may share a table entry. (They differ only if another colour could have been captured.)"""
    return mix(mix(state.pieces) + (state.rest & ~CAPTURED_MASK))


CAPTURE_HINT, GOAL_HINT, SIX_HINT = 300, 200, 100


@move_hint.of(Parcheckers)
def _(state, move):
    """Captures come first, then goals, then sixes: all of them keep the turn, and the first two win a bonus die too."""
    die, place = move >> 4, move & 15
    hint = SIX_HINT if die == SIX else 0
    if place == PASS:
        return hint
    new = destination(state.pieces, place, die)
    if new == GOAL:
        return hint + GOAL_HINT
    captured = victim(state.pieces, place, new)
    if captured < 0:
        return hint
    return hint + CAPTURE_HINT if captured >> 2 != place >> 2 else hint - CAPTURE_HINT


@is_noisy.of(Parcheckers)
def _(state, move):
    """Captures."""
    place = move & 15
    return place != PASS and victim(state.pieces, place, destination(state.pieces, place, move >> 4)) >= 0
