"""Bridges: two stones, or a stone and an edge, with two empty cells between them.

If the opponent takes one of the two cells, the other one still joins them.
"""

from zermelo.core import njit
from zermelo.games.hex.boards import (
    BLACK,
    EAST,
    GOAL,
    NORTH,
    NORTH_EAST,
    SOUTH,
    SOUTH_WEST,
    START,
    WEST,
    both,
    cell_count,
    common,
    part_of,
    stepped,
    without,
)

# A bridge goes two steps on, one of each kind in either order. The other three ways are these seen from the other end.
WAYS = ((EAST, SOUTH), (EAST, NORTH_EAST), (NORTH, NORTH_EAST))


@njit
def ends(stones, free, size, one, other):
    """The stones at the far ends of bridges that consist of the steps one and other."""
    partners = stepped(stepped(stones, one, size), other, size)
    between = common(stepped(free, one, size), stepped(free, other, size))
    return common(common(stones, partners), between)


@njit
def steps_from(player, edge):
    """The two steps from an edge (0 where the player begins, 1 the other) to a stone with a bridge to it."""
    if player == BLACK:
        return (NORTH, NORTH_EAST) if edge else (SOUTH, SOUTH_WEST)
    return (WEST, SOUTH_WEST) if edge else (EAST, NORTH_EAST)


@njit
def edge_ends(stones, free, player, edge, size):
    """The stones with a bridge to this edge of the player."""
    rim = common(free, part_of(GOAL[player] if edge else START[player], size, free))
    one, other = steps_from(player, edge)
    return common(stones, common(stepped(rim, one, size), stepped(rim, other, size)))


@njit
def bridge_count(stones, free, size):
    """Pairs of these stones that are not neighbours but have two empty neighbours in common."""
    total = 0
    for one, other in WAYS:
        total += cell_count(ends(stones, free, size, one, other))
    return total


@njit
def edge_bridge_count(stones, free, player, size):
    """Stones with two empty cells between them and an edge of the player, once for each edge."""
    total = 0
    for edge in range(2):
        total += cell_count(edge_ends(stones, free, player, edge, size))
    return total


@njit
def bridge_cells(stones, free, player, size):
    """The empty cells of all bridges between these stones, and from them to the player's edges."""
    cells = without(free, free)
    for one, other in WAYS:
        far = ends(stones, free, size, one, other)
        cells = both(cells, both(stepped(far, (one + 3) % 6, size), stepped(far, (other + 3) % 6, size)))
    for edge in range(2):
        far = edge_ends(stones, free, player, edge, size)
        one, other = steps_from(player, edge)
        cells = both(cells, both(stepped(far, (one + 3) % 6, size), stepped(far, (other + 3) % 6, size)))
    return cells
