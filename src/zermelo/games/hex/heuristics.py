"""The heuristics of the Hex report (Sánchez, 2023) and the classic evaluations of stronger programs."""

import numpy as np

from zermelo.core import heuristic, njit
from zermelo.core.functions import log
from zermelo.games.hex.bridges import bridge_count, edge_bridge_count
from zermelo.games.hex.circuit import flow
from zermelo.games.hex.distances import FAR, free_cells, potential, shortest_distance
from zermelo.games.hex.rules import Hex, board_of

TINY = 1e-9  # the current of a player who is cut off


@heuristic(weights={"cell": 100})
def distance(state: Hex, w):
    """Cells that the opponent still needs for the shortest path across the board, minus those that I need.

    Section 2.1 of the report: own stones cost nothing, enemy stones are walls. The report began only at edge cells
    that already had a stone, to save time; here any cell of the edge will do.
    """
    player = np.int64(state.player)
    return w[0] * (shortest_distance(state, 1 - player) - shortest_distance(state, player))


@heuristic(weights={"potential": 100, "mobility": 1})
def two_distance(state: Hex, w):
    """Queenbee's evaluation: the opponent's potential minus mine, and how many more cells attain mine than theirs.

    A cell's potential is its two-distance (see distances.two_distances) to one edge plus that to the other. The
    potential of a player is the smallest of these (J. van Rijswijck, Computer Hex: are bees better than fruitflies?,
    2000). A player without such a path counts as 2 x size away.
    """
    player = np.int64(state.player)
    far = 2 * np.int64(state.size)
    mine, my_cells = potential(state, player)
    theirs, their_cells = potential(state, 1 - player)
    value = w[0] * (min(theirs, far) - min(mine, far))
    if mine < FAR:
        value += w[1] * my_cells
    if theirs < FAR:
        value -= w[1] * their_cells
    return value


@njit
def bridge_value(state, player, bridge, edge):
    stones, free, size = board_of(state, player), free_cells(state), np.int64(state.size)
    return bridge * bridge_count(stones, free, size) + edge * edge_bridge_count(stones, free, player, size)


@heuristic(weights={"bridge": 10, "edge": 10})
def bridges(state: Hex, w):
    """My bridges minus the opponent's: stones joined to each other, or to an edge, by two empty cells.

    Section 2.2 of the report, which looked at pairs of stones alone. Stones that touch are not a bridge, though
    they would count by the report's test (two common neighbours).
    """
    player = np.int64(state.player)
    return bridge_value(state, player, w[0], w[1]) - bridge_value(state, 1 - player, w[0], w[1])


@heuristic(weights={"cell": 100, "bridge": 20, "edge": 20})
def report(state: Hex, w):
    """The shortest path of each player, as in distance, and bridges to break ties.

    The report says that its weights were set by hand, but not what they are: these are ours.
    """
    player = np.int64(state.player)
    cells = shortest_distance(state, 1 - player) - shortest_distance(state, player)
    pairs = bridge_value(state, player, w[1], w[2]) - bridge_value(state, 1 - player, w[1], w[2])
    return w[0] * cells + pairs


@heuristic(weights={"scale": 1000, "bridge_ohm": 0})
def resistance(state: Hex, w):
    """The logarithm of the opponent's electrical resistance divided by mine. All paths count, not only the best.

    Shannon's and Moore's machine of 1953; V. Anshelevich, The game of Hex: an automatic theorem proving approach to
    game programming, 2000. Hexy wires virtual connections; here the empty cells of bridges count as stones
    (bridge_ohm=1: as any other cell). Without that it lost 50 of 50 games to two_distance on 7x7 at depth 2, with
    it 38. The value is rounded to a whole number.
    """
    player = np.int64(state.player)
    mine, theirs = flow(state, player, w[1]), flow(state, 1 - player, w[1])
    return np.rint(w[0] * (log(mine + TINY) - log(theirs + TINY)))
