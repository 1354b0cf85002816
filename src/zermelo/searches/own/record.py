"""What the lab writes down while a user's search runs: counters, limits, the values of the root's moves, and the tree.

Every node of the search knows the address of this record, so nothing of it is passed around in the user's code.
"""

from typing import Any

import numba
import numpy as np

from zermelo.searches.recording import COLUMNS, MOST_NODES
from zermelo.searches.workspace import COUNTERS, PLIES, UNLIMITED, WIDEST

NO_MOVE = -(1 << 40)
"""In the place of a move's code: there is none."""

FUNCTION_WORDS = 8  # room for a compiled heuristic as compiled code holds it

OWN = np.dtype(
    [
        ("nodes", np.int64),  # rows of the recorded tree, including those for which there was no room
        ("node", np.int64, PLIES + 1),  # the row at each ply of the line being searched
        *COUNTERS,
        ("weights", np.uint64),  # the address of the heuristic's weights
        ("evaluate", np.uint64, FUNCTION_WORDS),  # the heuristic
        ("root", np.int64),  # the player to move at the root, who is MAX
        ("max_view", np.int64),  # 1 if the search's values are MAX's, 0 if they are those of the player to move
        ("traced", np.int64),  # 1 if the tree is recorded
        ("begun", np.int64),  # loops over children that began, less those that gave out their last child
        ("repeats", np.int64),  # how many times running the same node was entered
        ("serial", np.int64, PLIES + 1),  # the number of the node entered last at each ply
        ("tried", np.int64),  # moves of the root whose value is known
        ("root_moves", np.int32, WIDEST),
        ("root_values", np.float64, WIDEST),  # for MAX
        ("finished", np.int64),  # searches of the root that came to their end
        ("best_move", np.int64),  # of the last of them; NO_MOVE if none of its moves was searched
        ("best_value", np.float64),
        ("value", np.float64),  # what the search returned
        ("move", np.int64),
        ("tree", np.int64, MOST_NODES * COLUMNS),
    ],
    align=True,
)
OWN_TYPE = numba.from_dtype(OWN)


def own_record() -> Any:
    """A new record. Memory is taken only for the part of the tree that is written."""
    record = np.zeros(1, OWN).view(np.recarray)[0]
    record.limit, record.best_move, record.move = UNLIMITED, NO_MOVE, NO_MOVE
    record.serial[:] = -1
    return record
