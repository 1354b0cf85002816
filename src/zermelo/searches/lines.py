"""The best line: a triangle in which each ply keeps the moves it prefers from there on."""

from zermelo.core import njit
from zermelo.searches.workspace import PLIES


@njit
def forget_line(work, ply):
    """From here, no line is known."""
    work.line_end[ply] = ply


@njit
def keep_line(work, ply, move):
    """The best from ply is this move, then the best line of the ply after it."""
    row, below = ply * (PLIES + 1), (ply + 1) * (PLIES + 1)
    work.line[row + ply] = move
    end = work.line_end[ply + 1]
    for i in range(ply + 1, end):
        work.line[row + i] = work.line[below + i]
    work.line_end[ply] = end


def best_line(work):
    """The moves of the best line from the root."""
    return [int(move) for move in work.line[: work.line_end[0]]]
