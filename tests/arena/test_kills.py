"""Whatever is killed, at whatever moment: nothing that was accepted is lost, nothing is repeated, and all goes on.

`pytest -m slow -s tests/arena/test_kills.py` prints the table of kills.
"""

import os
import queue
import random
import signal
import subprocess
import sys
import time
from collections import Counter

import pytest
from mishaps import BROKEN, PLAYER, Arena, is_alive, waited

from servers import postgres_server
from zermelo.arena.keeper import Keeper
from zermelo.arena.keys import hash_of
from zermelo.arena.roster import FINAL, LADDER
from zermelo.arena.rounds import is_final_due, order_final
from zermelo.processes.sandbox import missing
from zermelo.tournaments.run import begin, run
from zermelo.tournaments.store import open_store
from zermelo.tournaments.task import tasks_of
from zermelo.tournaments.workers import Processes

pytestmark = pytest.mark.skipif(missing() is not None, reason=f"there is no sandbox here: {missing()}")


def games_of(store, tournament):
    return {
        (game.pair.id, game.swapped): (game.score, game.reason, [move.move for move in game.record.moves])
        for game in store.games(tournament)
    }


def decided(arena):
    found = arena.asked(lambda records: records.submissions(), [])
    return len(found) >= len(arena.accepted) and all(one.state in ("valid", "refused") for one in found)


def order_round(records):
    """A round is due: this is what the worker writes down at its time."""
    due = {"number": 1, "due": time.time(), "ended": None}
    records.change_flag("rounds", {}, lambda value: {"since": 0.0, "rounds": [due]}, "test")


def has_played_on(arena, target, kills):
    """Have games of the ladder been played in spite of some kills? Of guests, there are not always any to kill."""
    return kills["playing"] >= (1 if target == "guest" else EACH)


def round_ended(arena):
    found = arena.asked(lambda records: records.flag("rounds", {}), {}).get("rounds", [])
    return bool(found) and found[0]["ended"] is not None


def final_ended(arena):
    return arena.asked(lambda records: records.flag(FINAL) is not None and not is_final_due(records), False)


def check_everything(arena, sample=12, may_crash=False):
    """Nothing lost, nothing repeated, and the games are those that nobody disturbed."""
    records, store = arena.records, arena.store
    known = {one.id: one for one in records.submissions()}
    assert set(arena.accepted) <= set(known), "every submission that was accepted is there"
    verdicts = Counter(
        event.about["submission"] for event in records.events(10_000) if event.what in ("valid", "refused")
    )
    for number, one in known.items():
        (text,) = records.texts(number).values()
        assert one.state == ("refused" if text == BROKEN else "valid"), one.report
        assert verdicts[number] == 1, "one verdict for each"
        assert arena.accepted.get(number, text) == text
    for name in store.names():
        plan = store.plan(name)[0]
        found = games_of(store, name)
        pairs = {pair.id: pair for pair in store.pairs(name)}
        assert {pair for pair, _swapped in found} <= set(pairs)
        faults = [reason for _score, reason, _moves in found.values() if reason != "played out"]
        assert not faults or (may_crash and all(reason.startswith("crash") for reason in faults)), "no false faults"
        if name != LADDER:
            assert len(found) == 2 * len(pairs) > 0, "all pairs are complete"
        if may_crash:
            continue
        if name != LADDER:
            fresh = open_store(None)
            begin(fresh, plan)
            run(fresh, threads=1, trust=True)
            assert games_of(fresh, name) == found, "the same games as without any mishap"
        elif sample:
            workers = Processes(1, everyone=True)
            chosen = random.Random(1).sample(sorted(found), min(sample, len(found)))
            tasks = {(pair, task.swapped): task for pair, _ in chosen for task in tasks_of(plan, pairs[pair])}
            futures = {key: workers.submit(tasks[key]) for key in chosen}
            again = {key: future.result() for key, future in futures.items()}
            workers.close()
            for key, played in again.items():
                score = 1 - played.score if key[1] else played.score
                assert (score, played.reason) == found[key][:2]


def test_a_worker_is_killed_while_it_plays(tmp_path):
    """The next one goes on: every game that was stored is there, and what waits gets its verdict."""
    arena = Arena(tmp_path / "arena")
    states = queue.SimpleQueue()
    keeper = Keeper({"do": "work", "folder": str(arena.settings.folder), "threads": 1}, states.put, first_delay=0.01)
    keeper.start()
    try:
        first = states.get(timeout=120)
        waited(lambda: LADDER in arena.store.names() and len(arena.store.scores(LADDER)) > 20, "the rungs play")
        os.kill(first["pid"], signal.SIGKILL)
        assert states.get(timeout=120)["state"] == "waiting"
        before = games_of(arena.store, LADDER)
        ada = arena.add_student("Ada")
        arena.accepted[1] = BROKEN
        assert arena.records.add_submission(ada, "mine.py", {"mine.py": BROKEN}, hash_of(BROKEN)).id == 1
        assert states.get(timeout=120)["state"] == "running"
        waited(lambda: decided(arena) and len(arena.store.scores(LADDER)) > len(before), "all goes on")
        waited(lambda: arena.records.published("queue")[1]["waiting"] == [], "the queue is published every second")
    finally:
        keeper.stop()
    after = games_of(arena.store, LADDER)
    assert before.items() <= after.items(), "no stored game was lost or changed"
    assert arena.records.published("standings")[1]["games"] == len(after), "the standings are written at the end"
    check_everything(arena, sample=0)
    arena.close()


@pytest.mark.slow
def test_a_worker_and_a_server_are_killed(tmp_path):
    """The worker dies while it validates, and the server while games are played."""
    arena = Arena(tmp_path / "arena")
    ada = arena.add_student("Ada")
    try:
        arena.start()
        waited(lambda: arena.listen() or arena.address, "the server is there")
        arena.hand_in(ada, PLAYER.format(number=1))
        waited(lambda: arena.listen() or arena.records.submissions(states=["checking"]), "validation begins")
        first = waited(lambda: arena.listen() or arena.worker, "the worker is known")
        assert arena.kill("worker")
        waited(lambda: arena.listen() or (arena.worker != first and decided(arena)), "it gets its verdict")
        waited(lambda: any("v1" in one.players for one in arena.store.results(LADDER, 5, latest=True)), "it plays")
        second = arena.worker
        arena.kill("server")
        assert not is_alive(second)
        before = games_of(arena.store, LADDER)
        arena.start()
        waited(lambda: len(arena.store.scores(LADDER)) > len(before), "games go on")
        arena.stop()
        after = games_of(arena.store, LADDER)
        assert before.items() <= after.items(), "no stored game was lost or changed"
        assert arena.records.published("standings")[1]["games"] == len(after), "the standings are written at the end"
        check_everything(arena, sample=2)
    finally:
        arena.close()


EACH = 4
"""Kills in each phase."""

PHASES = ("handing in", "validating", "playing", "round", "final")


def doing(arena):
    """What the arena is doing at present."""
    if arena.asked(is_final_due, False):
        return "final"
    rounds = arena.asked(lambda records: records.flag("rounds", {}), {}).get("rounds", [])
    if rounds and rounds[0]["ended"] is None:
        return "round"
    states = [one.state for one in arena.asked(lambda records: records.submissions(), [])]
    return "handing in" if len(states) < 2 else "validating" if {"waiting", "checking"} & set(states) else "playing"


@pytest.mark.slow
@pytest.mark.parametrize("target", ["server", "worker", "guest", "database"])
def test_many_kills_at_random_moments(tmp_path, target):
    """Hand in, validate, play, a round and the final, with something killed every few seconds."""
    chance = random.Random(f"kills {target}")
    with postgres_server() if target == "database" else open(os.devnull) as database:
        arena = Arena(tmp_path / "arena", store=database.new_database() if target == "database" else None)
        try:
            kills = _many_kills(arena, chance, target, database)
        finally:
            arena.close()
    print(f"\n{target:9}", "  ".join(f"{phase}: {kills[phase]:2}" for phase in PHASES), f"  all: {kills.total()}")
    assert kills.total() >= 6


def _many_kills(arena, chance, target, database):
    students = [arena.add_student(f"Student {i}") for i in range(4)]
    waiting = [(student, PLAYER.format(number=i)) for i, student in enumerate(students)]
    waiting.insert(2, (students[0], BROKEN))
    kills = Counter()
    stages = iter(
        [
            (lambda: not waiting and decided(arena), lambda: None),
            (lambda: has_played_on(arena, target, kills), lambda: order_round(arena.records)),
            (lambda: round_ended(arena), lambda: order_final(arena.store, arena.records, arena.settings, "test", 7)),
            (lambda: final_ended(arena), lambda: None),
        ]
    )
    is_over, go_on = next(stages)
    arena.start()
    if target == "database":  # without one, a server does not start, and says so
        waited(lambda: arena.listen() or arena.address, "the server is there")
    kill_at = time.monotonic() + chance.uniform(0.5, 3)
    end = time.monotonic() + 1500
    while time.monotonic() < end:
        arena.listen()
        if waiting and waiting[0][1] in arena.accepted.values():
            waiting.pop(0)
        elif waiting and chance.random() < 0.3:  # sent again until it is accepted: the answer may have been lost
            arena.hand_in(*waiting[0])
        if is_over():
            go_on()
            following = next(stages, None)
            if following is None:
                break
            is_over, go_on = following
        phase = doing(arena)
        if time.monotonic() > kill_at and kills[phase] < EACH:
            if target == "database":
                database.kill()
                time.sleep(chance.uniform(0, 2))
                database.start()
                kills[phase] += 1
            elif arena.kill(target):
                kills[phase] += 1
                if target == "server":
                    arena.start()
            kill_at = time.monotonic() + chance.uniform(0.5, 8)
        time.sleep(0.1)
    else:
        raise AssertionError(f"it did not come to its end: {doing(arena)}, {kills}")
    arena.stop()
    # A player whose process is killed has lost that game, because that cannot be told from a crash.
    check_everything(arena, may_crash=target == "guest")
    return kills


@pytest.mark.slow
def test_two_workers_share_a_database(tmp_path):
    """Neither does what the other does, and both end in order."""
    with postgres_server() as database:
        arena = Arena(tmp_path / "arena", store=database.new_database())
        command = [sys.executable, "-m", "zermelo", "arena", "work", str(arena.settings.folder), "--threads", "1"]
        workers = [subprocess.Popen(command, stderr=subprocess.DEVNULL) for _ in range(2)]
        try:
            for number in range(3):
                text = PLAYER.format(number=number)
                student = arena.add_student(f"Student {number}")
                arena.accepted[number + 1] = text
                arena.records.add_submission(student, "mine.py", {"mine.py": text}, hash_of(text))
            waited(lambda: decided(arena), "all have their verdicts")
            before = len(arena.store.scores(LADDER))
            waited(lambda: len(arena.store.scores(LADDER)) > before + 40, "games are played")
            assert [worker.poll() for worker in workers] == [None, None]
        finally:
            for worker in workers:
                worker.terminate()
            ended = [worker.wait(60) for worker in workers]
        assert ended == [0, 0]
        check_everything(arena)
        arena.close()
