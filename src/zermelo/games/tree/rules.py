"""Explicit game trees: the rules are data. A node is a number; its children are numbered one after another.

    nodes[i] = (first child, number of children, score)       a node without children ends the game

The tree is an array inside the state, so that one compiled search serves every tree. Scores are the first
player's (MAX's). That of an inner node is what the heuristic `given` says about it. MAX moves at the root, and then the
players take turns, unless there is a fourth column: the player who moves at the node, 0 (MAX) or 1 (MIN).
"""

from typing import NamedTuple

import numpy as np

from zermelo.core import ArrayOf, mix, state
from zermelo.rules import POINT, end_score, is_over, key, legal_moves, margin, outcome, play, to_move

FIRST_CHILD, CHILDREN, SCORE, MOVER = 0, 1, 2, 3


@state
class Tree(NamedTuple):
    """A node of a tree."""

    nodes: ArrayOf(np.int32, 2)
    node: np.int32 = np.int32(0)
    player: np.int8 = np.int8(0)  # 0: MAX, 1: MIN


@legal_moves.of(Tree)
def _(state, out, start):
    """A move is the number of the child, counted from 0."""
    for child in range(state.nodes[state.node, CHILDREN]):
        out[start] = child
        start += 1
    return start


@play.of(Tree)
def _(state, move):
    child = state.nodes[state.node, FIRST_CHILD] + move
    player = state.nodes[child, MOVER] if state.nodes.shape[1] > MOVER else 1 - state.player
    return Tree(state.nodes, child, player)


@is_over.of(Tree)
def _(state):
    return state.nodes[state.node, CHILDREN] == 0


@margin.of(Tree)
def _(state):
    score = state.nodes[state.node, SCORE]
    return score if state.player == 0 else -score


@outcome.of(Tree)
def _(state):
    score = margin(state)
    return 1 if score > 0 else -1 if score < 0 else 0


@end_score.of(Tree)
def _(state, ply):
    """A leaf is worth its score, however far away it is."""
    return np.int64(margin(state)) * POINT


@to_move.of(Tree)
def _(state):
    return state.player


@key.of(Tree)
def _(state):
    return mix(np.uint64(state.node) + np.uint64(1))
