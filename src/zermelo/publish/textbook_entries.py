"""Minimax and alpha-beta in a module: one search to a fixed depth, or deeper and deeper, one depth with each `step`.

The loop is that of searches/textbook.py in compiled code; tests/publish compares the two.
"""

from typing import Any

import numba
import numpy as np
from numba import int64

from zermelo.core import njit
from zermelo.core.numbers import POINT, PROVEN
from zermelo.players.textbook import AlphaBetaPlayer, SearchPlayer
from zermelo.publish.entries import DONE, Entry, control_at
from zermelo.publish.memory import LONGEST_LINE, Memory, record_reader, state_reader, state_writer
from zermelo.publish.stepping import COUNTS, begin_run, next_search, status_after
from zermelo.rules import legal_moves
from zermelo.searches.alphabeta import alphabeta
from zermelo.searches.minimax import minimax
from zermelo.searches.textbook import ALL_PLIES, REPORT_ORDER_PLIES
from zermelo.searches.workspace import INFINITY, WORK, WORK_TYPE

RUN = np.dtype(COUNTS)


@njit
def take_answer(state, depth, score, work, run, control):
    """Write what one search found. Return whether a deeper one might find more."""
    complete = work.stop == 0
    run.generated += work.generated
    run.evaluated += work.evaluated
    control.nodes, control.evaluated = run.generated + 1, run.evaluated
    if run.depth == 0 or complete:
        run.depth = depth
        control.depth, control.complete = depth, int64(complete)
        control.length = min(int64(work.line_end[0]), LONGEST_LINE)
        for i in range(control.length):
            control.line[i] = work.line[i]
        if control.length == 0:  # stopped before the first move was searched to the end: any move is better than none
            control.length = min(int64(legal_moves(state, work.moves, int64(0))), 1)
            control.line[0] = work.moves[0]
            score = score if complete else int64(0)
        control.score = score
        control.move = control.line[0]
        control.exact = int64(complete and (work.horizon == 0 or abs(score) > PROVEN))
    return complete and work.horizon != 0 and abs(score) <= PROVEN


def textbook_entries(
    cls: Any, player: SearchPlayer, evaluate: Any, order: Any, weights: tuple[int, int], memory: Memory
) -> list[Entry]:
    """`begin` and `step` of this player. evaluate, order, weights: its heuristic and the one that sorts its moves."""
    root_at = memory.take("root", 1 << 12)
    work_at = memory.take("work", WORK.itemsize)
    run_at = memory.take("run", RUN.itemsize)
    read, write = state_reader(cls), state_writer(cls)
    work_of, run_of = record_reader(WORK_TYPE), record_reader(numba.from_dtype(RUN))
    control_of, control_place = control_at(memory)
    fixed = player.depth or 0
    own, sorting = weights

    if isinstance(player, AlphaBetaPlayer):
        has_order = player.order is not None
        usual = ALL_PLIES if player.top_moves else REPORT_ORDER_PLIES if has_order else 0
        plies = usual if player.order_plies is None else player.order_plies
        tolerance, top_moves = round(player.tolerance * POINT), player.top_moves or 0

        @njit
        def run_once(state, depth, work):
            work.weights, work.order_weights = own, sorting
            work.tolerance, work.order_plies, work.top_moves = tolerance, plies, top_moves
            low, high, zero = int64(-INFINITY), int64(INFINITY), int64(0)
            return alphabeta(state, depth, zero, zero, low, high, evaluate, order, work)
    else:

        @njit
        def run_once(state, depth, work):
            work.weights = own
            return minimax(state, depth, int64(0), int64(0), evaluate, work)

    def begin(state_at):
        begin_run(run_of(run_at), control_of(control_place))
        write(root_at, read(state_at))
        return int64(0)

    def step(most):
        state, work, run, control = read(root_at), work_of(work_at), run_of(run_at), control_of(control_place)
        depth, nodes, is_slice = next_search(most, fixed, run, control)
        if depth == 0:
            return int64(DONE)
        work.stop = work.generated = work.evaluated = work.horizon = work.cutoffs = 0
        work.limit = nodes
        score = run_once(state, depth, work)
        go_on = take_answer(state, depth, score, work, run, control)
        return status_after(work.stop != 0, is_slice, go_on, fixed, run, control)

    return [Entry("begin", begin, 1), Entry("step", step, 1)]
