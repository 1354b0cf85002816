"""What Monte Carlo tree search expects of a move before it has tried it, learned from its own games.

Each move has a number of points: the sum of the weights of what is around it (move_patterns.py); boards with more than
MOST_SMALL rows have weights of their own. They were learned so
that e to the power of a move's points, divided by the sum of all of them, is near the share of the search's visits that
the move received (weights/README.md). The guess of the best move is BEST, and falls with the points from there.
"""

from pathlib import Path

import numpy as np

from zermelo.core import njit
from zermelo.core.scratch import scratch
from zermelo.games.hex.move_patterns import EACH, ENTRIES, write_entries
from zermelo.games.hex.rules import STATES, SWAP
from zermelo.rules import move_guesses

BEST, STEP, WORST = 0.5, 0.2, -0.5
"""The value of the move with most points, what a move loses for each point less (1 / NAT of mcts.py), and the least."""
LEAST = np.int64(-1 << 40)
MOST_SMALL = 9

with np.load(Path(__file__).parent / "weights" / "guesses.npz") as _file:
    POINTS, UNIT = _file["points"], int(_file["unit"])  # whole numbers of 16 bits, whose sum has no order


@njit
def points_of(entries, i, large):
    points = np.int64(0)
    for j in range(i * EACH, (i + 1) * EACH):
        points += np.int64(POINTS[large, entries[j]])
    return points


@move_guesses.of(*STATES)
def _(state, moves, number, out):
    entries = scratch(ENTRIES, np.int32)
    write_entries(state, moves, number, entries)
    most, large = LEAST, np.int64(state.size > MOST_SMALL)
    for i in range(number):
        if moves[i] != SWAP:
            most = max(most, points_of(entries, i, large))
    for i in range(number):
        out[i] = 0.0 if moves[i] == SWAP else max(BEST - STEP / UNIT * (most - points_of(entries, i, large)), WORST)
