"""Time limits for connections that make no progress: half a request, or an answer that nobody reads.

uvicorn waits for ever for the rest of a request. Here a request must be complete within a number of seconds after its
first byte, or, if no byte has come, after the connection was made. The number of connections that wait is limited too:
the one that has waited longest is closed, so that half-open connections cannot keep others out.

An answer is sent in two parts, its headers and its body. Without TCP_NODELAY the kernel holds the body back until the
browser has confirmed the headers, which takes 40 ms on Linux; asyncio sets it only for some sockets.

Between two requests a connection stays open for longer than browsers, programs and proxies use theirs again. So it is
they who close it: a server that closes first may do so while the next request is on its way, which then gets no answer.
"""

import asyncio
import selectors
import socket
from typing import Any, ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

TOO_SLOW = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class TimedProtocol(H11Protocol):
    """The HTTP/1.1 protocol of uvicorn with time limits. timed_protocol makes a class of it for each server."""

    seconds: ClassVar[float]
    most: ClassVar[int]
    most_idle: ClassVar[int]
    waiting: ClassVar[dict["TimedProtocol", asyncio.TimerHandle]]  # those without a whole request, the oldest first
    idle: ClassVar[dict["TimedProtocol", None]]  # those between two requests, the one that is idle longest first
    _unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._settle()
        self.idle.pop(self, None)
        self.resume_writing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._look()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._settle()
        super().handle_websocket_upgrade(event)

    # ---------------------------------------------------------------------------------- requests

    def _look(self) -> None:
        """Start or end the time limit. Between two requests, uvicorn's own limit for idle connections applies."""
        theirs = self.conn.their_state
        between = theirs is h11.IDLE and self.timeout_keep_alive_task is not None
        self.idle.pop(self, None)
        if between:
            self.idle[self] = None
            if len(self.idle) > self.most_idle:
                next(iter(self.idle)).timeout_keep_alive_handler()
        if theirs in (h11.IDLE, h11.SEND_BODY) and not between and not self.transport.is_closing():
            self._wait()
        else:
            self._settle()

    def _wait(self) -> None:
        if self in self.waiting or self.transport.get_protocol() not in (self, None):
            return
        if len(self.waiting) >= self.most:
            next(iter(self.waiting))._give_up()
        self.waiting[self] = self.loop.call_later(self.seconds, self._give_up)

    def _settle(self) -> None:
        timer = self.waiting.pop(self, None)
        if timer is not None:
            timer.cancel()

    def _give_up(self) -> None:
        self._settle()
        if not self.transport.is_closing():
            if self.cycle is None or self.cycle.response_complete or not self.cycle.response_started:
                self.transport.write(TOO_SLOW)
            self.transport.close()

    def timeout_keep_alive_handler(self) -> None:
        """Close a connection that has been idle for too long, unless its next request has just come."""
        if not self.transport.is_closing() and _has_come(self.transport.get_extra_info("socket")):
            return
        self.idle.pop(self, None)
        super().timeout_keep_alive_handler()

    # ---------------------------------------------------------------------------------- answers

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._unread is None:
            self._unread = self.loop.call_later(self.seconds, self.transport.abort)

    def resume_writing(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None
        super().resume_writing()


def _has_come(connection: Any) -> bool:
    """Has something arrived that the server has not read yet, because it was busy?"""
    with selectors.DefaultSelector() as selector:
        selector.register(connection, selectors.EVENT_READ)
        return bool(selector.select(0))


def timed_protocol(seconds: float, most: int, most_idle: int) -> type[TimedProtocol]:
    """The protocol of a server: the seconds that a request may take, and how many connections may wait or be idle."""
    own: dict[str, Any] = {"seconds": seconds, "most": most, "most_idle": most_idle, "waiting": {}, "idle": {}}
    return type("ServerProtocol", (TimedProtocol,), own)
