"""Compiling in advance: `zermelo warm`, and the lab while it has nothing else to do."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import ClassVar

import pytest

import started
import waiting
from zermelo.core import JIT, njit
from zermelo.games import find_game, game_names
from zermelo.players import find_player
from zermelo.processes.lines import ProcessEnded
from zermelo.warming import crew, marks, usual
from zermelo.warming.crew import Compiler, Crew, Warmed
from zermelo.warming.usual import ALMOST, USUAL, share_of, usual_games
from zermelo.web.first_use import FirstUse
from zermelo.web.opponents import SEARCHES

GAME = find_game("tictactoe")
WARM = [sys.executable, "-m", "zermelo", "warm"]

compiles = pytest.mark.skipif(not JIT, reason="nothing is compiled")


def test_all_players_that_the_lab_offers_are_among_the_usual_ones():
    assert set(SEARCHES.values()) - {"random"} <= set(USUAL)
    assert all(find_player(text, GAME) for text in USUAL)


def test_games_with_the_same_code_are_compiled_once():
    names = [str(game) for game in usual_games()]
    assert names == sorted(names)
    assert {name.partition("/")[0] for name in names} == {name.partition("/")[0] for name in game_names()}
    assert len([name for name in names if name.startswith("tree/")]) == 1


def test_a_bar_never_claims_to_be_full_before_the_end():
    assert share_of("engine(seconds=2)", 10_000) == ALMOST
    assert 0 < share_of(None, 1) < share_of(None, 2) < ALMOST
    warmed = Warmed(GAME, ("random",))
    assert warmed.share == 0
    warmed.shares |= dict.fromkeys(warmed.shares, 1.0)
    assert warmed.share == 1


class Pretended:
    """Stands for a process."""

    begun: ClassVar = []
    closed: ClassVar = 0

    def __init__(self):
        self.done = []
        Pretended.begun.append(self)

    def compile(self, game, player, tell):
        if player == "dies":
            raise ProcessEnded("it died")
        tell(2)
        self.done.append((str(game), player))
        return {"failed": "it failed"} if player == "fails" else {"finished": 2, "seconds": 0.5}

    def close(self):
        Pretended.closed += 1


@pytest.fixture
def pretended(monkeypatch, tmp_path):
    monkeypatch.setenv("ZERMELO_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(crew, "Compiler", Pretended)
    Pretended.begun, Pretended.closed = [], 0
    return Pretended


def crew_for(players, workers, names=("tictactoe", "connect4")):
    made = Crew([find_game(name) for name in names], workers)
    made.games = [Warmed(one.game, players) for one in made.games]
    return made


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_each_player_is_compiled_once(pretended, workers):
    made, seen = crew_for(("random", "human"), workers), []
    made.run(lambda: seen.append(made.share))
    done = [one for process in pretended.begun for one in process.done]
    assert sorted(done, key=str) == sorted(
        ((name, player) for name in ("tictactoe", "connect4") for player in (None, "random", "human")), key=str
    )
    assert made.share == 1 and max(seen) == 1 and min(seen) >= 0
    assert [(one.functions, one.seconds, one.faults) for one in made.games] == [(6, 1.5, [])] * 2
    assert pretended.closed >= len(pretended.begun)
    assert all(one.is_there for one in made.games)
    assert all(len({game for game, _ in process.done}) <= 1 for process in pretended.begun), "a process for each game"


def test_a_player_that_cannot_be_compiled_is_told_and_not_marked(pretended):
    made = crew_for(("fails", "random"), 1, ["tictactoe"])
    made.run()
    assert made.games[0].faults == ["it failed"] and made.games[0].functions == 4
    assert not made.games[0].is_there


def test_a_process_that_dies_ends_the_work(pretended):
    made = crew_for(("dies", "random"), 1)
    with pytest.raises(ProcessEnded, match="it died"):
        made.run()
    assert pretended.closed


def test_a_mark_counts_for_these_players_and_some_days(monkeypatch, tmp_path):
    monkeypatch.setenv("ZERMELO_CACHE_DIR", str(tmp_path))
    assert not marks.is_marked(GAME, USUAL)
    marks.mark(GAME, USUAL)
    assert marks.is_marked(GAME, USUAL)
    assert not marks.is_marked(GAME, USUAL[1:]) and not marks.is_marked(find_game("connect4"), USUAL)
    [file] = (tmp_path / "warm").iterdir()
    then = file.stat().st_mtime - (marks.MARK_DAYS + 1) * marks.DAY
    os.utime(file, (then, then))
    assert not marks.is_marked(GAME, USUAL)
    marks.mark(find_game("connect4"), USUAL)
    assert file not in (tmp_path / "warm").iterdir()


class Interrupted:
    """A player whose time is up whenever it has compiled something. It needs three functions."""

    def __init__(self):
        self.needed = [njit(lambda x: x + 1), njit(lambda x: x + 2), njit(lambda x: x + 3)]

    def limited(self, budget):
        return self

    def prepare(self, game):
        pass

    def think(self, position):
        if self.needed:
            self.needed.pop()(1)


@compiles
def test_a_player_thinks_until_nothing_is_left_to_compile(monkeypatch):
    player = Interrupted()
    monkeypatch.setattr(usual, "find_player", lambda text, game: player)
    usual.compile_player(GAME, "interrupted")
    assert player.needed == []


# ------------------------------------------------------------------------------------------ real processes


@compiles
def test_the_command(tmp_path):
    table = started.run(["warm", "tictactoe"])
    assert table.returncode == 0, table.stderr
    assert "functions compiled" in table.stdout
    done = started.run(["warm", "tictactoe", "--json"])
    assert done.returncode == 0, done.stderr
    [told] = json.loads(done.stdout)
    assert told["game"] == "tictactoe" and told["functions"] == 0 and told["faults"] == []
    assert done.stderr == "compiling Tic-tac-toe\n"


@compiles
def test_what_cannot_work_is_told(tmp_path):
    done = started.run(["warm", "nonsense"])
    assert done.returncode == 2 and "there is no game 'nonsense'" in done.stderr
    blocked = tmp_path / "a file"
    blocked.write_text("")
    done = started.run(["warm", "tictactoe"], env=os.environ | {"ZERMELO_CACHE_DIR": str(blocked)})
    assert done.returncode and "the cache folder cannot be written" in done.stderr


def test_without_the_compiler_there_is_nothing_to_do():
    done = subprocess.run(WARM, env=os.environ | {"NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True)
    assert done.returncode and "nothing is compiled while NUMBA_DISABLE_JIT is set" in done.stderr


@compiles
@pytest.mark.skipif(sys.platform != "linux", reason="it looks for processes in /proc")
def test_an_interrupted_command_leaves_nothing(tmp_path):
    environment = os.environ | {"ZERMELO_CACHE_DIR": str(tmp_path)}
    process = subprocess.Popen([*WARM, "tictactoe", "--workers", "2"], env=environment, stderr=subprocess.PIPE)
    with process:
        waiting.until(lambda: list(tmp_path.glob("*.nbc")))
        threads = Path(f"/proc/{process.pid}/task").iterdir()
        others = [other for thread in threads for other in (thread / "children").read_text().split()]
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
    assert len(others) >= 2  # and the one that watches over them
    assert process.returncode == 130 and errors.decode().endswith("interrupted\n")
    assert not list(tmp_path.glob("**/*.part")) and not (tmp_path / "warm").exists()
    waiting.until(lambda: not any(os.path.exists(f"/proc/{one}") for one in others))


@compiles
def test_the_lab_warms_what_has_no_mark_when_it_is_idle(monkeypatch, tmp_path):
    monkeypatch.setenv("ZERMELO_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("zermelo.web.first_use.usual_games", lambda: [GAME, find_game("connect4")])
    monkeypatch.setattr("zermelo.web.first_use.Compiler", Pretended)
    Pretended.begun = []
    marks.mark(find_game("connect4"), USUAL)
    first_use = FirstUse(is_on=True, idle=0.0)
    try:
        waiting.until(lambda: marks.is_marked(GAME, USUAL))
        assert [one.done for one in Pretended.begun] == [[("tictactoe", player) for player in (None, *USUAL)]]
    finally:
        first_use.close()


@compiles
def test_a_player_who_is_waited_for_comes_before_the_usual_ones(monkeypatch, tmp_path):
    monkeypatch.setenv("ZERMELO_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("zermelo.web.first_use.usual_games", lambda: [find_game("connect4")])
    player = find_player("random")
    first_use = FirstUse(is_on=True, idle=0.0)
    try:
        waiting.until(lambda: list(tmp_path.glob("*.nbc")))  # it is compiling for Connect 4
        job = first_use.want(GAME, player)
        waiting.until(job.done.is_set)
        assert not marks.is_marked(find_game("connect4"), USUAL)
    finally:
        first_use.close()


@compiles
def test_a_process_is_ended_while_it_compiles(monkeypatch, tmp_path):
    monkeypatch.setenv("ZERMELO_CACHE_DIR", str(tmp_path))
    compiler = Compiler()
    with pytest.raises(ProcessEnded):
        compiler.compile(find_game("connect4"), "mcts", lambda number: compiler.end())
    compiler.close()
    assert not list(tmp_path.glob("**/*.part"))
