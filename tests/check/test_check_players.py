"""`zermelo check` of classes of players: games against random, and faults with their lines."""

from zermelo.check import players
from zermelo.check.asking import check_file
from zermelo.check.players import examine
from zermelo.check.reports import Settings

FILE = """\
import os, time

class First:
    def choose(self, position):
        print("thinking")
        return position.moves[0]

class Columns:
    games = "connect4"
    def choose(self, position):
        return int(position.moves[-1])

class Fails(First):
    def choose(self, position):
        if len(position.line) > 4:
            return position.moves[1000]
        return super().choose(position)

class Cheats(Columns):
    def choose(self, position):
        return "9"

class Late(Columns):
    def choose(self, position, seconds_left):
        time.sleep(seconds_left + 1.1)
        return position.moves[0]

class Leaves(Columns):
    def choose(self, position):
        os._exit(0)
"""


def test_players_are_tried_in_games(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(FILE)
    reports = {one.name: one for one in check_file(file, Settings(game="connect4"))}
    assert {one.kind for one in reports.values()} == {"player"}
    assert [name for name, one in reports.items() if one.is_right] == ["First", "Columns"]
    first = reports["First"]
    assert first.about == "2 games against random"
    assert first.facts["moves"] > 6
    assert first.facts["longest"] >= first.facts["seconds"] > 0
    (fault,) = reports["Fails"].findings
    assert fault.text.splitlines()[0] == f"{file}:16: return position.moves[1000]"
    assert fault.text.endswith("(and likewise in 1 other position)"), "it failed in both games"
    assert "IndexError: tuple index out of range" in fault.text
    assert "9 is illegal: the columns are 1 to 7" in reports["Cheats"].findings[0].text
    assert "with seconds_left=0.5" in reports["Late"].findings[0].text
    assert "ended its process in the position -" in reports["Leaves"].findings[0].text


def examined(file, name):
    """The report of an examination in this process."""
    steps = examine(file, name, Settings())
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def test_each_fault_is_told_once_however_many_games_it_came_in(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "class Mine:\n"
        '    games = ["connect4", "tictactoe"]\n'
        "    def choose(self, position):\n"
        "        if len(position.line) == 0:\n"
        "            return position.moves[0]\n"
        "        if len(position.line) % 2:\n"
        "            return {}[str(position)]\n"
        "        return 1 / 0\n"
    )
    first, second = examined(file, "Mine").findings
    assert first.text.splitlines()[0].startswith(f"{file}:8: ") and "ZeroDivisionError" in first.text
    assert second.text.splitlines()[0].startswith(f"{file}:7: ") and "KeyError" in second.text
    assert "(and likewise in 1 other position)" in first.text, "the other was not played: three faults are enough"
    assert "likewise" not in second.text


def test_what_is_compiled_for_a_game_is_not_counted_as_time_of_the_player(tmp_path, monkeypatch):
    file = tmp_path / "mine.py"
    file.write_text(
        "class Mine:\n    games = 'tictactoe'\n    def choose(self, position):\n        return position.moves[0]\n"
    )
    done = []
    compiled = players._compile
    monkeypatch.setattr(players, "_compile", lambda position: (done.append("our code"), compiled(position)))
    steps = examine(file, "Mine", Settings())
    for step in steps:
        done.append(step.what)
        if step.what == "position":
            break
    assert done == ["compile", "ours", "our code", "position"]


def test_games_that_a_class_does_not_play_are_noted(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(FILE.replace('    games = "connect4"\n', '    games = ["connect4", "tictactoe"]\n'))
    report = examined(file, "Columns")
    assert not report.is_right, "it says that it plays both"
    file.write_text(FILE.replace('    games = "connect4"\n', ""))
    report = examined(file, "Columns")
    assert report.is_right
    [only] = report.findings
    assert "it does not play Hex, Onitama, Parcheckers, Reversi, Tic-tac-toe: " in only.text, "one reason, one note"
    assert list(report.facts["games"]) == ["Connect 4"]
