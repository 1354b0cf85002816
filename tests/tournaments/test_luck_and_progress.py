"""The purpose of tournaments, tested with games: to tell progress from luck."""

import pytest

import zermelo as z
from conftest import dose
from zermelo.core import JIT
from zermelo.tournaments.sprt import Sprt

pytestmark = pytest.mark.skipif(not JIT, reason="too slow")


def test_a_regression_is_rejected():
    """One weight of a heuristic negated: three stones in a row are bad."""
    report = z.tournament(
        ["lines2_diagonals(three=-8)", "lines2_diagonals"], "connect4", depth=4, sprt={"elo0": 0, "elo1": 50}
    )
    assert report.test.verdict == "elo0"
    assert report.games < 200  # 38 when this was written


def test_an_improvement_is_accepted():
    """The report's lines with the diagonals it forgot."""
    report = z.tournament(["lines2_diagonals", "lines2"], "connect4", depth=4, sprt={"elo0": 0, "elo1": 50})
    assert report.test.verdict == "elo1"
    assert report.games < 400  # 44 when this was written


def test_players_that_are_the_same_are_not_told_apart():
    """They score one point in each pair, whatever the opening."""
    report = z.tournament(
        ["lines2", {"name": "its twin", "player": "lines2"}], "connect4", depth=3, sprt={"elo0": 0, "elo1": 50}
    )
    assert report.test.verdict == "elo0"
    assert report.score("lines2", "its twin") == 0.5


@pytest.mark.slow
def test_equal_players_are_declared_different_no_more_often_than_agreed(record_property):
    """20 tests between random players. With an error rate of 5%, four or more acceptances happen once in 60 times."""
    verdicts = []
    for seed in range(dose(20, 1)):
        report = z.tournament(
            ["random", {"name": "its twin", "player": "random"}],
            "connect4",
            seed=seed,
            sprt={"elo0": 0, "elo1": 60},
            openings={"balanced": False},
        )
        verdicts.append(report.test.verdict)
    got = f"{verdicts.count('elo1')} of {len(verdicts)} runs"
    record_property("figure", [8, "identical players declared different, error rate 5%", "at most 3 of 20 runs", got])
    assert None not in verdicts, "each ended by itself"
    assert verdicts.count("elo1") <= 3


@pytest.mark.slow
def test_the_error_rates_are_kept(record_property):
    """2,000 matches of outcomes drawn at random, exactly on either hypothesis: at most 5% are judged wrongly.

    Three standard errors more are allowed for chance: 5% ± 1.5%. The test errs on the safe side, since it oversteps
    its bounds a little at the end.
    """
    import random

    sprt, chance = Sprt(0, 60, normalised=False), random.Random(1)
    for elo, wrong in ((0, "elo1"), (60, "elo0")):  # so many Elo in truth
        win = 1 / (1 + 10 ** (-elo / 400))
        verdicts = []
        for _ in range(2000):
            test = sprt.decide([])
            while test.verdict is None:
                test.add((chance.random() < win) + (chance.random() < win))
            verdicts.append(test.verdict)
        share = verdicts.count(wrong) / len(verdicts)
        record_property(
            "figure", [8, f"2,000 tests of a player {elo} Elo better: judged wrongly", "5%", f"{share:.1%}"]
        )
        assert share < 0.065
