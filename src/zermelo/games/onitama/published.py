"""The endgame tables for published players: compiled code makes the table of four pieces, which is then looked up.

A module has no files, so it makes the table itself, a part at a time: first all wins in one ply, and then, with every
part, what is won or lost a ply later (see retrograde.py).
"""

import numpy as np
from numba import int64, uint64

from zermelo.core import count, njit
from zermelo.core.numbers import PLY, WIN
from zermelo.core.scratch import scratch
from zermelo.games.onitama import retrograde
from zermelo.games.onitama.endgame_index import (
    BEYOND_WORD,
    CARDS_IN_PLAY,
    CARDS_WORD,
    DRAWN,
    LONG_WORD,
    NOT_A_POSITION,
    STUDENTS_WORD,
    VALUES_WORD,
    WORDS,
    deal_of_state,
    look_up,
)
from zermelo.games.onitama.retrograde import LONG, SETTLED
from zermelo.games.onitama.rules import card_at, is_lost
from zermelo.rules import legal_moves, play
from zermelo.solving.compiled import NO_ANSWER

STUDENTS = 2
"""Besides the masters: the table has positions of up to four pieces."""
MOST_MOVES = 40
"""Five pieces, two cards, four steps."""
LONGEST = 4096
"""The number of endgames of more than 253 plies for which there is room. If a set of cards has more, its table is not
used; none of 15 random sets had any."""

NOTHING, UNFINISHED, READY, TOO_LONG = range(4)
"""How far the table is; see `WORK`."""

WORK = np.dtype([("table", np.uint64), ("stage", np.int64), ("plies", np.int64)])
"""The address of the table and all that it takes to make it; how far that is; and up to how many plies."""


def _table_type() -> np.dtype:
    """All arrays of retrograde.Work and retrograde.Steps, and the words by which the table is known."""
    arrays = retrograde.new_work(range(CARDS_IN_PLAY), STUDENTS)._replace(beyond=np.zeros(LONGEST, np.int64))
    parts = arrays._asdict() | retrograde.new_steps()._asdict() | {"words": np.zeros(WORDS, np.uint64)}
    return np.dtype([(name, part.dtype, part.shape) for name, part in parts.items()], align=True)


TABLE = _table_type()
VALUES, LONG_ENDGAMES, WORDS_AT = (int(TABLE.fields[name][1]) for name in ("values", "beyond", "words"))  # type: ignore[index]


@njit
def put_cards(state, shared):
    """Note which cards are in play, in order."""
    packed = uint64(0)
    for place in range(CARDS_IN_PLAY):
        at = place
        while at > 0 and shared.cards[at - 1] > int64(card_at(state, place)):
            shared.cards[at] = shared.cards[at - 1]
            at -= 1
        shared.cards[at] = int64(card_at(state, place))
    for place in range(CARDS_IN_PLAY):
        packed |= uint64(shared.cards[place]) << uint64(8 * place)
    shared.words[CARDS_WORD] = packed


@njit
def begin(state, work, shared):
    """Begin a table for the cards of a state: find what is won in one ply."""
    put_cards(state, shared)
    shared.words[STUDENTS_WORD] = STUDENTS
    shared.words[VALUES_WORD] = work.table + uint64(VALUES)
    shared.words[BEYOND_WORD] = work.table + uint64(LONG_ENDGAMES)
    retrograde.list_students(STUDENTS, shared.mine, shared.theirs)
    shared.values[:] = NOT_A_POSITION
    shared.changed[:] = 0
    shared.counters[:] = 0
    sets = len(shared.mine)
    retrograde.begin(0, sets, 0, shared, shared)
    retrograde.win_at_once(0, sets, 1, shared, shared)
    work.stage, work.plies = UNFINISHED, 1


@njit
def sort(numbers, length):
    """Sort the first few numbers."""
    step = length // 2
    while step > 0:
        for i in range(step, length):
            number, at = numbers[i], i
            while at >= step and numbers[at - step] > number:
                numbers[at] = numbers[at - step]
                at -= step
            numbers[at] = number
        step //= 2


@njit
def end(work, shared):
    """What is not decided by now is drawn."""
    retrograde.end_with_draws(0, len(shared.mine), 0, shared, shared)
    long = shared.counters[LONG]
    work.stage = READY if long <= LONGEST else TOO_LONG
    sort(shared.beyond, min(long, int64(LONGEST)))
    shared.words[LONG_WORD] = long


@njit
def is_known(state, work, shared):
    """Has the table of these cards been begun?"""
    return work.stage != NOTHING and deal_of_state(state, shared.words[CARDS_WORD]) >= 0


@njit
def make_part(state, work, shared):
    """Make the next part of the table for the cards of a state; whether there is more to do."""
    if not is_known(state, work, shared):
        begin(state, work, shared)
    elif work.stage == UNFINISHED:
        before = shared.counters[SETTLED]
        work.plies += 1
        shared.fresh[:] = shared.changed
        shared.changed[:] = 0
        retrograde.go_back(0, len(shared.mine), work.plies, shared, shared)
        if shared.counters[SETTLED] == before:
            end(work, shared)
    return work.stage == UNFINISHED


@njit
def table_at(state, is_timed, work, shared):
    """The address of the table for the cards of a state, or 0. Against the clock, it must be there already."""
    while not is_timed and make_part(state, work, shared):
        pass
    return work.table + uint64(WORDS_AT) if work.stage == READY and is_known(state, work, shared) else uint64(0)


@njit
def prepare(state, work, table, book):
    """See solving/compiled.py."""
    return int64(make_part(state, work, table[0]))


@njit
def plies_after(state, move, table):
    """As look_up says of the position after a move; -1 if it is over, and so lost in no plies at all."""
    child = play(state, move)
    return int64(-1) if is_lost(child) else look_up(child, table)


def functions(most_men, useful_men):
    """What CompiledSolver calls find_move and tables.

    most_men: of positions in the table; useful_men: with more pieces, a search does not look positions up.
    """

    @njit
    def find_move(state, limit, is_timed, work, table, book):
        nothing = int64(NO_ANSWER), int64(0), int64(0), int64(0)
        if int64(count(uint64(state.mine) | uint64(state.theirs))) > most_men:
            return nothing
        address = table_at(state, is_timed, work, table[0])
        plies = look_up(state, address)
        if plies < 0:
            return nothing
        wanted = -1 if plies == 1 else DRAWN if plies == DRAWN else plies - 1
        moves = scratch(MOST_MOVES, np.int32)
        best, number = int64(NO_ANSWER), int64(legal_moves(state, moves, int64(0)))
        for i in range(number - 1, -1, -1):
            if plies_after(state, int64(moves[i]), address) == wanted:
                best = int64(moves[i])
        score = int64(0) if plies == DRAWN else int64(WIN - plies * PLY)
        return best, score if plies & 1 or plies == DRAWN else -score, plies, number + 1

    @njit
    def tables(state, is_timed, work, table, book):
        if int64(count(uint64(state.mine) | uint64(state.theirs))) > useful_men:
            return uint64(0)
        return table_at(state, is_timed, work, table[0])

    return find_move, tables
