"""Kalah. The stones of a side are the bytes of one word: houses 0 to 5 in sowing order, the store in byte 7.

    house 5 ... 0          the other player's, as the player to move sees them
7                   7      the stores: theirs left, mine right
    house 0 ... 5          mine
"""

from typing import NamedTuple

import numpy as np
from numba import int64

from zermelo.core import ZERO, mix, njit, state
from zermelo.rules import is_noisy, is_over, key, legal_moves, margin, move_hint, outcome, play, to_move, wins_at_once

MOST_HOUSES, STORE = 6, 7
BYTE = np.uint64(8)
STONES = np.uint64(0xFF)  # of one house
HOUSES = (np.uint64(1) << np.uint64(8 * MOST_HOUSES)) - np.uint64(1)  # of one side


@state
class Kalah(NamedTuple):
    """A position, seen by the player to move."""

    mine: np.uint64
    theirs: np.uint64
    houses: np.uint8 = 6  # of each side
    player: np.uint8 = 0  # the same player may move again, so the stones do not tell


@njit
def stones_in(side, house):
    """The number of stones in this house or store."""
    return int64((side >> np.uint64(house * 8)) & STONES)


@njit
def some(stones, house):
    """A side with this number of stones in this house, and nothing elsewhere."""
    return np.uint64(stones) << np.uint64(house * 8)


@njit
def sown(side):
    """All stones of this side's houses together."""
    total = 0
    for house in range(MOST_HOUSES):
        total += stones_in(side, house)
    return total


@legal_moves.of(Kalah)
def _(state, out, start):
    if is_over(state):
        return start
    for house in range(state.houses):
        if stones_in(state.mine, house):
            out[start] = house
            start += 1
    return start


@play.of(Kalah)
def _(state, move):
    mine, theirs, houses = state.mine, state.theirs, int64(state.houses)
    hand = stones_in(mine, move)
    mine -= some(hand, move)
    ring = 2 * houses + 1  # my houses, my store, their houses
    place = int64(move)
    for _ in range(hand):
        place = (place + 1) % ring
        if place < houses:
            mine += some(1, place)
        elif place == houses:
            mine += some(1, STORE)
        else:
            theirs += some(1, place - houses - 1)
    if place < houses and stones_in(mine, place) == 1:
        opposite = houses - 1 - place
        prey = stones_in(theirs, opposite)
        if prey:
            theirs -= some(prey, opposite)
            mine = mine - some(1, place) + some(prey + 1, STORE)
    if mine & HOUSES == ZERO or theirs & HOUSES == ZERO:  # each player keeps the stones that are left in their houses
        mine = (mine & ~HOUSES) + some(sown(mine), STORE)
        theirs = (theirs & ~HOUSES) + some(sown(theirs), STORE)
    if place == houses:
        return Kalah(mine, theirs, state.houses, state.player)
    return Kalah(theirs, mine, state.houses, 1 - state.player)


@is_over.of(Kalah)
def _(state):
    return (state.mine | state.theirs) & HOUSES == ZERO


@margin.of(Kalah)
def _(state):
    return stones_in(state.mine, STORE) - stones_in(state.theirs, STORE)


@outcome.of(Kalah)
def _(state):
    lead = margin(state)
    return 1 if lead > 0 else -1 if lead < 0 else 0


@to_move.of(Kalah)
def _(state):
    return int64(state.player)


@key.of(Kalah)
def _(state):
    return mix(state.mine ^ mix(state.theirs + np.uint64(2 * state.houses + state.player)))


# ------------------------------------------------------------------------------------------ for the engine


@njit
def moves_again(state, move):
    """Does the last stone fall into the store of the player to move?"""
    return (move + stones_in(state.mine, move)) % (2 * state.houses + 1) == state.houses


@move_hint.of(Kalah)
def _(state, move):
    return 10 * moves_again(state, move) + move  # a house near the store soon overflows


@is_noisy.of(Kalah)
def _(state, move):
    return moves_again(state, move)


@wins_at_once.of(Kalah)
def _(state):
    return False  # a game is won by counting, at its end
