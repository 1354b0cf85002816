"""Budgets are kept, and a search that ends early still answers."""

import threading
import time

import pytest

from conftest import dose
from zermelo.core import JIT, heuristic
from zermelo.core.clock import run_stoppable
from zermelo.errors import HeuristicError
from zermelo.games import find_game
from zermelo.games.connect4.rules import Connect4
from zermelo.players import AlphaBetaPlayer, MinimaxPlayer
from zermelo.searches.budget import Budget
from zermelo.searches.textbook import run_alphabeta, run_minimax

START = find_game("connect4").start().state
HEURISTIC = find_game("connect4").heuristics["lines2"]


@pytest.mark.parametrize("run", [run_minimax, run_alphabeta])
@pytest.mark.parametrize("nodes", [1, 50, 1000])
def test_a_node_limit_is_kept(run, nodes):
    found = run(START, HEURISTIC, 10, budget=Budget(nodes=nodes))
    assert not found.complete
    assert found.generated + found.evaluated <= nodes
    assert found.move in range(7)


def test_beyond_the_limit_the_answer_is_the_best_move_searched_to_the_end():
    full = run_minimax(START, HEURISTIC, 3)
    assert full.complete
    # Just short of the end, all first moves but the last are known: the best of those is column 4, the best of all.
    almost = run_minimax(START, HEURISTIC, 3, budget=Budget(nodes=full.generated + full.evaluated - 1))
    assert not almost.complete
    assert (almost.move, almost.score) == (full.move, full.score)


@pytest.mark.parametrize("run", [run_minimax, run_alphabeta])
def test_time_is_up(run):
    run(START, HEURISTIC, 1)  # compiled now
    began = time.perf_counter()
    found = run(START, HEURISTIC, 40, budget=Budget(seconds=0.15))
    taken = time.perf_counter() - began
    assert not found.complete
    assert found.move in range(7)
    assert 0.1 < taken < 60  # how exactly, bench measures; here, that it stops at all


def test_time_is_up_in_another_thread_too():
    results = []
    threads = [
        threading.Thread(target=lambda: results.append(run_alphabeta(START, HEURISTIC, 40, budget=Budget(seconds=0.1))))
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found.complete for found in results] == [False, False]


def test_the_main_thread_can_be_interrupted():
    stopped = threading.Event()

    def call():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_stoppable(call, stopped.set)
    assert stopped.is_set()


def test_a_search_after_an_interrupted_one_is_clean():
    expected = run_alphabeta(START, HEURISTIC, dose(5, 3))
    run_alphabeta(START, HEURISTIC, 30, budget=Budget(nodes=100))
    again = run_alphabeta(START, HEURISTIC, dose(5, 3))
    assert (again.score, again.generated, again.line) == (expected.score, expected.generated, expected.line)


def test_two_threads_do_not_disturb_each_other():
    expected = run_alphabeta(START, HEURISTIC, dose(7, 2)).generated
    counts = []

    def work():
        counts.extend(run_alphabeta(START, HEURISTIC, dose(7, 2)).generated for _ in range(3))

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts == [expected] * 6


@pytest.mark.parametrize("player", [AlphaBetaPlayer, MinimaxPlayer])
def test_time_without_a_depth_deepens_until_it_is_up(player):
    start = find_game("connect4").start()
    player("lines2", seconds=0.01).think(start)  # compiled now
    short, long = (player("lines2", seconds=seconds).think(start) for seconds in (0.02, 1.0))
    assert long.depth > dose(5, 1)
    assert long.depth > short.depth
    assert 0.5 < long.seconds < 20
    expected = player("lines2", depth=long.depth).think(start)
    assert (long.move, long.score, long.line) == (expected.move, expected.score, expected.line)


@pytest.mark.parametrize("player", [AlphaBetaPlayer, MinimaxPlayer])
def test_nodes_without_a_depth_deepen_until_they_are_used_up(player):
    start = find_game("connect4").start()
    depths = []
    for nodes in (1, 20, 2000, dose(2_000_000, 8000)):
        found = player("lines2", nodes=nodes).search(start)
        assert found.generated + found.evaluated <= nodes
        assert found.move in range(7)
        depths.append(found.depth)
    assert depths == sorted(depths) and depths[0] == 1 and depths[-1] > dose(5, 2)
    assert player("lines2", nodes=2000).is_deterministic and not player("lines2", seconds=1).is_deterministic


def test_deepening_ends_when_nothing_is_left_to_look_at():
    ended = find_game("tictactoe").position("XO./OX./XO. x")
    for options in ({"seconds": 60}, {"nodes": 10**12}, {"seconds": 60, "order": "lines"}):
        assert AlphaBetaPlayer(**options).think(ended).depth <= 4
    trace = AlphaBetaPlayer(nodes=10**12).search(ended, trace=True)
    assert trace.tree is not None and trace.tree_complete


def test_a_player_without_any_budget_looks_four_plies_ahead():
    for player in (AlphaBetaPlayer(), AlphaBetaPlayer(depth=4)):
        assert (str(player), player.depth) == ("alphabeta", 4)
    assert AlphaBetaPlayer() == AlphaBetaPlayer(depth=4)
    assert str(AlphaBetaPlayer(seconds=2)) == "alphabeta(seconds=2)"
    assert str(AlphaBetaPlayer(depth=4, seconds=2)) == "alphabeta(depth=4, seconds=2)"


def test_an_error_inside_a_heuristic_is_reported_under_its_name():
    @heuristic(weights={"only": 1})
    def reaches_too_far(state: Connect4, w):
        return w[7 + int(state.mine & state.stones & ~state.stones)]

    with pytest.raises(HeuristicError, match=r"reaches_too_far failed in the position .*: IndexError"):
        AlphaBetaPlayer(reaches_too_far, 2).choose(find_game("connect4").start())


@pytest.mark.skipif(not JIT, reason="plain Python always raises")
def test_division_by_zero_in_a_users_heuristic_is_an_error_not_a_number():
    @heuristic
    def divides(state: Connect4):
        return 5 // int(state.mine & ~state.mine)

    with pytest.raises(HeuristicError, match=r"divides failed in the position .*: ZeroDivisionError"):
        AlphaBetaPlayer(divides, 1).choose(find_game("connect4").start())
