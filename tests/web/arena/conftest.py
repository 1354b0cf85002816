"""An arena running on a port of its own, without a worker: the tests say what a worker would.

arena       a fresh arena, with a teacher's, a join and a watch key
anna, ben   students with their keys and clients
visit       opens a page of Chromium, after the link with a key if one is given; it is watched as the lab's pages are
"""

import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest

from web.conftest import Served, watched
from zermelo.arena.records import Records
from zermelo.arena.settings import ArenaSettings
from zermelo.tournaments.store import open_store
from zermelo.web.arena.app import create_arena_app
from zermelo.web.arena.settings import ServerSettings

GOOD = "import zermelo as z\n\n\n@z.heuristic\ndef mine(board: z.TicTacToe):\n    return len(board.mine)\n"


def wait_until(true, seconds: float = 60) -> None:
    """Wait until a function returns something true."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


class Arena(Served):
    """An arena of Tic-tac-toe."""

    def __init__(self, folder: Path, title: str = "Class 2026", server: ServerSettings | None = None, **course):
        self.arena = ArenaSettings(folder, title, "tictactoe")
        self.arena = replace(self.arena, course=replace(self.arena.course, **course))
        self.clients: list[httpx.Client] = []  # of students
        self.store = open_store(folder / "arena.db")
        self.records = Records(self.store)
        self.keys = {kind: self.records.make_key(kind) for kind in ("teacher", "join", "watch")}
        super().__init__(server or ServerSettings(data=folder, poll_seconds=0.05))

    def make_app(self):
        return create_arena_app(self.arena, self.records, self.settings)

    def close(self) -> None:
        for client in self.clients:
            client.close()
        self.stop()
        self.store.close()

    @property
    def token(self) -> str:
        return self.app.state.token

    def client(self, key: str | None = None, **options) -> httpx.Client:
        """A browser in which a link was opened, and which has read the token in a page."""
        client = httpx.Client(**{"base_url": self.address, "timeout": 120} | options)
        if key is not None:
            entered = httpx.get(f"{self.address}/enter", params={"key": key})
            assert entered.status_code == 200
            client.cookies = entered.cookies
            client.headers["X-Zermelo-Token"] = self.token
        return client

    def student(self, name: str) -> SimpleNamespace:
        """A new student with a key and a client."""
        student, key = self.records.add_student(name)
        self.clients.append(self.client(key))
        return SimpleNamespace(student=student, key=key, http=self.clients[-1])

    def rows(self, *names: str, rungs=("random",)) -> list[dict]:
        """The rows of some standings: these students, from the strongest to the weakest, then the rungs."""
        students = {one.name: one for one in self.records.students()}
        rows = []
        for place, name in enumerate([*names, *rungs]):
            is_rung = name in rungs
            rows.append(
                {
                    "contestant": f"rung-{place}" if is_rung else f"v{place + 1}",
                    "student": None if is_rung else students[name].id,
                    "name": name if is_rung else students[name].pseudonym,
                    "is_rung": is_rung,
                    "rank": None if is_rung else str(place + 1),
                    "elo": 100.0 - 50 * place,
                    "error": 20.0,
                    "games": 40,
                    "points": 20.0,
                    "version": None if is_rung else 1,
                    "change": None,
                    "faults": 0,
                }
            )
        return rows

    def publish(self, *names: str) -> None:
        """Publish standings as a worker would, and wait until the server has read them."""
        content = {"games": 40, "rows": self.rows(*names), "rungs": [], "playing": [], "queue": 0}
        revision = self.records.publish("standings", content)
        wait_until(lambda: self.app.state.news.revision >= revision)


@pytest.fixture
def arena(tmp_path):
    started = Arena(tmp_path)
    yield started
    started.close()


@pytest.fixture
def anna(arena):
    return arena.student("Anna")


@pytest.fixture
def ben(arena):
    return arena.student("Ben")


@pytest.fixture
def visit(browser, arena):
    with watched(lambda **options: browser.new_context(base_url=arena.address, **options)) as make:

        def open_link(key: str | None = None, **options):
            page = make(**options)
            if key is not None:
                page.goto(f"/enter?key={key}", wait_until="commit")
                page.wait_for_url(lambda url: "/enter" not in url)
            return page

        yield open_link
