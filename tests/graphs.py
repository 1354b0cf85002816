"""Random games to test searches with: a token is moved along the arrows of a graph.

Every node belongs to one of the players, so either may move many times running; a node is reached on many ways; and a
cyclic graph leads back to where one was. Whoever the final node belongs to, it says who has won.
"""

import random
from typing import NamedTuple

import numpy as np

from zermelo.core import ArrayOf, mix, state
from zermelo.rules import can_repeat, is_over, key, legal_moves, move_hint, outcome, play, to_move


@state
class Graph(NamedTuple):
    arrows: ArrayOf(np.int32, 2)  # row i: the nodes to which arrows lead from node i, then -1
    owners: ArrayOf(np.int8, 1)  # who moves
    results: ArrayOf(np.int8, 1)  # of a node without arrows, for player 0: 1, 0, -1
    cyclic: np.int8
    node: np.int32 = np.int32(0)


@legal_moves.of(Graph)
def _(state, out, start):
    """A move is the node it leads to."""
    for target in state.arrows[state.node]:
        if target >= 0:
            out[start] = target
            start += 1
    return start


@play.of(Graph)
def _(state, move):
    return Graph(state.arrows, state.owners, state.results, state.cyclic, move)


@is_over.of(Graph)
def _(state):
    return state.arrows[state.node, 0] < 0


@outcome.of(Graph)
def _(state):
    result = state.results[state.node]
    return result if state.owners[state.node] == 0 else -result


@to_move.of(Graph)
def _(state):
    return state.owners[state.node]


@key.of(Graph)
def _(state):
    return mix(np.uint64(state.node) + np.uint64(1))


@can_repeat.of(Graph)
def _(state):
    return state.cyclic != 0


@move_hint.of(Graph)
def _(state, move):
    """Values without a meaning, but all different."""
    return move


def random_graph(seed: int, nodes: int, cyclic: bool, widest: int = 3) -> Graph:
    """A graph in which every node has up to so many arrows; without cycles, they lead to higher numbers only."""
    chance = random.Random(seed)
    arrows = np.full((nodes, widest), -1)
    for node in range(nodes):
        below = 0 if cyclic else node + 1
        ends = node == nodes - 1 or (node > 0 and chance.random() < 0.25)
        targets = [] if ends else sorted({chance.randrange(below, nodes) for _ in range(chance.randint(1, widest))})
        targets = [target for target in targets if target != node] or ([] if ends else [nodes - 1])
        arrows[node, : len(targets)] = targets
    owners = [chance.randrange(2) for _ in range(nodes)]
    results = [chance.choice([1, 1, 0, -1, -1]) for _ in range(nodes)]
    return Graph(arrows, owners, results, cyclic)


def values(graph: Graph) -> list[int]:
    """Who wins from each node, for player 0: by going back from the ends until nothing changes; the rest is drawn."""
    won: dict[int, int] = {}
    targets = [[int(t) for t in row if t >= 0] for row in graph.arrows]
    for node, ways in enumerate(targets):
        if not ways and graph.results[node] != 0:
            won[node] = int(graph.results[node])
    changed = True
    while changed:
        changed = False
        for node, ways in enumerate(targets):
            if not ways or node in won:
                continue
            mine = 1 if graph.owners[node] == 0 else -1
            if any(won.get(way) == mine for way in ways):
                won[node], changed = mine, True
            elif all(won.get(way) == -mine for way in ways):
                won[node], changed = -mine, True
    return [won.get(node, 0) for node in range(len(targets))]
