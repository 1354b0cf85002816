"""Exact values: from the endgame table up to four men, by search for a forced win with more.

The search asks in turn, each time a ply deeper: does the player to move win by force within so many plies, does he lose
within so many? Positions of up to four men are looked up. So it proves wins and losses, and their exact length; that a
position with more men is drawn it never proves. Repetitions do not matter to it: a shortest win has none.
"""

import functools
import time
from typing import Any, NamedTuple

import numpy as np

from zermelo.core import count, njit
from zermelo.core.clock import run_stoppable
from zermelo.games.onitama.endgames import MOST_MEN, cards_of, is_at_hand, probe, tables_for
from zermelo.games.onitama.retrograde import CARDS_IN_PLAY, NO_CARD, look_up
from zermelo.games.onitama.rules import is_lost
from zermelo.rules import key, legal_moves, move_hint, moves_of, play
from zermelo.solving.solution import Solution

MOST_PLIES = 100
MOST_MOVES = 40
"""Five men, two cards, four steps."""

MEMORY_BITS = 21
UNLIMITED = 1 << 62
WON, LOST = 1, -1


def is_quick(state, hurry=False) -> bool:
    """Is the answer in a table? In a hurry, only in one that is made already; else it is begun, for later moves."""
    if (int(state.mine) | int(state.theirs)).bit_count() > MOST_MEN:
        return False
    return not hurry or is_at_hand(cards_of(state))


def solve(state, *, seconds=10.0, nodes=None, most_plies=MOST_PLIES, use_tables=True, progress=None) -> Solution:
    """The exact value of a state, if it can be had in this time and within so many plies.

    Tables are made on first demand, outside this time, and progress(done, total) told. Without them all is searched.
    nodes: positions searched at most; looking into a table counts one for each move, whatever the limit.
    """
    if is_lost(state):
        return Solution(LOST)
    table = tables_for(cards_of(state), progress) if use_tables else None
    began = time.perf_counter()
    if use_tables and (int(state.mine) | int(state.theirs)).bit_count() <= MOST_MEN:
        return _from_table(state, began)
    work = new_work(table)
    forced(state, 0, WON, 0, work)  # compiles it, which is no part of the budget
    work.counters[NODES], began = 0, time.perf_counter()
    work.counters[LIMIT] = UNLIMITED if nodes is None else nodes
    stop = functools.partial(work.counters.__setitem__, STOP, 1)
    score, plies, moves = run_stoppable(lambda: _deepen(state, min(most_plies, MOST_PLIES), work), stop, seconds)
    nodes, elapsed = int(work.counters[NODES]), time.perf_counter() - began
    return Solution(score, moves, plies=plies, nodes=nodes, seconds=elapsed, complete=bool(moves))


def _from_table(state, began):
    """Score, plies and all best moves: those after which the other player has the opposite score, and a ply less."""
    score, plies = probe(state)
    after = {move: probe(play(state, move)) for move in moves_of(state)}
    return Solution(
        score,
        tuple(move for move, end in after.items() if end == (-score, plies - 1 if score else 0)),
        {move: -theirs for move, (theirs, _) in after.items()},
        plies=plies,
        distances={move: left + 1 if theirs else 0 for move, (theirs, left) in after.items()},
        nodes=1 + len(after),
        seconds=time.perf_counter() - began,
    )


def _deepen(state, most_plies, work):
    """Score, plies and best moves; (0, 0, ()) if nothing is proven."""
    for plies in range(1, most_plies + 1):
        wanted = WON if plies % 2 else LOST
        if forced(state, plies, wanted, 0, work):
            moves = tuple(move for move in moves_of(state) if _is_best(play(state, move), plies, wanted, work))
            return (0, 0, ()) if work.counters[STOP] else (wanted, plies, moves)
        if work.counters[STOP]:
            break
    return 0, 0, ()


def _is_best(child, plies, wanted, work):
    """Does this move win in so many plies, if that is wanted? Or hold out as long as any, if not?"""
    if wanted == WON:
        return forced(child, plies - 1, LOST, 0, work)
    return not forced(child, plies - 3, WON, 0, work)


# ------------------------------------------------------------------------------------------ the search

STOP, NODES, LIMIT = range(3)
PROVEN, REFUTED = 0, 1


class Work(NamedTuple):
    """What a search writes, and the table it reads."""

    moves: Any  # of all positions on the way
    hints: Any
    keys: Any  # the memory: what a place in it remembers
    bounds: Any  # the plies within which it is proven (0: never yet), and within which it is refuted
    cards: Any
    values: Any
    counters: Any  # STOP, NODES, LIMIT


def new_work(table) -> Work:
    room, places = (MOST_PLIES + 1) * MOST_MOVES, 1 << MEMORY_BITS
    # A table of no cards holds no position.
    cards = np.full(CARDS_IN_PLAY, NO_CARD, np.uint8) if table is None else table.cards
    values = np.zeros(1, np.uint16) if table is None else table.values
    values.setflags(write=False)
    keys, bounds = np.zeros(places, np.uint64), np.zeros((places, 2), np.uint8)
    moves, hints = np.empty(room, np.int32), np.empty(room, np.int32)
    return Work(moves, hints, keys, bounds, cards, values, np.array([0, 0, UNLIMITED]))


@njit
def forced(state, plies, wanted, base, work):
    """Does the player to move win (wanted is WON) or lose (LOST) by force, within so many plies?

    Once the stop flag is set the result means nothing.
    """
    work.counters[NODES] += 1
    if work.counters[NODES] >= work.counters[LIMIT]:
        work.counters[STOP] = 1
    # 1. Over, or too far away: a win takes an odd number of plies, a loss an even one.
    if is_lost(state):
        return wanted == LOST
    plies -= 1 if (plies & 1) != (wanted == WON) else 0
    if plies <= 0 or work.counters[STOP]:
        return False
    # 2. In the table, or remembered.
    if count(state.mine | state.theirs) <= MOST_MEN:
        end = look_up(state, work.cards, work.values)
        if end >= 0:
            return 0 < end <= plies and (end & 1 == 1) == (wanted == WON)
    name = key(state) if wanted == WON else ~key(state)
    place = name & np.uint64((1 << MEMORY_BITS) - 1)
    if work.keys[place] != name:
        work.keys[place] = name
        work.bounds[place, PROVEN] = work.bounds[place, REFUTED] = 0
    if 0 < work.bounds[place, PROVEN] <= plies:
        return True
    if work.bounds[place, REFUTED] >= plies:
        return False
    # 3. A win needs one move after which the other player loses; a loss, that he wins after all of them.
    end = sort_moves(state, base, work)
    result = wanted == LOST
    for i in range(base, end):
        if forced(play(state, work.moves[i]), plies - 1, -wanted, end, work) == (wanted == WON):
            result = wanted == WON
            break
    # 4. Remember, unless other positions have taken the place.
    if work.keys[place] == name and not work.counters[STOP]:
        work.bounds[place, PROVEN if result else REFUTED] = plies
    return result


@njit
def sort_moves(state, base, work):
    """Write the legal moves to work.moves[base:], those with the greatest hint first; their end."""
    end = np.int64(legal_moves(state, work.moves, base))
    for i in range(base, end):
        move = work.moves[i]
        hint = move_hint(state, move)
        at = i
        while at > base and work.hints[at - 1] < hint:
            work.moves[at], work.hints[at] = work.moves[at - 1], work.hints[at - 1]
            at -= 1
        work.moves[at], work.hints[at] = move, hint
    return end
