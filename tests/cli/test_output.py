"""How every command ends when its output cannot be written, when nobody reads it, and when its input is bad."""

import os
import subprocess
import sys

import click
import pytest
from test_cli import ZERMELO

import started
from zermelo.cli.main import cli

CUP = 'game = "tictactoe"\ncontestants = ["random", "lines"]\npairs = 1\ndepth = 1\n'

PRINTING = {
    "": ["--help"],
    "games": [],
    "heuristics": ["tictactoe"],
    "players": [],
    "play": ["tictactoe", "--first", "random", "--second", "random"],
    "analyse": ["tictactoe", "--depth", "1"],
    "perft": ["tictactoe", "--depth", "1"],
    "trace": ["tree/course"],
    "check": ["mine.py"],
    "exercise": ["minimax", "--difficulty", "easy"],
    "solve": ["tictactoe", "b2"],
    "match": ["tictactoe", "--first", "random", "--second", "random", "--games", "2"],
    "tournament run": ["tictactoe", "random", "lines", "--depth", "1", "--pairs", "1"],
    "tournament resume": ["cup.db"],
    "tournament sprt": ["tictactoe", "lines", "random", "--depth", "1", "--pairs", "2"],
    "tournament report": ["cup.db"],
    "tournament export": ["cup.db", "-"],
    "tournament import": ["new.db", "games.jsonl"],
    "study pruning": ["tictactoe", "--depth", "1"],
    "study random": ["tictactoe", "--games", "2", "--depth", "1"],
    "study ladder": ["tictactoe", "--help"],
    "study beam": ["--help"],
    "study ninjas": ["--help"],
    "learn dataset": ["--help"],
    "learn features": ["connect4"],
    "learn fit": ["--help"],
    "learn export": ["--help"],
    "learn tune": ["--help"],
    "learn selfplay": ["--help"],
    "learn probcut": ["--help"],
    "learn book": ["connect4(columns=4, rows=4)", "--stones", "1", "--out", "book.bin"],
    "bench": ["--list"],
    "engine": ["--help"],
    "publish": ["--help"],
    "rules": ["tictactoe"],
    "puzzle": ["connect4", "--list"],
    "serve": ["--help"],
    "warm": ["tictactoe"],
    "arena export": ["--help"],
    "arena final": ["--help"],
    "arena report": ["--help"],
    "arena serve": ["--help"],
    "arena new": ["--help"],
    "arena students": ["--help"],
    "arena submit": ["--help"],
    "arena work": ["--help"],
}
"""For every command, a command line that quickly prints something."""

QUIET = {"tournament import"}
"""Commands that print nothing on standard output."""


def leaves(command, path=()):
    if isinstance(command, click.Group):
        for name, below in command.commands.items():
            yield from leaves(below, (*path, name))
    else:
        yield " ".join(path)


def test_every_command_is_here():
    assert set(leaves(cli)) == set(PRINTING) - {""}


MINE = """
import zermelo as z

@z.heuristic
def mine(board: z.TicTacToe):
    return len(board.mine) - len(board.theirs)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a small tournament that has been played."""
    place = tmp_path_factory.mktemp("cup")
    (place / "cup.toml").write_text(CUP)
    (place / "mine.py").write_text(MINE)
    for command in (["run", "cup.toml"], ["export", "cup.db", "games.jsonl"]):
        started.run(["tournament", *command], cwd=place).check_returncode()
    return place


def ended(command, folder, **streams):
    arguments = [*command.split(), *PRINTING[command]]
    return started.run(arguments, cwd=folder, **streams)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize("command", sorted(set(PRINTING) - QUIET))
def test_a_full_disk_is_one_line_and_status_1(command, folder):
    with open("/dev/full", "w") as full:
        done = ended(command, folder, stdout=full)
    assert done.returncode == 1, done.stderr
    assert done.stderr.splitlines()[-1] == "zermelo: standard output: No space left on device"
    assert "Traceback" not in done.stderr and "Exception ignored" not in done.stderr


@pytest.mark.parametrize("command", sorted(name for name in set(PRINTING) - QUIET if "--help" not in PRINTING[name]))
def test_a_closed_pipe_is_silent_and_status_141(command, folder):
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = ended(command, folder, stdout=writer)
    finally:
        os.close(writer)
    assert done.returncode == 141, done.stderr
    for word in ("Traceback", "Exception ignored", "BrokenPipe", "zermelo:"):
        assert word not in done.stderr


def test_errors_that_cannot_be_told(folder):
    """Standard error may be the stream that fails."""
    for arguments in (["games", "--jsn"], ["play", "chess"]):
        with open("/dev/full", "w") as full:
            done = started.run(arguments, stderr=full)
        assert done.returncode == 1
        reader, writer = os.pipe()
        os.close(reader)
        done = started.run(arguments, stderr=writer, stdout=writer)
        os.close(writer)
        assert done.returncode == 141


def test_head_takes_one_line():
    shell = f"set -o pipefail; {sys.executable} -m zermelo games | head -1"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, timeout=300)
    assert (done.returncode in (0, 141), len(done.stdout.splitlines()), done.stderr) == (True, 1, "")


def test_letters_that_the_terminal_lacks():
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    done = subprocess.run([*ZERMELO, "play", "--help"], capture_output=True, text=True, timeout=300, env=environment)
    assert done.returncode == 0, done.stderr
    done = subprocess.run([*ZERMELO, "games"], capture_output=True, text=True, timeout=300, env=environment)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["tournament", "run", "none.toml"],
        ["tournament", "run", "bad.toml"],
        ["tournament", "run", "tictactoe", "random", "genius"],
        ["tournament", "run", "chess", "random", "lines"],
        ["tournament", "run", "tictactoe", "random", "bad.py"],
        ["tournament", "run", "cup.toml"],
        ["tournament", "resume", "none.db"],
        ["tournament", "resume", "bad.db"],
        ["tournament", "report", "cup.db", "--name", "other"],
        ["tournament", "report", "bad.db"],
        ["tournament", "report", "cup.db", "--html", "no/folder.html"],
        ["tournament", "export", "none.db", "-"],
        ["tournament", "import", "new.db", "none.jsonl"],
        ["tournament", "import", "new.db", "bad.db"],
        ["tournament", "sprt", "tictactoe", "lines", "genius"],
        ["solve", "tictactoe", "zz"],
        ["analyse", "tictactoe", "--heuristic", "bad.json"],
        ["analyse", "tictactoe", "--heuristic", "bad.npz"],
        ["analyse", "tictactoe", "--heuristic", "bad.py:h"],
        ["learn", "fit", "none.npz"],
        ["learn", "fit", "bad.npz"],
        ["learn", "features", "chess"],
        ["learn", "export", "bad.npz"],
        ["perft", "bad.toml"],
    ],
    ids=" ".join,
)
def test_bad_input_is_status_2(arguments, folder):
    for name in ("bad.toml", "bad.db", "bad.json", "bad.npz", "bad.py"):
        (folder / name).write_text("not what it should be (\n")
    done = started.run(arguments, cwd=folder)
    assert done.returncode == 2, done.stderr
    assert done.stdout.strip() == ""
    assert "Traceback" not in done.stderr and done.stderr.strip()
