"""Virtual connections: what a player can join whatever the opponent does, found without a search.

A *full* connection holds even if the opponent moves first; a *semi* connection holds if its owner moves first. The
*carrier* of a connection is the set of empty cells that it needs. Only connections to an edge are kept, for every
empty cell and every chain of stones (a chain counts as one); between cells and chains only neighbours and bridges are
known. All connections follow from two rules (Anshelevich's H-search, 2000):

    and  A has a full connection to B, B has one to the edge, and their carriers are disjoint. Then A has one to the
         edge: a full one if B is a chain; if B is an empty cell, a semi one, which begins with a stone on B.
    or   Semi connections of A to the edge whose carriers have no cell in common together make a full one: no single
         stone of the opponent breaks them all.

Sets of cells are tuples of words (boards.py), so that the same code serves boards of every size.
In the end, the connections of each cell and chain to both edges are joined into connections from edge to edge.
"""

import numpy as np

from zermelo.core import ZERO, njit
from zermelo.core.words import replaced
from zermelo.games.hex.boards import (
    CELLS,
    GOAL,
    START,
    beside,
    both,
    cell_count,
    common,
    first_cell,
    flooded,
    grown,
    has_cell,
    is_empty,
    is_same,
    part_of,
    touches,
    with_cell,
    without,
    without_first,
)

FULL, SEMI = 0, 1
MOST_ACROSS = 64


def fields(words, cells, room, queue):
    """The fields that the functions here need in a record, for boards of this many words and cells.

    room: how many carriers of each kind are kept for a cell; for the solver, 8 or 16 instead of 12 make little
    difference. queue: how many full connections are followed up at most.
    """
    return [
        ("board_size", np.int64),  # (a record has a `size` of its own)
        ("mine", np.uint64, words),  # stones of the player whose connections are sought
        ("free", np.uint64, words),  # empty cells
        ("chain_of", np.int64, cells),  # for a stone: the first cell of its chain, which stands for the chain
        ("liberties", np.uint64, (cells, words)),  # for a chain or an empty cell: the empty cells next to it
        ("carriers", np.uint64, (2, 2, cells, room, words)),  # by kind, edge, cell or chain
        ("number", np.int64, (2, 2, cells)),
        ("queue_cell", np.int64, queue),  # full connections to which the rules have still to be applied
        ("queue_carrier", np.uint64, (queue, words)),
        ("queue_end", np.int64),
        ("across", np.uint64, (MOST_ACROSS, words)),  # carriers of semi connections from edge to edge
        ("across_number", np.int64),
    ]


# ------------------------------------------------------------------------------------------ sets of cells in a record


@njit
def words_at(array, like):
    """The set of cells in an array of words, as a tuple of as many words as `like` has."""
    for i in range(len(like)):
        like = replaced(like, i, array[i])
    return like


@njit
def write_words(array, cells):
    for i in range(len(cells)):
        array[i] = cells[i]


@njit
def is_within(array, cells):
    """Are all cells of the set in an array of words also in this set?"""
    outside = ZERO
    for i in range(len(cells)):
        outside |= array[i] & ~cells[i]
    return outside == ZERO


# ------------------------------------------------------------------------------------------ what is known


@njit
def is_known(work, kind, edge, cell, carrier):
    """Is there already a connection of this kind that needs no cells outside this carrier?"""
    known = False
    for i in range(work.number[kind, edge, cell]):
        known |= is_within(work.carriers[kind, edge, cell, i], carrier)
    return known


@njit
def is_kept(work, kind, edge, cell, carrier):
    kept = False
    for i in range(work.number[kind, edge, cell]):
        kept |= is_same(words_at(work.carriers[kind, edge, cell, i], carrier), carrier)
    return kept


@njit
def keep(work, kind, edge, cell, carrier):
    """Store a connection, replacing those that need more cells; return False if there is no room for it."""
    carriers, room = work.carriers[kind, edge, cell], work.carriers.shape[3]
    kept, largest, most = 0, 0, -1
    for i in range(work.number[kind, edge, cell]):
        other = words_at(carriers[i], carrier)
        if not is_empty(without(carrier, other)):
            write_words(carriers[kept], other)
            if cell_count(other) > most:
                largest, most = kept, cell_count(other)
            kept += 1
    place = kept if kept < room else largest
    has_room = kept < room or cell_count(carrier) < most
    if has_room:
        write_words(carriers[place], carrier)
    work.number[kind, edge, cell] = min(kept + 1, room) if has_room else kept
    return has_room


@njit
def add_full(work, edge, cell, carrier):
    if is_known(work, FULL, edge, cell, carrier) or not keep(work, FULL, edge, cell, carrier):
        return
    if work.queue_end < len(work.queue_cell):
        work.queue_cell[work.queue_end] = cell
        write_words(work.queue_carrier[work.queue_end], carrier)
        work.queue_end += 1


@njit
def add_semi(work, edge, cell, carrier):
    """Add a semi connection and the full ones that it makes with one or two others; return False if it is not new."""
    if is_known(work, FULL, edge, cell, carrier) or is_known(work, SEMI, edge, cell, carrier):
        return False
    for i in range(work.number[SEMI, edge, cell]):
        one = words_at(work.carriers[SEMI, edge, cell, i], carrier)
        if not touches(one, carrier):
            add_full(work, edge, cell, both(one, carrier))
        else:
            shared = common(one, carrier)
            for j in range(i):
                other = words_at(work.carriers[SEMI, edge, cell, j], carrier)
                if not touches(other, shared):
                    add_full(work, edge, cell, both(both(one, other), carrier))
    return keep(work, SEMI, edge, cell, carrier)


# ------------------------------------------------------------------------------------------ the and rule


@njit
def bridge(work, one, other, carrier):
    """Two cells outside carrier that are liberties of both; no cells if there are fewer than two."""
    shared = words_at(work.liberties[one], carrier)
    shared = without(common(shared, words_at(work.liberties[other], carrier)), carrier)
    rest = without_first(shared)
    return without(shared, without_first(rest)) if not is_empty(rest) else rest


@njit
def a_bridge_away(work, liberties, through):
    """The empty cells outside `through` that are next to one of these liberties, but are not liberties themselves."""
    region = without(without(words_at(work.free, through), through), liberties)
    return grown(liberties, region, work.board_size)


@njit
def pass_on_semi(work, edge, chain, carrier):
    """Pass on a chain's semi connection to the empty cells next to the chain or a bridge away, which have it too."""
    if not add_semi(work, edge, chain, carrier):
        return
    liberties = words_at(work.liberties[chain], carrier)
    cells = without(liberties, carrier)
    while not is_empty(cells):
        add_semi(work, edge, first_cell(cells), carrier)
        cells = without_first(cells)
    cells = a_bridge_away(work, liberties, carrier)
    while not is_empty(cells):
        between = bridge(work, chain, first_cell(cells), carrier)
        if not is_empty(between):
            add_semi(work, edge, first_cell(cells), both(carrier, between))
        cells = without_first(cells)


@njit
def follow_cell(work, edge, cell, carrier):
    """Follow up an empty cell's full connection: neighbours, next to it or a bridge away, get a semi one through it."""
    size, mine = work.board_size, words_at(work.mine, carrier)
    liberties = words_at(work.liberties[cell], carrier)
    around = beside(with_cell(without(carrier, carrier), cell), size)
    through = with_cell(carrier, cell)
    cells = without(liberties, carrier)
    while not is_empty(cells):
        add_semi(work, edge, first_cell(cells), through)
        cells = without_first(cells)
    cells = a_bridge_away(work, liberties, through)
    while not is_empty(cells):
        between = bridge(work, cell, first_cell(cells), carrier)
        if not is_empty(between):
            add_semi(work, edge, first_cell(cells), both(through, between))
        cells = without_first(cells)
    stones = common(around, mine)
    while not is_empty(stones):
        pass_on_semi(work, edge, work.chain_of[first_cell(stones)], through)
        stones = without_first(stones)
    stones = grown(without(liberties, carrier), without(mine, around), size)
    while not is_empty(stones):
        chain = work.chain_of[first_cell(stones)]
        between = bridge(work, cell, chain, carrier)
        if not is_empty(between) and not has_cell(words_at(work.liberties[chain], carrier), cell):
            pass_on_semi(work, edge, chain, both(through, between))
        stones = without_first(stones)


@njit
def follow_chain(work, edge, chain, carrier):
    """Follow up a chain's full connection: its neighbours, next to it or a bridge away, have one too."""
    liberties = words_at(work.liberties[chain], carrier)
    cells = without(liberties, carrier)
    while not is_empty(cells):
        add_full(work, edge, first_cell(cells), carrier)
        cells = without_first(cells)
    cells = a_bridge_away(work, liberties, carrier)
    while not is_empty(cells):
        between = bridge(work, chain, first_cell(cells), carrier)
        if not is_empty(between):
            add_full(work, edge, first_cell(cells), both(carrier, between))
        cells = without_first(cells)
    stones = grown(without(liberties, carrier), words_at(work.mine, carrier), work.board_size)
    while not is_empty(stones):
        other = work.chain_of[first_cell(stones)]
        between = bridge(work, chain, other, carrier)
        if not is_empty(between) and other != chain:
            add_full(work, edge, other, both(carrier, between))
        stones = without_first(stones)


# ------------------------------------------------------------------------------------------ the whole search


@njit
def find_chains(work, mine, free):
    """Number the chains of the player's stones, and note the liberties of chains and empty cells."""
    nothing, size = without(mine, mine), work.board_size
    rest = mine
    while not is_empty(rest):
        first = first_cell(rest)
        chain = flooded(with_cell(nothing, first), mine, size)
        write_words(work.liberties[first], grown(chain, free, size))
        rest = without(rest, chain)
        while not is_empty(chain):
            work.chain_of[first_cell(chain)] = first
            chain = without_first(chain)
    rest = free
    while not is_empty(rest):
        cell = first_cell(rest)
        write_words(work.liberties[cell], common(beside(with_cell(nothing, cell), size), free))
        rest = without_first(rest)


@njit
def connect_to(work, edge, player, mine, free):
    """Find the connections of all cells and chains to one of the player's edges."""
    for cell in range(work.board_size * work.board_size):
        work.number[FULL, edge, cell] = 0
        work.number[SEMI, edge, cell] = 0
    work.queue_end = 0
    nothing = without(mine, mine)
    rim = part_of(START[player] if edge == 0 else GOAL[player], work.board_size, mine)
    rim = common(rim, both(mine, free))
    while not is_empty(rim):
        cell = first_cell(rim)
        add_full(work, edge, work.chain_of[cell] if has_cell(mine, cell) else cell, nothing)
        rim = without_first(rim)
    at = 0
    while at < work.queue_end:
        cell, carrier = work.queue_cell[at], words_at(work.queue_carrier[at], mine)
        at += 1
        if not is_kept(work, FULL, edge, cell, carrier):
            continue  # a better connection has taken its place
        if has_cell(mine, cell):
            follow_chain(work, edge, cell, carrier)
        else:
            follow_cell(work, edge, cell, carrier)


@njit
def add_across(work, carrier):
    """Store a semi connection from edge to edge, replacing those that need more cells."""
    kept = 0
    for i in range(work.across_number):
        other = words_at(work.across[i], carrier)
        if is_empty(without(other, carrier)):
            return
        if not is_empty(without(carrier, other)):
            write_words(work.across[kept], other)
            kept += 1
    if kept < MOST_ACROSS:
        write_words(work.across[kept], carrier)
        kept += 1
    work.across_number = kept


@njit
def join_edges(work, cell, kind, other_kind, key):
    """Join a cell's or chain's connections of these kinds to the two edges where they are disjoint.

    key is the cell if it must be taken first, otherwise no cell. Return whether any were found, and the smallest
    carrier.
    """
    found, smallest = False, key
    for i in range(work.number[kind, 0, cell]):
        one = words_at(work.carriers[kind, 0, cell, i], key)
        for j in range(work.number[other_kind, 1, cell]):
            other = words_at(work.carriers[other_kind, 1, cell, j], key)
            if not touches(one, other):
                together = both(one, other)
                if kind + other_kind != FULL or not is_empty(key):
                    add_across(work, both(together, key))
                if not found or cell_count(together) < cell_count(smallest):
                    found, smallest = True, together
    return found, smallest


@njit
def connect_across(work, mine, theirs, player, size):
    """Whether there is a full connection from edge to edge, and its carrier.

    If there is none, work.across[: work.across_number] are carriers of semi connections from edge to edge.
    """
    nothing = without(mine, mine)
    free = without(part_of(CELLS, size, mine), both(mine, theirs))
    work.board_size = size
    write_words(work.mine, mine)
    write_words(work.free, free)
    work.across_number = 0
    find_chains(work, mine, free)
    for edge in range(2):  # two calls with constant numbers would be compiled twice
        connect_to(work, edge, player, mine, free)
    is_full, smallest = False, nothing
    rest = mine
    while not is_empty(rest):
        chain = first_cell(rest)
        if work.chain_of[chain] == chain:
            for kind in range(2):
                for other_kind in range(2 - kind):
                    found, carrier = join_edges(work, chain, kind, other_kind, nothing)
                    is_smaller = not is_full or cell_count(carrier) < cell_count(smallest)
                    if found and kind + other_kind == FULL and is_smaller:
                        is_full, smallest = True, carrier
        rest = without_first(rest)
    if is_full:
        return True, smallest
    rest, full = free, np.int64(FULL)
    while not is_empty(rest):
        join_edges(work, first_cell(rest), full, full, without(rest, without_first(rest)))
        rest = without_first(rest)
    shared, together = must_play(work, free)
    return work.across_number > 0 and is_empty(shared), together


@njit
def must_play(work, cells):
    """The cells that are in the carrier of every semi connection across, and the carriers that prove it.

    A player who moves elsewhere leaves one of these connections untouched, and loses.
    """
    needed = without(cells, cells)
    for i in range(work.across_number):
        carrier = words_at(work.across[i], cells)
        if not is_empty(without(cells, carrier)):
            cells = common(cells, carrier)
            needed = both(needed, carrier)
    return cells, needed
