"""The engine: the values of plain minimax where they must agree, exact results, budgets, determinism."""

import math
import random
import threading
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import slow
import twice
import waiting
import zermelo as z
from conftest import dose
from zermelo.games import find_game
from zermelo.position import random_playout
from zermelo.rules import PLY, WIN, is_over, moves_of, play, to_move
from zermelo.scores import RECORDED_WIN, Score
from zermelo.searches import deepening
from zermelo.searches import transposition as table
from zermelo.searches.budget import Budget
from zermelo.searches.deepening import Engine

CONNECT4 = find_game("connect4")


def positions(name, number, least=0):
    game = find_game(name)
    for seed in range(number):
        length = len(random_playout(game.start(), seed).path)
        position = random_playout(game.start(), seed, max(least, random.Random(seed).randrange(length)))
        if not position.is_over:
            yield position


def last(engine, state, **budget):
    *_, found = engine.deepen(state, Budget(**budget))
    return found


@pytest.mark.parametrize("name", ["connect4", "tictactoe"])
@pytest.mark.parametrize("depth", [1, 2, dose(4, 3)])
def test_without_reductions_it_is_minimax(name, depth):
    """In these two games a position is always the same number of plies from the start, so the table mixes no depths."""
    for position in positions(name, dose(25, 3)):
        heuristic = position.game.heuristics[position.game.default_heuristic]
        found = last(Engine(heuristic, memory=1), position.state, depth=depth)
        if found.depth == depth:
            assert found.score == slow.minimax(position.state, depth, heuristic)
        else:
            assert found.exact


@pytest.mark.parametrize("name", ["onitama", "parcheckers", "reversi(columns=4, rows=4)", "hex(size=3)"])
def test_results_within_its_depth_are_found_in_every_game(name):
    """Positions near the end of random games; in some of these games it looks further where it is not quiet."""
    game, proven = find_game(name), 0
    heuristic = game.heuristics[game.default_heuristic]
    for seed in range(dose(12, 3)):
        path = random_playout(game.start(), seed).path
        for position in path[-4:-1]:
            expected = slow.minimax(position.state, 2, heuristic)
            if abs(expected) > RECORDED_WIN // 2:
                found = last(Engine(heuristic, memory=1), position.state, depth=2)
                assert found.score == expected, str(position)
                proven += 1
    assert proven


def test_exact_scores_are_exact_with_distances():
    """To the end of the game, against brute force: tic-tac-toe and a game in which one may move twice running."""
    for position in positions("tictactoe", dose(60, 4), least=dose(2, 4)):
        found = last(Engine(position.game.heuristics["lines"], memory=1), position.state)
        assert found.exact
        assert found.score == slow.minimax(position.state, 9, None)
    for heap in range(1, dose(11, 6)):
        state = twice.Twice(heap)
        found = last(Engine(twice.hands, memory=1), state)
        assert found.exact
        assert found.score == slow.minimax(state, 99, None)


@pytest.mark.parametrize("name", ["tree/course", "tree/theory"])
def test_trees_are_solved(name):
    start = find_game(name).start()
    found = last(Engine(start.game.heuristics["nothing"], memory=1), start.state)
    assert found.exact
    assert found.score == 5


def test_a_win_is_found_at_its_distance():
    found = last(Engine(CONNECT4.heuristics["centre"], memory=4), CONNECT4.position("112233").state, depth=6)
    assert found.score == Score.win(1)
    assert found.exact
    # red makes an open three in the bottom row, and wins two plies later whatever yellow does
    found = last(Engine(CONNECT4.heuristics["centre"], memory=4), CONNECT4.position("3344").state, depth=6)
    assert found.score == Score.win(3)
    assert found.move in (1, 4)


def test_the_line_is_legal_and_ends_well():
    for position in positions("connect4", dose(10, 2)):
        found = last(Engine(CONNECT4.heuristics["lines2"], memory=4), position.state, depth=dose(7, 3))
        state = position.state
        for move in found.line:
            assert move in moves_of(state)
            state = play(state, move)
        if is_over(state):
            assert found.score == slow.minimax(state, 0, None, ply=len(found.line)) * (
                1 if to_move(state) == to_move(position.state) else -1
            )


def test_one_thread_and_a_number_of_nodes_always_give_the_same():
    player = z.engine(heuristic="connect4/lines2", nodes=dose(30_000, 300))
    one, other = player.think(CONNECT4.start()), player.think(CONNECT4.position("44"))
    assert player.is_deterministic
    again = player.think(CONNECT4.start())
    assert (again.move, again.score, again.nodes, again.line) == (one.move, one.score, one.nodes, one.line)
    assert player.think(CONNECT4.position("44")).nodes == other.nodes
    assert one.nodes <= dose(30_000, 300)


def test_every_iteration_is_reported():
    found = list(Engine(CONNECT4.heuristics["lines2"]).deepen(CONNECT4.start().state, Budget(depth=dose(7, 3))))
    assert [one.depth for one in found] == list(range(1, dose(7, 3) + 1))
    assert all(one.complete and one.nodes > 0 and one.nodes_per_second > 0 for one in found)
    assert found[-1].table_use > 0 or dose(0, 1), "a hundred entries may all stand outside the sample"


@pytest.mark.parametrize("nodes", [1, 5, 200])
def test_a_small_budget_still_gives_a_move(nodes):
    found = last(Engine(CONNECT4.heuristics["lines2"]), CONNECT4.start().state, nodes=nodes)
    assert found.move in range(7)


def test_time_is_kept():
    engine = Engine(CONNECT4.heuristics["lines2"])
    last(engine, CONNECT4.start().state, depth=1)  # compiled now
    began = time.perf_counter()
    last(engine, CONNECT4.start().state, seconds=0.2)
    assert time.perf_counter() - began < 60  # how exactly, bench measures


def test_one_timer_and_few_hand_overs_serve_all_iterations(monkeypatch):
    started, handed = [], []
    timer, run = threading.Timer, deepening.run_stoppable

    def new_timer(*arguments):
        started.append(arguments)
        return timer(*arguments)

    def hand_over(*arguments):
        handed.append(arguments)
        return run(*arguments)

    monkeypatch.setattr(threading, "Timer", new_timer)
    monkeypatch.setattr(deepening, "run_stoppable", hand_over)
    monkeypatch.setattr(deepening, "BRIEF", math.inf)
    found = list(Engine(CONNECT4.heuristics["lines2"]).deepen(CONNECT4.start().state, Budget(seconds=1e4, depth=5)))
    assert [one.depth for one in found] == [1, 2, 3, 4, 5]
    assert len(started) == 1 and len(handed) == 1, "both cost more than a short iteration"


def test_it_can_be_stopped_from_outside():
    engine = Engine(CONNECT4.heuristics["lines2"])
    began = time.perf_counter()
    with waiting.again_and_again(engine.stop):
        last(engine, CONNECT4.start().state, seconds=300)
    assert time.perf_counter() - began < 200


def test_several_threads_come_to_the_same_score():
    position = CONNECT4.position("334")
    alone = last(Engine(CONNECT4.heuristics["lines2"], memory=8), position.state, depth=dose(9, 3))
    together = last(Engine(CONNECT4.heuristics["lines2"], memory=8, threads=2), position.state, depth=dose(9, 3))
    assert (together.score, together.depth) == (alone.score, alone.depth)


def test_wins_found_with_reductions_are_wins():
    """A reduced search may overlook one, but a forced win it reports is there, by brute force at that distance."""
    seen = 0
    for position in positions("connect4", dose(40, 4), least=12):
        found = last(Engine(CONNECT4.heuristics["lines2"], memory=2, reduce=True), position.state, depth=dose(5, 3))
        if found.score.is_proven:
            seen += 1
            plain = slow.minimax(position.state, found.score.plies, CONNECT4.heuristics["lines2"])
            assert (plain > 0) == (found.score > 0)
            assert abs(plain) >= abs(found.score)
    assert seen


def test_a_finished_game_has_nothing_to_search():
    with pytest.raises(ValueError, match="over"):
        last(Engine(CONNECT4.heuristics["lines2"]), CONNECT4.position("1212121").state)


# ------------------------------------------------------------------------------------------ the table

scores = st.integers(-WIN, WIN)


@settings(deadline=None)
@given(st.integers(1, 2**64 - 1), scores, st.integers(0, 255), st.sampled_from([1, 2, 3]), st.integers(-1, 70000))
def test_the_table_gives_back_what_was_stored(key, score, depth, bound, move):
    entries = table.new_table(0.01)
    table.store(entries, np.uint64(key), score, depth, bound, move, 3, 5)
    data = np.uint64(table.find(entries, np.uint64(key)))
    assert table.score_of(data, 3) == score
    assert table.depth_of(data) == depth
    assert table.bound_of(data) == bound
    assert table.age_of(data) == 5
    assert table.move_of(data) == (move if 0 <= move < 0xFFFF else -1)
    assert table.find(entries, np.uint64(key ^ 1)) == 0


def test_distances_are_kept_from_the_position():
    entries = table.new_table(0.01)
    table.store(entries, np.uint64(7), WIN - 10 * PLY, 3, table.EXACT, 1, 4, 0)  # a win 6 plies after this position
    data = np.uint64(table.find(entries, np.uint64(7)))
    assert table.score_of(data, 4) == WIN - 10 * PLY
    assert table.score_of(data, 9) == WIN - 15 * PLY


def test_the_deeper_and_newer_entry_stays():
    entries = table.new_table(0.0001)  # a single line of four entries
    assert entries.size == table.WORDS
    for number, (depth, age) in enumerate([(9, 1), (1, 1), (9, 1), (9, 1)], 1):
        table.store(entries, np.uint64(number), 0, depth, table.EXACT, 0, 0, age)
    table.store(entries, np.uint64(5), 0, 2, table.EXACT, 0, 0, 1)
    assert table.find(entries, np.uint64(2)) == 0, "the shallow one made room"
    assert table.find(entries, np.uint64(5)) != 0
    table.store(entries, np.uint64(6), 0, 3, table.EXACT, 0, 0, 2)
    assert table.find(entries, np.uint64(1)) != 0 or table.find(entries, np.uint64(3)) != 0
