"""What protects the lab: headers, checks of Host and Origin, a token for whatever changes something, limited bodies.

A page of another site may send requests to this machine, so the address alone proves nothing. Such a page cannot read
the token, and a name of its own that it points at this machine is refused (DNS rebinding).
"""

import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from fastapi import Header, HTTPException, Request
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse

from zermelo.language import _
from zermelo.web.settings import LOOPBACK_NAMES, Settings, is_address

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class TooLarge(HTTPException):
    """The body of a request is longer than allowed. (Any other error would be taken for one of its contents.)"""


def new_token() -> str:
    return secrets.token_urlsafe(24)


def require_token(request: Request, x_zermelo_token: str = Header(default="")) -> None:
    """A dependency of every route that changes something: the request must carry the token that our pages have."""
    if not secrets.compare_digest(x_zermelo_token.encode(), request.app.state.token.encode()):
        raise HTTPException(403, _("the page's token is missing or out of date: reload the page"))


class Guard:
    """The outermost layer of the app."""

    def __init__(self, app: Any, settings: Settings):
        self.app, self.settings = app, settings

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self.refusal(scope, headers)
        if scope["type"] == "websocket":
            if refusal is not None:
                await send({"type": "websocket.close", "code": 1008, "reason": refusal[1]})
                return
            await self.app(scope, receive, send)
            return
        send = with_headers(send)
        if refusal is not None:
            await JSONResponse({"error": refusal[1]}, refusal[0])(scope, receive, send)
            return
        await self.app(scope, self.limited(receive), send)

    def too_large(self) -> str:
        return _("the request is longer than {most} bytes").format(most=self.settings.most_body)

    def refusal(self, scope: Message, headers: Headers) -> tuple[int, str] | None:
        """Status and reason why a request is not let in."""
        host = headers.get("host", "")
        if not self.is_our_name(host):
            return 400, _("this is no server of {host!r}").format(host=host[:100])
        origin = headers.get("origin")
        reads_page = scope["type"] == "http" and scope["method"] in SAFE_METHODS and not is_api(scope["path"])
        if origin is not None and not reads_page and urlsplit(origin).netloc != host:
            return 403, _("a page of {origin} may not use this lab").format(origin=origin[:100])
        if headers.get("sec-fetch-site") in ("cross-site", "same-site") and not reads_page:
            return 403, _("a page of another site may not use this lab")
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > self.settings.most_body:
            return 413, self.too_large()
        return None

    def is_our_name(self, host: str) -> bool:
        """Names that another site cannot point at this machine: loopback's, plain addresses, the one we were given."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        return name in LOOPBACK_NAMES or is_address(name) or name == self.settings.host

    def limited(self, receive: Receive) -> Receive:
        """Bodies sent without saying how long they are."""
        received = 0

        async def receive_some() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > self.settings.most_body:
                raise TooLarge(413, self.too_large())
            return message

        return receive_some


def is_api(path: str) -> bool:
    return path.startswith("/api/")


def with_headers(send: Send) -> Send:
    """Every response carries the security headers."""

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in SECURITY_HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return send_with_headers
