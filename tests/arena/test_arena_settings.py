"""arena.toml: defaults, every setting, and errors that name the line."""

from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from zermelo.arena.keys import kept_key, new_key, write_private
from zermelo.arena.settings import Rounds, moment, read_settings
from zermelo.errors import FileError


def settings(folder, text):
    (folder / "arena.toml").write_text(text, encoding="utf-8")
    return read_settings(folder)


def test_everything_but_the_game_has_a_default(tmp_path):
    found = settings(tmp_path, 'game = "tictactoe"')
    assert found.title == tmp_path.name and found.game == "tictactoe"
    assert found.budget.options == {"nodes": 10_000} and found.rounds is None and found.rubric is None
    assert found.database == str(tmp_path / "arena.db")
    assert found.allowed.kinds == ("heuristic", "search", "player")
    assert found.course.deadline is None and found.course.zone == ZoneInfo("UTC")


def test_every_setting(tmp_path):
    found = settings(
        tmp_path,
        """
title = "Búsqueda, grupo 3"
game = "hex(size=5)"
store = "postgresql://x@/y"
[allowed]
kinds = ["heuristic"]
insist = true
[budget]
depth = 3
search = "alphabeta(depth=2)"
seconds_per_move = 2.5
memory = 600
[class]
names = "names"
time_zone = "Europe/Madrid"
deadline = 2027-01-15 23:59:00
quota = 3
most_bytes = 5000
languages = ["es"]
visible = "everyone"
keep_days = 90
[ladder]
rungs = ["random", "alphabeta(depth=1)"]
pairs_at_once = 3
most_pairs = 50
[openings]
plies = 2
[rounds]
every = "two weeks"
on = "Tuesday 9:30"
pairs = 4
[final]
pairs = 30
[marks]
rubric = "rubric.toml"
""",
    )
    assert found.game == "hex(size=5)" and found.database == "postgresql://x@/y"
    assert found.allowed.insist
    assert found.budget.options == {"depth": 3} and found.budget.search == "alphabeta(depth=2)"
    assert found.course.deadline == datetime(2027, 1, 15, 22, 59, tzinfo=UTC)
    assert found.course.languages == ("es",) and found.course.keep_days == 90
    assert found.rounds == Rounds("two weeks", 1, 9, 30, 4) and found.rounds.days == 14
    assert found.openings.plies == 2 and found.final.pairs == 30
    assert found.rubric == tmp_path / "rubric.toml"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('title = "x"', "game: is missing"),
        ('game = "chess"', "line 1: game: "),
        (
            'game = "tictactoe"\n[class]\nquotas = 3',
            "line 3: class.quotas: there is no such field; did you mean",
        ),
        ('game = "tictactoe"\n[budget]\nnodes = 3\ndepth = 3', "line 4: budget.depth: only one of nodes, seconds"),
        ('game = "tictactoe"\n[budget]\nseconds = 30', "budget.seconds_per_move: must be at least as long"),
        ('game = "tictactoe"\n[budget]\nmemory = 1', "line 3: budget.memory: 1 should be"),
        ('game = "tictactoe"\n[class]\ntime_zone = "Mars"', "'Mars' is not a time zone"),
        ('game = "tictactoe"\n[class]\ntime_zone = "../etc"', "'../etc' is not a time zone"),
        ('game = "tictactoe"\n[class]\ndeadline = "soon"', "line 3: class.deadline: 'soon' should be a date"),
        ('game = "tictactoe"\n[class]\nlanguages = ["fr"]', "'fr' should be a list of some of these: en, es"),
        ('game = "tictactoe"\n[allowed]\nkinds = []', "allowed.kinds: .. should be a list of some"),
        ('game = "tictactoe"\n[rounds]\non = "someday 18:00"', "'someday 18:00' should be a day and a time"),
        ('game = "tictactoe"\n[rounds]\non = "friday 25:00"', "'friday 25:00' should be a day and a time"),
        ('game = "tictactoe"\n[ladder]\nrungs = ["random", "random"]', "the same rung is given twice"),
    ],
)
def test_errors_name_the_line(tmp_path, text, said):
    with pytest.raises(FileError, match=said):
        settings(tmp_path, text)


def test_a_folder_without_an_arena(tmp_path):
    with pytest.raises(FileError, match="is not an arena"):
        read_settings(tmp_path)


def test_times():
    madrid = ZoneInfo("Europe/Madrid")
    assert moment("2027-01-15", madrid) == datetime(2027, 1, 15, 22, 59, 59, tzinfo=UTC)
    assert moment("2027-07-15 12:00", madrid) == datetime(2027, 7, 15, 10, 0, tzinfo=UTC)
    assert moment("2027-07-15T12:00:00+05:00", madrid) == datetime(2027, 7, 15, 7, 0, tzinfo=UTC)
    twice = moment("2027-10-31 02:30", madrid)
    assert twice.timestamp() == datetime(2027, 10, 31, 1, 30, tzinfo=UTC).timestamp()  # the second 02:30


def test_a_key_in_a_file(tmp_path: Path):
    path, key = tmp_path / "teacher.key", new_key()
    assert kept_key(path) is None
    write_private(path, f"{key}\n")
    assert path.stat().st_mode & 0o777 == 0o600 and kept_key(path) == key
    path.chmod(0o644)
    with pytest.raises(FileError, match="can be read by other users"):
        kept_key(path)
    write_private(path, "nonsense")
    with pytest.raises(FileError, match="does not hold a key"):
        kept_key(path)
    assert list(tmp_path.iterdir()) == [path]
