"""`zermelo check`: a heuristic that keeps its promise passes, and each way of breaking it is found."""

import json
import os
import signal
import subprocess
import sys

import pytest

import started
import waiting
from conftest import dose
from zermelo.check.asking import check_file
from zermelo.check.heuristics import game_of
from zermelo.check.positions import sample
from zermelo.check.reports import Settings
from zermelo.check.sides import turned, verdict
from zermelo.core import JIT
from zermelo.games import find_game, find_heuristic

ZERMELO = [sys.executable, "-m", "zermelo"]
NUMBER = dose(100, 20)

HEAD = """\
import numpy as np
import zermelo as z
from zermelo.games.connect4.rules import Connect4
from zermelo.games.reversi.rules import Reversi

"""

PROGRAMS = {  # a body of a heuristic of Reversi, whether it is right, the words of its findings, and a word in the text
    "good": ("return z.count(state.mine) - z.count(state.theirs)", True, [], ""),
    "one_sided": ("return z.count(state.mine)", True, ["signs"], "count only one side"),
    "blind": ("return z.count(state.mine | state.theirs)", True, ["signs"], "cannot tell who is ahead"),
    "constant": ("return 7", True, ["signs"], "gives 7 in every position"),
    "first_player": (
        "value = z.count(state.mine) - z.count(state.theirs)\n    return value if state.player == 0 else -value",
        True,
        ["signs"],
        "cannot tell who is ahead",
    ),
    "fails": ("return 100 // (z.count(state.mine) - 9)", False, ["fails"], "ZeroDivisionError"),
    "typo": ("return z.cuont(state.mine)", False, ["compile" if JIT else "fails"], "cuont"),
    "outgrows": (
        "value = 1\n    for _ in range(z.count(state.mine)):\n        value *= 37\n    return value",
        not JIT,
        ["differs"] if JIT else ["signs"],
        "",
    ),
    "chance": ("return 100 * np.random.random()", True, ["unsteady", "signs"], "in the same position"),
}


def written(folder, body, name="h"):
    file = folder / "mine.py"
    file.write_text(f"{HEAD}\n@z.heuristic\ndef {name}(state: Reversi):\n    {body}\n")
    return file


def reports_of(file, **settings):
    return list(check_file(file, Settings(**{"positions": NUMBER, **settings})))


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    """The reports about one file that holds all the programs."""
    bodies = "".join(f"\n@z.heuristic\ndef {name}(state: Reversi):\n    {case[0]}\n" for name, case in PROGRAMS.items())
    file = tmp_path_factory.mktemp("programs") / "mine.py"
    file.write_text(HEAD + bodies)
    return file, {report.name: report for report in reports_of(file)}


@pytest.mark.parametrize("case", PROGRAMS)
def test_what_is_found(reports, case):
    body, is_right, words, text = PROGRAMS[case]
    file, report = reports[0], reports[1][case]
    assert report.is_right == is_right, report.findings
    assert [finding.what for finding in report.findings][: len(words)] == words
    assert any(text in finding.text for finding in report.findings) or not words
    if is_right:
        assert report.facts["evaluations_per_second"] > 0
        assert report.facts["compared_with"]["heuristic"] == str(find_game("reversi").default_heuristic)
    if words == ["fails"]:
        [first, second] = report.findings[0].text.splitlines()
        assert first.startswith(f"{file}:")
        assert first.endswith(body)
        assert report.findings[0].position in second


@pytest.mark.skipif(not JIT, reason="plain Python has numbers of any size")
def test_whole_numbers_that_outgrow_compiled_code_are_found(reports):
    [finding] = [finding for finding in reports[1]["outgrows"].findings if finding.what == "differs"]
    assert finding.position in finding.text
    assert "compiled code gives" in finding.text
    assert "64 bits" in finding.text


def test_an_endless_loop_is_stopped_and_its_line_named(tmp_path):
    body = "i = 0\n    while z.count(state.mine) > 7:\n        i = 1 - i\n    return i"
    file = written(tmp_path, body)
    file.write_text(file.read_text() + "\n\n@z.heuristic\ndef other(state: Reversi):\n    return 1\n")
    hanging, other = reports_of(file, seconds=15.0)
    [finding] = hanging.findings
    assert finding.what == "endless"
    first, second = finding.text.splitlines()
    assert first.startswith((f"{file}:10: while", f"{file}:11: i = 1 - i"))
    assert "h did not finish within 15 seconds in the position" in second
    assert other.is_right, "the rest of the file is checked all the same"


def test_files_that_cannot_be_loaded(tmp_path):
    file = tmp_path / "mine.py"
    expected = {
        "import zermelo as z\nwhile True:\n    pass\n": "does it contain an endless loop?",
        "import os\nos._exit(3)\n": "status 3",
        "x = (1\n": "SyntaxError",
        "import zermelo\n": "there is no heuristic in this file",
    }
    for source, text in expected.items():
        file.write_text(source)
        [report] = reports_of(file, seconds=1.0 if "while" in source else 30.0)
        assert not report.is_right
        assert report.kind == "file"
        assert text in report.findings[0].text
        assert str(file) in report.findings[0].text


# ------------------------------------------------------------------------------------------ the command


def run(*arguments, status=0, **more):
    done = started.run(arguments, **more)
    assert done.returncode == status, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done


def test_the_command(tmp_path):
    file = written(tmp_path, PROGRAMS["good"][0])
    out = run("check", str(file), "--positions", "20").stdout
    assert out.startswith(f"{file}:h: right (Reversi, 20 positions)\n")
    assert "change sign when the sides change places" in out
    file.write_text(file.read_text().replace("state.theirs)", "state.thiers)"))
    assert f"{file}:9: return" in run("check", f"{file}:h", "--positions", "5", status=1).stdout
    [data] = json.loads(run("check", str(tmp_path), "--json", "--positions", "5", status=1).stdout)
    assert (data["file"], data["kind"], data["name"], data["right"]) == (str(file), "heuristic", "h", False)
    assert data["findings"][0]["level"] == "error"


def test_the_list_of_heuristics_says_which_are_broken(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        HEAD
        + "@z.heuristic\ndef good(state: Reversi):\n    'Counts.'\n    return z.count(state.mine)\n\n\n"
        + "@z.heuristic(weights={'disc': 2})\ndef bad(state: Reversi, w):\n    return w[0] * z.count(state.min)\n"
    )
    data = json.loads(run("heuristics", str(file), "--json").stdout)
    state = "compiled" if JIT else "python"
    assert [(one["name"], one["about"], one["state"]) for one in data] == [
        ("good", "Counts.", state),
        ("bad", "", "broken"),
    ]
    assert data[1]["weights"] == {"disc": 2}
    last = run("heuristics", str(file)).stdout.splitlines()[-1]
    assert last.startswith(f"bad: {file}:14: ")
    assert "min" in last
    file.write_text("x = (\n")
    assert "SyntaxError" in run("heuristics", str(file), status=2).stderr


def test_misuse(tmp_path):
    file = written(tmp_path, "return 1")
    assert "there is no file" in run("check", str(tmp_path / "none.py"), status=2).stderr
    assert "has no heuristic 'k'; it has h" in run("check", f"{file}:k", status=2).stderr
    assert "chess" in run("check", str(file), "--game", "chess", status=2).stderr
    (tmp_path / "empty").mkdir()
    assert "no Python files" in run("check", str(tmp_path / "empty"), status=2).stderr


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")
def test_ctrl_c_ends_it_with_its_process(tmp_path):
    file = written(tmp_path, "while True:\n        pass")
    command = subprocess.Popen([*ZERMELO, "check", str(file)], stderr=subprocess.PIPE, stdout=subprocess.PIPE)
    waiting.until(lambda: any(waiting.used(child) > 1 for child in waiting.children(command.pid)))
    os.kill(command.pid, signal.SIGINT)
    children = waiting.children(command.pid)
    command.communicate(timeout=120)
    assert command.returncode == 130
    waiting.until(lambda: not any(map(waiting.is_running, children)))


# ------------------------------------------------------------------------------------------ its parts


@pytest.mark.parametrize("name", ["connect4", "reversi", "hex(size=5)", "onitama", "tictactoe", "parcheckers"])
def test_positions_are_different_unfinished_and_the_same_again(name):
    game = find_game(name)
    number = dose(40, 12)
    positions = sample(game, number, seed=3)
    assert len({position.key for position in positions}) == len(positions) == number
    assert not any(position.is_over for position in positions)
    assert [str(p) for p in positions] == [str(p) for p in sample(game, number, seed=3)]
    assert [str(p) for p in positions] != [str(p) for p in sample(game, number, seed=4)]
    assert any(position.play(move).is_over for position in positions for move in position.moves)


@pytest.mark.parametrize("name", ["connect4", "reversi", "hex(size=5)", "onitama", "tictactoe"])
def test_a_board_that_is_turned_twice_is_the_same(name):
    for position in sample(find_game(name), 10, seed=1):
        state = turned(position.state)
        assert state != position.state or position == position.game.start()
        assert turned(state) == position.state


def test_verdicts():
    values = [-3.0, 5.0, 1.5, 0.0, 2.0, -7.0, 4.0, 9.0]
    assert verdict([(v, -v) for v in values], True) == "opposite"
    assert verdict([(v, 1 - v) for v in values], True) == "mostly"
    assert verdict([(v, v) for v in values], True) == "blind"
    assert verdict([(v, v + 0.1) for v in values], True) == "fixed"
    assert verdict([(abs(v), abs(v) + 1) for v in values], True) == "one-sided"
    assert verdict([(2.0, 2.0)] * 9, True) == "constant"
    assert verdict([(1.0, -1.0)], True) == "unknown"


def test_our_own_heuristics_pass(tmp_path):
    for game in ("connect4", "reversi", "parcheckers"):
        assert game_of(find_heuristic(find_game(game).default_heuristic, find_game(game))).name == game
