"""What the studies share. (Their tables are tested where they are printed: tests/cli.)"""

from pathlib import Path

import pytest

import zermelo as z
from zermelo.analysis import searcher
from zermelo.errors import GameError
from zermelo.studies import ladder, pruning, random_games
from zermelo.studies.games import openings, pair_rate


def test_openings_are_different_and_not_over():
    found = openings(z.game("tictactoe"), 20, plies=2, seed=1)
    assert len(set(found)) == len(found) == 20
    assert not any(position.is_over for position in found)
    assert found == openings(z.game("tictactoe"), 20, plies=2, seed=1)
    assert len(openings(z.game("tictactoe"), 20, plies=1, seed=1)) == 9, "there are no more"


def test_a_game_that_is_over_by_then_has_no_openings():
    with pytest.raises(GameError, match="the game is nearly always over after 9 random plies"):
        openings(z.game("tictactoe"), 2, plies=9, seed=1)


def test_a_pair_is_one_sample():
    """Every pair shared means nothing about who is better, and ten pairs are ten samples, not twenty."""
    shared, won = pair_rate([1.0, 0.0] * 10), pair_rate([1.0, 1.0] * 10)
    assert (shared.value, shared.games) == (0.5, 10)
    assert (won.value, won.games) == (1.0, 10)
    assert won.low == pytest.approx(0.7225, abs=5e-4)  # Wilson's, 10 of 10 (Newcombe 1998)


def test_more_games_on_the_same_openings_do_not_narrow_the_intervals_of_a_ladder():
    """Weights twice as large play alike, so two such opponents tell no more than one."""
    opponents = ["lines2", "lines2(one=4, two=8, three=16)"]
    one, two = (
        {
            s.heuristic: s.rate
            for s in ladder.study(z.game("connect4"), ["centre", *some], pairs=8, depth=2, plies=6).standings
        }
        for some in (opponents[:1], opponents)
    )
    assert two["centre"] == one["centre"]
    assert 0 < one["centre"].value < 1 and one["centre"].games == 8


OWN = Path(__file__).parents[1] / "searches" / "own" / "styles.py"


def test_a_search_of_ones_own_takes_part():
    game = z.game("tictactoe")
    own = searcher(f"{OWN}:negamax", game)
    (found,) = pruning.study(game, [game.position("X../.O./... x")], depth=3, runs=1, own=own)
    assert found.own is not None and found.own.nodes == found.alphabeta.nodes < found.minimax.nodes
    assert found.same_moves
    assert [row[1] for row in pruning.table([found], "mine")[1]] == ["minimax", "alpha-beta", "mine"]
    assert pruning.to_dict([found])[0]["own"]["nodes"] == found.own.nodes
    name = f"{OWN}:negamax"
    standings = ladder.study(game, [name, "lines"], pairs=4, depth=2, plies=2).standings
    assert {one.heuristic for one in standings} == {name, "lines"}
    assert random_games.study(game, [name], games=4, depth=2)[0].losses == 0
