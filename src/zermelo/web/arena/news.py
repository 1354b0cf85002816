"""What the pages of an arena are told while they are open. One task looks at the database, however many pages watch."""

import asyncio
import contextlib
import hashlib
import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from starlette.concurrency import run_in_threadpool

from zermelo.arena.records import Records, now
from zermelo.errors import ZermeloError
from zermelo.processes.memory import return_memory
from zermelo.web.spectators import Spectator

log = logging.getLogger("zermelo.web")

MOST_SPECTATORS = 1000
BEAT_SECONDS = 20.0
"""Seconds between two messages to a page of which there is nothing to tell. A page that hears nothing connects anew."""

PUBLISHED = ("standings", "rounds", "final")
"""The snapshots of the worker that are passed on as they are, apart from the students' ids."""

FLAGS = ("paused", "frozen")


class TooManySpectators(ZermeloError):
    """No more pages can watch."""

    http_status = 503


class News:
    """The latest news of each kind, and the pages that get it."""

    def __init__(self, records: Records, seconds: float):
        self.records, self.seconds = records, seconds
        self.latest: dict[str, str] = {}  # kind -> the news as JSON, {kind: content}
        self.spectators: set[Spectator] = set()
        self.revision = -1
        self._beaten = 0.0

    @asynccontextmanager
    async def told(self) -> AsyncIterator[None]:
        """Keep the pages informed."""
        task = asyncio.ensure_future(self._keep_telling())
        try:
            yield
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    async def _keep_telling(self) -> None:
        failed = False
        while True:
            try:
                revision, found = await run_in_threadpool(self.changes)
                for kind, text in found.items():
                    self.tell(kind, text)
                self.revision = revision
                failed = False
            except Exception:  # the database may be busy or full for a while
                if not failed:
                    log.exception("the news of the arena cannot be read; trying again")
                failed = True
            await asyncio.sleep(self.seconds)

    def tell(self, kind: str, text: str) -> None:
        """Send news to every page."""
        self.latest[kind] = text
        for spectator in self.spectators:
            spectator.tell(kind, text)

    def changes(self) -> tuple[int, dict[str, str]]:
        """The revision of the snapshots, and what is new since the last one that pages were told: kind -> JSON."""
        found: dict[str, str] = {}
        revision = self.records.revision()
        if revision != self.revision:
            for kind in PUBLISHED:
                found[kind] = _json(kind, without_ids(self.records.published(kind)[1]))
        queue = self.records.queue()
        found["queue"] = _json(
            "queue", {"waiting": [[one.id, one.state] for one in queue.waiting], "seconds": round(queue.seconds, 1)}
        )
        found["state"] = _json("state", {name: bool(self.records.flag(name, False)) for name in FLAGS})
        found = {kind: text for kind, text in found.items() if self.latest.get(kind) != text}
        time = now()
        if not 0 <= time - self._beaten < BEAT_SECONDS:  # the clock may have jumped
            self._beaten = time
            return_memory()
            found["time"] = _json("time", round(time))
        return revision, found

    def content(self, kind: str) -> str:
        """The latest news of a kind as JSON, for a page that is just made."""
        return self.latest.get(kind) or _json(kind, without_ids(self.records.published(kind)[1]))

    def attach(self) -> Spectator:
        """A page begins to watch. It first gets the latest news of each kind."""
        if len(self.spectators) >= MOST_SPECTATORS:
            raise TooManySpectators("too many people are watching already")
        spectator = Spectator()
        for kind, text in self.latest.items():
            spectator.tell(kind, text)
        self.spectators.add(spectator)
        return spectator


def badge_of(student_id: str) -> str:
    """What pages know a student by. It leads to nothing, unlike the id."""
    return hashlib.sha256(f"badge of {student_id}".encode()).hexdigest()[:12]


def without_ids(content: Any) -> Any:
    """A snapshot for everybody's eyes: badges stand for the ids of the students."""
    if isinstance(content, list):
        return [without_ids(one) for one in content]
    if isinstance(content, dict):
        plain = {key: without_ids(value) for key, value in content.items() if key != "student"}
        return plain | {"badge": badge_of(content["student"])} if content.get("student") else plain
    return content


def _json(kind: str, content: Any) -> str:
    return json.dumps({kind: content}, ensure_ascii=False)
