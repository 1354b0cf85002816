"""What a learned table looks at. Each `write_...` function adds one kind of entries, and its docstring says which.

All of them are seen by the player to move: "whose" is 0 for what is mine and 1 for what is theirs. The shape of a kind
names the questions whose answers choose the entry, in their order.
"""

import math

import numpy as np

from zermelo.core import njit
from zermelo.evaluation.tables import table_entries, table_size
from zermelo.games.parcheckers.heuristics import (
    HOME_DISTANCE,
    REACHES,
    can_be_captured,
    counts,
    finishes_of,
    has_second_turn,
)
from zermelo.games.parcheckers.rules import (
    BONUS_AT,
    BOUNCES_AT,
    DISTANCE_OF,
    GOAL,
    HOME,
    LAST_DISTANCE,
    RING,
    SIX,
    SIX_AT,
    SQUARE_AT,
    Parcheckers,
    distance_of,
    field,
    in_wall,
    is_walled_off,
    ring_walls,
)
from zermelo.rules import to_move

PLACES = HOME + 1  # distances of a piece from its goal
RANGES = 8  # of the squares that a captured piece would lose
FARTHEST = 40  # the most steps that a die moves a piece: the bonus of 20
UNREACHED, REACHED, BLOCKED = 0, 1, 2  # can a die bring a piece to another one, or would it if there were no wall?
CLOSE = 14  # the most steps of an ordinary die
NOTHING_TO_GAIN = RANGES
BEHIND = 20  # how far behind a wall somebody waits for it to open
MOST_BEHIND = 3
MOST_LEAD = 200
LEADS, PHASES = 41, 8  # leads of up to ten squares, and an eighth of the way of all pieces together

SHAPES = {
    "colours": (2, PLACES, PLACES),  # whose, the nearer piece, the farther one
    "pieces": (2, PLACES, 64),  # whose, where, the dice of its player
    "pairs": (2, 2, 3, FARTHEST + 1, RANGES),  # whose piece is behind; can the other be captured; reach; steps; loss
    "threatened": (2, 2, 3, 4, RANGES),  # whose; second turn; how many reach it; how many are close behind it; loss
    "captures": (RANGES + 1, RANGES + 1, 2, 3),  # the most that I capture, that they capture; second turn; bonus
    "walls": (2, PLACES, 2, MOST_BEHIND + 1),  # whose, where, with a six that must open it, enemies that wait behind
    "dice": (2, 2, 64, 5),  # whose; second turn; the dice; pieces at home
    "both_dice": (2, 64, 64),  # second turn, my dice, theirs
    "finishes": (5, 5, 2, 3, 2),  # pieces that one die brings home, mine and theirs; second turn; bonus; six
    "stages": (2, 5, 5, 5, 5),  # second turn; my pieces in the goal and at home, and theirs
    "bounces": (2, 2, 32),  # whose; which of the two colours; how often it has bounced
    "lead": (2 * MOST_LEAD + 1,),  # how many squares I am ahead
    "lead_then": (PHASES, LEADS),  # how much of the way is left to all, how far I am ahead
}
FIRST = dict(zip(SHAPES, np.cumsum([0] + [math.prod(shape) for shape in SHAPES.values()]).tolist(), strict=False))
TOTAL = sum(math.prod(shape) for shape in SHAPES.values())

COLOURS_FROM, PIECES_FROM, PAIRS_FROM = FIRST["colours"], FIRST["pieces"], FIRST["pairs"]
THREATENED_FROM, CAPTURES_FROM, WALLS_FROM = FIRST["threatened"], FIRST["captures"], FIRST["walls"]
DICE_FROM, BOTH_DICE_FROM, FINISHES_FROM = FIRST["dice"], FIRST["both_dice"], FIRST["finishes"]
STAGES_FROM, BOUNCES_FROM = FIRST["stages"], FIRST["bounces"]
LEAD_FROM, LEAD_THEN_FROM = FIRST["lead"], FIRST["lead_then"]


@njit
def is_on_ring(distance):
    """Is a piece at this distance on the ring?"""
    return LAST_DISTANCE <= distance < HOME


@njit
def loss_of(distance):
    """The squares that a piece at this distance would lose if it were captured, as one of the ranges."""
    return min(max((HOME_DISTANCE - distance) * RANGES // RING, 0), RANGES - 1)


@njit
def reach_of_piece(state, place, has_wall):
    """The numbers of steps that this piece can move with one of its player's dice, as bits.

    A bonus counts alone. A player who has a wall must open one with the six, so other pieces cannot use it.
    """
    player = place >> 2
    bonus = field(state.rest, BONUS_AT, 2)
    if bonus > 0 and player == to_move(state):
        return np.int64(1) << (20 * bonus)
    dice = field(state.rest, 6 * player, 6)
    if has_wall and not in_wall(state.pieces, place):
        dice &= ~(1 << SIX)
    colour = place & ~1
    nobody_home = distance_of(state.pieces, colour) != HOME and distance_of(state.pieces, colour + 1) != HOME
    return REACHES[1 if nobody_home else 0, dice]


@njit
def write_colours(pieces, mover, out, number):
    """Write where the two pieces of each colour stand."""
    for colour in range(4):
        whose = 0 if colour >> 1 == mover else 1
        one, other = distance_of(pieces, 2 * colour), distance_of(pieces, 2 * colour + 1)
        out[number] = COLOURS_FROM + (whose * PLACES + min(one, other)) * PLACES + max(one, other)
        number += 1
    return number


@njit
def write_pieces(state, mover, out, number):
    """Write where each piece that is not in the goal stands, with the dice that its player has left."""
    for player in range(2):
        whose = 0 if player == mover else 1
        dice = field(state.rest, 6 * player, 6)
        for place in range(4 * player, 4 * player + 4):
            distance = distance_of(state.pieces, place)
            if distance != GOAL:
                out[number] = PIECES_FROM + (whose * PLACES + distance) * 64 + dice
                number += 1
    return number


@njit
def write_enemies(state, mover, second, out, number):
    """Write who stands up to 40 squares behind an enemy: can it be captured, now or if no wall stood between, and what
    would it lose; for each piece that can be captured, how many enemies reach it and how many are close behind it; and
    the most that each player can capture with a die."""
    pieces = state.pieces
    walls = ring_walls(pieces)
    most_mine, most_theirs = NOTHING_TO_GAIN, NOTHING_TO_GAIN
    for player in range(2):
        whose = 0 if player == mover else 1
        first = 4 * player
        has_wall = in_wall(pieces, first) or in_wall(pieces, first + 2)
        most = -1
        for target in range(4 - first, 8 - first):
            there = distance_of(pieces, target)
            if not is_on_ring(there):
                continue
            open_to = np.int64(can_be_captured(pieces, target))
            loss, square = loss_of(there), SQUARE_AT[target >> 1, there]
            reached_by, close = 0, 0
            for behind in range(first, first + 4):
                here = distance_of(pieces, behind)
                colour = behind >> 1
                to = DISTANCE_OF[colour, square]
                steps = here - to
                if not is_on_ring(here) or steps < 0 or steps > FARTHEST:
                    continue
                reach = UNREACHED
                if open_to and reach_of_piece(state, behind, has_wall) >> steps & 1:
                    reach = BLOCKED if walls and is_walled_off(walls, colour, here, to) else REACHED
                reached_by += reach == REACHED
                close += steps <= CLOSE
                kind = (whose * 2 + open_to) * 3 + reach
                out[number] = PAIRS_FROM + (kind * (FARTHEST + 1) + steps) * RANGES + loss
                number += 1
            if open_to:
                kind = ((1 - whose) * 2 + second) * 3 + min(reached_by, 2)
                out[number] = THREATENED_FROM + (kind * 4 + min(close, 3)) * RANGES + loss
                number += 1
            if reached_by:
                most = max(most, loss)
        if most >= 0:
            most_mine, most_theirs = (most, most_theirs) if whose == 0 else (most_mine, most)
    bonus = field(state.rest, BONUS_AT, 2)
    out[number] = CAPTURES_FROM + ((most_mine * (RANGES + 1) + most_theirs) * 2 + second) * 3 + bonus
    return number + 1


@njit
def write_walls(state, mover, out, number):
    """Write each wall on the ring, whether its player has a six left (which must open a wall), and how many enemies
    stand within 20 squares behind it."""
    pieces = state.pieces
    if not ring_walls(pieces):
        return number
    for colour in range(4):
        distance = distance_of(pieces, 2 * colour)
        if distance != distance_of(pieces, 2 * colour + 1) or not is_on_ring(distance):
            continue
        player = colour >> 1
        behind = 0
        for enemy in range(4 - 4 * player, 8 - 4 * player):
            there = distance_of(pieces, enemy)
            ahead = there - DISTANCE_OF[enemy >> 1, SQUARE_AT[colour, distance]]
            behind += is_on_ring(there) and 0 < ahead <= BEHIND
        whose = 0 if player == mover else 1
        six = field(state.rest, 6 * player, 6) >> SIX & 1
        out[number] = (
            WALLS_FROM + ((whose * PLACES + distance) * 2 + six) * (MOST_BEHIND + 1) + min(behind, MOST_BEHIND)
        )
        number += 1
    return number


@njit
def write_dice(state, mover, second, my_home, their_home, out, number):
    """Write the dice of each player with the pieces that wait at home, and the dice of both players together."""
    mine, theirs = field(state.rest, 6 * mover, 6), field(state.rest, 6 * (1 - mover), 6)
    out[number] = DICE_FROM + (second * 64 + mine) * 5 + my_home
    out[number + 1] = DICE_FROM + ((2 + second) * 64 + theirs) * 5 + their_home
    out[number + 2] = BOTH_DICE_FROM + (second * 64 + mine) * 64 + theirs
    return number + 3


@njit
def write_finishes(state, mover, second, out, number):
    """Write how many pieces one die brings exactly to the goal, with the second turn, the bonus, and its six."""
    finishes = finishes_of(state, mover) * 5 + finishes_of(state, 1 - mover)
    bonus, six = field(state.rest, BONUS_AT, 2), field(state.rest, SIX_AT, 1)
    out[number] = FINISHES_FROM + ((finishes * 2 + second) * 3 + bonus) * 2 + six
    return number + 1


@njit
def write_bounces(rest, mover, out, number):
    """Write how often each colour that has bounced has done so: the 31st time loses the game."""
    if rest >> np.uint64(BOUNCES_AT) == np.uint64(0):
        return number
    for colour in range(4):
        bounces = field(rest, BOUNCES_AT + 6 * colour, 6)
        if bounces > 0:
            whose = 0 if colour >> 1 == mover else 1
            which = (colour ^ colour >> 1) & 1  # the half turn brings yellow to red, and green to blue
            out[number] = BOUNCES_FROM + (whose * 2 + which) * 32 + min(bounces, 31)
            number += 1
    return number


@njit
def write_race(my_squares, their_squares, out, number):
    """Write how many squares I am ahead, exactly and, roughly, with how much of the way is left to both players."""
    lead = min(max(their_squares - my_squares, -MOST_LEAD), MOST_LEAD)
    phase = min((my_squares + their_squares) * PHASES // (8 * HOME_DISTANCE), PHASES - 1)
    out[number] = LEAD_FROM + MOST_LEAD + lead
    out[number + 1] = LEAD_THEN_FROM + phase * LEADS + (MOST_LEAD + lead) * (LEADS - 1) // (2 * MOST_LEAD)
    return number + 2


@table_entries.of(Parcheckers)
def _(state, out):
    mover, second = to_move(state), np.int64(has_second_turn(state))
    my_squares, _, my_goal, my_home = counts(state.pieces, mover)
    their_squares, _, their_goal, their_home = counts(state.pieces, 1 - mover)
    number = write_colours(state.pieces, mover, out, 0)
    number = write_pieces(state, mover, out, number)
    number = write_enemies(state, mover, second, out, number)
    number = write_walls(state, mover, out, number)
    number = write_dice(state, mover, second, my_home, their_home, out, number)
    number = write_finishes(state, mover, second, out, number)
    number = write_bounces(state.rest, mover, out, number)
    out[number] = STAGES_FROM + (((second * 5 + my_goal) * 5 + my_home) * 5 + their_goal) * 5 + their_home
    return write_race(my_squares, their_squares, out, number + 1)


@table_size.of(Parcheckers)
def _(state):
    return TOTAL
