"""All that one searching thread writes, as one record: compiled code passes it as a single pointer.

(As a tuple of arrays, which is several machine words per array and call, Connect 4 ran at less than half the speed.)
"""

from typing import Any

import numba
import numpy as np
from numba import int32, types, uint64

from zermelo.core import StateMeta, njit

INFINITY = (1 << 31) - 1
"""Above every score."""

PLIES = 64
"""The deepest a textbook search looks."""

WIDEST = 1024
"""No position may have more legal moves."""

ROOM = PLIES * 512
"""Places for the moves of all positions on the way from the root."""

UNLIMITED = 1 << 62

COUNTERS = [
    ("stop", np.int64),  # set from outside, or when the limit is reached: everyone goes home
    ("limit", np.int64),  # of positions generated plus evaluated
    ("generated", np.int64),  # positions made by playing a move
    ("evaluated", np.int64),  # positions given to a heuristic
    ("horizon", np.int64),  # of those, the ones that were evaluated because the search looks no deeper
    ("cutoffs", np.int64),  # positions left before all their moves were tried
]
OPTIONS = [
    ("weights", np.uint64),  # where the heuristic's weights stand
    ("order_weights", np.uint64),
    ("tolerance", np.int64),
    ("order_plies", np.int64),
    ("top_moves", np.int64),
]
STACKS = [
    ("moves", np.int32, ROOM),  # each position on the way writes its moves behind those of the one before
    ("order", np.int32, ROOM),  # what the ordering heuristic says of each
    ("line", np.int32, (PLIES + 1) * (PLIES + 1)),  # row p: the best line known from ply p
    ("line_end", np.int32, PLIES + 1),
]

WORK = np.dtype(COUNTERS + OPTIONS + STACKS, align=True)
WORK_TYPE = numba.from_dtype(WORK)


def workspace(dtype: np.dtype[Any] = WORK) -> Any:
    """A fresh record."""
    work = np.zeros(1, dtype).view(np.recarray)[0]
    work.limit = UNLIMITED
    return work


def heuristic_type(cls: StateMeta) -> Any:
    """The Numba type of a heuristic's native code for states of this class."""
    return types.FunctionType(int32(cls.numba, uint64))


@njit
def out_of_nodes(work: Any) -> bool:
    """Is there no room in the budget for one more position, generated and evaluated? Then all must stop."""
    if work.generated + work.evaluated + 2 > work.limit:
        work.stop = 1
    return bool(work.stop != 0)
