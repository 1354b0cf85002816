"""Pages that watch something live, each over a WebSocket."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from fastapi import WebSocket, WebSocketDisconnect

GONE = 4404
"""The code with which a connection is closed for good: the page need not try again (static/js/live.js)."""


class Spectator:
    """A page that watches. A slow page misses news that newer news of the same kind has replaced."""

    def __init__(self) -> None:
        self.pending: dict[str, str] = {}
        self.something = asyncio.Event()

    def tell(self, kind: str, text: str) -> None:
        self.pending.pop(kind, None)
        self.pending[kind] = text
        self.something.set()

    async def news(self) -> AsyncIterator[str]:
        while True:
            await self.something.wait()
            self.something.clear()
            pending, self.pending = self.pending, {}
            for text in pending.values():
                yield text


async def serve_spectator(socket: WebSocket, spectator: Spectator) -> None:
    """Send a page its news until it is closed, or until one of the two sides fails."""
    sending = asyncio.ensure_future(_send_all(socket, spectator))
    try:
        while True:  # no message is expected, but this notices when the page is closed
            await socket.receive_text()
    except (WebSocketDisconnect, KeyError):
        pass
    finally:
        sending.cancel()
        with contextlib.suppress(asyncio.CancelledError, Exception):
            await sending


async def _send_all(socket: WebSocket, spectator: Spectator) -> None:
    async for text in spectator.news():
        await socket.send_text(text)
