"""`zermelo check` of classes of players: games against random, and faults with their lines."""

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
    (fault, _) = reports["Fails"].findings
    assert fault.text.splitlines()[0] == f"{file}:16: return position.moves[1000]"
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


def test_games_that_a_class_does_not_play_are_noted(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(FILE.replace('    games = "connect4"\n', '    games = ["connect4", "tictactoe"]\n'))
    report = examined(file, "Columns")
    assert not report.is_right, "it says that it plays both"
    file.write_text(FILE.replace('    games = "connect4"\n', ""))
    report = examined(file, "Columns")
    assert report.is_right
    assert "it does not play Hex" in report.findings[0].text
    assert list(report.facts["games"]) == ["Connect 4"]
