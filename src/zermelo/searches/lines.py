"""The best line, kept in a triangular table: the row of each ply holds the best moves found from that ply on."""

from zermelo.core import njit
from zermelo.searches.workspace import PLIES


@njit
def forget_line(work, ply):
    """Record that no line is known from this ply on."""
    work.line_end[ply] = ply


@njit
def keep_line(work, ply, move):
    """Record that the best line from this ply is this move, followed by the best line of the next ply."""
    row, below = ply * (PLIES + 1), (ply + 1) * (PLIES + 1)
    work.line[row + ply] = move
    end = work.line_end[ply + 1]
    for i in range(ply + 1, end):
        work.line[row + i] = work.line[below + i]
    work.line_end[ply] = end


def best_line(work):
    """Return the moves of the best line from the root."""
    return [int(move) for move in work.line[: work.line_end[0]]]
