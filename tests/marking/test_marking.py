"""One student's work: forged answers, files that end their process, heuristics, folders, and the command."""

import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from handed_in import GOOD_HEURISTIC, HEURISTIC_RUBRIC, RUBRIC, UNORDERED, WEAK_HEURISTIC

import waiting
from zermelo.check.search_trees import least_nodes, nodes_of_alphabeta, random_cases
from zermelo.marking.grade_files import as_csv, gradescope, junit
from zermelo.marking.marks import mark_work
from zermelo.marking.rubric import read_rubric
from zermelo.marking.submission import Place
from zermelo.processes.sandbox import missing

USUAL = "sandbox" if missing() is None else "plain"
SHORT = """\
secret = 5
seconds = 60

[[group]]
[[group.item]]
check = "values"
trees = 30
points = 10
"""


def marks_of(folder, text, rubric=SHORT, name="mine.py", place=USUAL):
    (folder / "rubric.toml").write_text(rubric)
    file = folder / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    rubric = read_rubric(folder / "rubric.toml")
    return mark_work(file if "/" not in name else file.parent, rubric, Place(place, (folder / "rubric.toml",)))


FORGED = """import json, os, zermelo as z
import zermelo.check.search_trees, zermelo.marking.marks, zermelo.marking.search_items as items
items.LOOKS.clear()
zermelo.check.search_trees.minimax = lambda tree, depth: 0
zermelo.marking.marks.mark_work = lambda *a: None
for number in range(1, 20):
    try:
        os.write(number, b'{"part": {"value": 0, "move": 0, "nodes": 99}}\\n' * 40 + b'{"done": {"points": 10}}\\n')
    except OSError:
        pass
print('{"done": {"points": 10, "of": 10}}')

@z.search
def forged(node, depth):
    return 0
"""


def test_forged_answers_are_only_wrong_answers(tmp_path):
    """The file writes lines of the protocol to every open file, and replaces our functions where it runs."""
    marks = marks_of(tmp_path, FORGED)
    assert marks.points == 0
    assert marks.marks


def test_work_that_ends_its_process_or_hangs_gets_a_reason(tmp_path):
    marks = marks_of(tmp_path, "import os\nos._exit(3)\n")
    assert marks.points == 0
    assert "status 3" in marks.reason
    broken = UNORDERED.replace("    best = float", "    import os\n    os._exit(4)\n    best = float")
    marks = marks_of(tmp_path, broken)
    assert marks.reason is None
    assert any("status 4" in line for line in marks.marks[0].feedback)


def test_a_folder_with_a_helper(tmp_path):
    (tmp_path / "ana").mkdir()
    (tmp_path / "ana" / "helper.py").write_text("INFINITY = float('inf')\n")
    text = "from helper import INFINITY\n" + UNORDERED.replace('float("-inf")', "-INFINITY")
    marks = marks_of(tmp_path, text, f'file = "search.py"\n{SHORT}', "ana/search.py")
    assert (marks.student, marks.points, marks.reason) == ("ana", 10, None)


def test_without_a_sandbox_the_environment_has_no_secret(tmp_path, monkeypatch):
    monkeypatch.setenv("ZERMELO_SECRET", "hidden")
    text = f"import os\nassert 'ZERMELO_SECRET' not in os.environ\n{UNORDERED}"
    assert marks_of(tmp_path, text, place="plain").points == 10


def test_heuristics(tmp_path):
    good = marks_of(tmp_path, GOOD_HEURISTIC, HEURISTIC_RUBRIC)
    assert [mark.points for mark in good.marks] == [20, 20, 20, 40], [mark.feedback for mark in good.marks]
    assert "it is stronger" in good.marks[-1].feedback[0]
    weak = marks_of(tmp_path, WEAK_HEURISTIC, HEURISTIC_RUBRIC.replace('"random"', '"lines"'))
    assert [mark.points for mark in weak.marks][:3] == [20, 20, 0]
    assert weak.marks[-1].points < 40
    data = json.loads(gradescope(weak))
    assert data["score"] == weak.points == sum(test["score"] for test in data["tests"])
    assert [test["max_score"] for test in data["tests"]] == [20, 20, 20, 40]
    assert data["tests"][2]["status"] == "failed"
    assert "player to move" in data["tests"][2]["output"]
    assert {test["visibility"] for test in data["tests"]} == {"visible"}
    assert "mine,40,0,40,100," in as_csv([weak]) or weak.marks[-1].points
    assert "\x00" not in junit([weak])


PLAYER_RUBRIC = """\
kind = "player"
secret = 3
game = "tictactoe"
seconds = 60

[[group]]
[[group.item]]
check = "legal"
points = 10
positions = 8

[[group.item]]
check = "quick_wins"
points = 10
positions = 5

[[group.item]]
check = "beats"
rung = "random"
pairs = 20
confidence = 0.9
points = 10
"""

PLAYER = """class Mine:
    def choose(self, position):
        for move in position.moves:
            if position.play(move).winner == position.to_move:
                return move
        return position.moves[0]


class _Other:
    pass
"""


def test_classes_of_players(tmp_path):
    marks = marks_of(tmp_path, PLAYER, PLAYER_RUBRIC)
    assert marks.reason is None
    assert [mark.points for mark in marks.marks] == [10, 10, 10], [mark.feedback for mark in marks.marks]
    marks = marks_of(tmp_path, PLAYER.replace("return position.moves[0]", "return 'x9'"), PLAYER_RUBRIC)
    assert marks.marks[0].points < 10
    assert "x9" in "".join(marks.marks[0].feedback)


def test_a_search_against_a_rung(tmp_path):
    head, _, match = PLAYER_RUBRIC.replace('"player"', '"search"').partition("[[group.item]]")
    rubric = f"{head}[[group.item]]{match.rpartition('[[group.item]]')[2]}"
    [mark] = marks_of(tmp_path, UNORDERED, rubric).marks
    assert mark.points == 10, mark.feedback
    assert mark.facts["verdict"] == "elo1"
    assert mark.facts["games"] < 40  # it stops early


def test_no_search_needs_fewer_nodes_than_a_proof():
    for case in random_cases(9, 300):
        assert least_nodes(case.tree, case.depth) <= nodes_of_alphabeta(case.tree, case.depth)


# ------------------------------------------------------------------------------------------ the command


def run(*arguments, status=0, **more):
    command = [sys.executable, "-m", "zermelo", "check", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, **more)
    assert done.returncode == status, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done


def test_the_command_in_words(tmp_path):
    (tmp_path / "rubric.toml").write_text(SHORT.replace("secret = 5\n", ""))
    (tmp_path / "ana.py").write_text(UNORDERED)
    done = run("ana.py:my_alphabeta", "--marks", "rubric.toml", "--gradescope", "results.json", cwd=tmp_path)
    assert done.stdout.splitlines()[0] == "rubric, ana: 10 of 10 points"
    assert "right on all 30 trees" in done.stdout
    assert "has no secret number" in done.stderr
    assert json.loads((tmp_path / "results.json").read_text())["score"] == 10


def test_misuse(tmp_path):
    (tmp_path / "mine.py").write_text(UNORDERED)
    (tmp_path / "rubric.toml").write_text(RUBRIC.replace("points = 30", "points = -3"))
    assert "add --marks" in run("mine.py", "--csv", "x.csv", status=2, cwd=tmp_path).stderr
    assert "line 12" in run("mine.py", "--marks", "rubric.toml", status=2, cwd=tmp_path).stderr


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")
def test_ctrl_c_leaves_nothing(tmp_path):
    (tmp_path / "rubric.toml").write_text(SHORT.replace("seconds = 60", "seconds = 600"))
    (tmp_path / "mine.py").write_text("while True:\n    pass\n")
    command = [sys.executable, "-m", "zermelo", "check", "mine.py", "--marks", "rubric.toml", "--csv", "marks.csv"]
    process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.PIPE)
    waiting.until(lambda: any("zermelo.marking.student" in words for words in below(process.pid).values()))
    started = below(process.pid)
    os.kill(process.pid, signal.SIGINT)
    process.communicate(timeout=120)
    assert process.returncode == 130
    assert sorted(file.name for file in tmp_path.iterdir()) == ["mine.py", "rubric.toml"]
    waiting.until(lambda: not any(running().get(number, (0, ""))[1] == words for number, words in started.items()))


def running():
    """The parent and the command line of every process."""
    found = {}
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parent = (process / "stat").read_text().rpartition(")")[2].split()[1]
            found[int(process.name)] = int(parent), (process / "cmdline").read_bytes().decode(errors="replace")
    return found


def below(owner):
    """The processes that a process has started, and those that they have started."""
    known, found = running(), {}
    wanted = {owner}
    while wanted:
        wanted = {number for number, (parent, _) in known.items() if parent in wanted}
        found |= {number: known[number][1] for number in wanted}
    return found
