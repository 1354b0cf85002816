"""The formats, with contestants of known strength: A is the strongest, then B, and so on."""

import itertools
import random
from dataclasses import replace

import pytest

from zermelo.tournaments.contestants import Contestant
from zermelo.tournaments.plan import Plan
from zermelo.tournaments.schedule import Schedule, meetings_expected, openings_needed, pair_up
from zermelo.tournaments.sprt import Sprt

OPENINGS = [str(number) for number in range(500)]


def plan(form, players=6, **more):
    contestants = tuple(Contestant(name, "random") for name in "ABCDEFGHIJKLMNOP"[:players])
    return Plan("cup", "connect4", contestants, form, **({"pairs": 2} | more))


def stronger_wins(pair):
    return 2.0 if pair.first < pair.second else 0.0 if pair.first > pair.second else 1.0


def play(schedule, result=stronger_wins):
    """All pairs in the order they come up."""
    scores, played = {}, []
    while not schedule.ended:
        new = schedule.advance(scores)
        assert new or schedule.ended
        for pair in new:
            assert pair.id not in scores, "no pair twice"
            scores[pair.id] = result(pair)
        played += new
    return played


def test_round_robin():
    played = play(Schedule(plan("round robin"), OPENINGS))
    meetings = [frozenset((pair.first, pair.second)) for pair in played]
    assert set(meetings) == set(map(frozenset, itertools.combinations("ABCDEF", 2)))
    assert all(meetings.count(meeting) == 2 for meeting in meetings)
    assert [pair.number for pair in played] == sorted(pair.number for pair in played), "fair from the beginning"
    assert len(played) == 2 * meetings_expected(plan("round robin"))


def test_self_matches_are_played_if_allowed():
    played = play(Schedule(plan("round robin", 3, allow_selfmatch=True), OPENINGS))
    assert sum(pair.first == pair.second for pair in played) == 3 * 2
    assert len(played) == 2 * meetings_expected(plan("round robin", 3, allow_selfmatch=True))


def test_gauntlet():
    played = play(Schedule(plan("gauntlet"), OPENINGS))
    assert {(pair.first, pair.second) for pair in played} == {("A", other) for other in "BCDEF"}


@pytest.mark.parametrize("players", [2, 3, 5, 6, 8, 13])
def test_swiss(players):
    chosen = plan("swiss", players)
    played = play(Schedule(chosen, OPENINGS))
    rounds = {}
    for pair in played:
        rounds.setdefault(pair.round, set()).add((pair.first, pair.second))
    everyone = [set(itertools.chain(*meetings)) for meetings in rounds.values()]
    assert all(len(names) == players - players % 2 for names in everyone), "all play, but one who rests"
    meetings = [frozenset(m) for round in rounds.values() for m in round]
    assert len(set(meetings)) == len(meetings), "nobody meets twice"
    assert sum(map(len, rounds.values())) == meetings_expected(chosen)
    if players == 8:
        assert frozenset("AB") in meetings, "the best two meet"


def test_swiss_prefers_equal_points_and_avoids_second_meetings():
    assert pair_up("ABCD", {}) == [("A", "B"), ("C", "D")]
    assert pair_up("ABCD", {frozenset("AB"): 1}) == [("A", "C"), ("B", "D")]
    # C and D have met: B must not take the one that A needs.
    assert pair_up("ABCD", {frozenset("AB"): 1, frozenset("AC"): 1}) == [("A", "D"), ("B", "C")]
    everybody = {frozenset(both): 1 for both in itertools.combinations("ABCD", 2)}
    assert pair_up("ABCD", everybody) == [("A", "B"), ("C", "D")]


def paired_by_recursion(order, met, most):
    """What pair_up promises, written in the shortest way."""
    if not order:
        return []
    first, *rest = order
    for other in rest:
        if met.get(frozenset((first, other)), 0) <= most:
            below = paired_by_recursion([name for name in rest if name != other], met, most)
            if below is not None:
                return [(first, other), *below]
    return None


def test_swiss_pairing_backs_up_as_far_as_it_must():
    chance = random.Random(4)
    for _ in range(300):
        names = "ABCDEFGH"[: chance.choice([2, 4, 6, 8])]
        met = {frozenset(two): chance.choice([0, 0, 1, 1, 1, 2]) for two in itertools.combinations(names, 2)}
        ways = (paired_by_recursion(names, met, most) for most in range(3))
        assert pair_up(names, met) == next(way for way in ways if way is not None)


def test_swiss_pairs_2000_players():
    names = [f"player {i}" for i in range(2000)]
    met = {}
    for _ in range(11):
        pairs = pair_up(names, met)
        assert sorted(name for pair in pairs for name in pair) == sorted(names)
        for pair in pairs:
            assert frozenset(pair) not in met, "nobody needs to meet anybody twice"
            met[frozenset(pair)] = 1
        random.Random(len(met)).shuffle(names)
    rest = pair_up(names, met | {frozenset(two): 1 for two in itertools.combinations(names[-8:], 2)})
    assert all(not set(pair) <= set(names[-8:]) for pair in rest), "the last eight find opponents above them"


@pytest.mark.parametrize("players", [2, 3, 5, 8, 11])
def test_knockout(players):
    chosen = plan("knockout", players)
    played = play(Schedule(chosen, OPENINGS))
    losers = {max(pair.first, pair.second) for pair in played}
    assert losers == set(chosen.names) - {"A"}
    assert len(played) == 2 * meetings_expected(chosen)
    last = max(pair.round for pair in played)
    assert {(p.first, p.second) for p in played if p.round == last} == {("A", "B")}, "the best two meet last"


def test_a_drawn_knockout_match_is_prolonged_and_then_the_first_listed_goes_on():
    played = play(Schedule(plan("knockout", 2), OPENINGS), lambda pair: 1.0)
    assert len(played) == 2 + 4
    assert len({pair.opening for pair in played}) == len(played) <= openings_needed(plan("knockout", 2))
    third_pair_decides = play(Schedule(plan("knockout", 2), OPENINGS), lambda pair: 1.0 if pair.number < 2 else 0.5)
    assert len(third_pair_decides) == 3


@pytest.mark.parametrize("players", [2, 3, 7])
def test_ladder(players):
    chosen = plan("ladder", players)
    upside_down = replace(chosen, contestants=chosen.contestants[::-1])
    played = play(Schedule(upside_down, OPENINGS))
    last = [pair for pair in played if pair.round >= players - 1]
    assert any("A" in (pair.first, pair.second) for pair in last), "the best has come up from the bottom"
    assert len(played) == 2 * meetings_expected(upside_down)
    openings = [(frozenset((p.first, p.second)), p.opening) for p in played]
    assert len(set(openings)) == len(openings), "no opening twice, although they meet again"


def test_an_sprt_ends_with_its_verdict():
    def play_on(rule, known=(), elo1=100):
        schedule = Schedule(plan("sprt", 2, pairs=450, sprt=Sprt(0, elo1)), OPENINGS)
        scores = dict(known)
        waiting = schedule.advance(scores)
        while not schedule.ended:
            pair = waiting.pop(0)
            scores.setdefault(pair.id, rule(pair))
            waiting += schedule.advance(scores)
        return schedule, scores

    schedule, scores = play_on(lambda pair: 2.0 if pair.number % 2 else 1.0)
    assert schedule.test.verdict == "elo1"
    assert schedule.test.used == len(scores) < 200
    beyond = scores | {pair.id: 0.0 for pair in schedule.pairs[next(iter(schedule.pairs))] if pair.id not in scores}
    again, _ = play_on(lambda pair: 0.0, beyond)
    assert again.test == schedule.test, "what was played beyond the verdict changes nothing"
    # Hypotheses too near to each other: it takes longer than a block, and then as many as are allowed.
    even, scores = play_on(lambda pair: 2.0 if pair.number % 2 else 0.0, elo1=5)
    assert len(scores) == 450 and even.test.verdict is None
    assert len({pair.opening for pairs in even.pairs.values() for pair in pairs}) == 450


def test_more_openings_are_asked_for_when_needed():
    asked = []

    def more(known, needed):
        asked.append((len(known), needed))
        return [f"more{len(known) + i}" for i in range(needed)]

    chosen = plan("sprt", 2, pairs=300, sprt=Sprt(0, 1))
    schedule = Schedule(chosen, ["a", "b"], lambda one, other: True, more)
    played = play(schedule, lambda pair: 1.0 + (pair.number % 3 - 1) / 2)
    assert asked == [(2, 198), (200, 100)]
    assert len({pair.opening for pair in played}) == len(played) == 300


def test_no_opening_is_used_twice_and_fixed_players_do_not_repeat_their_games():
    schedule = Schedule(plan("round robin", 2, pairs=7), ["44", "45", "46"], is_fixed=lambda a, b: True)
    assert [pair.opening for pair in play(schedule)] == ["44", "45", "46"]
    assert "play 3 pairs instead of 7" in schedule.notes[0]
    with_chance = Schedule(plan("round robin", 2, pairs=7), ["44", "45", "46"])
    assert len(play(with_chance)) == 7
    assert "play some of the 3 openings more than once" in with_chance.notes[0]
    deeper = Schedule(plan("round robin", 2, pairs=7, increasing_depth=True), ["44"], is_fixed=lambda a, b: True)
    assert [pair.depth_step for pair in play(deeper)] == list(range(7))
    assert deeper.notes == []


def test_seeds_follow_from_the_pair_and_the_seed_of_the_tournament():
    one, two = play(Schedule(plan("round robin"), OPENINGS)), play(Schedule(plan("round robin", seed=2), OPENINGS))
    assert len({pair.seed for pair in one}) == len(one)
    assert {pair.seed for pair in one}.isdisjoint(pair.seed for pair in two)


@pytest.mark.parametrize("form", ["round robin", "gauntlet", "swiss", "knockout", "ladder"])
def test_a_schedule_started_again_goes_on_where_it_was(form):
    whole = play(Schedule(plan(form), OPENINGS))
    for known in (0, 1, len(whole) // 2, len(whole)):
        scores = {pair.id: stronger_wins(pair) for pair in whole[:known]}
        again = Schedule(plan(form), OPENINGS)
        played = []
        while not again.ended:
            for pair in again.advance(scores):
                played.append(pair)
                scores[pair.id] = stronger_wins(pair)
        assert played == whole
