"""The connection of a page to its room: what comes in is obeyed, and what changes goes out."""

import asyncio
import contextlib
import json
from typing import Any

from fastapi import WebSocket, WebSocketDisconnect

from zermelo.errors import ZermeloError
from zermelo.language import _
from zermelo.web.limits import Counter, Rate
from zermelo.web.together.rooms import Live, Page, Rooms

STILL_THERE = 10.0  # seconds after which a page is told that its connection is alive
HELLO_SECONDS = 20.0
MOST_CHARACTERS = 2000  # of a message
MESSAGES = Rate(30, 5)
UNFIT, TOO_LARGE = 1008, 1009


async def hello(socket: WebSocket) -> dict[str, Any]:
    """The first message of a page."""
    return read(await asyncio.wait_for(socket.receive_text(), HELLO_SECONDS))


async def converse(socket: WebSocket, rooms: Rooms, live: Live, page: Page) -> None:
    """Serve a page until it is closed, or until it sends too much."""
    sending = asyncio.ensure_future(_send(socket, rooms, live, page))
    counter = Counter(MESSAGES)
    try:
        while True:
            text = await socket.receive_text()
            if len(text) > MOST_CHARACTERS:
                await socket.close(TOO_LARGE)
                return
            if counter.wait(""):
                await socket.close(UNFIT, _("too many messages"))
                return
            try:
                await rooms.do(live, page, read(text))
            except ZermeloError as error:
                page.tell(refused=str(error))
    except (WebSocketDisconnect, KeyError, RuntimeError):  # it is closed; KeyError: a message of bytes
        pass
    finally:
        sending.cancel()
        with contextlib.suppress(asyncio.CancelledError, Exception):
            await sending


async def _send(socket: WebSocket, rooms: Rooms, live: Live, page: Page) -> None:
    page.something.set()
    while True:
        try:
            await asyncio.wait_for(page.something.wait(), STILL_THERE)
        except TimeoutError:
            await socket.send_text('{"still": true}')
            continue
        page.something.clear()
        for text in await rooms.news(live, page):
            await socket.send_text(text)


def read(text: str) -> dict[str, Any]:
    """A message; an empty one if it cannot be read."""
    try:
        found = json.loads(text[:MOST_CHARACTERS])
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
