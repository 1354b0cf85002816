"""A game's own solver in a module: `solve` scores every move, and the engine asks it before it searches."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
from numba import int32, int64, uint64

from zermelo.core import Heuristic, njit
from zermelo.players.engine import PARTS
from zermelo.publish.entries import AGAIN, DONE, Entry, control_at
from zermelo.publish.memory import Memory, array_reader, record_reader, state_reader
from zermelo.rules import MOST_MOVES, legal_moves
from zermelo.searches.engine import ENGINE_WORK_TYPE
from zermelo.searches.workspace import UNLIMITED
from zermelo.solving.compiled import NO_ANSWER, CompiledSolver

ROW = 4 * MOST_MOVES
"""Bytes of a list: `solve` writes the moves, then their scores, then the plies to the end of the game."""

ATTEMPT = np.dtype([("asked", np.int64), ("nodes", np.int64), ("begun", np.int64)])
"""Has the solver been asked in this search, what has it cost, and has the search itself begun?"""

ASK, LEAVE_OUT, LOOK_UP = range(3)
"""What control.no_solver says: the solver may choose the move; or not; or not, but tables that are ready are used."""


@dataclass(frozen=True)
class PlacedSolver:
    """A solver, and what makes its work, its table and its book of their addresses in compiled code."""

    solver: CompiledSolver
    work_of: Any
    table_of: Any
    book_of: Any


def placed(solver: CompiledSolver, memory: Memory, weights_of: Callable[[Heuristic], int]) -> PlacedSolver:
    """The solver with its memory in a module. weights_of: gives the address of a heuristic's weights."""
    table_at = memory.take("solver table", solver.table.nbytes)
    book = solver.book
    book_at = memory.take("book weights", max(book.nbytes, 8), book.tobytes())
    record = solver.work.dtype
    if "table" in record.names:
        solver.work.table = table_at
    if solver.heuristic is not None:
        solver.work.weights = weights_of(solver.heuristic)
    work_at = memory.take("solver work", record.itemsize, solver.work.tobytes())
    words, entries = array_reader(uint64), array_reader(numba.from_dtype(solver.table.dtype))
    work_of = record_reader(numba.from_dtype(record))
    in_table, in_book = len(solver.table), len(book)
    return PlacedSolver(
        solver,
        njit(lambda: work_of(int64(work_at))),
        njit(lambda: entries(int64(table_at), int64(in_table))),
        njit(lambda: words(int64(book_at), int64(in_book))),
    )


def solver_entries(cls: Any, placed_solver: PlacedSolver, memory: Memory) -> list[Entry]:
    """`solve(state, move)`: the exact score of a move, or of all legal moves if the move is -1.

    The result is the number of scores, -1 if more positions than control.limit would have been needed, or -2 if the
    position is not worth an attempt, whatever the limit. A solver that finds only a best move has no such function.
    """
    score_moves = placed_solver.solver.score_moves
    if score_moves is None:
        return []
    work_of, table_of, book_of = placed_solver.work_of, placed_solver.table_of, placed_solver.book_of
    lists_at = memory.take("solved", 3 * ROW)
    read, numbers = state_reader(cls), array_reader(int32)
    control_of, control_place = control_at(memory)

    def solve(state_at, move):
        state, control = read(state_at), control_of(control_place)
        room = int64(MOST_MOVES)
        moves, scores = numbers(int64(lists_at), room), numbers(int64(lists_at + ROW), room)
        plies = numbers(int64(lists_at + 2 * ROW), room)
        number = int64(legal_moves(state, moves, int64(0)))
        if move >= 0:
            moves[0], number = move, int64(1)
        searched = score_moves(state, moves, number, scores, plies, control.limit, work_of(), table_of(), book_of())
        control.nodes = max(searched, 0)
        return number if searched >= 0 else searched

    return [Entry("solve", solve, 2)]


def prepare_entries(cls: Any, placed_solver: PlacedSolver) -> list[Entry]:
    """`prepare(state)`: 1 if the host should call it again, before anybody waits for an answer; 0 if all is done."""
    prepare_solver = placed_solver.solver.prepare
    if prepare_solver is None:
        return []
    work_of, table_of, book_of = placed_solver.work_of, placed_solver.table_of, placed_solver.book_of
    read = state_reader(cls)

    def prepare(state_at):
        return prepare_solver(read(state_at), work_of(), table_of(), book_of())

    return [Entry("prepare", prepare, 1)]


def _table_setter(tables: Any, placed_solver: PlacedSolver, root_of: Any, memory: Memory) -> Any:
    """What gives the engine's search the game's own tables, or takes them away."""
    if tables is None:
        return njit(lambda is_timed, is_used: None)
    search_at, search_of = memory.places["work"][0], record_reader(ENGINE_WORK_TYPE)
    work_of, table_of, book_of = placed_solver.work_of, placed_solver.table_of, placed_solver.book_of

    @njit
    def set_tables(is_timed, is_used):
        search = search_of(search_at)
        search.tables = tables(root_of(), is_timed, work_of(), table_of(), book_of()) if is_used else uint64(0)

    return set_tables


def with_attempts(
    entries: list[Entry], cls: Any, placed_solver: PlacedSolver, memory: Memory, looks_up: bool
) -> list[Entry]:
    """The entries of a search, which asks the solver first, as players/engine.py does.

    looks_up: does the search look positions up in the game's own tables, if it has any?

    With a limit of nodes, or without any limit, the first `step` is the solver's. Against the clock, the host divides
    the time: it may call `attempt(nodes)` after `begin`, again and again. The result is 1 if the solver has found a
    move, 0 if more nodes might help, and -1 if they would not.
    """
    find_move = placed_solver.solver.find_move
    if find_move is None:
        return entries
    begin_search, step_search = (njit(one.function) for one in entries if one.name in ("begin", "step"))
    root_at, run_at = memory.places["root"][0], memory.take("attempt", ATTEMPT.itemsize)
    read, run_of = state_reader(cls), record_reader(numba.from_dtype(ATTEMPT))
    work_of, table_of, book_of = placed_solver.work_of, placed_solver.table_of, placed_solver.book_of
    control_of, control_place = control_at(memory)
    tables = placed_solver.solver.tables if looks_up else None
    set_tables = _table_setter(tables, placed_solver, njit(lambda: read(root_at)), memory)

    @njit
    def ask(limit, is_timed):
        run, control = run_of(run_at), control_of(control_place)
        move, score, plies, nodes = find_move(read(root_at), limit, is_timed, work_of(), table_of(), book_of())
        run.asked = 1
        run.nodes += nodes
        control.nodes = run.nodes
        if move < 0:
            return int64(-1) if move == NO_ANSWER else int64(0)
        control.move = control.line[0] = move
        control.length = control.exact = control.complete = control.solved = 1
        control.depth = 0
        control.score, control.plies = score, plies
        return int64(1)

    def begin(state_at):
        run, control = run_of(run_at), control_of(control_place)
        run.asked = run.nodes = run.begun = 0
        control.solved = control.plies = 0
        return begin_search(state_at)

    def step(most):
        run, control = run_of(run_at), control_of(control_place)
        whole, is_timed = control.limit, control.limit >= UNLIMITED and most >= 0
        if run.asked == 0 and control.no_solver == ASK and not is_timed:
            found = ask(max(whole // PARTS, int64(1)) if whole < UNLIMITED else whole, False)
            return int64(DONE if found == 1 else AGAIN)
        if run.begun == 0:
            set_tables(is_timed or control.no_solver == LOOK_UP, control.no_solver != LEAVE_OUT)
            run.begun = 1
        if whole < UNLIMITED:
            control.limit = whole - run.nodes
        status = step_search(most)
        control.limit = whole
        control.nodes += run.nodes
        return status

    def attempt(nodes):
        return ask(nodes, True)

    others = [entry for entry in entries if entry.name not in ("begin", "step")]
    return [Entry("begin", begin, 1), Entry("step", step, 1), Entry("attempt", attempt, 1), *others]
