"""The lab's tournaments: their stores in a folder, the processes that play them, and the people who watch.

Each tournament has a store of its own, NAME.db, so that several can be played at once. Beside it, NAME.state says
`playing` as long as the tournament should be played, so that the next server continues it whatever ended this one, and
`finished` once nothing is left to play. Only the store says which games have been played.
"""

import asyncio
import contextlib
import json
import logging
import re
import threading
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zermelo.errors import FileError, ZermeloError
from zermelo.language import _, language, speaking
from zermelo.processes.lines import ProcessEnded
from zermelo.processes.orders import OwnProcess
from zermelo.tournaments.store import Store, open_store
from zermelo.web.spectators import Spectator

log = logging.getLogger("zermelo.web")

MOST_RUNNING = 3
MOST_SPECTATORS = 500
SECONDS_TO_BEGIN = 180.0
"""Time limit for a process to import, compile and judge openings before it says that it has begun."""

SECONDS_TO_END = 3.0
"""Time that a process has to end by itself when it is told to."""

IDENTITY = re.compile(r"[a-z0-9][a-z0-9._-]{0,79}")


class NoSuchTournament(ZermeloError):
    """The address names no tournament."""

    http_status = 404


class NotNow(ZermeloError):
    """The request is not possible in the present state of the tournaments."""

    http_status = 409


def slug(name: str) -> str:
    """A tournament's name in the form that addresses and file names have.

    >>> slug("Copa de España, 2026!")
    'copa-de-espana-2026'
    """
    plain = "".join(sign for sign in unicodedata.normalize("NFKD", name.lower()) if not unicodedata.combining(sign))
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:60] or "tournament"


@dataclass
class Live:
    """A tournament as the lab knows it while somebody plays or watches it."""

    identity: str
    state: str = "kept"  # preparing, playing, kept (nobody plays it), finished, failed
    error: str | None = None
    process: OwnProcess | None = None
    ending: bool = False  # whether it was told to stop
    language: str = "en"  # of the person who began or resumed it
    news: dict[str, str] = field(default_factory=dict)  # kind -> the latest news of this kind, as it is sent
    spectators: set[Spectator] = field(default_factory=set)
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    over: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def is_running(self) -> bool:
        return self.state in ("preparing", "playing")

    def publish(self, kind: str, content: Any) -> None:
        """Send news to everybody who watches. The JSON is written only once."""
        text = json.dumps({kind: content}, ensure_ascii=False)
        key = f"board {content['table']}" if kind == "board" else kind
        self.news[key] = text
        for spectator in self.spectators:
            spectator.tell(key, text)

    def change(self, state: str, error: str | None = None) -> None:
        self.state, self.error = state, error
        self.publish("state", {"state": state, "error": error})


class Hub:
    """All tournaments of the lab."""

    def __init__(self, folder: Path, workshop: Path, threads: int):
        self.folder, self.workshop, self.threads = folder, workshop, threads
        self.live: dict[str, Live] = {}
        self.loop: asyncio.AbstractEventLoop | None = None

    # -------------------------------------------------------------------------------- files

    def path(self, identity: str) -> Path:
        return self.folder / f"{identity}.db"

    def _state_file(self, identity: str) -> Path:
        return self.folder / f"{identity}.state"

    def _note(self, identity: str, state: str | None) -> None:
        """Note the state for the next server."""
        if state is None:
            self._state_file(identity).unlink(missing_ok=True)
        else:
            self._state_file(identity).write_text(state, encoding="utf-8")

    def _noted(self, identity: str) -> str:
        try:
            return self._state_file(identity).read_text(encoding="utf-8").strip()
        except OSError:
            return ""

    def identities(self) -> list[str]:
        """The tournaments that have a store, the latest first."""
        if not self.folder.is_dir():
            return []
        files = [file for file in self.folder.glob("*.db") if IDENTITY.fullmatch(file.stem)]
        return [file.stem for file in sorted(files, key=_changed, reverse=True)]

    def check(self, identity: str) -> None:
        if not IDENTITY.fullmatch(identity) or not self.path(identity).is_file():
            raise NoSuchTournament("there is no tournament {identity!r} here", identity=identity[:80])

    @contextlib.contextmanager
    def store(self, identity: str) -> Iterator[Store]:
        """The store of a tournament, for reading."""
        self.check(identity)
        store = open_store(self.path(identity), must_exist=True)
        try:
            yield store
        finally:
            store.close()

    def state(self, identity: str) -> tuple[str, str | None]:
        """The state of a tournament, and what went wrong, if anything did."""
        live = self.live.get(identity)
        if live is not None:
            return live.state, live.error
        return ("finished" if self._noted(identity) == "finished" else "kept"), None

    # -------------------------------------------------------------------------------- playing

    async def create(self, settings: dict[str, Any]) -> str:
        """Plan a tournament and begin to play it. An error says what is wrong with the plan."""
        self.refuse_if_full()
        self.folder.mkdir(parents=True, exist_ok=True)
        wanted = slug(settings["name"])
        identity, number = wanted, 1
        while self.path(identity).exists() or identity in self.live:
            number += 1
            identity = f"{wanted}-{number}"
        live = await self._begin(identity, settings)
        if live.state == "failed":
            del self.live[identity]
            self._forget(identity)
            raise ZermeloError(live.error or _("the tournament failed"))
        return identity

    async def resume(self, identity: str) -> None:
        """Continue a tournament."""
        self.check(identity)
        live = self.live.get(identity)
        if live is not None and live.is_running:
            return
        self.refuse_if_full()
        await self._begin(identity, None)

    async def stop(self, identity: str) -> None:
        """Stop a tournament. Its finished games are kept."""
        self.check(identity)
        live = self.live.get(identity)
        if live is not None and live.process is not None:
            self._note(identity, None)
            await self._end(live)

    async def remove(self, identity: str) -> None:
        """Delete a tournament with all its games."""
        await self.stop(identity)
        live = self.live.pop(identity, None)
        if live is not None:
            live.publish("state", {"state": "removed", "error": None})
        self._forget(identity)

    def _forget(self, identity: str) -> None:
        self._note(identity, None)
        for file in self.folder.glob(f"{identity}.db*"):
            file.unlink(missing_ok=True)

    def refuse_if_full(self) -> None:
        if sum(live.is_running for live in self.live.values()) >= MOST_RUNNING:
            raise NotNow("{number} tournaments are being played; stop one, or wait until one ends", number=MOST_RUNNING)

    async def _begin(self, identity: str, settings: dict[str, Any] | None) -> Live:
        self.loop = asyncio.get_running_loop()
        before = self.live.get(identity)
        spectators = before.spectators if before else set()
        live = self.live[identity] = Live(identity, language=language(), spectators=spectators)
        if before is not None:
            live.news = before.news
        live.change("preparing")
        self.workshop.mkdir(parents=True, exist_ok=True)
        order = {
            "store": str(self.path(identity).resolve()),
            "settings": settings,
            "threads": self.threads,
        }
        self._note(identity, "playing")
        try:
            process = live.process = await asyncio.to_thread(_started, self.workshop)
        except FileError as error:
            self._note(identity, None)
            live.change("failed", str(error))
            return live
        process.order("play", **order)
        threading.Thread(target=self._listen, args=(live, process), name=f"tournament {identity}", daemon=True).start()
        try:
            await asyncio.wait_for(live.begun.wait(), SECONDS_TO_BEGIN)
        except TimeoutError:
            await self._end(live)
            live.change(
                "failed", _("the tournament did not begin within {seconds:g} seconds").format(seconds=SECONDS_TO_BEGIN)
            )
        return live

    def _listen(self, live: Live, process: OwnProcess) -> None:
        """Pass on what the process says until it ends. This runs in a thread."""
        assert self.loop is not None
        with contextlib.suppress(RuntimeError), speaking(live.language):  # the server ends, and the loop is closed
            try:
                while True:
                    event = process.answer()
                    self.loop.call_soon_threadsafe(self._take, live, *next(iter(event.items())))
            except ProcessEnded as error:
                process.kill()  # it has ended; this closes its pipes
                self.loop.call_soon_threadsafe(self._ended, live, str(error), error.errors)

    def _take(self, live: Live, kind: str, content: Any) -> None:
        if kind == "begun":
            live.change("playing")
            live.begun.set()
        elif kind == "finished":
            self._note(live.identity, "finished")
            live.change("finished")
        elif kind == "failed":
            self._note(live.identity, None)
            live.change("failed", content)
        else:
            live.publish(kind, content)

    def _ended(self, live: Live, reason: str, errors: str) -> None:
        live.process = None
        if live.ending:
            live.change("kept")
        elif live.is_running:
            self._note(live.identity, None)
            log.error("tournament %s: %s\n%s", live.identity, reason, errors)
            with speaking(live.language):
                live.change("failed", _("{reason}; the finished games are kept").format(reason=reason))
        for key in [key for key in live.news if key.startswith("board ")]:
            del live.news[key]
        live.begun.set()
        live.over.set()

    async def _end(self, live: Live) -> None:
        """Tell the process to end, and kill it if it does not."""
        process, live.ending = live.process, True
        if process is None:
            return
        process.order("stop")
        try:
            await asyncio.wait_for(live.over.wait(), SECONDS_TO_END)
        except TimeoutError:
            await asyncio.to_thread(process.kill)
            await live.over.wait()

    # -------------------------------------------------------------------------------- watching

    def attach(self, identity: str) -> tuple[Live, Spectator]:
        """Let a page watch a tournament. It first gets the latest news of each kind."""
        self.check(identity)
        if sum(len(live.spectators) for live in self.live.values()) >= MOST_SPECTATORS:
            raise NotNow("too many people are watching already")
        live = self.live.setdefault(identity, Live(identity, self.state(identity)[0]))
        if "state" not in live.news:
            live.change(live.state)
        spectator = Spectator()
        for key, text in live.news.items():
            spectator.tell(key, text)
        live.spectators.add(spectator)
        return live, spectator

    # -------------------------------------------------------------------------------- with the server

    async def recover(self) -> None:
        """Continue the tournaments that were being played when the last server ended."""
        for identity in self.identities():
            if self._noted(identity) == "playing":
                with contextlib.suppress(ZermeloError):
                    await self.resume(identity)

    async def close(self) -> None:
        """End the processes with the server. Their state stays `playing`, so that the next server continues them."""
        await asyncio.gather(*(self._end(live) for live in self.live.values() if live.process is not None))


def _changed(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except FileNotFoundError:  # it has just been removed
        return 0.0


def _started(folder: Path) -> OwnProcess:
    """A new process. It works in the folder of the workshop, where the users' heuristics are."""
    try:
        return OwnProcess("zermelo.web.tournament_process", folder)
    except OSError as error:
        raise FileError("the tournament's process cannot be started: {error}", error=error) from None
