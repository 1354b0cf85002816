"""The endgame tables of published players: made in parts by compiled code, and looked up as by the native solver."""

from dataclasses import replace

import numpy as np
import pytest
from test_onitama_endgames import random_states

from zermelo.core import JIT
from zermelo.core.numbers import PLY, WIN
from zermelo.games import find_game
from zermelo.games.onitama import endgames, published, solver
from zermelo.games.onitama.cards import NUMBER
from zermelo.games.onitama.endgame_index import look_up
from zermelo.games.onitama.retrograde import LONG
from zermelo.searches.workspace import UNLIMITED
from zermelo.solving.compiled import NO_ANSWER

pytestmark = pytest.mark.skipif(not JIT, reason="a table takes seconds compiled, hours in plain Python")
START = find_game("onitama").start_state()
OTHERS = tuple(sorted(NUMBER[name] for name in ("boar", "crab", "dragon", "eel", "frog")))


@pytest.fixture(scope="module")
def made():
    """The solver with the table of the usual cards, and how many parts that took."""
    found = solver.published(START)
    found.work.table = found.table.ctypes.data
    assert answers(found, random_states(endgames.cards_of(START), 1)[0], is_timed=True)[0] == NO_ANSWER
    parts = 1
    while found.prepare(START, found.work, found.table, found.book):
        parts += 1
    return found, parts


def answers(found, state, is_timed=False):
    return found.find_move(state, UNLIMITED, is_timed, found.work, found.table, found.book)


def table_of(found, state, is_timed=False):
    return int(found.tables(state, is_timed, found.work, found.table, found.book))


def test_the_table_is_that_of_the_native_solver(made):
    found, parts = made
    native = endgames.tables_for(endgames.cards_of(START)).limited(4)
    values = found.table["values"][0]
    assert values.tobytes() == native.values[: len(values)].tobytes()
    assert parts > 20, "each part is short"


def test_moves_are_those_of_the_native_solver(made):
    found, _ = made
    for state in random_states(endgames.cards_of(START), 200):
        native = solver.solve(state)
        size = 0 if native.score == 0 else WIN - native.plies * PLY
        wanted = (native.moves[0], native.score * size, native.plies or 0, native.nodes)
        assert tuple(map(int, answers(found, state))) == wanted
        assert answers(found, state, is_timed=True) == answers(found, state)


def test_searches_look_up_what_the_native_engine_looks_up(made):
    found, _ = made
    for state in random_states(endgames.cards_of(START), 20, most_students=7):
        native = solver.search_tables(state)
        address = table_of(found, state)
        assert (address == 0) == (native is None)
        assert table_of(found, state, is_timed=True) == address
        if native is not None and endgames.men_of(state) <= 4:
            assert look_up(state, np.uint64(address)) == look_up(state, np.uint64(native.address))


def test_other_cards_need_another_table(made):
    """A game with other cards begins anew; against the clock, the table of other cards is not looked up."""
    found = replace(made[0], table=made[0].table.copy(), work=made[0].work.copy())
    found.work.table = found.table.ctypes.data
    state = random_states(OTHERS, 1)[0]
    assert table_of(found, state, is_timed=True) == 0
    assert answers(found, state, is_timed=True)[0] == NO_ANSWER
    assert int(answers(found, state)[0]) == solver.solve(state).moves[0]


def test_a_table_with_too_many_long_endgames_is_not_used(made):
    found = replace(made[0], table=made[0].table.copy(), work=made[0].work.copy())
    shared = found.table.view(np.recarray)[0]
    shared.beyond[:3] = 7, 3, 5
    shared.counters[LONG] = 3
    published.end(found.work, shared)
    assert shared.beyond[:3].tolist() == [3, 5, 7] and found.work.stage == published.READY
    shared.counters[LONG] = published.LONGEST + 1
    published.end(found.work, shared)
    state = random_states(endgames.cards_of(START), 1)[0]
    assert table_of(found, state) == 0 and answers(found, state)[0] == NO_ANSWER
