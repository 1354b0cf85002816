"""The statistics, on numbers published in the tests of fastchess (an established runner of engine matches)."""

import math

import numpy as np
import pytest

from zermelo.errors import ZermeloError
from zermelo.tournaments.rating import bradley_terry, difference, elo_of_score, fit, ladder_ratings, score_of_elo
from zermelo.tournaments.sprt import Sprt, log_likelihood_ratio


@pytest.mark.parametrize(
    ("counts", "elo", "elo_error", "normalised", "normalised_error", "superiority"),
    [
        ([96, 111, 136], 40.70, 30.43, 49.77, 36.77, 99.60),
        ([89, 123, 76], None, None, -20.76, 40.13, 15.53),
        ([34, 54, 63, 64, 75], 55.58, 27.65, 57.94, 28.28, None),
        ([332, 433, 498, 333, 334], -8.64, 10.33, -9.17, 10.96, 5.05),
    ],
)
def test_differences(counts, elo, elo_error, normalised, normalised_error, superiority):
    found = difference(counts)
    assert found.normalised_elo == pytest.approx(normalised, abs=0.005)
    assert found.normalised_elo_error == pytest.approx(normalised_error, abs=0.005)
    if elo is not None:
        assert (found.elo, found.elo_error) == (pytest.approx(elo, abs=0.005), pytest.approx(elo_error, abs=0.005))
    if superiority is not None:
        assert 100 * found.superiority == pytest.approx(superiority, abs=0.005)


@pytest.mark.parametrize(
    ("counts", "bounds", "normalised", "expected"),
    [
        ([36027, 68692, 36433], (0, 2), True, 0.92),
        ([365, 16618, 36229, 16974, 390], (0, 2), True, 2.25),
        ([127, 4883, 10712, 5150, 104], (-1.75, 0.25), True, 3.01),
        ([21184, 40708, 21404], (0.5, 2.5), False, -1.57),
        ([871, 26175, 55983, 26678, 821], (0, 2), False, -4.98),
    ],
)
def test_log_likelihood_ratios(counts, bounds, normalised, expected):
    assert log_likelihood_ratio(counts, *bounds, normalised) == pytest.approx(expected, abs=0.005)


def test_bounds():
    assert Sprt().bounds == (pytest.approx(-2.944, abs=0.0005), pytest.approx(2.944, abs=0.0005))


def test_an_sprt_decides_in_the_order_agreed_on():
    sprt = Sprt(0, 50)
    won, lost = [1.5, 2, 1] * 100, [0, 0.5, 1] * 100
    test = sprt.decide(won)
    assert test.verdict == "elo1"
    assert test.used < 300
    assert sprt.decide(won[: test.used] + lost) == test
    assert sprt.decide(won[: test.used - 1]).verdict is None
    assert sprt.decide(lost).verdict == "elo0"
    assert sprt.decide([]).used == 0
    assert sprt.decide([1.0] * 200).verdict == "elo0"  # always even: no spread at all, and yet a verdict


@pytest.mark.parametrize("options", [{"elo0": 5, "elo1": 5}, {"alpha": 0}, {"beta": 0.7}])
def test_an_sprt_that_makes_no_sense(options):
    with pytest.raises(ZermeloError, match="sprt"):
        Sprt(**options)


POINTS = {
    ("A", "B"): (14, 6),
    ("A", "C"): (17, 3),
    ("A", "D"): (18, 2),
    ("B", "C"): (12.5, 7.5),
    ("B", "D"): (15, 5),
    ("C", "D"): (11, 9),
}


def test_bradley_terry():
    ratings = bradley_terry(POINTS, prior=0)
    assert [r.player for r in ratings] == ["A", "B", "C", "D"]
    assert [r.elo for r in ratings] == pytest.approx([202.16, 31.96, -88.03, -146.09], abs=0.005)
    assert [r.error for r in ratings] == pytest.approx([44.41, 37.16, 38.01, 40.15], abs=0.005)


def test_the_prior_brings_ratings_together_a_little():
    plain, drawn = bradley_terry(POINTS, prior=0), bradley_terry(POINTS)
    assert 0.9 * plain[0].elo < drawn[0].elo < plain[0].elo
    assert drawn[3].elo > plain[3].elo


def test_the_unbeaten_and_the_hopeless_have_finite_ratings_and_it_is_said():
    ratings = bradley_terry({("A", "B"): (10, 0), ("B", "C"): (10, 0)})
    assert [r.player for r in ratings] == ["A", "B", "C"]
    assert ratings[0].note.startswith("won every game")
    assert ratings[1].note == ""
    assert ratings[2].note.startswith("lost every game")
    # half a draw in 10.5 games: the odds are 41 to 1
    assert ratings[0].elo - ratings[1].elo == pytest.approx(elo_of_score(10.25 / 10.5), abs=1e-6)
    assert all(math.isfinite(r.error) for r in ratings)


def test_groups_that_never_met_are_kept_apart():
    ratings = bradley_terry({("A", "B"): (3, 1), ("C", "D"): (2, 2), ("D", "E"): (2, 2)}, ["Z"])
    assert [(r.player, r.group) for r in ratings] == [("C", 0), ("D", 0), ("E", 0), ("A", 1), ("B", 1), ("Z", 2)]
    assert ratings[-1].note == "has not played"
    assert sum(r.elo for r in ratings if r.group == 1) == pytest.approx(0)


def test_games_against_oneself_say_nothing():
    assert bradley_terry({("A", "A"): (5, 5)})[0].note == "has not played"


def test_bradley_terry_recovers_what_games_were_made_from():
    strength = {"A": 100, "B": 40, "C": 0, "D": -140}
    points = {}
    for one in strength:
        for other in strength:
            if one < other:
                score = score_of_elo(strength[one] - strength[other])
                points[one, other] = (1e6 * score, 1e6 * (1 - score))
    for rating in bradley_terry(points):
        assert rating.elo == pytest.approx(strength[rating.player], abs=0.01)


def test_results_without_spread():
    won = difference([0, 0, 0, 0, 10])
    assert won.elo == math.inf
    assert won.elo_interval[0] > 100
    assert str(won).startswith("Elo above")
    assert won.superiority == pytest.approx(1 - 1 / 2**11), "very likely, not certain"
    assert difference([0, 0, 0, 0, 1]).superiority == pytest.approx(0.75), "one pair says little"
    assert difference([0, 3, 0, 0, 0]).superiority == pytest.approx(1 / 2**4)
    even = difference([0, 0, 10, 0, 0])
    assert even.elo == 0 and even.superiority == 0.5
    assert even.elo_interval[0] < 0 < even.elo_interval[1]
    assert str(difference([10, 0, 0])).startswith("Elo below")
    nothing = difference([0, 0, 0])
    assert nothing.games == 0 and nothing.superiority == 0.5


def test_elo_and_score_are_inverse():
    for elo in (-300, -1, 0, 7, 250):
        assert elo_of_score(score_of_elo(elo)) == pytest.approx(elo)


def test_errors_are_right_even_if_strengths_are_far_apart():
    """The curvature has no inverse, and a cut-off for small numbers once took nothing for something."""
    random = np.random.default_rng(2)
    for _ in range(200):
        size = int(random.integers(2, 12))
        strength = random.normal(0, 3, size)
        scored = np.zeros((size, size))
        for i in range(size):
            for j in range(i):
                games = int(random.choice([0, 2, 10, 1000])) if j < i - 1 else 10
                wins = random.binomial(games, 1 / (1 + np.exp(strength[j] - strength[i])))
                scored[i, j], scored[j, i] = wins + (games > 0) / 4, games - wins + (games > 0) / 4
        found, covariance = fit(scored)
        expected = 1 / (1 + np.exp(found[None, :] - found[:, None]))
        weight = (scored + scored.T) * expected * (1 - expected)
        rest = np.zeros((size, size))  # with the first player at 0, which then has no error
        rest[1:, 1:] = np.linalg.inv((np.diag(weight.sum(axis=1)) - weight)[1:, 1:])
        centred = np.eye(size) - 1 / size
        assert np.allclose(covariance, centred @ rest @ centred.T, rtol=1e-5, atol=1e-9)


def test_ratings_can_be_measured_from_a_player():
    ratings = ladder_ratings({("a", "b"): (7, 3), ("b", "c"): (6, 4), ("a", "c"): (8, 2)}, ["a", "b", "c", "new"])
    there = ratings.measured_from("b")
    place = list(there.players).index
    assert there.elo[place("b")] == 0 and there.errors[place("b")] == pytest.approx(0, abs=1e-6)
    assert there.elo[place("a")] > 0 > there.elo[place("c")]
    assert np.allclose(there.errors_of_differences(), ratings.errors_of_differences())
    assert there.errors[place("a")] == pytest.approx(there.errors_of_differences()[place("a"), place("b")])
    assert there.errors[place("new")] > there.errors[place("a")]  # nothing is known of it
