"""zermelo arena new: a folder that explains itself, frozen rungs, links of the class; nothing is ever overwritten."""

import os
import stat
import tomllib

import pytest

import started
from zermelo.arena.making import new_arena, own_time_zone, settings_text, usual_rungs
from zermelo.arena.opening import opened
from zermelo.arena.settings import DAYS, read_settings
from zermelo.errors import FileError, ZermeloError
from zermelo.games import find_game, game_names
from zermelo.language import speaking


def test_the_command(tmp_path):
    def new(*arguments, **variables):
        env = os.environ | variables
        return started.run(["arena", "new", *arguments], cwd=tmp_path, env=env)

    (tmp_path / "class.csv").write_text("Ada\nBob\n", encoding="utf-8")
    options = ["--deadline", "2027-01-15 23:59", "--time-zone", "Europe/Madrid", "--depth", "2", "--quota", "3"]
    done = new("cup", "--game", "tictactoe", *options, "--students", "class.csv", "--url", "http://x:1")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "start it with: zermelo arena serve cup"
    assert sorted(os.listdir(tmp_path / "cup")) == ["arena.db", "arena.toml", "links.csv"]
    assert stat.S_IMODE((tmp_path / "cup").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "cup" / "links.csv").stat().st_mode) == 0o600
    settings = read_settings(tmp_path / "cup")
    assert (settings.title, settings.game, settings.budget.options) == ("cup", "tictactoe", {"depth": 2})
    assert settings.course.quota == 3 and f"{settings.course.deadline:%H:%M %Z}" == "23:59 CET"
    with opened(settings) as records:
        assert [one.name for one in records.students()] == ["Ada", "Bob"]
        rungs = records.contestants("rung")
        assert len(rungs) == len(settings.ladder.rungs) == len({one.title for one in rungs})
        assert (rungs[0].name, rungs[0].title, rungs[0].player) == ("rung-1", "random", "random")
        assert [f"depth={depth}" in rungs[depth].player for depth in (1, 2, 3)] == [True] * 3
    before = (tmp_path / "cup" / "arena.toml").read_bytes()
    done = new("cup", "--game", "tictactoe")
    assert done.returncode == 2 and "cup exists already" in done.stderr
    assert (tmp_path / "cup" / "arena.toml").read_bytes() == before
    for wrong in (
        ["--game", "chess"],
        ["--game", "tictactoe", "--rung", "nobody"],
        ["--game", "tictactoe", "--depth", "2", "--nodes", "3"],
    ):
        done = new("other", *wrong)
        assert done.returncode == 2 and "Traceback" not in done.stderr, done.stderr
    done = new("other", "--game", "tictactoe", "--deadline", "tomorrow")
    assert done.returncode == 2 and "zermelo: class.deadline: 'tomorrow' should be a date and a time" in done.stderr
    assert sorted(os.listdir(tmp_path)) == ["class.csv", "cup"]
    done = new("past", "--game", "tictactoe", "--deadline", "2020-01-15 23:59", "--rung", "random")
    assert done.returncode == 0 and "note: the deadline has passed already" in done.stderr
    done = new("copa", "--game", "tictactoe", "--title", 'El "torneo"', ZERMELO_LANG="es")
    assert done.returncode == 0 and read_settings(tmp_path / "copa").course.languages == ("es", "en")
    assert read_settings(tmp_path / "copa").title == 'El "torneo"'


@pytest.mark.parametrize("name", game_names())
@pytest.mark.parametrize("code", ["en", "es"])
def test_every_game_has_rungs_and_settings_that_can_be_read(tmp_path, name, code):
    game = find_game(name)
    with speaking(code):
        text = settings_text({"title": name, "game": str(game)}, usual_rungs(game))
    assert all(len(line) <= 120 for line in text.splitlines())
    (tmp_path / "arena.toml").write_text(text, encoding="utf-8")
    settings = read_settings(tmp_path)
    assert settings.ladder.rungs[0] == "random" and len(settings.ladder.rungs) >= 3
    assert settings.rounds.days == 7 and settings.course.keep_days == 365
    assert tomllib.loads(text)["budget"] == {
        "nodes": 10000,
        "search": "alphabeta",
        "seconds_per_move": 10,
        "memory": 1024,
    }
    assert tomllib.loads(text)["rounds"]["on"].split()[0] in DAYS


def test_a_failure_leaves_nothing_behind(tmp_path):
    with pytest.raises(ZermeloError):
        new_arena(tmp_path / "cup", 'game = "tictactoe"\n[ladder]\nrungs = ["nobody"]\n')
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "cup").mkdir()
    new_arena(tmp_path / "cup", 'game = "tictactoe"\n')  # an empty folder may be used
    with pytest.raises(FileError, match="exists already"):
        new_arena(tmp_path / "cup", 'game = "tictactoe"\n')


def test_the_time_zone_of_this_machine(monkeypatch):
    monkeypatch.setenv("TZ", ":Europe/Madrid")
    assert own_time_zone() == "Europe/Madrid"
    monkeypatch.setenv("TZ", "nonsense")
    assert own_time_zone() != "nonsense"
