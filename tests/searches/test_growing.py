"""A Monte Carlo tree as the engine's search: budgets, reports, and answers that can be repeated."""

import pytest

from zermelo.errors import PlayerError
from zermelo.games import find_game
from zermelo.players import find_player
from zermelo.searches.budget import Budget
from zermelo.searches.growing import FIRST_REPORT, NODES_PER_SIMULATION, grow
from zermelo.searches.mcts_run import Mcts

HEX = find_game("hex", size=5)


def test_a_limit_of_nodes_is_kept_and_reports_come_on_the_way() -> None:
    simulations = 3 * FIRST_REPORT
    reports = list(grow(Mcts(HEX.start_state(), seed=0), Budget(nodes=simulations * NODES_PER_SIMULATION)))
    assert [report.nodes // NODES_PER_SIMULATION for report in reports] == [FIRST_REPORT, 2 * FIRST_REPORT, simulations]
    assert all(report.line for report in reports)


@pytest.mark.parametrize("budget", [Budget(nodes=1), Budget(nodes=-5), Budget(seconds=0.0)])
def test_there_is_an_answer_whatever_the_budget(budget: Budget) -> None:
    (report,) = grow(Mcts(HEX.start_state(), seed=0), budget)
    assert report.move in range(25)


def test_it_ends_when_the_root_is_solved() -> None:
    won = find_game("hex", size=3).position("B../B../... b")
    *_, report = grow(Mcts(won.state, seed=0), Budget(nodes=10**6))
    assert report.exact
    assert report.score.outcome == 1


def test_hex_is_played_by_the_tree_unless_a_heuristic_or_a_depth_is_given() -> None:
    assert find_player("engine").grows_tree(HEX)
    for text in ("engine(depth=2)", "engine(heuristic=distance)", "engine(search=alphabeta)"):
        assert not find_player(text).grows_tree(HEX)
    assert not find_player("engine").grows_tree(find_game("connect4"))
    with pytest.raises(PlayerError, match="search=depth_first is not alphabeta or mcts"):
        find_player("engine(search=depth_first)")


def test_with_a_limit_of_nodes_the_same_answer_comes_every_time() -> None:
    position, player = find_game("hex", size=9).position("c3 g5"), find_player("engine(nodes=3000, threads=2)")
    first, again = player.think(position), player.think(position)
    assert (first.move, first.score, first.nodes, first.line) == (again.move, again.score, again.nodes, again.line)
    assert first.nodes is not None
    assert first.nodes <= 3000
