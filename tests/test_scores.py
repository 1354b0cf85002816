"""Scores: what they are made from, how they are written, and that numbers inside searches lose nothing."""

import random

import numpy as np
import pytest

from zermelo.core.numbers import FINE, MOST_POINTS, PLY, POINT, PROVEN, WIN, points_of, units_of
from zermelo.scores import RECORDED_WIN, Score, numbers_of_units, score_text, units_of_score


def test_three_decimals_are_kept_up_to_a_million():
    chance = random.Random(1)
    for _ in range(2000):
        points = round(chance.uniform(-FINE, FINE), 3)
        assert points_of(units_of(points)) == points
    assert points_of(units_of(999_999.999)) == 999_999.999
    assert isinstance(points_of(units_of(-12)), int)


def test_larger_values_keep_their_order_and_stay_below_a_win():
    values = [FINE, FINE + 1, 2 * FINE, 2 * FINE + 1, 10**7, 10**8, 5 * 10**8, MOST_POINTS]
    units = [int(units_of(value)) for value in values]
    assert units == sorted(set(units)) and units[-1] < PROVEN
    assert [int(units_of(-value)) for value in values] == [-one for one in units]
    assert points_of(units_of(10**7)) == 10**7
    assert points_of(units_of(10**12)) == MOST_POINTS
    assert abs(points_of(units_of(10**8)) / 10**8 - 1) < 1e-6


@pytest.mark.parametrize(
    ("score", "text", "mark", "number"),
    [
        (Score.win(3), "win in 3", "W3", RECORDED_WIN - 3),
        (Score.loss(4), "loss in 4", "L4", 4 - RECORDED_WIN),
        (Score.win(), "win", "W", RECORDED_WIN),
        (Score.draw(), "draw", "0", 0),
        (Score.exact(12), "+12", "+12", 12),
        (Score.exact(-2, plies=30), "loss in 30", "-2", -2),
        (Score.exact(0, plies=30), "draw", "0", 0),
        (Score(5), "+5", "+5", 5),
        (Score(-0.125), "-0.125", "-0.125", -0.125),
        (Score(0), "0", "0", 0),
        (Score(-1500), "-1500", "-1.5k", -1500),
        (Score(123456), "+123456", "+123k", 123456),
    ],
)
def test_a_score_in_words_on_a_board_and_in_a_record(score, text, mark, number):
    assert (score.text, score.mark, score.number) == (text, mark, number)
    assert Score.of_number(number) == score == number
    assert score_text(number) == (text if not score.in_points and score.outcome != 0 else score_text(Score(number)))


def test_the_other_player_sees_the_opposite():
    mine = Score.win(5, player=1)
    assert -mine == mine.seen_by(2) == Score.loss(5)
    assert mine.seen_by(2).player == 2 and mine.seen_by(1) is mine
    assert Score(3, player=2).seen_by(1) == -3


def test_scores_are_ordered_quick_wins_first_and_slow_losses_before_quick_ones():
    ranked = [Score.win(1), Score.win(7), Score(40), Score(0.5), Score(0), Score(-3), Score.loss(8), Score.loss(2)]
    assert sorted(ranked, reverse=True) == ranked
    assert Score(0) and max(ranked) == Score.win(1)


def test_units_of_searches_become_scores_and_back():
    for score in (Score.win(1), Score.loss(9), Score(12), Score(-0.001), Score(0)):
        assert Score.of_units(int(units_of_score(score))) == score
    assert Score.of_units(WIN - 6 * PLY).plies == 6
    units = np.array([5 * POINT, -POINT, 0])
    assert numbers_of_units(units) == [5, -1, 0] and all(isinstance(one, int) for one in numbers_of_units(units))
    assert numbers_of_units(np.array([WIN - 2 * PLY, 1500])) == [RECORDED_WIN - 2, 1.5]
