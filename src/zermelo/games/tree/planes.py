"""A game tree as arrays: a one for the node at hand and zeros for all others; an action is a child, counted from 0."""

from zermelo.evaluation.planes import Layout, action_of, write_planes
from zermelo.games.tree.rules import CHILDREN, Tree


def layout(game):
    names = tuple(map(str, game.tree.names))
    return Layout((len(names),), names, max(1, *(node[CHILDREN] for node in game.tree.nodes)))


@write_planes.of(Tree)
def _(state, viewer, rows, columns, out):
    out[state.node] = 1.0


@action_of.of(Tree)
def _(state, move, rows, columns):
    return move
