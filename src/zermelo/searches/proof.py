"""Depth-first proof-number search (df-pn; Nagai 2002), compiled: can this player force a win?

Every position has two numbers: its proof number, how many positions at least must still be shown won to prove the
win, and its disproof number, likewise for refuting it. The search always goes where least is needed. That takes a
best-first tree of its own in the original (Allis 1994); here a depth-first search with two limits visits the same
positions in the same order, and a table of fixed size remembers what there is no room for on the way.

The player who wants the win is the attacker; who moves decides whether one good move is enough or all must be
(no alternation is presumed). A draw is no win: ask for both players to tell it from a loss.
"""

import numba
import numpy as np
from numba import int64

from zermelo.core import mix, njit
from zermelo.rules import can_repeat, is_over, legal_moves, outcome, play, table_key, to_move
from zermelo.searches.workspace import ROOM, WIDEST

INFINITE = 1 << 30
"""The number of what cannot be done any more; the other number is then 0."""

LONGEST = 512
"""No proof looks further ahead."""

BUCKET = 4  # entries that may hold a position

ENTRY = np.dtype(
    [
        ("key", np.uint64),
        ("proof", np.uint32),
        ("disproof", np.uint32),
        ("spent", np.uint64),  # positions made to find this out; 0: the entry is free
    ],
    align=True,
)
TABLE_TYPE = numba.from_dtype(ENTRY)[::1]

PROOF_WORK = np.dtype(
    [
        ("stop", np.int64),  # set from outside, or when the limit is reached
        ("limit", np.int64),  # of positions made
        ("generated", np.int64),  # positions made by playing a move
        ("attacker", np.int64),  # 0 or 1
        ("plies", np.int64),  # beyond so many the attacker has failed,
        ("horizon", np.int64),  # and then this is set: what is refuted may be so only within these plies
        ("proof", np.int64),  # the result of a call
        ("disproof", np.int64),
        ("moves", np.int32, ROOM),
        ("counted", np.int32, WIDEST),
        ("success", np.int64, ROOM),  # of each move, for the player who makes it
        ("failure", np.int64, ROOM),
    ],
    align=True,
)
PROOF_WORK_TYPE = numba.from_dtype(PROOF_WORK)


@njit
def entry_key(state, ply, work):
    """One table serves both questions, so the attacker is part of the key.

    In a game that can repeat itself, so are the plies left: then nothing known of a position depends on the way to
    it, and no search goes in circles.
    """
    salt = work.attacker + 1
    if can_repeat(state):
        salt += 2 * (work.plies - ply)
    return mix(table_key(state) ^ np.uint64(salt) << np.uint64(40))


@njit
def look(child, ply, place, is_attacker, table, work):
    """Write what is known of a child, a move away from a position whose mover is the attacker or not."""
    if is_over(child):
        for_attacker = outcome(child) if to_move(child) == work.attacker else -outcome(child)
        proof, disproof = (0, INFINITE) if for_attacker > 0 else (INFINITE, 0)
    elif ply >= work.plies or place > ROOM - 2 * WIDEST:
        work.horizon = 1
        proof, disproof = INFINITE, 0
    else:
        proof, disproof = known_numbers(child, ply, table, work)
    work.success[place] = proof if is_attacker else disproof
    work.failure[place] = disproof if is_attacker else proof


@njit
def known_numbers(state, ply, table, work):
    """The proof and disproof number of a position from the table, or a first guess.

    Of one good move there is hope at once; to show that all are bad takes as many proofs as there are moves. (That
    guess instead of 1 and 1 saves a fifth of the positions in Connect 4, half in Reversi.)
    """
    code = entry_key(state, ply, work)
    first = bucket_of(code, table)
    for at in range(first, first + BUCKET):
        if table[at].key == code and table[at].spent != 0:
            return int64(table[at].proof), int64(table[at].disproof)
    many = int64(legal_moves(state, work.counted, 0))
    if to_move(state) == work.attacker:
        return int64(1), many
    return many, int64(1)


@njit
def bucket_of(code, table):
    """The first of the entries in which a key may stand."""
    buckets = np.uint64(len(table) // BUCKET)
    return int64((code >> np.uint64(32)) * buckets >> np.uint64(32)) * BUCKET


@njit
def store(code, proof, disproof, spent, table):
    """Remember a position in place of itself, or of the one in its bucket that cost least."""
    first = bucket_of(code, table)
    place = first
    for at in range(first, first + BUCKET):
        if table[at].key == code and table[at].spent != 0:
            place = at
            spent += int64(table[at].spent)
            break
        if table[at].spent < table[place].spent:
            place = at
    table[place].key = code
    table[place].proof = proof
    table[place].disproof = disproof
    table[place].spent = max(spent, 1)


@njit
def prove(state, ply, base, most_proof, most_disproof, table, work):
    """Search a position until its proof or its disproof number reaches its limit; write both to work.

    proof == 0: the attacker can force a win from here. disproof == 0: he cannot (with work.horizon, perhaps only not
    within work.plies of the root). Otherwise neither is known yet. The position is not over. Once work.stop is set
    the numbers are those found so far. base: where in work.moves this position may write.
    """
    began = work.generated
    is_attacker = to_move(state) == work.attacker
    most_success = most_proof if is_attacker else most_disproof
    most_failure = most_disproof if is_attacker else most_proof
    # 1. What the table knows of every child. One that does what the mover wants is enough.
    end = int64(legal_moves(state, work.moves, base))
    for i in range(base, end):
        look(play(state, int64(work.moves[i])), ply + 1, i, is_attacker, table, work)
        work.generated += 1
        if work.success[i] == 0:
            end = i + 1
            break
    if work.generated >= work.limit:
        work.stop = 1
    while True:
        # 2. The mover needs one child to succeed, and fails if all do.
        best, success, second, failure = base, int64(INFINITE), int64(INFINITE), int64(0)
        for i in range(base, end):
            failure += work.failure[i]
            if work.success[i] < success:
                best, second, success = i, success, work.success[i]
            elif work.success[i] < second:
                second = work.success[i]
        failure = INFINITE if success == 0 else min(failure, INFINITE - 1)
        if success >= most_success or failure >= most_failure or failure == 0 or success == 0 or work.stop != 0:
            break
        # 3. On with the child that needs least, until it needs half as much again as the second best, or too much.
        # (With `second + 1`, as first published, searches turn back too often: 1.3 to 2.7 times the positions.)
        allowed_success = min(most_success, second + second // 2 + 1)
        allowed_failure = min(most_failure - failure + work.failure[best], INFINITE)
        child = play(state, int64(work.moves[best]))
        if is_attacker:
            prove(child, ply + 1, end, allowed_success, allowed_failure, table, work)
            work.success[best], work.failure[best] = work.proof, work.disproof
        else:
            prove(child, ply + 1, end, allowed_failure, allowed_success, table, work)
            work.success[best], work.failure[best] = work.disproof, work.proof
    work.proof = success if is_attacker else failure
    work.disproof = failure if is_attacker else success
    store(entry_key(state, ply, work), work.proof, work.disproof, work.generated - began, table)
    return int64(0)
