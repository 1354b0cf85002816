"""Contestants in the sandbox: they compile and play as elsewhere, and reach nothing."""

import dataclasses
import json
import os

import pytest

from zermelo.check.asking import check_file
from zermelo.check.reports import Settings
from zermelo.errors import FileError, PlayerError, ResourceError
from zermelo.pieces.job import code_version
from zermelo.processes.sandbox import SandboxLimits, missing
from zermelo.tournaments.contestants import Contestant
from zermelo.tournaments.distribute import play_there
from zermelo.tournaments.guests import GuestProcess
from zermelo.tournaments.plan import Plan, make_plan, read_plan
from zermelo.tournaments.run import begin, run
from zermelo.tournaments.schedule import Pair
from zermelo.tournaments.store import open_store
from zermelo.tournaments.task import Task, tasks_of

needs_sandbox = pytest.mark.skipif(missing() is not None, reason=f"there is no sandbox here: {missing()}")

PLAYER = """
import pathlib

class Mine:
    def choose(self, position):
        try:
            pathlib.Path({path!r}).write_text("seen")
            {more}
        except OSError:
            pass
        return position.moves[0]
"""
HANGS = """
class Mine:
    def choose(self, position):
        while True:
            pass
"""


def player(path, more="pass"):
    return PLAYER.format(path=str(path), more=more)


@needs_sandbox
def test_a_contestant_plays_in_the_sandbox_and_writes_nothing(tmp_path):
    (tmp_path / "mine.py").write_text(player(tmp_path / "touched"))
    (tmp_path / "cup.toml").write_text('game = "tictactoe"\ncontestants = ["mine.py", "random"]\npairs = 1\n')
    store = open_store(tmp_path / "cup.db")
    begin(store, read_plan(tmp_path / "cup.toml", sandbox=True))
    assert store.plan()[0].sandbox == SandboxLimits()  # so that resume uses it too
    run(store, threads=1, trust=True)
    games = [json.loads(game.json) for game in store.games(store.plan()[0].name)]
    assert len(games) == 2
    assert not any(game["reason"].startswith("crash") for game in games)
    assert not (tmp_path / "touched").exists()
    assert Plan.from_json(store.plan()[0].to_json()) == store.plan()[0]
    store.close()


@needs_sandbox
def test_the_place_where_a_player_hangs_is_still_found(tmp_path):
    text = "player(code=mine.py:Mine)"
    with GuestProcess("tictactoe", {"mine.py": {"mine.py": HANGS}}, SandboxLimits()) as guest:
        guest.seat(text, 60)
        guest.order("think", player=text, places=[["", []]])
        assert guest.answer(60) == {"begun": True}
        with pytest.raises(Exception, match=r"mine\.py:[45]: no answer within 1 s"):
            guest.answer(1)


def test_without_a_sandbox_nothing_runs_and_the_reason_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr("zermelo.games.sandboxed.missing", lambda: "there is no bwrap")
    monkeypatch.setattr("zermelo.tournaments.distribute.missing", lambda: "there is no bwrap")
    (tmp_path / "mine.py").write_text(player(tmp_path / "touched"))
    with pytest.raises(ResourceError, match="no sandbox on this machine: there is no bwrap"):
        make_plan(["mine.py", "random"], "tictactoe", sandbox=True)
    with pytest.raises(ResourceError, match="no sandbox on this machine"):
        list(check_file(tmp_path / "mine.py", Settings(), sandbox=True))
    plan = make_plan(["random", "alphabeta(depth=1)"], "tictactoe")[0]
    store = open_store(None)
    begin(store, plan)
    with pytest.raises(ResourceError, match="no sandbox on this machine"):
        run(store, sandbox=True)
    store.close()
    task = tasks_of(dataclasses.replace(plan, sandbox=SandboxLimits()), Pair("p", 1, *plan.names, 1, "", 0, 1))[0]
    assert Task.from_json(task.to_json()) == task
    assert play_there(code_version(), task.to_json())["no sandbox"] == "there is no bwrap"


@needs_sandbox
def test_programs_and_links_have_no_place_in_the_sandbox(tmp_path):
    (tmp_path / "secret.py").write_text("secret = 1")
    (tmp_path / "work").mkdir()
    os.symlink(tmp_path / "secret.py", tmp_path / "work" / "helper.py")
    (tmp_path / "work" / "mine.py").write_text("import helper\n" + player(tmp_path / "touched"))
    (tmp_path / "cup.toml").write_text('game = "tictactoe"\ncontestants = ["work/mine.py:Mine", "random"]\n')
    with pytest.raises(FileError, match=r"helper\.py: this is a link"):
        read_plan(tmp_path / "cup.toml", sandbox=True)
    found = Plan("one", "tictactoe", (Contestant("it", 'process(command="true")'), Contestant("random", "random")))
    store = open_store(None)
    store.create(found, [""])
    with pytest.raises(PlayerError, match="it starts a program"):
        run(store, sandbox=True, trust=True)
    store.close()
