"""Rounds by schedule, in their time zone, once each; and the final from nothing, with a published random number."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from quick_class import hand_in, quick_settings

from zermelo.arena import settings as toml
from zermelo.arena.ladder import Ladder, play_ladder
from zermelo.arena.records import Records
from zermelo.arena.roster import FINAL, LADDER
from zermelo.arena.rounds import (
    Round,
    due_round,
    is_final_due,
    next_round,
    order_final,
    play_final,
    play_round,
    rounds_of,
    times_due,
)
from zermelo.arena.standings import Publisher
from zermelo.errors import ZermeloError
from zermelo.tournaments.plan import make_plan
from zermelo.tournaments.report import make_report
from zermelo.tournaments.store import open_store

MADRID = ZoneInfo("Europe/Madrid")
FRIDAYS = toml.Rounds("week", weekday=4, hour=18, pairs=2)


def at(text):
    return datetime.fromisoformat(text).replace(tzinfo=MADRID).timestamp()


@pytest.fixture
def records(tmp_path):
    store = open_store(tmp_path / "arena.db")
    yield Records(store)
    store.close()


@pytest.fixture
def settings():
    return quick_settings(
        rungs=["random", "minimax(depth=1)"],
        rounds=FRIDAYS,
        course=toml.Course(time_zone="Europe/Madrid"),
        final=toml.Final(pairs=3),
    )


def local(times):
    return [datetime.fromtimestamp(time, MADRID).strftime("%Y-%m-%d %H:%M") for time in times]


def test_rounds_are_at_the_same_time_of_the_day_when_clocks_change(settings):
    autumn = times_due(FRIDAYS, settings, at("2026-10-16 18:00"), at("2026-11-06 18:00"))
    assert local(autumn) == ["2026-10-23 18:00", "2026-10-30 18:00", "2026-11-06 18:00"]
    assert autumn[1] - autumn[0] == 7 * 86_400 + 3600  # clocks went back on the 25th
    skipped = toml.Rounds("day", hour=2, minute=30)  # on 29 March 2026 there is no half past two
    spring = times_due(skipped, settings, at("2026-03-28 12:00"), at("2026-03-30 12:00"))
    assert local(spring) == ["2026-03-29 03:30", "2026-03-30 02:30"]
    twice = toml.Rounds("day", hour=2, minute=30)  # on 25 October 2026 the clock shows half past two twice
    assert len(times_due(twice, settings, at("2026-10-24 12:00"), at("2026-10-25 12:00"))) == 1
    assert times_due(FRIDAYS, settings, at("2026-10-16 17:59"), at("2026-10-16 18:00")) == [at("2026-10-16 18:00")]


def test_a_round_that_was_missed_is_played_once_when_the_server_is_back(records, settings):
    assert due_round(records, settings, at("2026-09-01 12:00")) is None  # the arena begins
    assert records.published("rounds")[1]["rounds"] == []
    assert due_round(records, settings, at("2026-09-04 17:59")) is None
    first = due_round(records, settings, at("2026-09-04 18:00"))
    assert first == Round(1, at("2026-09-04 18:00"))
    assert due_round(records, settings, at("2026-09-20 12:00")) == first, "first it is played to its end"
    assert play_round(records.store, records, settings, first, threads=1)  # only rungs take part
    # The server was down for three weeks. It plays one round, and a clock that jumps back plays none.
    second = due_round(records, settings, at("2026-09-27 12:00"))
    assert second == Round(2, at("2026-09-25 18:00"))
    assert play_round(records.store, records, settings, second, threads=1)
    assert due_round(records, settings, at("2026-09-20 12:00")) is None
    assert due_round(records, settings, at("2026-09-27 13:00")) is None
    assert local([next_round(records, settings, at("2026-09-27 13:00"))]) == ["2026-10-02 18:00"]
    assert [one.number for one in rounds_of(records)] == [1, 2]
    records.set_flag("frozen", True, "teacher")
    assert due_round(records, settings, at("2026-10-09 13:00")) is None


def test_every_two_weeks(records):
    settings = quick_settings(rounds=toml.Rounds("two weeks", weekday=0, hour=9))
    monday, week = 1_788_166_800.0 - 3600 * 13, 7 * 86_400.0
    monday -= (monday - 4 * 86_400) % week - 9 * 3600  # a Monday at nine, UTC
    due_round(records, settings, monday)
    assert due_round(records, settings, monday + week + 60) is None
    assert due_round(records, settings, monday + 2 * week + 60) == Round(1, monday + 2 * week)


def class_of_three(records):
    names = {}
    for name, player in (("Ada", "minimax(depth=4)"), ("Bob", "minimax(depth=2)"), ("Eve", "random(seed=5)")):
        student, _ = records.add_student(name, name)
        names[name] = hand_in(records, student, player)
    return names


def test_rounds_have_a_table_and_the_changes_since_the_last(records, settings):
    store, names = records.store, class_of_three(records)
    play_ladder(ladder := Ladder(store, records, settings), threads=1, is_stopped=lambda: store.counts(LADDER)[0] >= 60)
    due_round(records, settings, at("2026-09-01 12:00"))
    this = due_round(records, settings, at("2026-09-04 18:00"))
    stopped = iter([False, True])
    assert not play_round(store, records, settings, this, threads=1, is_stopped=lambda: next(stopped, True))
    assert rounds_of(records)[-1].ended is None and due_round(records, settings) == this
    assert play_round(store, records, settings, this, threads=1)
    _, table = records.published("round/1")
    assert {row["contestant"] for row in table["rows"]} == {"rung-1", "rung-2", *names.values()}
    assert table["games"] == 5 * 4 // 2 * 2 * 2 == make_report(store, "round-1").games
    assert all(row["change"] is None for row in table["rows"])
    assert records.published("rounds")[1]["rounds"][0]["number"] == 1
    # Eve hands in something better before the next round.
    eve = next(student for student in records.students() if student.name == "Eve")
    better = hand_in(records, eve, "minimax(depth=6)")
    this = due_round(records, settings, at("2026-09-11 18:00"))
    assert play_round(store, records, settings, this, threads=1)
    rows = {row["name"]: row for row in records.published("round/2")[1]["rows"]}
    assert rows["Eve"]["contestant"] == better and rows["Eve"]["version"] == 2
    assert rows["Eve"]["elo_change"] > 0 and rows["Eve"]["change"] >= 0
    # The ladder's table says what has changed since the round.
    assert Publisher(store, records, settings).publish(ladder.playing)
    changes = {row["name"]: row["change"] for row in records.published("standings")[1]["rows"] if not row["is_rung"]}
    assert changes["Ada"] is not None


def test_the_final_is_played_from_nothing_with_a_number_that_was_published_before(records, settings):
    store, names = records.store, class_of_three(records)
    with pytest.raises(ZermeloError, match="at least two"):
        order_final(open_store(None), Records(open_store(None)), settings, "teacher")
    play_ladder(Ladder(store, records, settings), threads=1, is_stopped=lambda: store.counts(LADDER)[0] >= 20)
    ladder = store.scores(LADDER)
    assert not is_final_due(records)
    assert order_final(store, records, settings, "teacher", 4711) == 4711
    assert records.flag("frozen") and is_final_due(records) and FINAL not in store.names()
    [event] = [event for event in records.events() if event.what == "final ordered"]
    assert event.about["number"] == 4711 and event.about["how"] == "chosen"
    assert set(names.values()) < set(event.about["contestants"])
    assert records.published(FINAL)[1]["number"] == 4711
    with pytest.raises(ZermeloError, match="already been ordered; its random number is 4711"):
        order_final(store, records, settings, "teacher")
    # What is handed in later does not play in it.
    eve = next(student for student in records.students() if student.name == "Eve")
    stopped = iter([False, True])
    assert not play_final(store, records, settings, threads=1, is_stopped=lambda: next(stopped, True))
    late = hand_in(records, eve, "minimax(depth=5)")
    assert play_final(store, records, settings, threads=1) and not is_final_due(records)
    _, table = records.published(FINAL)
    assert late not in {row["contestant"] for row in table["rows"]} and table["number"] == 4711
    assert table["games"] == 5 * 4 // 2 * 3 * 2 and store.scores(LADDER) == ladder
    # Anybody with the number and the code gets the same games.
    plan = store.plan(FINAL)[0]
    again, _ = make_plan(
        [{"name": one.name, "player": one.player} for one in plan.contestants], plan.game, pairs=3, seed=4711
    )
    from zermelo.tournaments.run import begin, run

    other = open_store(None)
    begin(other, again)
    run(other, threads=1)
    fixed = {
        game.pair.id: game.record.moves for game in other.games("tournament") if "rung-1" not in game.record.players
    }
    for game in store.games(FINAL):
        if game.pair.id in fixed and not game.swapped:
            assert game.pair in {one.pair for one in other.games("tournament")}


def test_a_number_can_be_drawn(records, settings):
    class_of_three(records)
    number = order_final(records.store, records, settings, "teacher")
    assert records.flag(FINAL)["how"] == "drawn" and records.flag(FINAL)["number"] == number
