"""Code inside files: your own runs without a question, and other people's only after a yes."""

import json
import os
import sqlite3
import subprocess
import sys

import pexpect
import pytest

import started
from zermelo.errors import FileError, UntrustedError
from zermelo.evaluation.weight_files import WeightFile, write_weights
from zermelo.files.trust import TRUSTED, trusting
from zermelo.games import find_heuristic, load_weights
from zermelo.learn.tuning import Found, Settings
from zermelo.match import Record
from zermelo.tournaments.changes import changes_since
from zermelo.tournaments.plan import Plan, make_plan, plan_of_records, read_plan
from zermelo.tournaments.run import begin, run
from zermelo.tournaments.store import open_store
from zermelo.tournaments.trust import code_of

ZERMELO = [sys.executable, "-m", "zermelo"]
MARK = "import pathlib\npathlib.Path({path!r}).touch()\n"
HEURISTIC = """
from zermelo import heuristic
from zermelo.games.tictactoe import TicTacToe
{more}
@heuristic
def corners(state: TicTacToe):
    return 1
"""
CUP = 'game = "tictactoe"\ncontestants = ["mine.py:corners", "random"]\npairs = 1\ndepth = 1\n'


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A tournament with a file of heuristics, begun by a user with their own data folder."""
    monkeypatch.setenv("ZERMELO_DATA_DIR", str(tmp_path / "own"))
    monkeypatch.delenv(TRUSTED, raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(HEURISTIC.format(more=MARK.format(path=str(tmp_path / "ran"))))
    (tmp_path / "cup.toml").write_text(CUP)
    store = open_store(tmp_path / "cup.db")
    begin(store, read_plan(tmp_path / "cup.toml"))
    store.close()
    (tmp_path / "ran").unlink()
    monkeypatch.delenv(TRUSTED, raising=False)
    return tmp_path


def zermelo(*arguments, folder, who, status):
    environment = os.environ | {"ZERMELO_DATA_DIR": str(folder / who)}
    done = started.run(arguments, cwd=folder, env=environment, input="y\n")
    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr
    return done


def test_ones_own_tournament_needs_no_question(folder):
    zermelo("tournament", "resume", "cup.db", folder=folder, who="own", status=0)
    assert (folder / "ran").exists()


def test_a_strangers_tournament_is_refused_without_a_terminal(folder):
    done = zermelo("tournament", "resume", "cup.db", folder=folder, who="stranger", status=2)
    assert "cup.db was not made on this machine" in done.stderr
    assert "the source code stored for mine.py (mine.py: " in done.stderr and "--trust" in done.stderr
    assert not (folder / "ran").exists() and not done.stdout
    zermelo("tournament", "report", "cup.db", folder=folder, who="stranger", status=0)  # reading runs nothing
    assert not (folder / "ran").exists()
    zermelo("tournament", "resume", "cup.db", "--trust", folder=folder, who="stranger", status=0)
    assert (folder / "ran").exists()
    zermelo("tournament", "resume", "cup.db", folder=folder, who="stranger", status=0)  # said once is enough


@pytest.mark.parametrize(("answer", "status"), [("n", 2), ("y", 0)])
def test_at_a_terminal_one_is_asked(folder, answer, status):
    environment = os.environ | {"ZERMELO_DATA_DIR": str(folder / "stranger")}
    child = pexpect.spawn(
        ZERMELO[0], [*ZERMELO[1:], "tournament", "resume", "cup.db"], cwd=folder, env=environment, timeout=120
    )
    child.expect("the source code stored for mine.py")
    child.expect("Run this code.*:")
    assert not (folder / "ran").exists()
    child.sendline(answer)
    child.expect(pexpect.EOF)
    child.close()
    assert (child.exitstatus, (folder / "ran").exists()) == (status, answer == "y")


def test_changed_code_is_asked_about_again(folder):
    with sqlite3.connect(folder / "cup.db") as connection:
        connection.execute("UPDATE tournaments SET plan = replace(plan, 'return 1', 'return 2')")
    connection.close()
    zermelo("tournament", "resume", "cup.db", folder=folder, who="own", status=2)


def test_python_refuses_and_trusts(folder, monkeypatch):
    monkeypatch.setenv("ZERMELO_DATA_DIR", str(folder / "stranger"))
    store = open_store(folder / "cup.db")
    with pytest.raises(UntrustedError, match=r"the source code stored for mine\.py"):
        run(store, threads=1)
    assert not (folder / "ran").exists()
    run(store, threads=1, trust=True)
    assert (folder / "ran").exists()
    store.close()


def test_the_lab_never_trusts(folder, monkeypatch):
    data = folder / "stranger"
    (data / "tournaments").mkdir(parents=True)
    (folder / "cup.db").rename(data / "tournaments" / "cup.db")
    monkeypatch.setenv("ZERMELO_DATA_DIR", str(data))
    order = {"store": str(data / "tournaments" / "cup.db"), "settings": None, "language": "en", "threads": 1}
    command = [sys.executable, "-m", "zermelo.web.tournament_process"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **pipes) as process:
        process.stdin.write(json.dumps(order) + "\n")
        process.stdin.flush()
        told = [line for line in process.stdout if "failed" in line]
    assert "was not made on this machine" in told[0]
    assert not (folder / "ran").exists()


# ------------------------------------------------------------------------------------------ what is code


def test_what_of_a_plan_is_code():
    plain = make_plan(["lines", "random", "engine(nodes=10)"], "tictactoe")[0]
    assert code_of(plain) == []
    players = ['process(command="rm -rf x")', "alphabeta(depth=1, heuristic=other.py:h)", "gtp(mohex)"]
    record = Record("tictactoe", (players[0], players[1]), "-")
    imported = plan_of_records([record, Record("tictactoe", (players[2], "random"), "-")], "cup")
    assert code_of(imported) == ["the command rm -rf x", "the file other.py on this machine", "the command mohex"]


def test_an_imported_tournament_runs_no_commands(folder):
    command = f'process(command="touch {folder / "ran"}")'
    record = Record("tictactoe", (command, "random"), "-")
    (folder / "games.jsonl").write_text(record.to_json() + "\n")
    zermelo("tournament", "import", "new.db", "games.jsonl", folder=folder, who="own", status=0)
    done = zermelo("tournament", "resume", "new.db", folder=folder, who="own", status=2)
    assert "the command touch " in done.stderr and not (folder / "ran").exists()


def test_weights_that_name_code(folder, monkeypatch):
    source = HEURISTIC.replace("@heuristic", "@heuristic(weights={{'w': 1}})").replace("TicTacToe):", "TicTacToe, w):")
    (folder / "mine.py").write_text(source.format(more=MARK.format(path=str(folder / "ran"))))
    path = folder / "tuned.json"
    write_weights(path, WeightFile("mine.py:corners", {"w": 2}))
    assert find_heuristic("tuned.json").weights == {"w": 2}  # one's own
    assert (folder / "ran").exists()
    (folder / "ran").unlink()
    (folder / "mine.py").write_text((folder / "mine.py").read_text() + "\n")
    monkeypatch.setenv("ZERMELO_DATA_DIR", str(folder / "stranger"))
    monkeypatch.delenv(TRUSTED)
    for name in ("tuned.json", "tuned.json(w=3)"):
        with pytest.raises(UntrustedError, match=r"tuned\.json was not made on this machine.*\n  the file mine\.py"):
            find_heuristic(name)
    assert not (folder / "ran").exists()
    analyse = ("analyse", "tictactoe", "--depth", "1", "--heuristic", "tuned.json")
    zermelo(*analyse, folder=folder, who="third", status=2)
    assert not (folder / "ran").exists()
    zermelo(*analyse, "--trust", folder=folder, who="third", status=0)
    assert (folder / "ran").exists()
    with trusting():
        assert find_heuristic("tuned.json").weights == {"w": 2}
    monkeypatch.delenv(TRUSTED)
    monkeypatch.setenv("ZERMELO_DATA_DIR", str(folder / "fourth"))
    assert load_weights(path, trust=True).weights == {"w": 2}
    write_weights(path, WeightFile("connect4/lines2", {"two": 5}))
    assert find_heuristic("tuned.json").weights["two"] == 5


def test_weights_that_name_each_other(folder):
    for one, other in (("a.json", "b.json"), ("b.json", "a.json")):
        write_weights(folder / one, WeightFile(other, {"w": 2}))
    with pytest.raises(FileError, match="in a circle"):
        find_heuristic("a.json")


def test_the_state_of_a_tuning_that_names_code(folder, monkeypatch):
    state = folder / "state.json"
    Found(Settings("mine.py:corners", "tictactoe")).save(state)
    assert Found.load(state).settings.heuristic == "mine.py:corners"
    monkeypatch.setenv("ZERMELO_DATA_DIR", str(folder / "stranger"))
    monkeypatch.delenv(TRUSTED)
    with pytest.raises(UntrustedError, match=r"state\.json was not made on this machine"):
        Found.load(state)
    assert Found.load(state, trust=True)


# ------------------------------------------------------------------------------------------ what resume ignores


def test_resume_tells_what_it_ignores(folder):
    assert changes_since(read_plan(folder / "cup.toml"), folder / "cup.toml") == []
    (folder / "cup.toml").write_text(
        CUP.replace('"random"]', '"lines"]').replace("pairs = 1", "pairs = 7") + "[openings]\nplies = 2\n"
    )
    (folder / "mine.py").write_text((folder / "mine.py").read_text().replace("return 1", "return 2"))
    done = zermelo("tournament", "resume", "cup.toml", "--json", folder=folder, who="own", status=0)
    told = done.stderr
    for line in (
        "ignored: the new contestant lines does not take part; start another tournament to include it",
        "ignored: the contestant random is no longer in the file, but still takes part",
        "ignored: mine.py has changed; the tournament continues with its old contents",
        "ignored: pairs is now 7 in the file; the tournament continues with 1",
        "ignored: openings.plies is now 2 in the file; the tournament continues with None",
    ):
        assert line in told, told
    assert json.loads(done.stdout)["games"] == 2
    (folder / "cup.toml").write_text("game = ")
    done = zermelo("tournament", "resume", "cup.toml", folder=folder, who="own", status=0)
    assert "ignored: cup.toml can no longer be read" in done.stderr


def test_plans_stay_plans(folder):
    plan = read_plan(folder / "cup.toml")
    assert Plan.from_json(plan.to_json()) == plan
