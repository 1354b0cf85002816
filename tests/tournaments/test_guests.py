"""Contestants' files: whatever one of them does, it does not affect the others, and the tournament reports it."""

import dataclasses
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import waiting
import zermelo as z
from zermelo.core import JIT
from zermelo.errors import FileError, ZermeloError
from zermelo.players import AlphaBetaPlayer, find_player
from zermelo.searches.deepening import compiled_engine
from zermelo.searches.textbook import compiled_search
from zermelo.tournaments import hall, tables
from zermelo.tournaments.contestants import Contestant, gather_sources, written_folder
from zermelo.tournaments.guests import missing_here
from zermelo.tournaments.plan import make_plan
from zermelo.tournaments.referee import Abandoned, Limits
from zermelo.tournaments.report import make_report
from zermelo.tournaments.run import begin, run
from zermelo.tournaments.store import open_store
from zermelo.tournaments.task import Roster, Task
from zermelo.tournaments.workers import Processes

pytestmark = pytest.mark.skipif(not JIT, reason="what is compiled is the hard case")

HEAD = "import zermelo as z\nfrom zermelo.games.connect4 import Connect4\n\n"
GOOD = HEAD + "@z.heuristic\ndef f(state: Connect4):\n    return z.count(state.mine & z.bit(24))\n"

BAD = {  # what is wrong at the beginning: the file, and what is said of it
    "exits.py": (GOOD + "import sys\nsys.exit('bye')\n", "exits.py:8: SystemExit: bye"),
    "leaves.py": ("import os\n" + GOOD + "os._exit(0)\n", "leaves.py:8: its process ended with status 0"),
    "loops.py": (GOOD + "while True: pass\n", "loops.py:7: no answer within"),
    "typo.py": (GOOD.replace("z.count", "z.popcount"), "typo.py:6: return z.popcount"),
    "imports.py": (GOOD.replace("    return", "    import randon\n    return"), "imports.py:6: import randon"),
    "syntax.py": ("def f(:\n", "syntax.py:1: def f(:\n    SyntaxError: invalid syntax"),
    "segfault.py": (GOOD + "import ctypes\nctypes.string_at(0)\n", "segfault.py:8: its process died of SIGSEGV"),
    "asks.py": (GOOD + "input()\n", "asks.py:7: input()\n    EOFError"),
    "binary.py": ("\x00\n", "binary.py"),
}

NAMES = ["heurística final.py", "mine (v2).py", "a,b.py", "so=called.py", "Ana Gomez_12_assignsubmission_file_/mine.py"]


def write(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def test_bad_files_are_left_out_with_their_reasons_and_any_name_will_do(tmp_path, monkeypatch):
    write(tmp_path / "students", {name: text for name, (text, _) in BAD.items()} | dict.fromkeys(NAMES, GOOD))
    (tmp_path / "students" / "Eve_3_assignsubmission_file_").mkdir()
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"first.py": GOOD})
    make_plan(["first.py", "random"], "connect4")  # compiles what all of them need, so that 15 s are enough for a file
    plan = make_plan(["students", "random"], "connect4", depth=2, pairs=1, load_limit=15)[0]
    notes = "\n".join(plan.notes)
    for _, said in BAD.values():
        assert f"left out: students/{said}" in notes or f"/students/{said}" in notes, notes
    assert "left out: students/Eve_3_assignsubmission_file_: the folder contains no Python file" in notes
    assert all(note.count("\n") <= 3 for note in plan.notes), "no tracebacks"
    short = sorted(name.replace("_12_assignsubmission_file_", "") for name in NAMES)
    assert sorted(plan.names) == sorted([*(f"students/{name}:f" for name in short), "random"])
    store = open_store(None)
    begin(store, plan)
    run(store, threads=2)
    report = make_report(store)
    assert report.games == 2 * 15
    assert set(report.endings) == {"played out"}


def test_a_file_that_is_named_must_be_right(tmp_path, monkeypatch):
    write(tmp_path, {"exits.py": BAD["exits.py"][0], "mine.py": GOOD})
    monkeypatch.chdir(tmp_path)
    for text in ("exits.py", "exits.py:f", "alphabeta(heuristic=exits.py:f)"):
        with pytest.raises(ZermeloError, match=r"exits.py:8: SystemExit: bye"):
            make_plan([text, "random"], "connect4")
    with pytest.raises(ZermeloError, match=r"mine.py has no heuristic 'g'; it has f"):
        make_plan(["mine.py:g", "random"], "connect4")
    with pytest.raises(ZermeloError, match="f has no weights"):
        make_plan(["mine.py:f(w=3)", "random"], "connect4")


EVIL = (
    GOOD
    + """
import numpy as np

def evil(function=None, **options):
    return lambda state: 0

z.heuristic = evil
z.njit = evil
np.random.seed = None
import zermelo.core.heuristic
zermelo.core.heuristic.heuristic = evil
"""
)


def games_of(store):
    name = store.plan()[0].name
    return {
        (game.pair.first, game.pair.second, game.pair.number, game.swapped): (
            game.score,
            [move.move for move in game.record.moves],
        )
        for game in store.games(name)
    }


def played(contestants, threads=1, **settings):
    plan = make_plan(contestants, "connect4", **settings)[0]
    store = open_store(None)
    begin(store, plan)
    run(store, threads=threads)
    return store


def test_sabotage_hurts_only_the_file_itself(tmp_path, monkeypatch):
    write(tmp_path, {"a_evil.py": EVIL, "mine.py": GOOD, "ours.py": GOOD.replace("24", "25")})
    monkeypatch.chdir(tmp_path)
    settings = {"depth": 3, "pairs": 3, "openings": {"plies": 3}}
    with_evil = games_of(played(["a_evil.py:f", "mine.py:f", "ours.py:f"], threads=2, **settings))
    without = games_of(played(["mine.py:f", "ours.py:f"], **settings))
    assert {key: game for key, game in with_evil.items() if "a_evil.py:f" not in key[:2]} == without
    assert len(with_evil) == 18


def test_files_in_processes_play_the_games_of_built_in_heuristics_in_threads(tmp_path, monkeypatch):
    copied = (
        HEAD
        + "from zermelo.games.connect4.heuristics import {name} as theirs\n\n"
        + "inner = z.njit(theirs.function)\n\n@z.heuristic(weights=theirs.weights)\n"
        + "def f(state: Connect4, w):\n    return inner(state, w)\n"
    )
    write(tmp_path, {f"my {name}.py": copied.format(name=name) for name in ("lines2", "parity12")})
    monkeypatch.chdir(tmp_path)
    settings = {"depth": 3, "pairs": 4, "openings": {"plies": 3}}
    builtin = games_of(played(["lines2", "parity12"], **settings))
    for threads in (1, 3):
        files = games_of(played(["my lines2.py:f", "my parity12.py:f"], threads, **settings))
        assert list(files.values()) == list(builtin.values())
    mixed = games_of(played(["lines2", "my parity12.py:f"], 2, **settings))
    assert list(mixed.values()) == list(builtin.values())


DEEP = (
    HEAD
    + """
@z.njit
def deeper(n):
    if n < 0:
        return 0
    return deeper(n + 1) + n % 3

@z.heuristic
def recurses(state: Connect4):
    return deeper(z.count(state.stones)) if z.count(state.stones) > 9 else 1

@z.heuristic
def loops(state: Connect4):
    n = 1
    while n and z.count(state.stones) > 9:
        n = n * 3 + 1 | 1
    return n

@z.heuristic
def divides(state: Connect4):
    return 7 // (z.count(state.stones) // 2 - 5)
"""
)


def test_recursion_loops_and_errors_cost_their_own_games_only(tmp_path, monkeypatch):
    write(tmp_path, {"deep.py": DEEP, "mine.py": GOOD})
    monkeypatch.chdir(tmp_path)
    names = ["mine.py:f", *(f"deep.py:{name}" for name in ("recurses", "loops", "divides"))]
    # More games than the hall plays at the same time, so that some wait when the third time limit is exceeded.
    store = played(names, 2, depth=2, pairs=6, format="gauntlet", move_limit=4)
    reasons = {}
    for game in store.games("tournament"):
        assert game.score == 1.0, "the good one wins them all"
        reasons.setdefault(game.pair.second.partition(":")[2], []).append(game.reason)
    assert [len(found) for found in reasons.values()] == [12, 12, 12]
    assert all(reason.startswith("crash: deep.py:") and "SIGSEGV" in reason for reason in reasons["recurses"])
    assert all(
        reason.startswith("timeout: deep.py:") and "no answer within 4 s" in reason for reason in reasons["loops"]
    )
    assert any("not played: that happened 3 times" in reason for reason in reasons["loops"])
    others = [reason for reason in reasons["divides"] if "ZeroDivisionError" not in reason]
    assert others == []
    assert sum(line.faults for line in make_report(store).lines) == 36


SEARCH = """
import zermelo as z

@z.search
def mine(node, depth, alpha, beta):
    if node.is_over or depth == 0:
        return node.value
    best = float("-inf")
    for child in node.children():
        best = max(best, -mine(child, depth - 1, -beta, -alpha))
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best

@z.search
def deaf(node, depth):
    n = 1
    while n:
        n = n * 3 + 1 | 1
    return node.value
"""


def test_searches_in_files_are_contestants(tmp_path, monkeypatch):
    """One that never answers loses its own games; the others play as they would without it."""
    write(tmp_path, {"class/anna.py": SEARCH.replace("deaf", "other").replace("while n:", "while n < 5:")})
    write(tmp_path, {"class/ben.py": GOOD, "eva.py": SEARCH})
    monkeypatch.chdir(tmp_path)
    store = played(["class/", "eva.py:deaf(heuristic=lines2)"], 2, depth=2, pairs=1, move_limit=2)
    games = list(store.games("tournament"))
    names = {game.pair.first for game in games} | {game.pair.second for game in games}
    assert names == {
        "class/anna.py:mine",
        "class/anna.py:other",
        "class/ben.py:f",
        "eva.py:deaf(heuristic=lines2)",
    }
    lost = [game for game in games if "timeout" in game.reason]
    assert len(lost) == 6
    assert all("eva.py:deaf(heuristic=lines2)" in (game.pair.first, game.pair.second) for game in lost)
    assert all("no answer within 2 s" in game.reason for game in lost)


SLEEPS = """
import time

class Sleeps:
    def choose(self, position):
        while True:
            time.sleep(1)
"""


def test_after_three_timeouts_games_under_way_cost_no_time_either():
    """All games begin at once, so most of them wait for a move of the contestant when it is excluded."""
    sleeps, other = Contestant("sleeps", "player(code=sleeps.py:Sleeps)"), Contestant("other", "random")
    workers = Processes(1, Roster({"other": find_player("random", z.game("tictactoe"))}), everyone=False)
    settings = {"game": "tictactoe", "opening": str(z.game("tictactoe").start()), "depth_step": 0, "seed": 1}
    files = {"limits": Limits(move_limit=0.2), "sources": {"sleeps.py": {"sleeps.py": SLEEPS}}}
    tasks = [Task(f"{i}", False, players=(sleeps, other), **settings, **files) for i in range(8)]
    reasons = [future.result().reason for future in [workers.submit(task) for task in tasks]]
    workers.close()
    assert all(reason.startswith("timeout: ") for reason in reasons)
    assert sum("not played: that happened 3 times" in reason for reason in reasons) == 5


def test_an_error_of_ours_reaches_whoever_waits_for_a_game(monkeypatch):
    """A driver that ended without a word would leave the arena waiting for ever."""

    def fails(table):
        raise ZeroDivisionError

    monkeypatch.setattr(tables.SlowTable, "next_seat", fails)
    one = Contestant("one", "player(code=sleeps.py:Sleeps)")
    workers = Processes(1)
    settings = {"game": "tictactoe", "opening": str(z.game("tictactoe").start()), "depth_step": 0, "seed": 1}
    files = {"limits": Limits(), "sources": {"sleeps.py": {"sleeps.py": SLEEPS}}}
    games = [workers.submit(Task(f"{i}", False, players=(one, one), **settings, **files)) for i in range(2)]
    for game in games:
        with pytest.raises((ZeroDivisionError, Abandoned)):
            game.result(waiting.PATIENCE)
    assert isinstance(games[0].exception(), ZeroDivisionError)
    workers.close()


@pytest.mark.parametrize(("budget", "compiled_here"), [("nodes=20", ["tictactoe"]), ("depth=1", [])])
def test_the_search_of_a_file_is_compiled_once_for_all_processes(monkeypatch, budget, compiled_here):
    """In a sandbox every process would compile it again, and its first move would take that long."""
    seen = []
    monkeypatch.setattr(AlphaBetaPlayer, "compile_search", lambda player, game: seen.append(str(game)))
    text = "import zermelo as z\n\n@z.heuristic\ndef mine(board: z.TicTacToe):\n    return 1\n"
    mine = Contestant("mine", f"alphabeta(heuristic=mine.py:mine, {budget})")
    workers = Processes(1)
    settings = {"game": "tictactoe", "opening": str(z.game("tictactoe").start()), "depth_step": 0, "seed": 1}
    files = {"limits": Limits(), "sources": {"mine.py": {"mine.py": text}}}
    both = [workers.submit(Task(f"{i}", False, players=(mine, mine), **settings, **files)) for i in range(2)]
    assert [future.result().reason for future in both] == ["played out"] * 2
    workers.close()
    assert seen == compiled_here


@pytest.mark.parametrize(
    ("text", "compiled"),
    [
        ("minimax(heuristic=no.py:mine, nodes=9)", compiled_search),
        ("alphabeta(heuristic=no.py:mine, nodes=9)", compiled_search),
        ("engine(heuristic=no.py:mine, nodes=9)", compiled_engine),
    ],
)
def test_compiling_a_search_leaves_nothing_to_compile_and_needs_no_heuristic(text, compiled):
    game = z.game("tictactoe")
    player = find_player(text, game)
    player.compile_search(game)
    before = compiled.cache_info().misses
    dataclasses.replace(player, heuristic=None).think(game.start())
    assert compiled.cache_info().misses == before


def test_players_who_have_left_are_forgotten(monkeypatch):
    """A random player has another seed, and so another seat, in every pair. A ladder plays for weeks."""
    monkeypatch.setattr(hall, "MOST_SEATS", 4)
    store = open_store(None)
    begin(store, make_plan(["random", "random(seed=3)"], "tictactoe", pairs=10)[0])
    workers = Processes(1)
    run(store, workers=workers)
    assert len(store.scores("tournament")) == 20
    assert len(workers._hall._seats) <= 4 + 2 * workers._hall._most_tables
    assert len(workers._hall._seats) < 20 and len(workers._hall._homes) == 1


KINDS = (
    GOOD
    + """
class Counts:
    def __init__(self, column=4):
        self.column, self.asked = column, []
    def choose(self, position):
        assert len(position.line) - 2 * len(self.asked) in (2, 3), (len(self.asked), position.line)
        self.asked.append(position)
        return next(m for m in position.moves if int(m) >= self.column or m == position.moves[-1])

class Breaks(Counts):
    def choose(self, position):
        if len(position.line) > 5:
            raise RuntimeError("no more")
        return super().choose(position)

class Needs:
    def __init__(self, size):
        pass
    def choose(self, position):
        return "1"

class ForOthers(Counts):
    games = ["hex"]
"""
)


def test_a_file_may_hold_heuristics_and_classes_of_players(tmp_path, monkeypatch):
    """Each is a contestant. An object of a class plays one game, and sees it from its beginning to its end."""
    write(tmp_path, {"class/anna.py": KINDS})
    monkeypatch.chdir(tmp_path)
    store = played(["class/", z.player("class/anna.py:Counts(column=1)")], 2, depth=1, pairs=2, openings={"plies": 2})
    plan, games = store.plan()[0], list(store.games("tournament"))
    assert plan.names == [f"class/anna.py:{name}" for name in ("f", "Counts", "Breaks", "Counts(column=1)")]
    assert "missing a required argument: 'size'" in "".join(plan.notes)
    faults = [game for game in games if game.reason != "played out"]
    assert all("class/anna.py:Breaks" in (game.pair.first, game.pair.second) for game in faults), faults
    assert faults
    assert all(re.match(r"crash: class/anna.py:\d+: RuntimeError: no more", game.reason) for game in faults)
    assert len(games) == 24


def processes_of(marker):
    """The processes whose environment holds this text."""
    found = []
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and marker.encode() in Path(f"/proc/{name}/environ").read_bytes():
                found.append(int(name))
        except OSError:
            pass
    return found


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="looks into /proc")
def test_processes_die_with_the_tournament_even_in_an_endless_loop(tmp_path):
    write(tmp_path, {"deep.py": DEEP.replace("> 9", ">= 0")})
    marker = f"ZERMELO_TEST_MARK={tmp_path.name}-{os.getpid()}"
    environment = os.environ | dict([marker.split("=")])
    command = [
        sys.executable,
        "-m",
        "zermelo",
        "tournament",
        "run",
        "connect4",
        "deep.py:loops",
        "centre",
        "--depth",
        "2",
    ]
    process = subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    ticks = 0
    for _ in range(600):
        time.sleep(0.1)
        others = [pid for pid in processes_of(marker) if pid != process.pid]
        ticks = ticks + 1 if len(others) >= 2 else 0
        if ticks > 80:  # both have been there for so long that one must be in its loop
            break
    process.send_signal(signal.SIGKILL)
    process.wait()
    waiting.until(lambda: not processes_of(marker))


def test_players_given_in_python_meet_files(tmp_path, monkeypatch):
    write(tmp_path, {"mine.py": GOOD})
    monkeypatch.chdir(tmp_path)
    report = z.tournament(
        [z.alphabeta("centre", depth=1), "mine.py:f", "random"], "connect4", depth=1, pairs=2, threads=2
    )
    assert report.games == 2 * 2 * 3
    assert set(report.endings) == {"played out"}


def test_judges_and_clocks(tmp_path, monkeypatch):
    write(tmp_path, {"mine.py": GOOD})
    monkeypatch.chdir(tmp_path)
    report = z.tournament(["mine.py:f", "centre"], "connect4", depth=1, pairs=2, prove_nodes=2000, seconds=5)
    assert report.games == 4
    assert "proven" in report.endings


def test_a_package_beside_a_file_travels_with_it(tmp_path):
    (tmp_path / "mine.py").write_text("import pk.inner\nimport numpy\nfrom pk import other\n", encoding="utf-8")
    (tmp_path / "pk" / "deep").mkdir(parents=True)
    for name in ("__init__", "inner", "other", "deep/more"):
        (tmp_path / "pk" / f"{name}.py").write_text("A = 1\n", encoding="utf-8")
    found = gather_sources(["alphabeta(heuristic=mine.py:mine)"], tmp_path)["mine.py"]
    assert sorted(found) == ["mine.py", "pk/__init__.py", "pk/deep/more.py", "pk/inner.py", "pk/other.py"]
    folder = written_folder(found)
    assert (folder / "pk" / "deep" / "more.py").read_text(encoding="utf-8") == "A = 1\n"


def test_a_stored_name_cannot_leave_its_folder(tmp_path):
    with pytest.raises(FileError, match="is not a valid name for a contestant"):
        written_folder({"../../outside.py": "A = 1\n"})


def test_other_systems_say_what_is_missing():
    assert missing_here("linux") is None
    assert "memory" in missing_here("darwin")
    assert "not those that it has started" in missing_here("win32")
