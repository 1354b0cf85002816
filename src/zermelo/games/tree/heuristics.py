"""Heuristics for explicit trees, which need one only where a search stops short of the leaves."""

from zermelo.core import heuristic
from zermelo.games.tree.rules import SCORE, Tree


@heuristic
def nothing(state: Tree):
    """Every inner node is worth 0."""
    return 0


@heuristic
def given(state: Tree):
    """The value that the tree gives for an inner node, where a search stops."""
    score = state.nodes[state.node, SCORE]
    return score if state.player == 0 else -score
