"""How far a player is from joining its edges: sets of cells grow from an edge, level by level."""

import numpy as np

from zermelo.core import lowest, njit, without_lowest
from zermelo.core.scratch import scratch
from zermelo.games.hex.boards import (
    CELLS,
    GOAL,
    MOST_SIZE,
    START,
    WORD,
    both,
    common,
    flooded,
    grown,
    is_same,
    part_of,
    stepped,
    touches,
    with_cell,
    without,
)
from zermelo.games.hex.rules import board_of, no_cells, stones_of

MOST_CELLS = MOST_SIZE * MOST_SIZE
FAR = 4 * MOST_SIZE
"""The distance where there is no way at all."""


@njit
def free_cells(state):
    taken = stones_of(state)
    return without(part_of(CELLS, np.int64(state.size), taken), taken)


@njit
def shortest_distance(state, player):
    """The fewest cells that this player would still have to fill to join its edges if the opponent always passed."""
    size = np.int64(state.size)
    mine = board_of(state, player)
    open_cells = both(mine, free_cells(state))
    start, goal = part_of(START[player], size, mine), part_of(GOAL[player], size, mine)
    reached = flooded(common(start, mine), mine, size)
    needed = 0
    while not touches(reached, goal):
        wider = common(both(start, grown(reached, open_cells, size)), open_cells)
        wider = flooded(wider, both(wider, mine), size)
        if is_same(wider, reached):
            return FAR  # the opponent has won
        reached = wider
        needed += 1
    return needed


@njit
def two_distances(state, player, edge, distance):
    """Write to distance[cell] the two-distance of every empty cell to an edge (START[player] or GOAL[player]).

    It is 1 for neighbours of the edge. For other cells it is one more than the *second* smallest among the cell's
    neighbours, since the opponent will take the best one; FAR if there are fewer than two. Cells that touch the same
    chain of own stones are neighbours (van Rijswijck, Queenbee).
    """
    size = np.int64(state.size)
    mine, free = board_of(state, player), free_cells(state)
    near_mine = grown(mine, free, size)
    rim = part_of(edge, size, mine)
    chains = flooded(common(rim, mine), mine, size)
    newest = common(both(rim, grown(chains, free, size)), free)
    known, once, twice = newest, no_cells(state), no_cells(state)
    level = 1
    while touches(newest, newest):
        fill(distance, newest, level)
        alone = without(newest, near_mine)
        for direction in range(6):
            seen = stepped(alone, direction, size)
            twice = both(twice, common(once, seen))
            once = both(once, seen)
        through_chains = common(newest, near_mine)
        for i in range(len(free)):
            cells = through_chains[i]
            while cells:
                cell = with_cell(no_cells(state), WORD * i + lowest(cells))
                seen = without(grown(flooded(cell, both(mine, cell), size), free, size), cell)
                twice = both(twice, common(once, seen))
                once = both(once, seen)
                cells = without_lowest(cells)
        newest = without(common(twice, free), known)
        known = both(known, newest)
        level += 1
    fill(distance, without(free, known), FAR)


@njit
def fill(distance, cells, value):
    for i in range(len(cells)):
        word = cells[i]
        while word:
            distance[WORD * i + lowest(word)] = value
            word = without_lowest(word)


@njit
def potential(state, player):
    """The smallest sum of a cell's two-distances to both edges, and how many cells have it."""
    from_start, from_goal = scratch(MOST_CELLS, np.int64), scratch(MOST_CELLS, np.int64)
    two_distances(state, player, START[player], from_start)
    two_distances(state, player, GOAL[player], from_goal)
    free = free_cells(state)
    least, number = FAR, 0
    for i in range(len(free)):
        word = free[i]
        while word:
            cell = WORD * i + lowest(word)
            total = from_start[cell] + from_goal[cell]
            if total < least:
                least, number = total, 1
            elif total == least:
                number += 1
            word = without_lowest(word)
    return least, number
