"""Intervals, against published values of Wilson's."""

import pytest

from zermelo.tournaments.intervals import grouped_rate, paired_rate, score_rate


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


def width(rate):
    return rate.high - rate.low


def test_pairs_that_agree_make_it_wider_and_pairs_that_balance_narrower():
    agreeing, balanced = [1.0, 1.0, 0.0, 0.0] * 10, [1.0, 0.0] * 19 + [1.0, 0.5]
    assert paired_rate(agreeing).value == score_rate(agreeing).value == 0.5
    assert paired_rate(agreeing).low == pytest.approx(score_rate([1.0, 0.0] * 10).low), "20 pairs are 20 samples"
    assert width(paired_rate(agreeing)) > 1.3 * width(score_rate(agreeing))
    assert width(paired_rate(balanced)) < width(score_rate(balanced))


def test_the_last_game_may_lack_its_partner():
    rate = paired_rate([1.0, 0.0, 1.0])
    assert (rate.value, rate.games) == (pytest.approx(2 / 3), 2)
    assert 0 <= rate.low < rate.value < rate.high <= 1


def test_the_same_games_again_add_no_certainty():
    """A group is one sample however many games it has."""
    once, often = [[1.0], [0.0], [1.0], [0.5]], [[1.0] * 6, [0.0] * 6, [1.0] * 6, [0.5] * 6]
    for one, other in zip((grouped_rate(once), grouped_rate(often)), (score_rate([1, 0, 1, 0.5]),) * 2, strict=True):
        assert (one.value, one.low, one.high) == pytest.approx((other.value, other.low, other.high))
