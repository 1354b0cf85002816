"""PostgreSQL as a store, on a real server that is started for the test and deleted afterwards."""

import signal
import subprocess
import sys

import pytest

import waiting
from servers import PROGRAMS, postgres_server
from zermelo.errors import FileError
from zermelo.tournaments import store as module
from zermelo.tournaments.plan import make_plan
from zermelo.tournaments.report import make_report
from zermelo.tournaments.run import begin, run
from zermelo.tournaments.store import open_store

psycopg = pytest.importorskip("psycopg", reason='psycopg is not installed: pip install "zermelo[cluster]"')


pytestmark = pytest.mark.skipif(PROGRAMS is None, reason="there is no PostgreSQL server on this machine (no initdb)")


@pytest.fixture(scope="module")
def server():
    with postgres_server() as started:
        yield started


@pytest.fixture
def url(server):
    """A separate database for each test."""
    return server.new_database()


SETTINGS = {"contestants": ["lines", "random", "minimax(depth=1)"], "game": "tictactoe", "pairs": 4, "depth": 1}


def games_of(store):
    return [(game.pair, game.swapped, game.score, game.json.partition('"moves"')[0]) for game in store.games("cup")]


def test_a_tournament_is_the_same_there(url):
    plan = make_plan(**SETTINGS, name="cup")[0]
    stores = [open_store(url), open_store(None)]
    for store in stores:
        begin(store, plan)
        run(store, "cup", threads=2)
    there, here = stores
    assert there.plan("cup") == here.plan("cup")
    assert there.pairs("cup") == here.pairs("cup")
    assert games_of(there) == games_of(here)
    assert make_report(there).to_dict() == make_report(here).to_dict()
    again = open_store(url)
    run(again, "cup", threads=1)
    assert games_of(again) == games_of(here)
    again.remove("cup")
    assert again.names() == []
    for store in stores:
        store.close()
    again.close()


def test_a_pair_is_given_to_one_process_only(url):
    plan = make_plan(**SETTINGS, name="cup")[0]
    one, other = open_store(url), open_store(url)
    begin(one, plan)
    assert one.claim("cup", "1/0-1/0")
    assert not other.claim("cup", "1/0-1/0")
    assert other.claim("cup", "1/0-1/1")
    one.close()  # however it ends, its pairs are free again
    waiting.until(lambda: other.claim("cup", "1/0-1/0"))
    other.close()


def test_several_processes_play_one_tournament_and_one_is_killed(url):
    """Three processes share the pairs. One of them is killed, and the result does not change."""
    plan = make_plan(**(SETTINGS | {"pairs": 20, "contestants": ["lines", "random", "minimax(depth=7)"]}), name="cup")[
        0
    ]
    store = open_store(url)
    begin(store, plan)
    command = [sys.executable, "-m", "zermelo", "tournament", "resume", url, "--threads", "1", "--json"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
    processes = [subprocess.Popen(command, **quiet) for _ in range(3)]
    waiting.until(lambda: store.scores("cup"))
    processes[0].send_signal(signal.SIGKILL)
    errors = [process.communicate(timeout=300)[1] for process in processes]
    assert [process.returncode for process in processes[1:]] == [0, 0], errors
    whole = open_store(None)
    begin(whole, plan)
    run(whole, "cup", threads=1)
    assert games_of(store) == games_of(whole)
    store.close()


def test_an_old_or_newer_database(url, monkeypatch):
    store = open_store(url)
    store.execute("UPDATE zermelo SET value = '99'")
    with pytest.raises(FileError, match="made by a newer version of zermelo"):
        open_store(url)
    store.execute("UPDATE zermelo SET value = ?", [str(module.SCHEMA)])
    monkeypatch.setattr(module, "SCHEMA", module.SCHEMA + 1)
    monkeypatch.setattr(module, "MIGRATIONS", {module.SCHEMA - 1: ["ALTER TABLE games ADD COLUMN referee TEXT"]})
    migrated = open_store(url)
    assert migrated.execute("SELECT value FROM zermelo") == [(str(module.SCHEMA),)]
    migrated.close()
    store.close()


def test_a_server_that_is_not_there(tmp_path):
    with pytest.raises(FileError, match="nowhere"):
        open_store("postgresql://someone:secret@nowhere.invalid/db")
    for url in (f"someone:secret@/db?host={tmp_path}", f"someone@/db?password=secret&host={tmp_path}"):
        with pytest.raises(FileError) as caught:
            open_store(f"postgresql://{url}")
        assert "secret" not in str(caught.value)
