"""The engine in a module: iterative deepening, one depth with each call of `step`.

The loop is that of searches/deepening.py, for one thread and in compiled code. Whoever changes one of the two changes
the other: tests/publish compares their moves, scores and nodes.
"""

from typing import Any

import numba
import numpy as np
from numba import int64, uint64

from zermelo.core import njit
from zermelo.core.numbers import PROVEN
from zermelo.players.engine import EnginePlayer
from zermelo.publish.entries import AGAIN, DONE, GO_ON, Entry, control_at
from zermelo.publish.memory import LONGEST_LINE, Memory, array_reader, record_reader, state_reader, state_writer
from zermelo.rules import is_noisy, is_over, legal_moves, play, reply_hint, table_key
from zermelo.searches.deepening import FIRST_WINDOW, HISTORY_FADES, MOST_DEPTH, WIDEST_WINDOW
from zermelo.searches.engine import ENGINE_WORK, ENGINE_WORK_TYPE, PAST, pvs
from zermelo.searches.transposition import AGES, WORDS, best_move, new_table
from zermelo.searches.workspace import INFINITY, UNLIMITED

RUN = np.dtype([("depth", np.int64), ("age", np.int64), ("words", np.int64), ("keys", np.uint64, LONGEST_LINE)])
"""What is known between two calls of `step`: the last depth that was searched, and the size of the table in use."""

BYTES_PER_NODE, LEAST_MEMORY = 32, 0.25  # as in players/engine.py


@njit
def words_of_table(memory, limit):
    """The size of the table: no more than a limited search can fill, since emptying the table takes time, too."""
    if limit < UNLIMITED:
        memory = min(memory, max(LEAST_MEMORY, limit * BYTES_PER_NODE / (1 << 20)))
    lines = int64(1)
    while lines * 2 * WORDS * 8 <= memory * (1 << 20):
        lines *= 2
    return lines * WORDS


@njit
def write_line(state, move, most, table, work, run, control):
    """Write the best line: the first move, then the moves of the table, while they are legal and nothing repeats."""
    control.line[0] = move
    control.move = move
    length = int64(1)
    state = play(state, int64(move))
    while length < most and length < LONGEST_LINE and not is_over(state):
        hash_key = uint64(table_key(state))
        following = int64(best_move(table, hash_key))
        known = False
        for i in range(1, length):
            known = known or run.keys[i] == hash_key
        legal = False
        for i in range(int64(legal_moves(state, work.moves, int64(0)))):
            legal = legal or int64(work.moves[i]) == following
        if known or not legal:
            break
        run.keys[length] = hash_key
        control.line[length] = following
        length += 1
        state = play(state, following)
    control.length = length


@njit
def search_depth(state, depth, evaluate, table, work, run, control):
    """Search to one depth, in a window around the last score that is widened until the score lies inside.

    Return whether a deeper search might find more and there is something left of the budget.
    """
    first = run.depth == 0
    alpha, beta, margin = int64(-INFINITY), int64(INFINITY), int64(FIRST_WINDOW)
    if not first and depth > 2:
        alpha, beta = control.score - margin, control.score + margin
    score, horizon_before = int64(0), int64(0)
    while True:
        horizon_before = work.horizon
        work.root_move = -1
        score = pvs(state, depth, int64(0), int64(0), alpha, beta, evaluate, table, work)
        control.nodes = work.nodes
        if work.stop != 0:
            break
        margin *= 4
        reach = int64(INFINITY) if margin > WIDEST_WINDOW or abs(score) > PROVEN else margin
        if score <= alpha and alpha > -INFINITY:
            alpha = max(score - reach, int64(-INFINITY))
        elif score >= beta and beta < INFINITY:
            beta = min(score + reach, int64(INFINITY))
        else:
            break
    if work.stop != 0:
        control.complete = 0
        if not first and work.root_move != -1 and work.root_move != control.move and work.root_score > alpha:
            control.depth, control.score, control.exact = depth, work.root_score, 0
            write_line(state, int64(work.root_move), depth, table, work, run, control)
        return False
    run.depth = depth
    control.depth, control.score, control.complete = depth, score, 1
    control.exact = int64(work.horizon == horizon_before or abs(score) > PROVEN)
    write_line(state, int64(work.root_move), depth, table, work, run, control)
    return control.exact == 0


@njit
def prepare(state, table, work, run, control, forget):
    """Begin a search. With `forget`, it depends on nothing but its position."""
    if forget:
        table[:] = uint64(0)
        work.history[:] = 0
    run.depth = 0
    run.age = (run.age + 1) % AGES
    work.stop = 0
    work.nodes = 0
    work.horizon = 0
    work.age = run.age
    work.killers[:] = -1
    for i in range(len(work.history)):
        work.history[i] //= HISTORY_FADES
    left_out = max(control.past - PAST, 0)
    work.past = control.past - left_out
    for i in range(work.past):
        work.keys[i] = control.keys[left_out + i]
    # If not even one ply fits the budget: any move is better than none.
    legal_moves(state, work.moves, int64(0))
    control.move = work.moves[0]
    control.line[0] = work.moves[0]
    control.length = 1
    control.depth = 1
    control.score = 0
    control.exact = 0
    control.complete = 0
    control.nodes = 0
    control.evaluated = -1


def engine_entries(
    cls: Any, player: EnginePlayer, pruning: dict[str, Any], evaluate: Any, weights: int, memory: Memory
) -> list[Entry]:
    """`begin` and `step` of this player; `pruning` is what the player's method of this name returns."""
    most_words = new_table(player.memory).size
    root_at = memory.take("root", 1 << 12)
    work_at = memory.take("work", ENGINE_WORK.itemsize)
    run_at = memory.take("run", RUN.itemsize)
    table_at = memory.take("table", 8 * most_words)
    read, write, table_of = state_reader(cls), state_writer(cls), array_reader(numba.uint64)
    work_of, run_of = record_reader(ENGINE_WORK_TYPE), record_reader(numba.from_dtype(RUN))
    control_of, control_place = control_at(memory)
    megabytes = float(player.memory)
    noisy, hinted = int(cls in is_noisy.implementations), int(cls in reply_hint.implementations)
    reduce, probcut, address = int(pruning["reduce"]), int(pruning["cuts"] is not None), weights
    cuts = np.zeros(0) if pruning["cuts"] is None else pruning["cuts"]
    deepest = min(player.depth or MOST_DEPTH, MOST_DEPTH)

    def begin(state_at):
        state, work, run, control = read(state_at), work_of(work_at), run_of(run_at), control_of(control_place)
        words = words_of_table(megabytes, control.limit)
        run.words = words
        work.noisy, work.hinted, work.reduce, work.probcut, work.weights = noisy, hinted, reduce, probcut, address
        for i in range(len(cuts)):
            work.cuts[i] = cuts[i]
        prepare(state, table_of(table_at, words), work, run, control, control.limit < UNLIMITED)
        write(root_at, state)
        return int64(0)

    def step(most):
        work, run, control = work_of(work_at), run_of(run_at), control_of(control_place)
        depth, last = run.depth + 1, int64(deepest)
        if control.depth_limit > 0:
            last = min(last, control.depth_limit)
        work.stop = 0
        work.limit = control.limit
        if most >= 0 and depth > 1:
            work.limit = min(work.limit, work.nodes + most)
        go_on = search_depth(read(root_at), depth, evaluate, table_of(table_at, run.words), work, run, control)
        if work.stop != 0:
            return int64(AGAIN if work.limit < control.limit else DONE)
        return int64(GO_ON if go_on and depth < last else DONE)

    return [Entry("begin", begin, 1), Entry("step", step, 1)]
