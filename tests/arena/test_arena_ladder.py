"""The ladder on the tournament's own runner and ledger: joining, leaving, stopping, kills, openings, standings."""

import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace

import pytest
from quick_class import hand_in, quick_settings

from zermelo.arena import settings as toml
from zermelo.arena.feedback import feedback_chore
from zermelo.arena.ladder import Ladder, play_ladder
from zermelo.arena.records import Records
from zermelo.arena.roster import LADDER, present_field
from zermelo.arena.standings import Publisher, rank_text, shared_ranks, standings
from zermelo.tournaments.plan import Openings
from zermelo.tournaments.rating import ladder_ratings
from zermelo.tournaments.report import make_report
from zermelo.tournaments.store import open_store
from zermelo.tournaments.tallies import open_pairs, tallies


@pytest.fixture
def records(tmp_path):
    store = open_store(tmp_path / "arena.db")
    yield Records(store)
    store.close()


def play(ladder, games):
    """Play until the ledger has so many finished games."""
    store, limit = ladder.store, time.monotonic() + 120
    is_enough = lambda: store.counts(LADDER)[0] >= games  # noqa: E731
    play_ladder(ladder, threads=1, is_stopped=lambda: is_enough() or time.monotonic() > limit)
    assert is_enough(), "it rests"


def test_a_ladder_in_which_students_join_leave_and_come_back(records):
    store, settings = records.store, quick_settings()
    ada, _ = records.add_student("Ada", "Vega")
    bob, _ = records.add_student("Bob", "Deneb")
    weak = hand_in(records, ada, "random(seed=7)")
    ladder = Ladder(store, records, settings)
    assert present_field(records).names == ["rung-1", "rung-2", "rung-3", weak]
    play(ladder, 60)
    before = make_report(store, LADDER)
    assert before.games >= 60 and all(line.games for line in before.lines)

    # Bob joins while the ladder is played, and Ada's second version replaces her first one.
    new = hand_in(records, bob, "minimax(depth=9)")
    second = hand_in(records, ada, "minimax(depth=5)")
    play(ladder, store.counts(LADDER)[0] + 60)
    games = dict.fromkeys((weak, new, second), 0)
    for tally in tallies(store, LADDER):
        for name in (tally.first, tally.second):
            games[name] = games.get(name, 0) + tally.games
    assert games[new] and games[second]
    kept = games[weak]
    assert weak not in store.plan(LADDER)[0].names

    # The same code again keeps its rating: it is the same contestant, and its games count.
    assert hand_in(records, ada, "random(seed=7)") == weak
    play(Ladder(store, records, settings), store.counts(LADDER)[0] + 40)
    again = sum(tally.games for tally in tallies(store, LADDER) if weak in (tally.first, tally.second))
    assert again >= kept

    # Two versions of one student never meet, and pairs are two games on one opening.
    for pair, number in Counter((game.pair.first, game.pair.second) for game in store.games(LADDER)).items():
        assert set(pair) != {weak, second} and number
    # Whoever repeats its games on an opening never sees the opening twice with the same opponent.
    fixed = [p for p in store.pairs(LADDER) if {p.first, p.second} == {new, second}]
    assert len({pair.opening for pair in fixed}) == len(fixed)

    table = standings(store, records, settings)
    assert [row["name"] for row in table["rows"] if not row["is_rung"]] == ["Deneb", "Vega"]
    assert table["games"] == store.counts(LADDER)[0] and table["zero"] == "rung-2"
    zero = next(row for row in table["rows"] if row["contestant"] == "rung-2")
    assert (zero["elo"], zero["error"]) == (0, 0)

    publisher = Publisher(store, records, settings)
    revision = publisher.publish()
    assert publisher.publish() == revision, "the same table is not published again"
    assert records.published("standings")[1]["rows"] == table["rows"]
    assert records.ratings(new)[-1].elo == next(row["elo"] for row in table["rows"] if row["contestant"] == new)

    store.forget([new])
    assert "minimax(depth=9)" not in store.plan(LADDER)[0].to_json()


def test_the_same_ledger_gives_the_same_next_pairs_and_what_was_begun_comes_first(records):
    settings = quick_settings()
    for number in range(3):
        student, _ = records.add_student(f"S{number}")
        hand_in(records, student, f"random(seed={number + 50})")
    ladder = Ladder(records.store, records, settings)
    play(ladder, 100)
    left = open_pairs(records.store, LADDER)
    one, other = (Ladder(records.store, records, settings) for _ in range(2))
    first = one.advance({})
    assert first == other.advance({})
    assert first[: len(left)] == left
    assert len(one.playing) <= one.meetings
    assert one.advance({}) == [], "nothing new while so many are under way"
    assert one.matchmaker.names == other.matchmaker.names == present_field(records).names


def test_code_of_versions_that_no_longer_play_is_not_read(records, monkeypatch):
    """The standings are made every second, for weeks, while a class hands in thousands of versions."""
    student, _ = records.add_student("S")
    for number in range(3):
        text, name = f"# version {number}", f"v{number + 1}"
        submission = records.add_submission(student.id, "mine.py", {"mine.py": text}, f"digest {number}")
        sources = {f"{name}/mine.py": {"mine.py": text}}
        records.add_contestant(name, f"player(code={name}/mine.py:Mine)", sources, "student", submission.id)
        records.decide(submission.id, "valid", {}, name)
    read, execute = [], records.store.execute
    monkeypatch.setattr(records.store, "execute", lambda *given: read.append(execute(*given)) or read[-1])
    settings = quick_settings()
    ladder = Ladder(records.store, records, settings)
    assert "# version 2" in repr(read) and list(ladder.field.sources) == ["v3/mine.py"]
    assert "# version 1" not in repr(read)
    read.clear()
    Publisher(records.store, records, settings).publish()
    feedback_chore(records, records.store, settings)
    assert "S" in repr(read) and "# version" not in repr(read)


def test_two_rungs_meet_once_at_a_time(records):
    """Rungs are never busy, so the same two could be chosen again and again while their games are under way."""
    ladder = Ladder(records.store, records, quick_settings())
    given = [pair for _ in range(4) for pair in ladder.advance({})]
    assert sorted({(pair.first, pair.second) for pair in given}) == sorted(ladder.playing)
    assert len(given) == 2 * len(ladder.playing) == 2 * 3


def test_openings_run_out_for_those_who_would_repeat_themselves(records):
    settings = quick_settings(
        rungs=["minimax(depth=2)"], openings=Openings(plies=1), ladder=toml.Ladder(("minimax(depth=2)",), 5)
    )
    student, _ = records.add_student("S")
    hand_in(records, student, "minimax(depth=1)")
    ladder = Ladder(records.store, records, settings)
    rounds = iter(range(20))
    play_ladder(ladder, threads=1, is_stopped=lambda: next(rounds) >= 4)
    pairs = records.store.pairs(LADDER)
    assert len(pairs) == len({pair.opening for pair in pairs}) == 3  # three openings of one ply, up to symmetry
    assert ladder.advance({}) == []
    # Whoever plays by chance may see an opening again.
    hand_in(records, student, "random")
    ladder = Ladder(records.store, records, settings)
    play(ladder, records.store.counts(LADDER)[0] + 20)


def test_new_openings_are_found_when_a_block_is_used_up(records, monkeypatch):
    monkeypatch.setattr("zermelo.arena.ladder.BLOCK", 4)
    settings = quick_settings(rungs=["random"], ladder=toml.Ladder(("random",), 3))
    student, _ = records.add_student("S")
    hand_in(records, student, "minimax(depth=1)")
    ladder = Ladder(records.store, records, settings)
    play(ladder, 40)
    openings = [pair.opening for pair in records.store.pairs(LADDER)]
    assert len(openings) >= 20 and len(set(openings[:20])) == 20
    assert records.store.plan(LADDER)[1][:4] == Ladder(records.store, records, settings)._openings[:4]


RUN = """
import sys
sys.path.insert(0, sys.argv[2])
from quick_class import quick_settings
from zermelo.arena.ladder import Ladder, play_ladder
from zermelo.arena.records import Records
from zermelo.tournaments.store import open_store

store = open_store(sys.argv[1])
ladder = Ladder(store, Records(store), quick_settings())
play_ladder(ladder, threads=2, watch=lambda progress: print(progress.done, flush=True))
"""


def test_killing_the_ladder_loses_no_game_and_repeats_none(records, tmp_path, request):
    for number in range(3):
        student, _ = records.add_student(f"S{number}")
        hand_in(records, student, f"random(seed={number + 50})")
    seen = {}
    for wanted in (1, 20):
        command = [sys.executable, "-c", RUN, str(tmp_path / "arena.db"), str(request.path.parent)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            for line in process.stdout:
                if int(line) >= wanted:
                    break
            process.send_signal(signal.SIGKILL)
            process.wait(60)
        games = {(g.pair.id, g.swapped): g.json for g in records.store.games(LADDER)}
        assert seen.items() <= games.items(), "a game that was there is still there, and is the same"
        assert len(games) >= len(seen) + wanted
        seen = games
    pairs = records.store.pairs(LADDER)
    numbers = Counter()
    for pair in pairs:
        numbers[pair.first, pair.second] += 1
    for pair in pairs:  # numbers without gaps: no pair was begun under two names
        assert pair.number < numbers[pair.first, pair.second]
    # The next run plays the missing halves.
    ladder = Ladder(records.store, records, quick_settings())
    begun = {pair.id for pair in open_pairs(records.store, LADDER)}
    play(ladder, len(seen) + 20)
    assert not begun & {pair.id for pair in open_pairs(records.store, LADDER)}


def test_shared_ranks():
    points = {
        ("a", "b"): (90, 10),
        ("b", "c"): (51, 49),
        ("c", "d"): (90, 10),
        ("a", "c"): (90, 10),
        ("b", "d"): (90, 10),
    }
    ranks = shared_ranks(ladder_ratings(points), ["a", "b", "c", "d"])
    assert {name: rank_text(rank) for name, rank in ranks.items()} == {"a": "1", "b": "2-3", "c": "2-3", "d": "4"}


def test_ratings_stay_when_students_join(records):
    """The scale is fixed by a rung, so a strong newcomer does not push the others down."""
    settings = replace(quick_settings())
    student, _ = records.add_student("S")
    name = hand_in(records, student, "minimax(depth=2)")
    ladder = Ladder(records.store, records, settings)
    play(ladder, 120)
    before = next(row for row in standings(records.store, records, settings)["rows"] if row["contestant"] == name)
    for number in range(4):
        other, _ = records.add_student(f"T{number}")
        hand_in(records, other, f"minimax(depth={number + 5})")
    after = next(row for row in standings(records.store, records, settings)["rows"] if row["contestant"] == name)
    assert abs(after["elo"] - before["elo"]) < before["error"] / 4
    waiting = [row for row in standings(records.store, records, settings)["rows"] if row["elo"] is None]
    assert len(waiting) == 4 and all(row["rank"] == "" for row in waiting)
