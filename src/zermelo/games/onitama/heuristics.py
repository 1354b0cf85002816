"""Heuristics for Onitama."""

from zermelo.core import ZERO, count, heuristic
from zermelo.games.onitama.rules import Onitama


@heuristic(weights={"master": 100, "student": 10})
def material(state: Onitama, w):
    """Seed 002's: 100 for a master, 10 for each student, mine less theirs."""
    my_master = 1 if state.mine & state.masters != ZERO else 0
    their_master = 1 if state.theirs & state.masters != ZERO else 0
    my_students = count(state.mine & ~state.masters)
    their_students = count(state.theirs & ~state.masters)
    return w[0] * (my_master - their_master) + w[1] * (my_students - their_students)
