"""The engine's order of moves: what it looks up in the table, and the hints of a game."""

import numpy as np
import pytest

import zermelo as z
from conftest import dose
from zermelo.games import find_game
from zermelo.position import random_playout
from zermelo.rules import moves_of, play, reply_hint, table_key, to_move
from zermelo.searches import ordering
from zermelo.searches.budget import Budget
from zermelo.searches.deepening import Engine
from zermelo.searches.engine import engine_workspace
from zermelo.searches.transposition import EXACT, LOWER, UPPER, new_table, store

CONNECT4 = find_game("connect4")
DEPTH, PLY, BETA = 5, 2, 100


def ranked(state, known=None, depth=DEPTH, beta=BETA):
    """What rank_moves returns, and the moves in their order. known: score, depth and bound in the table, by move."""
    work, table = engine_workspace(), new_table(0.1)
    for move, (score, stored, bound) in (known or {}).items():
        child = np.uint64(table_key(play(state, move)))
        store(table, child, score, stored, bound, -1, PLY + 1, 0)
    moves = moves_of(state)
    work.moves[: len(moves)] = moves
    found = ordering.rank_moves(state, depth, PLY, 0, len(moves), int(to_move(state)), -1, beta, table, work)
    return found, [int(ordering.next_move(work, i, len(moves))) for i in range(len(moves))]


def test_a_child_that_the_table_knows_to_be_bad_enough_cuts_off():
    """The score in the table is the opponent's: at most -100 there is at least 100 here."""
    state = CONNECT4.start().state
    assert ranked(state, {3: (-BETA, DEPTH - 1, UPPER)})[0] == BETA
    assert ranked(state, {3: (-BETA, DEPTH - 1, EXACT)})[0] == BETA


@pytest.mark.parametrize(
    "entry",
    [(-BETA, DEPTH - 2, UPPER), (-BETA, DEPTH - 1, LOWER), (1 - BETA, DEPTH - 1, EXACT)],
    ids=["too shallow", "wrong bound", "not enough"],
)
def test_other_entries_do_not_cut_off(entry):
    assert ranked(CONNECT4.start().state, {3: entry})[0] == ordering.NOTHING


def test_what_the_table_knows_at_a_smaller_depth_decides_the_order():
    state = CONNECT4.start().state
    usual = ranked(state)[1]
    worst, best = usual[-1], usual[0]
    assert ranked(state, {worst: (-BETA, 1, UPPER)})[1][0] == worst
    assert ranked(state, {best: (BETA, 1, EXACT)})[1][-1] == best


def test_positions_with_few_replies_come_first_in_reversi():
    position = random_playout(find_game("reversi").start(), 5, 20)
    hints = {move: int(reply_hint(play(position.state, move))) for move in moves_of(position.state)}
    assert len(set(hints.values())) > 2
    work = engine_workspace()
    moves = list(hints)
    work.hinted = 1
    work.moves[: len(moves)] = moves
    table = new_table(0.1)
    ordering.rank_moves(position.state, 1, 0, 0, len(moves), int(to_move(position.state)), -1, 0, table, work)
    first = ordering.next_move(work, 0, len(moves))
    assert hints[first] >= max(hints.values()) - 2, "the squares' own hints count less than two replies"


def test_cut_offs_by_lookup_leave_the_score_alone():
    """Reversi at a fixed depth has the score of the textbook search, whatever the order of the moves."""
    for seed in range(dose(6, 2)):
        position = random_playout(find_game("reversi(columns=6, rows=6)").start(), seed, 10)
        heuristic = position.game.heuristics["mobility"]
        *_, found = Engine(heuristic, memory=1).deepen(position.state, Budget(depth=dose(4, 3)))
        assert found.score == z.alphabeta(heuristic, depth=dose(4, 3)).think(position).score
