"""zermelo tournament, as users see it."""

import json
import os
import sys

import pexpect
import pytest
from test_cli import run

from conftest import dose

CUP = 'game = "tictactoe"\ncontestants = ["lines", "random", "minimax(depth=1)"]\npairs = 2\ndepth = 1\n'


def test_a_file_from_beginning_to_end(tmp_path):
    (tmp_path / "cup.toml").write_text(CUP)
    done = run("tournament", "run", "cup.toml", "--html", "cup.html", cwd=tmp_path)
    assert "lines" in done.stdout
    assert "wrote cup.html" in done.stderr
    assert (tmp_path / "cup.html").read_text().startswith("<!doctype html>")
    data = json.loads(run("tournament", "report", "cup.toml", "--json", cwd=tmp_path).stdout)
    assert data["games"] == 12
    again = run("tournament", "resume", "cup.db", "--json", cwd=tmp_path)
    assert json.loads(again.stdout) == data
    done = run("tournament", "run", "cup.toml", status=2, cwd=tmp_path)
    assert "cup.db already contains the tournament 'cup'; resume it" in done.stderr
    run("tournament", "report", "cup.db", "--svg", "cup.svg", cwd=tmp_path)
    assert (tmp_path / "cup.svg").read_text().startswith("<svg")


def test_games_go_out_and_come_in(tmp_path):
    (tmp_path / "cup.toml").write_text(CUP)
    run("tournament", "run", "cup.toml", cwd=tmp_path)
    run("tournament", "export", "cup.toml", "games.jsonl", cwd=tmp_path)
    lines = (tmp_path / "games.jsonl").read_text()
    assert run("tournament", "export", "cup.toml", "-", cwd=tmp_path).stdout == lines
    assert "12 new games" in run("tournament", "import", "other.db", "games.jsonl", cwd=tmp_path).stderr
    assert "0 new games" in run("tournament", "import", "other.db", "games.jsonl", cwd=tmp_path).stderr
    one, other = (
        json.loads(run("tournament", "report", name, "--json", cwd=tmp_path).stdout) for name in ("cup.db", "other.db")
    )
    assert one["pairings"] == other["pairings"]


def test_without_a_file():
    done = run("tournament", "run", "tictactoe", "lines", "random", "--pairs", "2", "--depth", "1", "--json")
    data = json.loads(done.stdout)
    assert (data["games"], data["game"]) == (4, "tictactoe")
    done = run("tournament", "run", "tictactoe", "lines", "random", "--pairs", "9", "--depth", "1", "--plies", "1")
    assert "note: " in done.stderr
    assert "note: " not in done.stdout


def test_openings_with_other_cards(tmp_path):
    """With --varied, each pair of games has another deal; without it, all games have the usual five cards."""

    def deals(*more):
        words = "onitama", "material", "random(seed=1)", "--pairs", "3", "--depth", "1", "--plies", "2"
        run("tournament", "run", *words, *more, "--store", f"cards{len(more)}.db", cwd=tmp_path)
        games = run("tournament", "export", f"cards{len(more)}.db", "-", cwd=tmp_path).stdout
        starts = [json.loads(line)["start"] for line in games.splitlines()]
        return [frozenset(start.replace(",", " ").split()[1:6]) for start in starts]

    usual = {"crane", "monkey", "crab", "tiger", "dragon"}
    assert set(deals()) == {frozenset(usual)}
    assert len(set(deals("--varied"))) == 3


def test_in_the_sandbox_or_not_at_all(tmp_path):
    """Where there is no sandbox, the files do not run, and the message says what to install."""
    (tmp_path / "mine.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    (tmp_path / "cup.toml").write_text(CUP.replace('"lines"', '"mine.py"'))
    for words in (["cup.toml", "--sandbox"], ["tictactoe", "mine.py", "random", "--sandbox"]):
        done = run("tournament", "run", *words, status=1, cwd=tmp_path, env=os.environ | {"PATH": str(tmp_path)})
        assert "there is no sandbox on this machine" in done.stderr
        assert not sys.platform.startswith("linux") or "bubblewrap" in done.stderr
    assert not (tmp_path / "ran").exists()


def test_an_sprt():
    done = run(
        *("tournament", "sprt", "tictactoe", "minimax(depth=4)", "random", "--elo1", "200", "--pairs", "60"),
        "--json",
    )
    data = json.loads(done.stdout)
    assert data["sprt"]["verdict"] == "accepted"
    assert data["games"] == 2 * data["sprt"]["pairs"]


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["run", "none.toml"], 2, "none.toml: cannot be read"),
        (["run", "cup.toml", "--pairs", "3"], 2, "set pairs in the tournament file, not on the command line"),
        (
            ["run", "tictactoe", "lines"],
            2,
            "contestants: a tournament needs at least two contestants, but the number given is 1",
        ),
        (["run", "tictactoe", "lines", "genius"], 2, "has no heuristic 'genius'"),
        (["run", "chess", "lines", "random"], 2, "there is no game 'chess'"),
        (["resume", "none.db"], 2, "there is no tournament store none.db"),
        (["report", "cup.toml"], 2, "there is no tournament store cup.db"),
        (["sprt", "tictactoe", "lines", "random", "--elo0", "5", "--elo1", "1"], 2, "elo0=5 must be less than elo1=1"),
        (["import", "x.db", "none.jsonl"], 2, "none.jsonl: cannot be read"),
    ],
)
def test_misuse(arguments, status, message, tmp_path):
    (tmp_path / "cup.toml").write_text(CUP)
    done = run("tournament", *arguments, status=status, cwd=tmp_path)
    assert message in done.stderr
    assert done.stdout == ""


def test_on_a_terminal_the_standings_are_shown_while_it_runs(tmp_path):
    number = str(dose(40, 3))
    child = pexpect.spawn(
        sys.executable,
        ["-m", "zermelo", "tournament", "run", "tictactoe", "minimax(depth=6)", "random", "--pairs", number],
        cwd=tmp_path,
        encoding="utf-8",
        timeout=120,
        dimensions=(40, 120),
    )
    child.expect(r"\d+ of \d+ games")
    child.expect("superior")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
