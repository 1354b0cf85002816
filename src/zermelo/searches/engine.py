"""The engine: principal-variation search, the same code for every game.

It uses the optional functions of the rules: `move_hint` to order the moves, `is_noisy` for the moves that quiescence
follows beyond the horizon, and `can_repeat` to look for repetitions. `deepening.py` has deepening, time and threads.
"""

from typing import Any

import numba
import numpy as np
from numba import int32, int64, uint64

from zermelo.core import njit
from zermelo.rules import (
    PLY,
    PROVEN,
    UNKNOWN,
    WIN,
    can_repeat,
    end_score,
    is_noisy,
    is_over,
    key,
    known_score,
    legal_moves,
    move_hint,
    play,
    stage,
    table_key,
    to_move,
    wins_at_once,
)
from zermelo.searches.ordering import HISTORY_SLOTS, NOTHING, USUAL, next_move, rank_moves, reward
from zermelo.searches.transposition import (
    EXACT,
    FULL_DEPTH,
    LOWER,
    UPPER,
    bound_of,
    depth_of,
    find,
    move_of,
    score_of,
    store,
)
from zermelo.searches.workspace import INFINITY, UNLIMITED, WIDEST

DEEPEST = 128
"""The maximum number of plies, including quiescence. At that ply a position is evaluated as it is."""

ROOM = 96 * 1024
PAST = 256
"""How many positions before the root are remembered, to find repetitions."""

CUT_STAGES, CUT_DEPTHS, CUT_CHECKS, CUT_NUMBERS = 16, 24, 2, 4
"""ProbCut's numbers: stages of a game; depths (the last stands for all beyond); checks for each; numbers of each."""
DRAWN = 0

ENGINE_WORK = np.dtype(
    [
        ("stop", np.int64),
        ("limit", np.int64),
        ("nodes", np.int64),
        ("horizon", np.int64),  # positions not judged by the rules alone; if there are none, the score is exact
        ("age", np.int64),
        ("noisy", np.int64),  # does the game have noisy moves?
        ("reduce", np.int64),  # are late moves searched less deeply at first (late-move reductions)?
        ("hinted", np.int64),  # does the game have reply_hint?
        ("probcut", np.int64),  # are there numbers in `cuts`?
        ("weights", np.uint64),
        ("tables", np.uint64),  # the address of the game's own tables, or 0
        ("root_move", np.int64),  # the best first move of this iteration so far, or -1
        ("root_score", np.int64),
        ("past", np.int64),  # how many positions before the root are in `keys`
        ("keys", np.uint64, PAST + DEEPEST + 1),
        ("killers", np.int32, 2 * (DEEPEST + 1)),
        ("history", np.int32, 2 * HISTORY_SLOTS),
        ("cuts", np.float64, CUT_STAGES * CUT_DEPTHS * CUT_CHECKS * CUT_NUMBERS),  # see checks_of
        ("moves", np.int32, ROOM),
        ("order", np.int32, ROOM),
    ],
    align=True,
)
ENGINE_WORK_TYPE = numba.from_dtype(ENGINE_WORK)


def engine_workspace() -> Any:
    """Return a new record for one thread."""
    work = np.zeros(1, ENGINE_WORK).view(np.recarray)[0]
    work.limit = UNLIMITED
    work.killers[:] = -1
    return work


@njit
def pvs(state, depth, ply, base, alpha, beta, evaluate, table, work):
    """Score state for the player to move, within the window alpha < beta (see the promise of `alphabeta`).

    The rules score finished games and repetitions; quiescence scores positions at the horizon. With work.reduce, some
    late moves are first searched less deeply. Then scores are estimates, except for the wins and losses found.
    If work.horizon is unchanged afterwards, every line was followed to the end of the game.
    """
    # 1. Count the node. Is the budget used up?
    work.nodes += 1
    if work.nodes >= work.limit:
        work.stop = 1
    if work.stop != 0:
        return int64(0)
    # 2. Has the game ended, does the position repeat, or is it in the game's own tables?
    if is_over(state):
        return int64(end_score(state, ply))
    if can_repeat(state):
        own_key = uint64(key(state))
        if ply > 0 and is_repeated(own_key, ply, work):
            work.horizon += 1  # true on this path only
            return int64(DRAWN)
        work.keys[work.past + ply] = own_key
    if work.tables != uint64(0) and ply > 0:
        known = int64(known_score(state, int64(ply), work.tables))
        if known != UNKNOWN:
            return known
    # 3. The horizon.
    if depth <= 0 or ply >= DEEPEST - 1 or base > ROOM - WIDEST:
        return quiescence(state, ply, base, alpha, beta, evaluate, work)
    # 4. Does the table know the answer, or at least a good move?
    hash_key = uint64(table_key(state))
    data = find(table, hash_key)
    table_move = int32(-1)
    if data != uint64(0):
        table_move = move_of(data)
        if ply > 0 and depth_of(data) >= depth:
            score, bound = score_of(data, ply), bound_of(data)
            if bound == EXACT or (bound == LOWER and score >= beta) or (bound == UPPER and score <= alpha):
                if depth_of(data) != FULL_DEPTH:
                    work.horizon += 1
                return score
    # 5. ProbCut: does a shallower search say that the score is almost certainly outside the null window?
    if work.probcut != 0 and ply > 0 and beta - alpha == 1:
        check, last_check = checks_of(state, depth, alpha, beta, work)
        is_good = check < last_check and int64(evaluate(state, work.weights)) >= beta
        while check < last_check:
            limit = limit_of(check, is_good, alpha, beta, work)
            a = limit - 1 if is_good else limit
            score = pvs(state, int64(work.cuts[check]), ply, base, a, a + 1, evaluate, table, work)
            if work.stop != 0:
                return int64(0)
            if (is_good and score >= limit) or (not is_good and score <= limit):
                score, bound = (beta, LOWER) if is_good else (alpha, UPPER)
                store(table, hash_key, score, min(depth, FULL_DEPTH - 1), bound, int64(table_move), ply, work.age)
                return score
            check += CUT_NUMBERS
    # 6. Generate the moves. An immediate win needs no search; otherwise rank the moves by how promising they look.
    end = int64(legal_moves(state, work.moves, base))
    mover = int64(to_move(state))
    if depth >= 2 and wins_at_once(state):
        winning = winning_move(state, ply, base, end, mover, work)
        if winning >= 0:
            if ply == 0:
                work.root_move, work.root_score = winning, WIN - PLY
            return int64(WIN - (ply + 1) * PLY)
    known = rank_moves(state, depth, ply, base, end, mover, table_move, beta, table, work)
    if known != NOTHING:
        return known
    # 7. Search the first move with the whole window. The others must first show in a null window that they are better.
    best, best_move = int64(-INFINITY), int32(-1)
    low, horizon_before = alpha, work.horizon
    for i in range(base, end):
        move = next_move(work, i, end)
        child = play(state, move)
        sign = int64(1) if int64(to_move(child)) == mover else int64(-1)
        score = int64(0)
        if i > base:
            reduction = int64(0)
            if work.reduce != 0 and depth >= 3 and i - base >= 3 and work.order[i] < USUAL:
                reduction = int64(1) + int64(i - base >= 8)
                if is_noisy(state, move):
                    reduction = int64(0)
            a, b = seen_from(sign, low, low + 1)
            score = sign * pvs(child, depth - 1 - reduction, ply + 1, end, a, b, evaluate, table, work)
            if reduction > 0 and score > low and work.stop == 0:
                score = sign * pvs(child, depth - 1, ply + 1, end, a, b, evaluate, table, work)
            elif reduction > 0:
                work.horizon += 1
        if i == base or (low < score < beta and work.stop == 0):
            a, b = seen_from(sign, low, beta)
            score = sign * pvs(child, depth - 1, ply + 1, end, a, b, evaluate, table, work)
        if work.stop != 0:
            break
        if score > best:
            best, best_move = score, move
            if ply == 0:
                work.root_move, work.root_score = move, score
            if score > low:
                low = score
                if low >= beta:
                    reward(work, base, i, ply, mover, depth)
                    break
    if work.stop != 0:
        return best
    # 8. Store the result in the table.
    bound = LOWER if best >= beta else EXACT if best > alpha else UPPER
    known_depth = FULL_DEPTH if work.horizon == horizon_before else min(depth, FULL_DEPTH - 1)
    store(table, hash_key, best, known_depth, bound, int64(best_move), ply, work.age)
    return best


@njit
def checks_of(state, depth, alpha, beta, work):
    """Return where ProbCut's checks for this stage of the game and this depth begin and end in work.cuts.

    ProbCut (Buro, 1995): the score at a depth is about slope * s + offset, with s the score at a smaller depth. The
    numbers of a check are the smaller depth, slope, offset, and the margin by which the estimate must pass the window.
    Several checks with growing depths are Multi-ProbCut. The heuristic says on which side of the window to try.
    (The search itself is in pvs, because compiled code that calls itself through another function cannot be kept.)
    """
    row = min(max(int64(stage(state)), 0), CUT_STAGES - 1) * CUT_DEPTHS + min(depth, CUT_DEPTHS - 1)
    first = row * CUT_CHECKS * CUT_NUMBERS
    end = first
    if alpha > -PROVEN and beta < PROVEN:
        while end < first + CUT_CHECKS * CUT_NUMBERS and work.cuts[end] > 0.0:
            end += CUT_NUMBERS
    return first, end


@njit
def limit_of(check, is_good, alpha, beta, work):
    """Return the score from which on (is_good), or up to which, a check's shallower search decides."""
    slope, offset, margin = work.cuts[check + 1], work.cuts[check + 2], work.cuts[check + 3]
    if is_good:
        return int64((beta + margin - offset) / slope) + 1
    return int64((alpha - margin - offset) / slope) - 1


@njit
def seen_from(sign, low, high):
    """Return a window from the point of view of the same player (sign 1) or of the other player (sign -1)."""
    return (low, high) if sign > 0 else (-high, -low)


@njit
def quiescence(state, ply, base, alpha, beta, evaluate, work):
    """Score a position by the heuristic, or by its noisy moves if they lead to more; nobody is forced to play them."""
    if work.tables != uint64(0):
        known = int64(known_score(state, int64(ply), work.tables))
        if known != UNKNOWN:
            return known
    work.horizon += 1
    best = int64(evaluate(state, work.weights))
    if work.noisy == 0 or best >= beta or ply >= DEEPEST - 1 or base > ROOM - WIDEST:
        return best
    low = max(alpha, best)
    end = int64(legal_moves(state, work.moves, base))
    noisy_end = base
    for i in range(base, end):
        move = work.moves[i]
        if is_noisy(state, move):
            work.moves[noisy_end] = move
            work.order[noisy_end] = move_hint(state, move)
            noisy_end += 1
    for i in range(base, noisy_end):
        child = play(state, next_move(work, i, noisy_end))
        work.nodes += 1
        if work.nodes >= work.limit:
            work.stop = 1
        if work.stop != 0:
            return best
        if is_over(child):
            score = int64(end_score(child, ply + 1))
            if to_move(child) != to_move(state):
                score = -score
        elif to_move(child) == to_move(state):
            score = quiescence(child, ply + 1, noisy_end, low, beta, evaluate, work)
        else:
            score = -quiescence(child, ply + 1, noisy_end, -beta, -low, evaluate, work)
        if score > best:
            best = score
            low = max(low, best)
            if low >= beta:
                break
    return best


@njit
def winning_move(state, ply, base, end, mover, work):
    """Return a move that wins immediately, or -1. (Connect 4 to depth 14: 23% fewer nodes, at as many per second.)"""
    for i in range(base, end):
        child = play(state, work.moves[i])
        if is_over(child):
            score = int64(end_score(child, ply + 1))
            if (score if to_move(child) == mover else -score) == WIN - (ply + 1) * PLY:
                return int64(work.moves[i])
    return int64(-1)


@njit
def is_repeated(hash_key, ply, work):
    """Has this position already occurred, on the path from the root or before the root?"""
    for at in range(work.past + ply - 1, -1, -1):
        if work.keys[at] == hash_key:
            return True
    return False
