"""Virtual connections: what a player can join whatever the opponent does, found without a search.

A *full* connection holds even if the opponent moves first; a *semi* connection holds if its owner moves first. The
*carrier* of a connection is the set of empty cells that it needs. Only connections to an edge are kept, for every
empty cell and every chain of stones (a chain counts as one); between cells and chains only neighbours and bridges are
known. All connections follow from two rules (Anshelevich's H-search, 2000):

    and  A has a full connection to B, B has one to the edge, and their carriers are disjoint. Then A has one to the
         edge: a full one if B is a chain; if B is an empty cell, a semi one, which begins with a stone on B.
    or   Semi connections of A to the edge whose carriers have no cell in common together make a full one: no single
         stone of the opponent breaks them all.

In the end, the connections of each cell and chain to both edges are joined into connections from edge to edge.
"""

import numpy as np

from zermelo.core import ALL, ZERO, bit, count, lowest, njit, without_lowest
from zermelo.games.hex.small import CELLS, EDGES, MOST_CELLS, NEIGHBOURS, flooded, grown

FULL, SEMI = 0, 1
ROOM = 12  # how many carriers of each kind are kept for a cell; 8 or 16 make little difference
QUEUE = 4096
MOST_ACROSS = 64

FIELDS = [
    ("board_size", np.int64),  # (a record has a `size` of its own)
    ("mine", np.uint64),  # stones of the player whose connections are sought
    ("free", np.uint64),  # empty cells
    ("chain_of", np.int64, MOST_CELLS),  # for a stone: the first cell of its chain, which stands for the chain
    ("liberties", np.uint64, MOST_CELLS),  # for a chain or an empty cell: the empty cells next to it
    ("carriers", np.uint64, (2, 2, MOST_CELLS, ROOM)),  # by kind, edge, cell or chain
    ("number", np.int64, (2, 2, MOST_CELLS)),
    ("queue_cell", np.int64, QUEUE),  # full connections to which the rules have still to be applied
    ("queue_carrier", np.uint64, QUEUE),
    ("queue_end", np.int64),
    ("across", np.uint64, MOST_ACROSS),  # carriers of semi connections from edge to edge
    ("across_number", np.int64),
]
"""The fields that the functions here need in a solver's workspace."""


@njit
def is_known(work, kind, edge, cell, carrier):
    """Is there already a connection of this kind that needs no cells outside this carrier?"""
    known = False
    for i in range(work.number[kind, edge, cell]):
        known |= work.carriers[kind, edge, cell, i] & ~carrier == ZERO
    return known


@njit
def is_kept(work, kind, edge, cell, carrier):
    kept = False
    for i in range(work.number[kind, edge, cell]):
        kept |= work.carriers[kind, edge, cell, i] == carrier
    return kept


@njit
def keep(work, kind, edge, cell, carrier):
    """Store a connection, replacing those that need more cells; return False if there is no room for it."""
    kept, largest = 0, 0
    for i in range(work.number[kind, edge, cell]):
        other = work.carriers[kind, edge, cell, i]
        if carrier & ~other != ZERO:
            work.carriers[kind, edge, cell, kept] = other
            if count(other) > count(work.carriers[kind, edge, cell, largest]):
                largest = kept
            kept += 1
    place = kept if kept < ROOM else largest
    has_room = kept < ROOM or count(carrier) < count(work.carriers[kind, edge, cell, largest])
    if has_room:
        work.carriers[kind, edge, cell, place] = carrier
    work.number[kind, edge, cell] = min(kept + 1, ROOM) if has_room else kept
    return has_room


@njit
def add_full(work, edge, cell, carrier):
    if is_known(work, FULL, edge, cell, carrier) or not keep(work, FULL, edge, cell, carrier):
        return
    if work.queue_end < QUEUE:
        work.queue_cell[work.queue_end] = cell
        work.queue_carrier[work.queue_end] = carrier
        work.queue_end += 1


@njit
def add_semi(work, edge, cell, carrier):
    """Add a semi connection and the full ones that it makes with one or two others; return False if it is not new."""
    if is_known(work, FULL, edge, cell, carrier) or is_known(work, SEMI, edge, cell, carrier):
        return False
    for i in range(work.number[SEMI, edge, cell]):
        one = work.carriers[SEMI, edge, cell, i]
        if one & carrier == ZERO:
            add_full(work, edge, cell, one | carrier)
        else:
            for j in range(i):
                other = work.carriers[SEMI, edge, cell, j]
                if one & other & carrier == ZERO:
                    add_full(work, edge, cell, one | other | carrier)
    return keep(work, SEMI, edge, cell, carrier)


@njit
def two_of(cells):
    """Two cells of a set that has at least two."""
    rest = without_lowest(cells)
    return cells ^ without_lowest(rest)


@njit
def bridge(work, one, other, carrier):
    """Two cells outside carrier that are liberties of both; no cells if there are fewer than two."""
    shared = work.liberties[one] & work.liberties[other] & ~carrier
    return two_of(shared) if without_lowest(shared) else ZERO


@njit
def pass_on_semi(work, edge, chain, carrier):
    """Pass on a chain's semi connection to the empty cells next to the chain or a bridge away, which have it too."""
    if not add_semi(work, edge, chain, carrier):
        return
    liberties = work.liberties[chain]
    cells = liberties & ~carrier
    while cells:
        add_semi(work, edge, lowest(cells), carrier)
        cells = without_lowest(cells)
    cells = grown(liberties, work.free & ~carrier & ~liberties, work.board_size)
    while cells:
        between = bridge(work, chain, lowest(cells), carrier)
        if between:
            add_semi(work, edge, lowest(cells), carrier | between)
        cells = without_lowest(cells)


@njit
def follow_cell(work, edge, cell, carrier):
    """Follow up an empty cell's full connection: neighbours, next to it or a bridge away, get a semi one through it."""
    liberties = work.liberties[cell]
    around = NEIGHBOURS[work.board_size, cell]
    through = carrier | bit(cell)
    cells = liberties & ~carrier
    while cells:
        add_semi(work, edge, lowest(cells), through)
        cells = without_lowest(cells)
    cells = grown(liberties, work.free & ~through & ~liberties, work.board_size)
    while cells:
        between = bridge(work, cell, lowest(cells), carrier)
        if between:
            add_semi(work, edge, lowest(cells), through | between)
        cells = without_lowest(cells)
    stones = around & work.mine
    while stones:
        pass_on_semi(work, edge, work.chain_of[lowest(stones)], through)
        stones = without_lowest(stones)
    stones = grown(liberties & ~carrier, work.mine & ~around, work.board_size)
    while stones:
        chain = work.chain_of[lowest(stones)]
        between = bridge(work, cell, chain, carrier)
        if between and not work.liberties[chain] & bit(cell):
            pass_on_semi(work, edge, chain, through | between)
        stones = without_lowest(stones)


@njit
def follow_chain(work, edge, chain, carrier):
    """Follow up a chain's full connection: its neighbours, next to it or a bridge away, have one too."""
    liberties = work.liberties[chain]
    cells = liberties & ~carrier
    while cells:
        add_full(work, edge, lowest(cells), carrier)
        cells = without_lowest(cells)
    cells = grown(liberties, work.free & ~carrier & ~liberties, work.board_size)
    while cells:
        between = bridge(work, chain, lowest(cells), carrier)
        if between:
            add_full(work, edge, lowest(cells), carrier | between)
        cells = without_lowest(cells)
    stones = grown(liberties & ~carrier, work.mine, work.board_size)
    while stones:
        other = work.chain_of[lowest(stones)]
        between = bridge(work, chain, other, carrier)
        if between and other != chain:
            add_full(work, edge, other, carrier | between)
        stones = without_lowest(stones)


@njit
def find_chains(work):
    """Number the chains of the player's stones, and note the liberties of chains and empty cells."""
    rest = work.mine
    while rest:
        first = lowest(rest)
        chain = flooded(bit(first), work.mine, work.board_size)
        work.liberties[first] = grown(chain, work.free, work.board_size)
        rest &= ~chain
        while chain:
            work.chain_of[lowest(chain)] = first
            chain = without_lowest(chain)
    rest = work.free
    while rest:
        work.liberties[lowest(rest)] = NEIGHBOURS[work.board_size, lowest(rest)] & work.free
        rest = without_lowest(rest)


@njit
def connect_to(work, edge, player):
    """Find the connections of all cells and chains to one of the player's edges."""
    for cell in range(MOST_CELLS):
        work.number[FULL, edge, cell] = 0
        work.number[SEMI, edge, cell] = 0
    work.queue_end = 0
    rim = EDGES[edge, player, work.board_size] & (work.mine | work.free)
    while rim:
        cell = lowest(rim)
        add_full(work, edge, work.chain_of[cell] if work.mine & bit(cell) else cell, ZERO)
        rim = without_lowest(rim)
    at = 0
    while at < work.queue_end:
        cell, carrier = work.queue_cell[at], work.queue_carrier[at]
        at += 1
        if not is_kept(work, FULL, edge, cell, carrier):
            continue  # a better connection has taken its place
        if work.mine & bit(cell):
            follow_chain(work, edge, cell, carrier)
        else:
            follow_cell(work, edge, cell, carrier)


@njit
def add_across(work, carrier):
    """Store a semi connection from edge to edge, replacing those that need more cells."""
    kept = 0
    for i in range(work.across_number):
        other = work.across[i]
        if other & ~carrier == ZERO:
            return
        if carrier & ~other != ZERO:
            work.across[kept] = other
            kept += 1
    if kept < MOST_ACROSS:
        work.across[kept] = carrier
        kept += 1
    work.across_number = kept


@njit
def join_edges(work, cell, kind, other_kind, key):
    """Join a cell's or chain's connections of these kinds to the two edges where they are disjoint.

    key is the cell if it must be taken first, otherwise no cell. Return the smallest carrier found; ALL if there is
    none.
    """
    smallest = ALL
    for i in range(work.number[kind, 0, cell]):
        one = work.carriers[kind, 0, cell, i]
        for j in range(work.number[other_kind, 1, cell]):
            other = work.carriers[other_kind, 1, cell, j]
            if one & other == ZERO:
                if kind + other_kind != FULL or key != ZERO:
                    add_across(work, one | other | key)
                if count(one | other) < count(smallest):
                    smallest = one | other
    return smallest


@njit
def connect_across(work, mine, theirs, player, size):
    """The carrier of a full connection from edge to edge; ALL if none is found.

    If there is none, work.across[: work.across_number] are carriers of semi connections from edge to edge.
    """
    work.board_size, work.mine, work.free = size, mine, CELLS[size] & ~(mine | theirs)
    work.across_number = 0
    find_chains(work)
    for edge in range(2):  # two calls with constant numbers would be compiled twice
        connect_to(work, edge, player)
    smallest = ALL
    rest = mine
    while rest:
        chain = lowest(rest)
        if work.chain_of[chain] == chain:
            for kind in range(2):
                for other_kind in range(2 - kind):
                    carrier = join_edges(work, chain, kind, other_kind, ZERO)
                    if kind + other_kind == FULL and count(carrier) < count(smallest):
                        smallest = carrier
        rest = without_lowest(rest)
    if smallest != ALL:
        return smallest
    rest, full = work.free, np.int64(FULL)
    while rest:
        join_edges(work, lowest(rest), full, full, rest ^ without_lowest(rest))
        rest = without_lowest(rest)
    common, together = must_play(work, work.free)
    return together if common == ZERO else ALL


@njit
def must_play(work, cells):
    """The cells that are in the carrier of every semi connection across, and the carriers that prove it.

    A player who moves elsewhere leaves one of these connections untouched, and loses.
    """
    needed = ZERO
    for i in range(work.across_number):
        if cells & ~work.across[i]:
            cells &= work.across[i]
            needed |= work.across[i]
    return cells, needed
