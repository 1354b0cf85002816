"""What one `step` of a search that goes deeper and deeper has in common, whatever the search."""

import numpy as np
from numba import int64

from zermelo.core import njit
from zermelo.publish.entries import AGAIN, DONE, GO_ON
from zermelo.searches.workspace import PLIES, UNLIMITED

COUNTS = [("depth", np.int64), ("generated", np.int64), ("evaluated", np.int64)]
"""What is known between two calls of `step`: the last depth, and what all depths together have cost."""


@njit
def begin_run(run, control):
    """Nothing has been searched, and nothing is known."""
    run.depth = run.generated = run.evaluated = 0
    control.depth = control.score = control.exact = control.complete = control.length = control.evaluated = 0
    control.nodes, control.move = 1, -1


@njit
def next_search(most, fixed, run, control):
    """The depth to search now, and for how many nodes; and whether `most` is the reason that they are not more.

    most: the nodes of this step; -1: as many as are left. fixed: the player's own depth; 0: deeper and deeper. The
    depth is 0 if nothing is left of the budget.
    """
    only = control.depth_limit if control.depth_limit > 0 else int64(fixed)
    depth = only if only > 0 else run.depth + 1
    left = int64(UNLIMITED)
    if control.limit < UNLIMITED:
        left = control.limit - run.generated - run.evaluated
        if run.depth > 0 and left <= 0:
            return int64(0), left, False
    is_slice = most >= 0 and depth > 1 and most < left
    return depth, most if is_slice else left, is_slice


@njit
def status_after(was_stopped, is_slice, might_find_more, fixed, run, control):
    """What `step` returns after a search."""
    if was_stopped:
        return int64(AGAIN if is_slice else DONE)
    is_only = control.depth_limit > 0 or fixed > 0
    return int64(GO_ON if might_find_more and not is_only and run.depth < PLIES else DONE)
