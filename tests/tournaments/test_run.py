"""Running a tournament: every game is played once, a fault costs only its game, and interruptions change nothing."""

import contextlib
import signal
import sqlite3
import subprocess
import sys
import time
import tracemalloc
from dataclasses import dataclass
from typing import ClassVar

import pytest

import started
import waiting
import zermelo as z
from zermelo.core import JIT
from zermelo.errors import FileError, GameError, ZermeloError
from zermelo.match import play_match
from zermelo.players import Player, RandomPlayer
from zermelo.tournaments.plan import make_plan
from zermelo.tournaments.referee import Played
from zermelo.tournaments.report import make_report
from zermelo.tournaments.run import begin, run
from zermelo.tournaments.schedule import Schedule
from zermelo.tournaments.store import open_store
from zermelo.tournaments.task import Roster
from zermelo.tournaments.workers import Processes, Threads

ZERMELO = [sys.executable, "-m", "zermelo", "tournament"]


def games_of(store, name=None):
    """Everything that must not depend on how the tournament was played."""
    name = store.plan(name)[0].name
    return [
        (game.pair, game.swapped, game.score, game.reason, [move.move for move in game.record.moves])
        for game in store.games(name)
    ]


def played(contestants, game="tictactoe", threads=1, workers=None, **settings):
    plan, objects = make_plan(contestants, game, **settings)
    store = open_store(None)
    begin(store, plan)
    run(store, threads=threads, workers=workers, objects=objects)
    return store


def test_every_pair_is_two_games_on_one_opening_with_colours_swapped():
    store = played(["lines", "random", "random(seed=4)"], pairs=4, depth=1)
    games = list(store.games("tournament"))
    assert len(games) == 2 * 4 * 3
    for one, other in zip(games[::2], games[1::2], strict=True):
        assert one.pair == other.pair and (one.swapped, other.swapped) == (False, True)
        assert one.record.players == (one.pair.first, one.pair.second) == other.record.players[::-1]
        assert one.record.start == other.record.start
    for pairing in {(game.pair.first, game.pair.second) for game in games}:
        openings = [g.pair.opening for g in games if (g.pair.first, g.pair.second) == pairing and not g.swapped]
        assert len(set(openings)) == len(openings) == 4


def test_the_result_depends_on_the_seed_alone():
    settings = {"contestants": ["lines", "random", "minimax(depth=1)"], "pairs": 3, "depth": 1}
    one = games_of(played(**settings, threads=1))
    assert one == games_of(played(**settings, threads=3))
    assert one != games_of(played(**settings, seed=2))


@pytest.mark.parametrize("form", ["round robin", "gauntlet", "swiss", "knockout", "ladder"])
def test_all_formats_run_to_their_end(form):
    store = played(["lines", "random", "random(seed=1)", "minimax(depth=1)"], format=form, pairs=1, depth=1)
    report = make_report(store)
    assert report.games > 0
    assert report.plan.format == form
    assert all(line.games for line in report.lines)


def test_deterministic_players_on_too_few_openings_are_not_a_false_sample():
    report = z.tournament(["lines", "minimax(depth=1)"], "tictactoe", pairs=20, depth=1, openings={"plies": 1})
    assert report.games <= 2 * 3  # tic-tac-toe has three openings of one ply, up to symmetry
    assert "pairs instead of 20" in report.notes[0]
    alike = z.tournament(["random(seed=1)", "random"], "tictactoe", pairs=20, openings={"plies": 1})
    assert alike.games == 40
    assert "play some of the" in alike.notes[0]


def test_increasing_depth():
    report = z.tournament(
        ["lines", "random"], "tictactoe", n_pairs=3, depth=1, increasing_depth=True, openings={"plies": 0}
    )
    depths = {}
    for game in report.store.games("tournament"):
        for move in game.record.moves:
            if move.depth:
                depths.setdefault(game.pair.number, set()).add(move.depth)
    assert depths == {0: {1}, 1: {2}, 2: {3}}


def test_self_matches_do_not_count_in_the_standings():
    report = z.tournament(["lines", "random"], "tictactoe", pairs=2, depth=1, allow_selfmatch=True)
    assert report.games == 2 * 2 * 3
    assert [line.games for line in report.lines] == [4, 4]
    assert report.score("random", "random") is not None


@dataclass(frozen=True)
class Broken(Player):
    """Crashes at the third move it sees."""

    kind: ClassVar[str] = "broken"

    def think(self, position):
        if len(position.line) > 4:
            raise RuntimeError("I told you so")
        return z.random(seed=1).think(position)


def test_a_crash_costs_its_game_and_no_more():
    report = z.tournament([Broken(), "random", "lines"], "tictactoe", pairs=3, depth=1)
    assert report.games == 2 * 3 * 3
    line = next(line for line in report.lines if line.name == "broken")
    assert line.faults > 0
    assert report.endings["crash"] == line.faults
    games = [game for game in report.store.games("tournament") if game.reason.startswith("crash")]
    assert all("RuntimeError: I told you so" in game.record.error for game in games)
    assert "faults" in str(report)


FAULTY = """
import zermelo as z
from zermelo.games.tictactoe import TicTacToe

@z.njit
def deeper(n):
    if n < 0:
        return 0
    return deeper(n + 1) + n % 3

@z.heuristic
def dies(state: TicTacToe):
    "Takes the whole process with it."
    return deeper(z.count(state.mine)) if z.count(state.mine) > 0 else 0

@z.heuristic
def hangs(state: TicTacToe):
    "Never answers."
    n = 1
    while n and z.count(state.mine) > 0:
        n = n * 3 + 1 | 1
    return n

@z.heuristic
def raises(state: TicTacToe):
    "Fails once there are stones."
    return 1 // (1 - min(1, z.count(state.mine)))
"""


def test_processes_survive_players_that_die_hang_or_fail(tmp_path, monkeypatch):
    (tmp_path / "faulty.py").write_text(FAULTY)
    monkeypatch.chdir(tmp_path)
    workers = Processes(1)
    store = played(
        ["random", *(f"faulty.py:{name}" for name in ("dies", "hangs", "raises"))],
        pairs=1,
        depth=1,
        format="gauntlet",
        seconds=1,
        grace=8,  # a busy machine is no fault of the players
        workers=workers,
        openings={"plies": 2},
    )
    report = make_report(store)
    assert report.games == 6
    reasons = {}
    for game in store.games("tournament"):
        reasons.setdefault(game.pair.second.partition(":")[2], set()).add(game.reason.partition(":")[0])
        assert game.score == 1.0, "random wins them all"
    assert reasons == {"dies": {"crash"}, "hangs": {"timeout"}, "raises": {"crash"}}
    failed = next(game for game in store.games("tournament") if "raises" in game.pair.second)
    assert "ZeroDivisionError" in failed.record.reason + failed.record.error


def test_processes_play_what_threads_play():
    settings = {"contestants": ["lines", "random"], "pairs": 2, "depth": 1}
    assert games_of(played(**settings, workers=Processes(1))) == games_of(played(**settings))


@pytest.mark.parametrize("processes", [False, True])
def test_a_spectator_sees_the_positions_of_the_games_it_wants(processes):
    seen = {}

    def spectator(task):
        return None if task.swapped else seen.setdefault(task.pair, []).append

    settings = {"contestants": ["lines", "random(seed=3)"], "pairs": 2, "depth": 1}
    workers = Processes(1) if processes else Threads(1, Roster())
    workers.spectator = spectator
    store = played(**settings, workers=workers)
    first_games = [game for game in store.games("tournament") if not game.swapped]
    assert {game.pair.id: [str(p) for p in game.record.final_position().path] for game in first_games} == {
        pair: [str(p) for p in positions] for pair, positions in seen.items()
    }
    assert games_of(store) == games_of(played(**settings)), "watched or not, the games are the same"


def test_in_python_a_store_is_continued(tmp_path):
    settings = {"contestants": ["lines", "random"], "game": "tictactoe", "pairs": 2, "depth": 1}
    one = z.tournament(**settings, store=tmp_path / "cup.db")
    again = z.tournament(**settings, store=tmp_path / "cup.db")
    assert games_of(one.store) == games_of(again.store)
    with pytest.raises(FileError, match="already contains a different tournament"):
        z.tournament(**(settings | {"pairs": 3}), store=tmp_path / "cup.db")


def ledger_of(pairs):
    """A store with so many finished pairs, except that one has a single game and one has none."""
    plan, _ = make_plan(["random", "random(seed=4)"], "tictactoe", pairs=pairs)
    store = open_store(None)
    begin(store, plan)
    ledger = list(Schedule(*store.plan()).advance({}))
    store.add_pairs(plan.name, ledger)
    game = Played.of(play_match(RandomPlayer(1), RandomPlayer(2), z.game("tictactoe").start()))
    games = [(pair.id, swapped, game) for pair in ledger[2:] for swapped in (False, True)]
    store.add_games(plan.name, [(ledger[0].id, True, game), *games])
    return store


def test_games_of_an_earlier_run_are_counted():
    store = ledger_of(5)
    seen = []
    run(store, threads=1, watch=lambda progress: seen.append((progress.done_before, progress.done, progress.total)))
    assert {before for before, _, _ in seen} == {7}
    assert seen[-1] == (7, 10, 10)
    assert store.counts("tournament") == (10, 10)


def test_resuming_needs_little_memory():
    """A million games are half a million pairs: 0.4 kB for each, not a score for every game and its place."""
    peaks = []
    for pairs in (500, 4500):
        store = ledger_of(pairs)
        tracemalloc.start()
        try:
            run(store, threads=1)
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
    assert (peaks[1] - peaks[0]) / 4000 < 550


def test_the_game_may_be_named_by_a_contestant():
    report = z.tournament([z.alphabeta("tictactoe/lines", depth=1), "random"], pairs=1)
    assert report.plan.game == "tictactoe"
    with pytest.raises(GameError, match="the game is missing"):
        z.tournament(["random", "random(seed=1)"])


def test_what_cannot_be_prepared_is_said_before_the_first_game():
    with pytest.raises(ZermeloError, match="a human player cannot take part"):
        z.tournament(["human", "random"], "tictactoe")


# ------------------------------------------------------------------------------------------ being killed

CUP = """
game = "connect4"
contestants = ["lines2", "centre", "parity12", "random"]
pairs = 12
depth = 4
seed = 3
format = "swiss"
rounds = 3
"""


def wait_for_games(path, number, process):
    """Until so many games are stored; False if the tournament ended before."""

    def are_stored():
        if path.exists():
            with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(path)) as store:
                [(found,)] = store.execute("SELECT count(*) FROM games")
                return found >= number
        return False

    return waiting.until(lambda: "stored" if are_stored() else process.poll() is not None and "ended") == "stored"


@pytest.mark.skipif(not JIT, reason="too slow")
def test_killed_and_resumed_it_ends_as_if_nothing_had_happened(tmp_path, record_property):
    (tmp_path / "cup.toml").write_text(CUP)
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
    cup, whole_store = str(tmp_path / "cup.toml"), str(tmp_path / "whole.db")
    started.run(["tournament", "run", cup, "--store", whole_store]).check_returncode()
    killed = 0
    for number in (1, 30, 75):
        verb = "resume" if (tmp_path / "cup.db").exists() else "run"
        process = subprocess.Popen([*ZERMELO, verb, cup, "--threads", "2"], **quiet)
        if wait_for_games(tmp_path / "cup.db", number, process):
            process.send_signal(signal.SIGKILL)
            killed += process.wait() == -signal.SIGKILL
        process.stderr.close()
    assert killed
    started.run(["tournament", "resume", cup]).check_returncode()
    whole, resumed = open_store(tmp_path / "whole.db"), open_store(tmp_path / "cup.db")
    lost = len(set(map(str, games_of(whole))) ^ set(map(str, games_of(resumed))))
    record_property("figure", [8, f"killed {killed} times and resumed: games lost, repeated or other", "0", str(lost)])
    assert games_of(resumed) == games_of(whole)
    assert make_report(resumed).to_dict() == make_report(whole).to_dict()


@pytest.mark.skipif(not JIT, reason="the compiled search is the hard case")
def test_control_c_stops_deep_searches_at_once(tmp_path):
    (tmp_path / "cup.toml").write_text(CUP.replace("depth = 4", "depth = 30"))
    command = [*ZERMELO, "run", str(tmp_path / "cup.toml"), "--threads", "2"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    waiting.until(lambda: (tmp_path / "cup.db.lock").exists())
    time.sleep(1)  # it need not, but should be searching by now
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 130, errors
    assert errors.rstrip().endswith("interrupted")
    assert not (tmp_path / "cup.db.lock").exists()


@pytest.mark.skipif(not JIT, reason="too slow")
def test_an_sprt_accepts_rejects_and_can_be_resumed(tmp_path):
    settings = {"sprt": {"elo0": 0, "elo1": 100}, "depth": 2, "pairs": 200}
    better = z.tournament(["lines2", "centre"], "connect4", **settings, threads=2)
    assert better.test.verdict == "elo1"
    worse = z.tournament(["centre", "lines2"], "connect4", **settings, threads=1)
    assert worse.test.verdict == "elo0"
    again = z.tournament(["lines2", "centre"], "connect4", **settings, threads=1)
    assert again.to_dict() == better.to_dict(), "games played beyond the verdict do not count"
    assert better.games == 2 * better.test.used
    assert "accepted: lines2 is stronger than centre" in better.verdict()
