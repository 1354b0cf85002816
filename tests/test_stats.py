"""Intervals, against published values of Wilson's."""

import pytest

from zermelo.stats import score_rate


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [
        # Newcombe, Statistics in Medicine 17 (1998), table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wins_and_losses_give_wilsons_interval(wins, games, low, high):
    rate = score_rate([1.0] * wins + [0.0] * (games - wins))
    assert (rate.low, rate.high) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


def test_draws_make_it_narrower():
    drawn = score_rate([0.5] * 80 + [1.0] * 10 + [0.0] * 10)
    decided = score_rate([1.0] * 50 + [0.0] * 50)
    assert drawn.high - drawn.low < decided.high - decided.low
    assert drawn.value == decided.value == 0.5


def test_no_games_say_nothing():
    assert (score_rate([]).low, score_rate([]).high) == (0.0, 1.0)


def test_all_draws_do_not_make_us_certain():
    rate = score_rate([0.5] * 10)
    assert rate.low < 0.5 < rate.high
