"""The rooms of a lab: those that somebody looks at are in memory, and all of them are in the store.

Whoever knows the code of a room may watch. A seat has a key of 192 random bits, which only its player's browser has. An
invitation is a short code that gives the free seat to the first who uses it. Codes cannot be guessed, since wrong ones
are counted by sender.
"""

import asyncio
import contextlib
import hashlib
import json
import logging
import secrets
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.language import language
from zermelo.match import Move
from zermelo.web.access import OWNER
from zermelo.web.first_use import FirstUse
from zermelo.web.game_store import GameStore
from zermelo.web.limits import Counter, Rate
from zermelo.web.positions import Line
from zermelo.web.saved import record_of
from zermelo.web.together.clocks import Clocks, TimeControl
from zermelo.web.together.room import OFFERS, NotNow, Room, Seat
from zermelo.web.together.store import ALONE_DAYS, OVER_DAYS, PLAYING_DAYS, RoomStore
from zermelo.web.views import view_of

LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # none that looks like another
CODE_LENGTH = 8
MOST_PAGES, MOST_PAGES_OF_ROOM = 1000, 200
NEW_ROOMS, WRONG_CODES = Rate(10, 1 / 60), Rate(30, 0.5)
TICK = 0.5  # seconds between two looks at the clocks
FORGET_EVERY = 3600.0

log = logging.getLogger("zermelo.web")


class NoSuchRoom(ZermeloError):
    """There is no room of this code."""

    http_status = 404


class TooOften(ZermeloError):
    """Somebody asks too often."""

    http_status = 429


class TooManyPages(ZermeloError):
    """Too many people watch already."""

    http_status = 503


@dataclass(eq=False)
class Page:
    """A page that shows a room: of a player, or of a spectator."""

    seat: Seat | None = None
    notes: list[dict[str, Any]] = field(default_factory=list)  #: what only this page is told
    seen: tuple[Any, ...] = ()  #: which position it shows
    something: asyncio.Event = field(default_factory=asyncio.Event)

    def tell(self, **note: Any) -> None:
        self.notes.append(note)
        self.something.set()


@dataclass(eq=False)
class Live:
    """A room in memory, and the pages that show it."""

    room: Room
    pages: set[Page] = field(default_factory=set)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    drawn: dict[str, tuple[tuple[Any, ...], str]] = field(default_factory=dict)  #: the position in each language

    def changed(self) -> None:
        for page in self.pages:
            page.something.set()

    def is_here(self, seat: Seat) -> bool:
        return any(page.seat is seat for page in self.pages)


class Rooms:
    """All rooms. Its clock counts seconds and may be any; tick() must be called now and then."""

    def __init__(
        self,
        store: RoomStore,
        games: GameStore,
        first_use: FirstUse,
        most_plies: int,
        clock: Callable[[], float] = time.monotonic,
    ):
        self.store, self.games, self.first_use, self.most_plies, self.clock = store, games, first_use, most_plies, clock
        self.live: dict[str, Live] = {}
        self._new, self._wrong = Counter(NEW_ROOMS), Counter(WRONG_CODES)
        self._loading = asyncio.Lock()

    # -------------------------------------------------------------------------------- finding and making

    async def create(self, line: Line, control: TimeControl | None, side: int, sender: str) -> tuple[str, str]:
        """A new room, in which the sender plays this side. Returns its code, and the key of the seat."""
        if self._new.wait(sender):
            raise TooOften("too many new games were opened from here; try again in a minute")
        if line.last.is_over:
            raise NotNow("the game is over")
        self.first_use.knows(line.game)
        key = new_key()
        room = Room(new_code(), line.game, line.start, line.moves, Clocks(control) if control else None)
        room.moves = line.moves
        room.seats[side - 1], room.seats[2 - side] = Seat(digest_of(key)), Seat(invite=new_code())
        await self._save(room)
        return room.code, key

    async def find(self, text: str, sender: str) -> tuple[str, str]:
        """The code of the room that somebody has typed, and the invitation if it is one."""
        code = normal_code(text)
        if self._wrong.wait(sender):
            raise TooOften("too many wrong codes; try again in a minute")
        if await asyncio.to_thread(self.store.room, code) is not None:
            return code, ""
        kept = await asyncio.to_thread(self.store.invited, code)
        if kept is None:
            raise NoSuchRoom("there is no game with the code {code}", code=text[:40])
        return kept["code"], code

    async def open(self, code: str, sender: str) -> Live:
        """The room of this code, from memory or from the store."""
        if code in self.live:
            return self.live[code]
        async with self._loading:
            if code in self.live:
                return self.live[code]
            kept = await asyncio.to_thread(self.store.room, code)
            if kept is None:
                if self._wrong.wait(sender):
                    raise TooOften("too many wrong codes; try again in a minute")
                raise NoSuchRoom("there is no game with the code {code}", code=code[:40])
            room = await asyncio.to_thread(Room.from_json, kept, self.clock())
            self.first_use.knows(room.game)
            self.live[code] = Live(room)
            return self.live[code]

    # -------------------------------------------------------------------------------- pages

    @contextlib.asynccontextmanager
    async def entered(self, live: Live, hello: dict[str, Any], holder: str) -> AsyncIterator[Page]:
        """A page in a room, as long as it is open. It says hello with the key of a seat, or with an invitation."""
        if sum(len(one.pages) for one in self.live.values()) >= MOST_PAGES:
            raise TooManyPages("too many people are watching already")
        seat_key, invite = text_in(hello, "seat"), text_in(hello, "invite")
        page = Page(seat_of(live.room, seat_key))
        if page.seat is None and len(live.pages) >= MOST_PAGES_OF_ROOM:
            raise TooManyPages("too many people are watching already")
        async with live.lock:
            if page.seat is None and invite:
                await self._take_seat(live, page, invite)
            if page.seat is not None and (page.seat.holder != holder or page.seat.invite):
                page.seat.holder, page.seat.invite = holder, ""  # who is back needs no successor
                await self._save(live.room)
        live.pages.add(page)
        live.changed()
        try:
            yield page
        finally:
            live.pages.discard(page)
            live.changed()

    async def _take_seat(self, live: Live, page: Page, invite: str) -> None:
        """Give the free seat to the page that has the invitation. It is used up then."""
        room = live.room
        free = room.invited
        if free is None or not secrets.compare_digest(invite.encode(), free.invite.encode()):
            page.tell(note="taken")
            return
        key = new_key()
        page.seat = Seat(digest_of(key))
        if room.offer is not None and room.offer.by is free:
            room.offer = None
        room.seats[room.player_of(free) - 1] = page.seat
        page.tell(seat=key)
        await self._save(room)

    async def do(self, live: Live, page: Page, order: dict[str, Any]) -> None:
        """Do what a page asks for. An error says why that is not possible."""
        async with live.lock:
            room, seat, now = live.room, page.seat, self.clock()
            if seat is None or not room.player_of(seat):
                raise NotNow("only the two players can do that")
            was_over = room.is_over
            await asyncio.to_thread(self._do, live, seat, order, now)
            await self._save(room)
            if room.is_over and not was_over:
                await asyncio.to_thread(self._keep_record, room)
            live.changed()

    def _do(self, live: Live, seat: Seat, order: dict[str, Any], now: float) -> None:
        room, kind = live.room, order.get("do")
        if kind == "move" and isinstance(order.get("ply"), int):
            room.play(seat, text_in(order, "move"), order["ply"], now, self.most_plies)
        elif kind == "resign":
            room.resign(seat, now)
        elif kind == "offer" and order.get("what") in OFFERS:
            room.ask(seat, order["what"], now)
        elif kind == "answer" and isinstance(order.get("yes"), bool):
            room.answer(seat, order["yes"], now)
        elif kind == "invite":
            other = room.seats[2 - room.player_of(seat)]
            if live.is_here(other):
                raise NotNow("the other player is here")
            other.invite = other.invite or new_code()
        else:
            raise NotNow("this message cannot be read")

    # -------------------------------------------------------------------------------- news

    async def news(self, live: Live, page: Page) -> list[str]:
        """What a page must be told: the position if it is another one, the rest of the room, and its own notes."""
        notes, page.notes = page.notes, []
        async with live.lock:
            room = live.room
            key = (room.moves, room.end)
            message = {}
            if page.seen != key:
                known = live.drawn.get(language())
                if known is None or known[0] != key:
                    text = await asyncio.to_thread(lambda: view_of(room.line, room.end).model_dump_json())
                    known = live.drawn[language()] = (key, text)
                message["view"] = json.loads(known[1])
                page.seen = key
            message["room"] = self._seen_by(live, page)
        return [json.dumps(note, ensure_ascii=False) for note in [*notes, message]]

    def _seen_by(self, live: Live, page: Page) -> dict[str, Any]:
        room, clocks = live.room, live.room.clocks
        you, offer, invited = room.player_of(page.seat), room.offer, room.invited
        return {
            "you": you,
            "here": [live.is_here(seat) for seat in room.seats],
            "taken": [seat.is_taken for seat in room.seats],
            "watching": sum(not room.player_of(one.seat) for one in live.pages),
            "offer": None if offer is None else {"what": offer.what, "by": room.player_of(offer.by)},
            "clock": None if clocks is None else {"left": clocks.left_at(self.clock()), "runs": clocks.runs},
            "invite": invited.invite if you and invited is not None else "",
            "begun": len(room.begun),
        }

    # -------------------------------------------------------------------------------- in time

    async def tick(self) -> None:
        """Look at the clocks, and let go of rooms that nobody looks at and whose clock does not run."""
        for code, live in list(self.live.items()):
            clocks = live.room.clocks
            if clocks is not None and clocks.is_late(self.clock()):
                async with live.lock:
                    if live.room.look_at_clocks(self.clock()):
                        await self._save(live.room)
                        await asyncio.to_thread(self._keep_record, live.room)
                        live.changed()
            elif not live.pages and not live.lock.locked() and (clocks is None or not clocks.runs):
                del self.live[code]

    async def watch_time(self) -> None:
        """Call tick() for ever, and forget old rooms."""
        forgotten = -FORGET_EVERY
        while True:
            try:
                if time.monotonic() - forgotten >= FORGET_EVERY:
                    forgotten = time.monotonic()
                    await asyncio.to_thread(self.store.forget)
                await self.tick()
            except ZermeloError as error:
                log.warning("games on two devices: %s", error)
            await asyncio.sleep(TICK)

    async def close(self) -> None:
        """Note the clocks, which stand still until a server runs again."""
        for live in self.live.values():
            if live.room.clocks is not None and live.room.clocks.runs:
                with contextlib.suppress(ZermeloError):
                    await self._save(live.room)

    # -------------------------------------------------------------------------------- files

    async def _save(self, room: Room) -> None:
        days = OVER_DAYS if room.is_over else PLAYING_DAYS if room.is_full else ALONE_DAYS
        await asyncio.to_thread(self.store.save, room.to_json(self.clock()), days)

    def _keep_record(self, room: Room) -> None:
        """Put a finished game into the list of both players' saved games. The owner sees those of visitors anyway."""
        record = record_of(room.line, ("human", "human"), [Move(move, 0.0) for move in room.moves], room.end)
        holders = {seat.holder for seat in room.seats if seat.holder is not None}
        if len(holders) > 1:
            holders.discard(OWNER)
        for holder in holders:
            with contextlib.suppress(ZermeloError):  # there is no space for it
                self.games.save((digest_of(f"{room.code}{holder}{secrets.token_hex(8)}")[:32], record), holder=holder)


def new_key() -> str:
    return secrets.token_urlsafe(24)


def new_code() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))


def normal_code(text: str) -> str:
    """A code as somebody types it: in capitals, or with spaces."""
    return "".join(text.lower().split()).replace("-", "")[:40]


def digest_of(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


def seat_of(room: Room, key: str) -> Seat | None:
    """The seat that this key opens."""
    digest = digest_of(key)
    return next((seat for seat in room.seats if seat.is_taken and secrets.compare_digest(seat.digest, digest)), None)


def text_in(message: dict[str, Any], name: str) -> str:
    """A short text in a message; empty if it is missing or something else."""
    value = message.get(name)
    return value[:100] if isinstance(value, str) else ""
