"""A runner whose schedule never ends: contestants join, nothing is lost when it stops, and nothing is played twice."""

from dataclasses import replace

import pytest

from zermelo.tournaments.contestants import Contestant
from zermelo.tournaments.pairing import by_groups
from zermelo.tournaments.plan import Plan, make_plan
from zermelo.tournaments.referee import Played
from zermelo.tournaments.report import make_report
from zermelo.tournaments.run import begin, run
from zermelo.tournaments.schedule import Pair, Schedule
from zermelo.tournaments.store import open_store
from zermelo.tournaments.tallies import open_pairs, scores_of, tallies


class Endless:
    """Everyone plays the first contestant, one pair at a time; a third one joins after four pairs."""

    is_endless, ended, notes = True, False, ()

    def __init__(self, store, name):
        self.store = store
        self.plan, self.openings = store.plan(name)
        self.numbers = {tally.second: tally.pairs for tally in tallies(store, name)}
        self.open = {pair.id: pair for pair in open_pairs(store, name)}
        self.given, self.told = set(), []

    def advance(self, score_of):
        for pair in score_of:
            assert pair in self.open, "a finished pair is told once"
            self.told.append(self.open.pop(pair))
        if sum(self.numbers.values()) >= 4 and len(self.plan.contestants) == 2:
            self.plan = replace(self.plan, contestants=(*self.plan.contestants, Contestant("late", "random(seed=9)")))
            self.store.set_plan(self.plan)
        new = [pair for name, pair in self.open.items() if name not in self.given]
        if not self.open:
            first, *others = self.plan.names
            second = min(others, key=lambda name: self.numbers.get(name, 0))
            number = self.numbers.get(second, 0)
            self.numbers[second] = number + 1
            opening = self.openings[number % len(self.openings)]
            new = [Pair(f"{first}-{second}/{number}", 1, first, second, number, opening, 0, number)]
            self.open[new[0].id] = new[0]
        self.given |= {pair.id for pair in new}
        return new

    def taken(self, pair):
        raise AssertionError("nobody else plays here")


@pytest.fixture
def store():
    plan, _ = make_plan(["random", "random(seed=4)"], "tictactoe", pairs=1, openings={"count": 5})
    plan = replace(plan, pairs=0)  # so an ordinary run has nothing to play
    store = open_store(None)
    begin(store, plan)
    return store


def test_contestants_join_while_an_endless_schedule_is_played(store):
    schedule = Endless(store, "tournament")
    run(store, threads=1, schedule=schedule, is_stopped=lambda: len(schedule.told) >= 8, trust=True)
    known = {(tally.first, tally.second): tally for tally in tallies(store, "tournament")}
    assert set(known) == {("random", "random(seed=4)"), ("random", "late")}
    assert known["random", "late"].games >= 6  # it came later, and caught up
    assert store.plan()[0].names == ["random", "random(seed=4)", "late"]
    # An ordinary run has nothing to play in such a tournament, and an ordinary report reads it.
    before = store.scores("tournament")
    run(store, threads=1)
    assert store.scores("tournament") == before
    assert make_report(store).games == len(before)


def test_an_endless_schedule_continues_after_any_stop_and_plays_nothing_twice(store):
    finished = set()
    for _ in range(5):
        schedule = Endless(store, "tournament")
        enough = len(finished) + 2
        run(store, threads=1, schedule=schedule, is_stopped=lambda s=schedule: len(s.told) >= 2, trust=True)
        told = {pair.id for pair in schedule.told}
        assert not told & finished, "a pair that was finished before is not given again"
        finished |= told
        assert len(finished) >= enough
    games = list(store.games("tournament"))
    assert len({(game.pair.id, game.swapped) for game in games}) == len(games)
    assert len(open_pairs(store, "tournament")) <= 1
    # A half of a pair is kept, and the other half is played next.
    store.add_pairs("tournament", [half := Pair("half", 1, "random", "late", 99, "-", 0, 0)])
    game = games[0]
    store.add_games("tournament", [(half.id, False, Played(game.score, game.reason, game.plies, game.json))])
    schedule = Endless(store, "tournament")
    run(store, threads=1, schedule=schedule, is_stopped=lambda: "half" in {p.id for p in schedule.told}, trust=True)
    assert set(scores_of(store, "tournament", "half")) == {False, True}
    assert store.game("tournament", "half", False).json == game.json


def test_a_run_that_is_stopped_keeps_finished_games_and_continues(store):
    plan, _ = make_plan(["random", "random(seed=4)"], "tictactoe", pairs=40)
    plan = replace(plan, name="long")
    begin(store, plan)
    asked = iter(range(1000))
    run(store, "long", threads=1, is_stopped=lambda: next(asked) >= 1)
    stopped = store.scores("long")
    run(store, "long", threads=1)
    whole = store.scores("long")
    assert len(whole) == 80 and stopped.items() <= whole.items()


def test_tallies_count_what_the_games_say(store):
    plan, _ = make_plan(["random", "random(seed=4)", "minimax(depth=1)"], "tictactoe", pairs=6)
    plan = replace(plan, name="all")
    begin(store, plan)
    run(store, "all", threads=1)
    for tally in tallies(store, "all"):
        meeting = make_report(store, "all").meetings[tally.first, tally.second]
        assert (tally.pairs, tally.games, tally.points) == (6, meeting.games, meeting.points)
        assert (tally.draws, tally.faults, tally.faults_of_second) == (meeting.draws, 0, 0)
    assert open_pairs(store, "all") == []


def test_many_files_take_turns_so_that_processes_are_started_seldom():
    names = [f"s{number}.py:mine" for number in range(12)]
    contestants = tuple(Contestant(name, f"alphabeta(heuristic={name}, depth=1)") for name in [*names, "lines"])
    plan = Plan("many", "tictactoe", contestants, pairs=3)
    pairs = Schedule(plan, ["-"] * 3).advance({})
    grouped = by_groups(plan, pairs, 8)
    assert sorted(pair.id for pair in grouped) == sorted(pair.id for pair in pairs)
    assert by_groups(plan, pairs, 12) == pairs  # all can stay

    def started(order):
        running, starts = [], 0
        for pair in order:
            for name in {pair.first, pair.second} & set(names):
                starts += name not in running
                running = [*(one for one in running if one != name), name][-8:]
        return starts

    assert started(grouped) < 25 < started(pairs) / 4
