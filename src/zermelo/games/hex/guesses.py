"""What Monte Carlo tree search expects of a move before it has tried it: is the cell on both players' best ways?

A cell's potential for a player is its two-distance to one edge plus that to the other (distances.py). A move to a cell
with the least potential for both players at once gets on and stops the opponent, so it is expected to be good.
"""

import numpy as np

from zermelo.core import njit
from zermelo.core.scratch import scratch
from zermelo.games.hex.boards import GOAL, START, has_cell
from zermelo.games.hex.distances import FAR, MOST_CELLS, free_cells, two_distances
from zermelo.games.hex.rules import STATES, SWAP
from zermelo.rules import move_guesses

BEST, STEP, WORST = 0.5, 0.12, -0.5
"""The value of a cell with the least potential for both, what it loses for each step of potential, and the least."""


@njit
def add_potentials(state, player, excess):
    """Add to excess[cell] by how much the potential of each empty cell is above the player's least."""
    from_start, from_goal = scratch(MOST_CELLS, np.int64), scratch(MOST_CELLS, np.int64)
    two_distances(state, player, START[player], from_start)
    two_distances(state, player, GOAL[player], from_goal)
    free, least = free_cells(state), 2 * FAR
    cells = np.int64(state.size) * np.int64(state.size)
    for cell in range(cells):
        if has_cell(free, cell):
            least = min(least, from_start[cell] + from_goal[cell])
    for cell in range(cells):
        if has_cell(free, cell):
            excess[cell] += from_start[cell] + from_goal[cell] - least


@move_guesses.of(*STATES)
def _(state, moves, number, out):
    excess = scratch(MOST_CELLS, np.int64)
    for cell in range(np.int64(state.size) * np.int64(state.size)):
        excess[cell] = 0
    for player in range(2):
        add_potentials(state, player, excess)
    for i in range(number):
        out[i] = 0.0 if moves[i] == SWAP else max(BEST - STEP * excess[moves[i]], WORST)
