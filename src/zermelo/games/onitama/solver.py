"""Exact values: from an endgame table, or by a search for a forced win if there are more pieces than in the table.

The search asks in turn, each time a ply deeper, whether the player to move wins by force within that many plies, and
whether that player loses. Positions that the table has are looked up. In this way it proves wins and losses, and
their exact length; it never proves that a position with more pieces is drawn. It ignores repetitions, because a
shortest win has none.
"""

import functools
import time
from typing import Any, NamedTuple

import numpy as np

from zermelo.core import njit
from zermelo.core.clock import run_stoppable
from zermelo.games.onitama.endgame_index import look_up
from zermelo.games.onitama.endgames import (
    MOST_MEN,
    USUAL_MEN,
    Progress,
    Table,
    at_hand,
    cards_of,
    men_of,
    probe,
    tables_for,
)
from zermelo.games.onitama.published import TABLE, WORK, prepare
from zermelo.games.onitama.published import functions as published_functions
from zermelo.games.onitama.rules import is_lost
from zermelo.rules import key, legal_moves, move_hint, moves_of, play
from zermelo.solving.compiled import CompiledSolver
from zermelo.solving.solution import Solution

MOST_PLIES = 100
MOST_MOVES = 40
"""Five pieces, two cards, four steps."""

MEMORY_BITS = 21
UNLIMITED = 1 << 62
WON, LOST = 1, -1


def is_quick(state, hurry=False) -> bool:
    """Is the answer in a table? In a hurry, only a finished table counts; another is started now for later moves."""
    men = men_of(state)
    if men > MOST_MEN or (men > USUAL_MEN and not hurry):
        return False
    return not hurry or at_hand(cards_of(state), men) is not None


USEFUL_MEN = USUAL_MEN + 2
"""With more pieces, a search seldom comes to positions of the small table."""


def search_tables(state, *, hurry=False) -> Table | None:
    """The table with which a search that begins here looks positions up.

    In a hurry, the largest that is ready; otherwise a small one, which is made if there is none, so that the answer
    depends on the position alone.
    """
    if hurry:
        return at_hand(cards_of(state), begin=men_of(state) <= USEFUL_MEN + 1)
    return tables_for(cards_of(state)).limited(USUAL_MEN) if men_of(state) <= USEFUL_MEN else None


def shared_tables(state) -> tuple[int, ...]:
    """A table belongs to five cards."""
    return cards_of(state)


def make_tables(state, men: int, progress: Progress | None = None) -> None:
    """Make the table of a state's cards for up to so many pieces, and keep it for all later searches."""
    tables_for(cards_of(state), progress, men)


def solve(state, *, seconds=10.0, nodes=None, most_plies=MOST_PLIES, use_tables=True, progress=None) -> Solution:
    """The exact value of a state, if it can be found in this time and within most_plies.

    Tables are made when they are first needed; this does not count towards the time, and progress(done, total) reports
    it. Without tables everything is searched. nodes is the maximum number of positions to search; looking into a table
    counts as one for each move, whatever the limit.
    """
    if is_lost(state):
        return Solution(LOST)
    table = tables_for(cards_of(state), progress) if use_tables else None
    began = time.perf_counter()
    if table is not None and men_of(state) <= table.men:
        return _from_table(state, began)
    work = new_work(table)
    forced(state, 0, WON, 0, work)  # compile it first, which does not count towards the limits
    work.counters[NODES], began = 0, time.perf_counter()
    work.counters[LIMIT] = UNLIMITED if nodes is None else nodes
    stop = functools.partial(work.counters.__setitem__, STOP, 1)
    score, plies, moves = run_stoppable(lambda: _deepen(state, min(most_plies, MOST_PLIES), work), stop, seconds)
    nodes, elapsed = int(work.counters[NODES]), time.perf_counter() - began
    return Solution(score, moves, plies=plies, nodes=nodes, seconds=elapsed, complete=bool(moves))


def _from_table(state, began):
    """Score, plies and all best moves: those after which the other player has the opposite score in one ply less."""
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
    """Does the move to this child win in this many plies or, if a win is not wanted, hold out as long as possible?"""
    if wanted == WON:
        return forced(child, plies - 1, LOST, 0, work)
    return not forced(child, plies - 3, WON, 0, work)


def published(state) -> CompiledSolver:
    """The small table for WebAssembly modules, which make it themselves."""
    find_move, tables = published_functions(USUAL_MEN, USEFUL_MEN)
    work = np.zeros(1, WORK).view(np.recarray)[0]
    return CompiledSolver(work, np.zeros(1, TABLE), find_move=find_move, prepare=prepare, tables=tables)


# ------------------------------------------------------------------------------------------ the search

STOP, NODES, LIMIT = range(3)
PROVEN, REFUTED = 0, 1


class Work(NamedTuple):
    """What a search writes, and the table it reads."""

    moves: Any  # the moves of all positions on the current path
    hints: Any
    keys: Any  # the memory: which position is stored at each place
    bounds: Any  # the plies within which it is proven (0: not yet), and within which it is refuted
    tables: Any  # the address of the table of endgames; 0 if there is none
    counters: Any  # STOP, NODES, LIMIT


def new_work(table) -> Work:
    room, places = (MOST_PLIES + 1) * MOST_MOVES, 1 << MEMORY_BITS
    tables = np.uint64(0 if table is None else table.address)
    keys, bounds = np.zeros(places, np.uint64), np.zeros((places, 2), np.uint8)
    moves, hints = np.empty(room, np.int32), np.empty(room, np.int32)
    return Work(moves, hints, keys, bounds, tables, np.array([0, 0, UNLIMITED]))


@njit
def forced(state, plies, wanted, base, work):
    """Does the player to move win (wanted is WON) or lose (LOST) by force within this many plies?

    Once the stop flag is set, the result means nothing.
    """
    work.counters[NODES] += 1
    if work.counters[NODES] >= work.counters[LIMIT]:
        work.counters[STOP] = 1
    # 1. The game is over, or the end too far away: a win takes an odd number of plies, a loss an even one.
    if is_lost(state):
        return wanted == LOST
    plies -= 1 if (plies & 1) != (wanted == WON) else 0
    if plies <= 0 or work.counters[STOP]:
        return False
    # 2. The answer is in the table, or in the memory.
    end = look_up(state, work.tables)
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
    # 3. For a win, the other player must lose after one of the moves; for a loss, win after all of them.
    end = sort_moves(state, base, work)
    result = wanted == LOST
    for i in range(base, end):
        if forced(play(state, work.moves[i]), plies - 1, -wanted, end, work) == (wanted == WON):
            result = wanted == WON
            break
    # 4. Store the result, unless another position has taken the place.
    if work.keys[place] == name and not work.counters[STOP]:
        work.bounds[place, PROVEN if result else REFUTED] = plies
    return result


@njit
def sort_moves(state, base, work):
    """Write the legal moves to work.moves[base:], those with the greatest hint first, and return their end."""
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
