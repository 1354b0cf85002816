"""Feedback: what a student is told follows from the ledger, and names nobody else."""

import json
import re

import pytest

import zermelo as z
from played_class import SECRET, played_class
from zermelo.arena import feedback
from zermelo.arena.feedback import (
    INDEX,
    comparison_state,
    feedback_chore,
    next_rung,
    snapshot_name,
    without_paths,
)
from zermelo.arena.records import Records
from zermelo.arena.tables import Entrant
from zermelo.tournaments.rating import ladder_ratings
from zermelo.tournaments.store import open_store


@pytest.fixture(scope="module")
def course():
    made = played_class(open_store(None))
    calls = 0
    while feedback_chore(made.records, made.store, None):
        calls += 1
        assert calls < 200
    return made


def told(course, submission):
    return course.records.published(snapshot_name(f"v{submission}"))[1]


def test_the_results_are_those_of_the_ledger(course):
    found = told(course, course.new)
    games = [game for game in course.store.games("ladder") if f"v{course.new}" in game.record.players]
    won = sum(game.record.players[(game.record.winner or 9) - 1 :][:1] == (f"v{course.new}",) for game in games)
    assert (found["games"], found["wins"]) == (len(games), won) == (32, won)
    assert found["wins"] + found["draws"] + found["losses"] == 32
    assert sum(rung["games"] for rung in found["rungs"]) + found["students"]["games"] == 32
    assert [rung["contestant"] for rung in found["rungs"]] == ["rung-1", "rung-2"]  # the weakest first
    assert all(rung["low"] <= rung["score"] <= rung["high"] for rung in found["rungs"])
    moves = [move for game in games for move in game.record.moves]
    assert 0 < found["thought"]["moves"] < len(moves) and found["thought"]["nodes"][1] <= max(
        m.nodes or 0 for m in moves
    )
    assert found["thought"]["seconds"][0] <= found["thought"]["seconds"][1]


def test_what_to_do_next_is_the_weakest_rung_that_is_not_beaten(course):
    assert told(course, course.new)["next"] == "rung-2"  # nobody beats perfect play
    rung = {"state": "beaten", "contestant": "a"}
    assert next_rung([rung, rung | {"state": "open", "contestant": "b"}]) == "b"
    assert next_rung([rung]) is None and next_rung([]) is None


def test_a_version_is_compared_with_the_one_before(course):
    assert told(course, course.old)["previous"] is None
    found = told(course, course.new)["previous"]
    assert found["contestant"] == f"v{course.old}" and found["submission"] == course.old
    assert comparison_state(found) == "stronger" and found["elo"] > 0 and found["superiority"] > 0.95
    assert found["direct"]["games"] == 8 and found["direct"]["score"] > 0.5
    assert comparison_state(found | {"superiority": 0.6}) == "open"
    assert comparison_state(found | {"superiority": None}) == "unknown"
    assert comparison_state(found | {"superiority": 0.01}) == "weaker"


def test_faults_come_with_their_position_and_without_paths(course):
    found = told(course, course.bobs)
    assert found["fault_kinds"]["crash"] > 5 and len(found["faults"]) == 5
    fault = found["faults"][0]
    game = course.store.game("ladder", fault["pair"], fault["swapped"])
    assert fault["position"] == str(game.record.final_position()) and fault["ply"] == len(game.record.moves)
    assert SECRET in fault["reason"] and "ValueError" in fault["error"]
    assert not re.search(r"(^|[\s\"'])/\w", fault["error"] + fault["reason"])
    assert told(course, course.new)["faults"] == []


def test_nothing_about_others_is_told(course):
    text = json.dumps(told(course, course.new))
    for other in ("Bob", "Rigel", SECRET, course.bob.id, f'"v{course.bobs}"'):
        assert other not in text


def test_blunders_are_proven_and_a_best_move_is_none(course):
    found = told(course, course.old)
    assert 0 < len(found["blunders"]) <= 3 and found["reviewed"]
    for blunder in found["blunders"]:
        game = course.store.game("ladder", blunder["pair"], blunder["swapped"])
        assert game.record.moves[blunder["ply"]].move == blunder["played"] not in blunder["right"]
        assert blunder["before"]["outcome"] > blunder["after"]["outcome"]
        here = z.game("tictactoe").position(blunder["position"])  # another solver says the same
        assert z.solve(here).outcome == blunder["before"]["outcome"]
        assert -z.solve(here.play(blunder["played"])).outcome == blunder["after"]["outcome"]
        assert all(-z.solve(here.play(move)).outcome == blunder["before"]["outcome"] for move in blunder["right"])
    assert found["blunders"][0]["lost"] >= found["blunders"][-1]["lost"]


def test_the_chore_does_only_what_is_new():
    course = played_class(open_store(None), pairs=1)
    records, store = course.records, course.store
    while feedback_chore(records, store, None):
        pass
    before = records.revision()
    assert not feedback_chore(records, store, None) and records.revision() == before
    index = records.published(INDEX)[1]
    assert index == {f"v{one}": [8, 0] for one in (course.old, course.new, course.bobs)}
    records.publish(INDEX, index | {f"v{course.old}": [6, 0]})  # as if two games were new
    assert feedback_chore(records, store, None) and not feedback_chore(records, store, None)
    assert [name for name, _ in records.published_since(before)] == [snapshot_name(f"v{course.old}"), INDEX]
    records.remove_student(course.bob.id)
    records.publish(INDEX, {})
    while feedback_chore(records, store, None):
        pass
    assert records.published(snapshot_name(f"v{course.bobs}")) == (0, {})


def test_ratings_are_kept_of_the_latest_versions_only():
    """There is an error for every two contestants, so the ratings of all versions would take ever more memory."""
    entrants = {"rung": Entrant("rung", 0, "rung", "rung", "random", None, None, 0.0, None)}
    for number in range(1, 7):
        one = Entrant(f"v{number}", number, "student", "", "random", "S", number, 0.0, None)
        entrants[one.name] = one
    points = {("rung", f"v{number}"): (4.0 - number / 2, 4.0 + number / 2) for number in range(1, 7)}
    store = open_store(None)
    ratings = feedback._ratings(store, points, "v6", entrants)
    assert ratings.players == ["rung", "v5", "v6"]
    every = ladder_ratings(points)
    for one, other in (("v6", "v5"), ("v6", "rung")):
        assert feedback._lead(one, other, ratings) == pytest.approx(feedback._lead(one, other, every))
    assert feedback._ratings(store, points, "v5", entrants).players == ["rung", "v4", "v5", "v6"]
    assert feedback._ratings(store, points, "v6", entrants).players == ["rung", "v4", "v5", "v6"], "they are kept"
    store.close()


def test_an_arena_without_games_needs_no_feedback():
    store = open_store(None)
    assert not feedback_chore(Records(store), store, None)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('File "/tmp/x y/mine.py", line 2', 'File "mine.py", line 2'),
        ('File "/usr/lib/python3/site-packages/numba/core.py"', 'File "numba/core.py"'),
        ("FileNotFoundError: '/home/teacher/arena.db'", "FileNotFoundError: 'arena.db'"),
        ("3 // 4, 1/2 and a / b", "3 // 4, 1/2 and a / b"),
        ("http://x.org/a/b", "http://x.org/a/b"),
    ],
)
def test_paths_of_the_server_are_cut(text, shown):
    assert without_paths(text) == shown
