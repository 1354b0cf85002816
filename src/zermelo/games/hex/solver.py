"""Exact play on boards of up to 8x8: who wins a position, and by which moves."""

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import int64, uint64

from zermelo.core import compiled, count, lowest, njit
from zermelo.core.clock import run_stoppable
from zermelo.core.numbers import WIN
from zermelo.errors import PositionError
from zermelo.games.hex.proof import ENTRY, OPTIONS, TABLE_SIZE, TABLE_TYPE, WORK, WORK_TYPE, prove_moves
from zermelo.games.hex.rules import SWAP, Hex1
from zermelo.games.hex.small import CELLS, MOST_SIZE
from zermelo.rules import is_over, moves_of
from zermelo.solving.compiled import NO_ANSWER, UNSOLVED, CompiledSolver
from zermelo.solving.solution import Solution

QUICK_EMPTY = (0, 0, 64, 64, 64, 64, 64, 40, 36)
"""By board size: with this many empty cells or fewer, an answer takes well under a second."""

QUICK_NODES = 100_000
"""The number of nodes that take a few seconds. Solving all moves of the empty 6x6 board takes 20,000 nodes."""

ATTEMPTED_EMPTY = 52
"""On 8x8, a player tries to solve positions with this many empty cells or fewer; on smaller boards, every position."""

UNLIMITED = 1 << 62


def is_quick(state: Any, hurry: bool = False) -> bool:
    """Can this position be solved while somebody waits for a move?"""
    return isinstance(state, Hex1) and len(moves_of(state)) <= QUICK_EMPTY[int(state.size)] - 8 * hurry


def worth_solving(state: Any, seconds: float | None = None, nodes: int | None = None) -> str | None:
    """Is this position worth an attempt before a move? What it finds is kept, so that later attempts go further."""
    if seconds is None and nodes is None:
        return "exact" if is_quick(state) else None
    if not isinstance(state, Hex1):
        return None
    return "exact" if state.size < MOST_SIZE or len(moves_of(state)) <= ATTEMPTED_EMPTY else None


def solve(
    state: Any,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    all_moves: bool = False,
    kept: dict[str, Any] | None = None,
    without: Sequence[str] = (),
) -> Solution:
    """Find out who wins this position, and a winning move, or all winning moves.

    Any 6x6 board takes well under a second once the code is compiled; the empty 7x7 board with all its 49 moves takes
    about a minute. Ctrl-C stops the search. nodes is the maximum number of positions to look at. kept holds the
    proofs of earlier calls (see solving.registry). without names prunings to switch off (see proof.OPTIONS), for tests
    and studies.
    """
    size = int(state.size)
    if not isinstance(state, Hex1):
        raise PositionError(
            "Hex is solved exactly on boards up to {most}x{most}; this one is {size}x{size}", most=MOST_SIZE, size=size
        )
    if is_over(state) or (state.swap and not state.player):
        # With the swap rule Black loses: White takes over the first stone if it wins, and leaves it if it loses.
        return Solution(-1)
    can_swap = bool(state.swap)
    work = workspace(without, UNLIMITED if nodes is None else nodes)
    search = compiled(prove_moves, WORK_TYPE, TABLE_TYPE, uint64, uint64, int64, int64, int64)
    table = _table(size, {} if kept is None else kept)
    began = time.perf_counter()
    boards = state.black0, state.white0, int(state.player), size

    def stop() -> None:
        work.stop = 1

    run_stoppable(lambda: search(work, table, *boards, int(all_moves)), stop, seconds)
    winning, losing = _cells(work.winning), _cells(work.losing)
    is_lost = len(losing) == len(moves_of(state)) - can_swap
    if is_lost and can_swap:
        winning = (SWAP,)
    score = 1 if winning or can_swap else -1 if is_lost else 0
    scores = dict.fromkeys(losing, -1) | dict.fromkeys(winning, 1) if all_moves else {}
    if scores and can_swap:
        scores.setdefault(SWAP, -1)  # taking over a stone that loses is a loss
    complete = is_lost or (len(winning) > 0 and not all_moves) or not work.stop
    elapsed = time.perf_counter() - began
    return Solution(score, winning, scores, nodes=int(work.nodes), seconds=elapsed, complete=complete)


def workspace(without: Sequence[str] = (), limit: int = UNLIMITED) -> Any:
    """A new workspace for the search, with these prunings switched off and a limit of nodes."""
    work = np.zeros(1, WORK).view(np.recarray)[0]
    work.limit = limit
    for option in OPTIONS:
        work[option] = option not in without
    return work


def _table(size: int, kept: dict[str, Any]) -> Any:
    """The table of proofs for boards of this size: the one that was kept, or an empty one."""
    if kept.get("size") != size:  # only one table is kept at a time
        kept["size"], kept["table"] = size, np.zeros(TABLE_SIZE, ENTRY).view(np.recarray)
    return kept["table"]


def _cells(board: Any) -> tuple[int, ...]:
    return tuple(cell for cell in range(MOST_SIZE * MOST_SIZE) if int(board) >> cell & 1)


# ------------------------------------------------------------------------------------------ in published players


@njit
def find_move(state, limit, is_timed, work, table, book):
    """A winning move, as `solve` finds it within so many nodes (see solving/compiled.py)."""
    size = int64(state.size)
    free = CELLS[size] & ~(state.black0 | state.white0)
    nothing = int64(NO_ANSWER), int64(0), int64(0), int64(0)
    if is_over(state) or (state.swap and not state.player):
        return nothing
    empty = int64(count(free))
    attempted = ATTEMPTED_EMPTY if is_timed or limit < UNLIMITED else QUICK_EMPTY[size] - int64(state.swap)
    if (size == MOST_SIZE or limit >= UNLIMITED) and empty > attempted:
        return nothing
    if not is_timed:
        for i in range(len(table)):
            table[i].turn = 0
    work.stop = work.nodes = 0
    work.limit = limit
    prove_moves(work, table, state.black0, state.white0, int64(state.player), size, int64(0))
    if work.winning:
        return int64(lowest(work.winning)), int64(WIN), int64(0), work.nodes
    if work.losing == free:
        return int64(SWAP if state.swap else NO_ANSWER), int64(WIN), int64(0), work.nodes
    return int64(UNSOLVED), int64(0), int64(0), work.nodes


def published(state: Any) -> CompiledSolver | None:
    """The solver for WebAssembly modules, on boards that it can solve."""
    if not isinstance(state, Hex1):
        return None
    return CompiledSolver(workspace(), np.zeros(TABLE_SIZE, ENTRY), find_move=find_move)
