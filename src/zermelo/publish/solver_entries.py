"""A game's own solver in a module: `solve` gives the exact score of every move."""

from typing import Any

import numba
from numba import int32, int64, uint64

from zermelo.publish.entries import Entry, control_at
from zermelo.publish.memory import Memory, array_reader, record_reader, state_reader
from zermelo.rules import MOST_MOVES, legal_moves
from zermelo.solving.compiled import CompiledSolver

ROW = 4 * MOST_MOVES
"""Bytes of a list: `solve` writes the moves, then their scores, then the plies to the end of the game."""


def solver_entries(cls: Any, solver: CompiledSolver, memory: Memory) -> list[Entry]:
    """`solve(state, move)`: the exact score of a move, or of all legal moves if the move is -1.

    The result is the number of scores, or -1 if more positions than control.limit would have been needed.
    """
    table_at = memory.take("solver table", 8 * solver.table_words)
    book = solver.book
    book_at = memory.take("book weights", max(book.nbytes, 8), book.tobytes())
    solver.work.table = table_at
    record = solver.work.dtype
    work_at = memory.take("solver work", record.itemsize, solver.work.tobytes())
    lists_at = memory.take("solved", 3 * ROW)
    read, numbers, words = state_reader(cls), array_reader(int32), array_reader(uint64)
    work_of = record_reader(numba.from_dtype(record))
    control_of, control_place = control_at(memory)
    score_moves, length = solver.score_moves, len(book)

    def solve(state_at, move):
        state, control = read(state_at), control_of(control_place)
        room = int64(MOST_MOVES)
        moves, scores = numbers(int64(lists_at), room), numbers(int64(lists_at + ROW), room)
        plies = numbers(int64(lists_at + 2 * ROW), room)
        number = int64(legal_moves(state, moves, int64(0)))
        if move >= 0:
            moves[0], number = move, int64(1)
        pages = words(int64(book_at), int64(length))
        searched = score_moves(state, moves, number, scores, plies, control.limit, work_of(int64(work_at)), pages)
        control.nodes = max(searched, 0)
        return number if searched >= 0 else int64(-1)

    return [Entry("solve", solve, 2)]
