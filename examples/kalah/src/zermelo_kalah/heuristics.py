"""Heuristics for Kalah."""

from zermelo.core import heuristic
from zermelo_kalah.rules import STORE, Kalah, moves_again, sown, stones_in


@heuristic
def stones(state: Kalah):
    """Stones in my store minus those in the opponent's."""
    return stones_in(state.mine, STORE) - stones_in(state.theirs, STORE)


@heuristic(weights={"store": 10, "house": 3, "again": 5})
def harvest(state: Kalah, w):
    """Stones in the stores and in the houses (their owner keeps them at the end), and moves that earn another move."""
    again = 0
    for house in range(state.houses):
        if stones_in(state.mine, house) and moves_again(state, house):
            again += 1
    stores = stones_in(state.mine, STORE) - stones_in(state.theirs, STORE)
    return w[0] * stores + w[1] * (sown(state.mine) - sown(state.theirs)) + w[2] * again
