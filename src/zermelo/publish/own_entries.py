"""A user's search in a module. What a run begins with and what its answer means is that of searches/own/running.py."""

import math
from typing import Any

import numba
import numpy as np
from numba import float64, int32, int64, uint64

from zermelo.core import njit
from zermelo.core.numba_private import freeze, function_value
from zermelo.core.numbers import PROVEN
from zermelo.errors import PublishError
from zermelo.players.own import OwnSearchPlayer
from zermelo.publish.entries import DONE, Entry, control_at
from zermelo.publish.memory import Memory, array_reader, record_reader, state_reader, state_writer
from zermelo.publish.stepping import COUNTS, begin_run, next_search, status_after
from zermelo.rules import legal_moves, to_move
from zermelo.searches.own.record import NO_MOVE, OWN, OWN_TYPE
from zermelo.searches.own.running import entry_of, ready
from zermelo.searches.own.watching import units
from zermelo.searches.workspace import WIDEST

RUN = np.dtype([*COUNTS, ("moves", np.int32, WIDEST)])


@njit
def clear_record(state, work):
    """Make the record as it is before a search."""
    work.nodes = work.stop = work.generated = work.evaluated = work.horizon = work.cutoffs = 0
    work.traced = work.begun = work.repeats = work.tried = work.finished = 0
    work.node[:] = 0
    work.serial[:] = -1
    work.best_move = work.move = NO_MOVE
    work.best_value = work.value = 0.0
    work.root = to_move(state)


@njit
def move_of_record(work, moves, number, complete):
    """The move to play and its value."""
    value = work.value if complete else 0.0
    if complete and work.move != NO_MOVE:
        return int64(work.move), work.value
    if work.finished != 0 and work.best_move != NO_MOVE:
        return int64(work.best_move), work.value if complete else work.best_value
    best = int64(-1)
    for i in range(work.tried):
        if best < 0 or work.root_values[i] > work.root_values[best]:
            best = i
    if best >= 0:
        return int64(work.root_moves[best]), work.root_values[best]
    return int64(moves[0]), value


@njit
def take_answer(state, depth, work, run, control):
    """Write what one search found. Return whether a deeper one might find more."""
    complete = work.stop == 0
    number = int64(legal_moves(state, run.moves, int64(0)))
    move, value = move_of_record(work, run.moves, number, complete)
    score = units(value)
    legal = False
    for i in range(number):
        legal = legal or int64(run.moves[i]) == move
    if complete and not legal:
        raise ValueError
    run.generated += work.generated
    run.evaluated += work.evaluated
    control.nodes, control.evaluated = run.generated + 1, run.evaluated
    if run.depth == 0 or complete:
        run.depth = depth
        control.depth, control.complete, control.score, control.move = depth, int64(complete), score, move
        control.length, control.line[0] = 1, move
        control.exact = int64(complete and work.evaluated == 0)
    return complete and work.evaluated != 0 and abs(score) <= PROVEN


def own_entries(cls: Any, player: OwnSearchPlayer, evaluate: Any, weights: Any, memory: Memory) -> list[Entry]:
    """`begin` and `step` of this player. weights: the heuristic's address; the address and number of the search's."""
    search = player.own_search
    entry, signature = entry_of(search, cls)
    try:
        entry.compile(signature)
    except Exception:  # Numba raises not only its own errors; the lab knows words for them
        reason = ready(search, cls).reason
        raise PublishError(
            "{name} cannot be published, because it cannot be compiled:\n{note}", name=search.label, note=reason
        ) from None
    freeze(entry)
    heuristic = function_value(evaluate, int32(cls.numba, uint64))
    address, (numbers_at, count) = weights
    root_at = memory.take("root", 1 << 12)
    work_at = memory.take("work", OWN.itemsize)
    run_at = memory.take("run", RUN.itemsize)
    read, write, numbers_of = state_reader(cls), state_writer(cls), array_reader(float64)
    work_of, run_of = record_reader(OWN_TYPE), record_reader(numba.from_dtype(RUN))
    control_of, control_place = control_at(memory)
    fixed, max_view = player.depth or 0, int(search.perspective == "max")
    low, high = -math.inf, math.inf

    def begin(state_at):
        begin_run(run_of(run_at), control_of(control_place))
        write(root_at, read(state_at))
        return int64(0)

    def step(most):
        state, work, run, control = read(root_at), work_of(work_at), run_of(run_at), control_of(control_place)
        depth, nodes, is_slice = next_search(most, fixed, run, control)
        if depth == 0:
            return int64(DONE)
        clear_record(state, work)
        work.limit, work.weights, work.max_view = nodes, address, max_view
        failed = False
        try:
            entry(state, heuristic(), work, depth, low, high, numbers_of(numbers_at, int64(count)))
            work.finished = max(work.finished, 1)
        except Exception:
            failed = True
        if failed and work.stop == 0:
            raise ValueError
        go_on = take_answer(state, depth, work, run, control)
        return status_after(work.stop != 0, is_slice, go_on, fixed, run, control)

    return [Entry("begin", begin, 1), Entry("step", step, 1)]
