"""Matchmaking: where a game tells most, newcomers first, nobody left behind; and error bars that keep their promise."""

import time
from collections import Counter

import numpy as np
import pytest

from zermelo.arena.matchmaking import NEWCOMER, RUNG_PAIRS, Matchmaker
from zermelo.tournaments.intervals import Z95
from zermelo.tournaments.rating import ladder_ratings, score_of_elo

RUNGS = ["rung-1", "rung-2", "rung-3", "rung-4"]


def season(seed, students, games, spread=200.0, at_once=2, meetings=4):
    """A made-up season in which students join one after another. Returns true strengths and points."""
    random = np.random.default_rng(seed)
    names = [*RUNGS, *(f"v{i}" for i in range(students))]
    true = dict(zip(names, [*np.linspace(-300, 300, 4), *random.normal(0, spread, students)], strict=True))
    matchmaker, played, points = Matchmaker(RUNGS, at_once), 0, {}
    while played < games:
        present = min(len(names), 6 + int(3 * len(names) * played / games))
        if present != len(matchmaker.names):
            matchmaker.enter(names[:present])
        chosen = list(matchmaker.choose(meetings))
        assert chosen
        for one, other in chosen:
            scored = float(random.binomial(2 * at_once, score_of_elo(true[one] - true[other])))
            matchmaker.add(one, other, scored, 2 * at_once)
            mine, theirs = points.get((one, other), (0.0, 0.0))
            points[one, other] = mine + scored, theirs + 2 * at_once - scored
            played += 2 * at_once
    return true, points


def coverage(seeds, **settings):
    """How many 95% intervals hold the true value: of ratings measured from a rung, and of all differences."""
    from_rung, of_pairs = [], []
    for seed in seeds:
        true, points = season(seed, **settings)
        ratings = ladder_ratings(points).measured_from("rung-3")
        strength = np.array([true[name] for name in ratings.players])
        wrong = np.abs((ratings.elo[:, None] - ratings.elo) - (strength[:, None] - strength))
        inside = wrong <= Z95 * ratings.errors_of_differences()
        zero = list(ratings.players).index("rung-3")
        from_rung += [inside[i, zero] for i in range(len(strength)) if i != zero]
        of_pairs += list(inside[np.triu_indices(len(strength), 1)])
    return float(np.mean(from_rung)), float(np.mean(of_pairs))


def test_error_bars_keep_their_promise_although_results_decide_who_plays():
    from_rung, of_pairs = coverage(range(20), students=12, games=800)
    assert from_rung > 0.88 and of_pairs > 0.88


@pytest.mark.slow
@pytest.mark.parametrize(("games", "spread"), [(1500, 100), (1500, 200), (4000, 200)])
def test_error_bars_keep_their_promise_over_many_seasons(games, spread, record_property):
    from_rung, of_pairs = coverage(range(200), students=20, games=games, spread=spread)
    what = f"ladder: 95% intervals that hold the truth, 200 seasons of {games} games, strengths ± {spread} Elo"
    record_property("figure", [20, what, ">= 93%", f"{from_rung:.1%} from a rung, {of_pairs:.1%} of two students"])
    assert 0.93 <= from_rung <= 0.98 and 0.93 <= of_pairs <= 0.98


def test_newcomers_meet_rungs_first_and_then_those_near_them():
    matchmaker = Matchmaker(RUNGS, pairs_at_once=2)
    names = [*RUNGS, *(f"v{i}" for i in range(10)), "new"]
    matchmaker.enter(names)
    strength = dict(zip(names, [-300, -100, 100, 300, *range(-450, 450, 90), 200], strict=True))
    for i, one in enumerate(names[:-1]):
        for other in names[i + 1 : -1]:
            matchmaker.add(one, other, 12 * score_of_elo(strength[one] - strength[other]), 12)
    met = []
    with_rungs = len(RUNGS) * 3  # meetings of two pairs
    for _ in range(with_rungs + 6):
        [(one, other)] = matchmaker.choose(1)
        assert "new" in (one, other), "whoever has played least comes first"
        opponent = one if other == "new" else other
        met.append(opponent)
        matchmaker.add("new", opponent, 4 * score_of_elo(strength["new"] - strength[opponent]), 4)
    assert set(met[:NEWCOMER]) <= set(RUNGS)
    assert set(met[:with_rungs]) == set(RUNGS)
    later = [abs(strength[name] - 200) for name in met[with_rungs:]]
    assert np.mean(later) < np.mean([abs(strength[name] - 200) for name in names[:-1]])


@pytest.mark.parametrize(("most_pairs", "with_each"), [(None, RUNG_PAIRS), (20, 2)])
def test_everybody_meets_every_rung(most_pairs, with_each):
    """Marks name the rungs that are beaten. The best would never meet the weakest where games only tell the order."""
    names = [*RUNGS, "best", "second", "weak"]
    strength = dict(zip(names, [-2000, -300, 0, 300, 900, 880, -400], strict=True))
    matchmaker, pairs = Matchmaker(RUNGS, pairs_at_once=2, most_pairs=most_pairs), Counter()
    matchmaker.enter(names)
    for _ in range(60):
        for one, other in matchmaker.choose(2):
            matchmaker.add(one, other, 4 * score_of_elo(strength[one] - strength[other]), 4)
            pairs[one, other] += 2
    met = [pairs[rung, student] for rung in RUNGS for student in ("best", "second", "weak")]
    assert min(met) >= with_each
    assert pairs["best", "second"] > max(pairs["rung-1", "best"], pairs["rung-2", "best"]), "the rest tells the order"


def test_nobody_is_left_behind_and_the_ladder_rests_when_enough_is_known():
    names = [*RUNGS, *(f"v{i}" for i in range(6)), "hopeless"]
    strength = dict.fromkeys(names, 0.0) | {"hopeless": -2000.0}
    matchmaker = Matchmaker(RUNGS, pairs_at_once=2, most_pairs=150)
    matchmaker.enter(names)
    games = dict.fromkeys(names, 0)
    for _ in range(5000):
        chosen = list(matchmaker.choose(3))
        if not chosen:
            break
        for one, other in chosen:
            matchmaker.add(one, other, 4 * score_of_elo(strength[one] - strength[other]), 4)
            games[one] += 4
            games[other] += 4
    else:
        pytest.fail("it never rests")
    usual = np.median([games[f"v{i}"] for i in range(6)])
    assert 300 <= usual <= 2 * 300  # whoever has enough plays only where others need it
    assert games["hopeless"] >= usual / 2 - 8


def test_the_same_results_give_the_same_choice_and_the_two_may_have_no_openings_left():
    one, other = Matchmaker(RUNGS), Matchmaker(RUNGS)
    names = [*RUNGS, "v1", "v2", "v3"]
    results = [("rung-1", "v1", 1.5), ("rung-2", "v1", 0.5), ("v1", "v2", 2.0), ("rung-3", "v3", 1.0)]
    one.enter(names)
    for result in results:
        one.add(*result)
    other.know({(a, b): p for a, b, p in results} | {(b, a): 2 - p for a, b, p in results})
    other.enter(names)
    assert list(one.choose(4)) == list(other.choose(4))
    [first] = one.choose(1)
    assert first not in list(one.choose(4, can_meet=lambda a, b: (a, b) != first))
    assert not any("v2" in meeting for meeting in one.choose(4, busy=["v2"]))
    assert list(one.choose(4, can_meet=lambda a, b: False)) == []


def test_choosing_takes_milliseconds_with_a_hundred_students(record_property):
    names = [*RUNGS, *(f"v{i}" for i in range(126))]
    matchmaker = Matchmaker(RUNGS)
    matchmaker.enter(names)
    random = np.random.default_rng(1)
    for i in range(len(names)):
        for j in random.choice(len(names), 12):
            if j > i:
                matchmaker.add(names[i], names[j], float(random.integers(9)), 8)
    list(matchmaker.choose(4))
    began = time.thread_time()
    for _ in range(10):
        list(matchmaker.choose(4))
    each = 1000 * (time.thread_time() - began) / 10
    record_property(
        "figure", [20, "ladder: choosing the next meetings among 130, ms of processor time", "", f"{each:.1f}"]
    )
