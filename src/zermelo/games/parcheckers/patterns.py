"""What a learned table looks at: where pieces stand, alone and by colour; who stands before whom; dice and turns."""

import numpy as np

from zermelo.core import njit
from zermelo.evaluation.tables import table_entries, table_size
from zermelo.games.parcheckers.heuristics import HOME_DISTANCE, counts, finishes_of, has_second_turn, reach_of
from zermelo.games.parcheckers.rules import (
    BONUS_AT,
    DISTANCE_OF,
    HOME,
    IS_SAFE,
    LAST_DISTANCE,
    RING,
    SQUARE_AT,
    Parcheckers,
    distance_of,
    field,
)
from zermelo.rules import to_move

PLACES = HOME + 1  # distances of a piece from its goal
COLOUR_ENTRIES = 2 * PLACES * PLACES  # whose, the nearer piece, the farther one
RANGES = 8  # of what a captured piece would lose
AHEAD_ENTRIES = 2 * 2 * 2 * RING * RANGES  # who is behind, within reach or not, safe or not; steps, squares to lose
DICE_ENTRIES = 2 * 2 * 64 * 5  # whose, whether a second turn follows, the dice, pieces at home
FINISH_ENTRIES = 5 * 5 * 2 * 3  # pieces that one die brings home, mine and theirs; second turn; bonus
MOST_LEAD = 200
LEAD_ENTRIES = 2 * MOST_LEAD + 1

AHEAD_FROM = COLOUR_ENTRIES
DICE_FROM = AHEAD_FROM + AHEAD_ENTRIES
FINISH_FROM = DICE_FROM + DICE_ENTRIES
LEAD_FROM = FINISH_FROM + FINISH_ENTRIES
TOTAL = LEAD_FROM + LEAD_ENTRIES


@njit
def write_colours(pieces, mover, out, number):
    """Write the entries for the two pieces of each colour."""
    for colour in range(4):
        theirs = 0 if colour >> 1 == mover else 1
        one, other = distance_of(pieces, 2 * colour), distance_of(pieces, 2 * colour + 1)
        out[number] = (theirs * PLACES + min(one, other)) * PLACES + max(one, other)
        number += 1
    return number


@njit
def write_ahead(state, mover, out, number):
    """Write pairs of enemies on the ring: how far one is ahead, whether it can be captured, and what it would lose."""
    pieces = state.pieces
    for colour in range(4):
        reach = reach_of(state, colour)
        for behind in (2 * colour, 2 * colour + 1):
            here = distance_of(pieces, behind)
            if not LAST_DISTANCE <= here < HOME:
                continue
            player = colour >> 1
            for ahead in range(4 * (1 - player), 4 * (1 - player) + 4):
                there = distance_of(pieces, ahead)
                if not LAST_DISTANCE <= there < HOME:
                    continue
                steps = here - DISTANCE_OF[colour, SQUARE_AT[ahead >> 1, there]]
                if steps < 0:
                    continue
                safe = 1 if IS_SAFE[there] or there == distance_of(pieces, ahead ^ 1) else 0
                reached = reach >> min(steps, 63) & 1
                loses = (HOME_DISTANCE - there) * RANGES // RING
                kind = ((0 if player == mover else 2) + safe) * 2 + reached
                out[number] = AHEAD_FROM + (kind * RING + steps) * RANGES + min(max(loses, 0), RANGES - 1)
                number += 1
    return number


@table_entries.of(Parcheckers)
def _(state, out):
    mover = to_move(state)
    pieces = state.pieces
    number = write_colours(pieces, mover, out, 0)
    number = write_ahead(state, mover, out, number)
    second = np.int64(has_second_turn(state))
    my_squares, _, _, my_home = counts(pieces, mover)
    their_squares, _, _, their_home = counts(pieces, 1 - mover)
    my_dice, their_dice = field(state.rest, 6 * mover, 6), field(state.rest, 6 * (1 - mover), 6)
    out[number] = DICE_FROM + (second * 64 + my_dice) * 5 + my_home
    out[number + 1] = DICE_FROM + ((2 + second) * 64 + their_dice) * 5 + their_home
    finishes = finishes_of(state, mover) * 5 + finishes_of(state, 1 - mover)
    out[number + 2] = FINISH_FROM + (finishes * 2 + second) * 3 + field(state.rest, BONUS_AT, 2)
    lead = min(max(their_squares - my_squares, -MOST_LEAD), MOST_LEAD)
    out[number + 3] = LEAD_FROM + MOST_LEAD + lead
    return number + 4


@table_size.of(Parcheckers)
def _(state):
    return TOTAL
