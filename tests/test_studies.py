"""What the studies share. (Their tables are tested where they are printed: tests/cli.)"""

import pytest

import zermelo as z
from zermelo.errors import GameError
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
