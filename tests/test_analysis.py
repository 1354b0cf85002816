"""Analysis: every legal move with its exact value at the depth reached."""

from pathlib import Path

import pytest

import slow
import zermelo as z
from conftest import dose
from zermelo.analysis import deepen, deepen_by, searcher
from zermelo.errors import PlayerError, PositionError
from zermelo.searches.budget import Budget


def test_scores_are_minimax_values():
    game = z.game("connect4")
    position = game.position("324443")
    depth = dose(4, 2)
    result = z.analyse(position, depth=depth, heuristic="lines2")
    assert {m.move for m in result.moves} == set(position.moves)
    heuristic = game.heuristics["lines2"]
    for move in result.moves:
        child = position.play(move.move).state
        assert move.score == -slow.minimax(child, depth - 1, heuristic, ply=1)
    assert [m.score for m in result.moves] == sorted((m.score for m in result.moves), reverse=True)
    assert result.best.score == slow.minimax(position.state, depth, heuristic)


def test_wins_are_counted_in_plies():
    position = z.game("connect4").position("112233")
    best = z.analyse(position, depth=3).best
    assert (best.move, best.text) == ("4", "win in 1")
    losing = z.game("tictactoe").position("X../.O./..X o")
    assert any(m.text == "loss in 4" for m in z.analyse(losing, depth=6).moves)


def test_it_deepens_until_the_budget_ends():
    position = z.game("connect4").start()
    depths = [result.depth for result in deepen(position, Budget(nodes=dose(20000, 300)), heuristic="lines2")]
    assert depths == list(range(1, len(depths) + 1))
    assert len(depths) >= 2
    assert z.analyse(position, seconds=0.05, heuristic="lines2").depth >= 1


def test_it_is_exact_from_the_first_move_where_there_is_a_book():
    """The first moves of Connect 4 score -2 -1 0 1 0 -1 -2: published, and in the project's reference files."""
    found = z.analyse(z.game("connect4").start(), depth=2)
    assert {m.move: m.score for m in found.moves} == dict(zip("1234567", [-2, -1, 0, 1, 0, -1, -2], strict=True))
    assert found.best.text == "win in 41" and found.moves[-1].text == "loss in 40"
    assert all(m.exact for m in found.moves)


def test_it_stops_when_nothing_is_left_to_look_at():
    assert z.analyse(z.game("tree/course").start()).depth <= 5
    assert str(z.analyse(z.game("tree/course").start()).best.move) == "D"


def test_a_finished_game_has_nothing_to_analyse():
    with pytest.raises(PositionError, match="the game is over in 1212121"):
        z.analyse(z.game("connect4").position("1212121"))


@pytest.mark.parametrize(
    ("score", "text"), [(0, "0"), (5, "+5"), (-7, "-7"), ((1 << 30) - 3, "win in 3"), (4 - (1 << 30), "loss in 4")]
)
def test_scores_in_words(score, text):
    assert z.score_text(score) == text


OWN = Path(__file__).parent / "searches" / "own" / "styles.py"


@pytest.mark.parametrize("player", ["alphabeta", "minimax", f"{OWN}:negamax", f"{OWN}:textbook"])
def test_a_search_of_a_player_scores_every_move(player):
    """The scores are those of the engine at the same depth; a line may be another one of equal worth."""
    position = z.game("connect4").position("324443")
    depth = dose(4, 2)
    ours = z.analyse(position, depth=depth, heuristic="lines2")
    theirs = z.analyse(position, depth=depth, heuristic="lines2", player=player)
    assert {m.move: m.score for m in theirs.moves} == {m.move: m.score for m in ours.moves}
    assert theirs.depth == depth and theirs.heuristic.startswith(player)
    won = z.analyse(z.game("connect4").position("112233"), depth=2, player=player).best
    assert (won.move, won.text) == ("4", "win in 1")


def test_a_player_of_the_analysis_keeps_its_budget():
    position = z.game("connect4").start()
    depths = [r.depth for r in deepen_by(searcher("minimax", position.game), position, Budget(nodes=dose(20000, 600)))]
    assert depths == list(range(1, len(depths) + 1)) and len(depths) >= 2
    assert z.analyse(position, player="minimax(depth=2)").depth == 2
    with pytest.raises(PlayerError, match="random gives no value to every move"):
        z.analyse(position, player="random")
