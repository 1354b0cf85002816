"""The protection of our servers: headers, checks of Host and Origin, the owner's secret, and a token for every change.

A page of another site may send requests to this machine, so the address alone proves nothing. But such a page cannot
read the token, and if it lets a name of its own point at this machine (DNS rebinding), that name is refused. Other
people who use this machine can send any request, so a lab on loopback answers only its owner (access.py).
"""

import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from fastapi import Header, HTTPException, Request
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request as PageRequest
from starlette.responses import JSONResponse, Response

from zermelo.language import _
from zermelo.web.access import IN_SCOPE, SECRET, STRANGER, Access, Watch, without_secret
from zermelo.web.pages import plain_page
from zermelo.web.settings import LOOPBACK_NAMES, Settings

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
    """The body of a request is longer than allowed. (FastAPI would take other errors for bad contents.)"""


def new_token() -> str:
    return secrets.token_urlsafe(24)


def require_token(request: Request, x_zermelo_token: str = Header(default="")) -> None:
    """A dependency of every route that changes something. The request must carry the token of our pages."""
    if not secrets.compare_digest(x_zermelo_token.encode(), request.app.state.token.encode()):
        raise HTTPException(403, _("the page's token is missing or out of date: reload the page"))


class Guard:
    """A layer of every app, which refuses requests before any route sees them. Servers decide who may enter."""

    def __init__(self, app: Any, settings: Settings, access: Watch):
        self.app, self.settings, self.access = app, settings, access

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if scope["type"] == "websocket":
            refusal = self.refusal(scope, headers)
            if refusal is None:
                scope[IN_SCOPE] = await self.access.asker(scope, headers)
                refusal = self.closed(scope, headers)
            if refusal is not None:
                await send({"type": "websocket.close", "code": 1008, "reason": refusal.text[:120]})
                return
            await self.app(scope, receive, send)
            return
        send = with_headers(send, is_loopback_name(headers.get("host", "")))
        if is_static(scope["path"]) and scope["method"] in SAFE_METHODS:  # the same files for everybody
            scope[IN_SCOPE] = STRANGER
            await self.app(scope, receive, send)
            return
        answer = await self.answer(scope, headers)
        if answer is not None:
            await answer(scope, receive, send)
            return
        await self.app(scope, self.limited(receive), with_cookie(send, scope[IN_SCOPE].cookie))

    async def answer(self, scope: Message, headers: Headers) -> Response | None:
        """A refusal, or a page that leads to the one that was asked for; None if the app should answer."""
        refusal = self.refusal(scope, headers)
        if refusal is not None:
            return refusal.response(scope)
        reads_page = scope["method"] in SAFE_METHODS and not is_api(scope["path"])
        scope[IN_SCOPE] = await self.access.asker(scope, headers)
        entrance = self.entrance(scope) if reads_page else None
        if entrance is not None:
            return entrance
        closed = self.closed(scope, headers)
        if closed is None:
            return None
        # A browser sends no cookie when a page of another site leads here; it does when our own page leads on.
        if reads_page and headers.get("sec-fetch-site") in ("cross-site", "same-site"):
            return plain_page(PageRequest(scope), "enter.html", target=without_secret(scope))
        return closed.response(scope)

    def entrance(self, scope: Message) -> Response | None:
        """A page that lets its reader in, if the address has the right to it."""
        return None

    def closed(self, scope: Message, headers: Headers) -> "Refusal | None":
        """Why the sender, who is noted in the scope, is refused; None if this is not the case."""
        return None

    def too_large(self) -> str:
        return _("the request is longer than {most} bytes").format(most=self.settings.most_body)

    def refusal(self, scope: Message, headers: Headers) -> "Refusal | None":
        """Why a request is refused, whoever sent it; None if it is not."""
        host = headers.get("host", "")
        name = host_name(host)
        if name is None or not self.settings.is_our_name(name):
            return self.wrong_name(name or host)
        origin = headers.get("origin")
        reads_page = scope["type"] == "http" and scope["method"] in SAFE_METHODS and not is_api(scope["path"])
        if origin is not None and not reads_page and urlsplit(origin).netloc != host:
            return Refusal(403, _("a page of {origin} may not use this server").format(origin=origin[:100]))
        if headers.get("sec-fetch-site") in ("cross-site", "same-site") and not reads_page:
            return Refusal(403, _("a page of another site may not use this server"))
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > self.settings.most_body:
            return Refusal(413, self.too_large())
        return None

    def wrong_name(self, name: str) -> "Refusal":
        """The answer to a request for a name that is not ours."""
        return Refusal(400, _("This server does not answer to the name {name!r}.").format(name=name[:100]))

    def limited(self, receive: Receive) -> Receive:
        """The same, but with an error once a body that did not tell its length is too long."""
        received = 0

        async def receive_some() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > self.settings.most_body:
                raise TooLarge(413, self.too_large())
            return message

        return receive_some


class LabGuard(Guard):
    """The guard of the lab, which knows its owner by a secret in the address."""

    access: Access

    def entrance(self, scope: Message) -> Response | None:
        """The secret gives the owner's cookie, and leads to the same address without the secret."""
        secret = self.access.secret_in(scope)
        if secret is None or not (self.access.is_secret(secret) or scope[IN_SCOPE].is_owner):
            return None
        return entrance_page(PageRequest(scope), without_secret(scope), self.access.owner_cookie(scope))

    def wrong_name(self, name: str) -> "Refusal":
        where = "" if self.settings.is_loopback else f" --host {self.settings.host}"
        return Refusal(
            400,
            _("This lab does not answer to the name {name!r}.").format(name=name[:100]),
            _("Use its numeric address instead, or ask its owner to start it with this name:"),
            f"zermelo serve{where} --allow-host {name[:100]}",
        )

    def closed(self, scope: Message, headers: Headers) -> "Refusal | None":
        """On loopback, only the owner may use the lab."""
        if scope[IN_SCOPE].is_owner or not self.settings.is_loopback:
            return None
        return Refusal(
            403,
            _("This lab belongs to the person who started it."),
            _("If that was you, open the address that the command printed. Each browser needs it once:"),
            f"zermelo serve   →   http://127.0.0.1:…/?{SECRET}=…",
        )


def entrance_page(request: PageRequest, target: str, cookie: str) -> Response:
    """A page that sets a cookie and leads on, to an address that holds no secret.

    A redirect would not work: after a click on another site, browsers do not send strict cookies to its target.
    """
    answer = plain_page(request, "enter.html", target=target)
    answer.headers["Referrer-Policy"] = "no-referrer"
    answer.headers.append("Set-Cookie", cookie)
    return answer


@dataclass(frozen=True)
class Refusal:
    """Why a request is refused. People also read what they can do about it."""

    status: int
    text: str
    advice: str = ""
    command: str = ""
    seconds: int = 0  # after which another try makes sense

    def response(self, scope: Message) -> Response:
        if is_api(scope["path"]) or scope["method"] not in SAFE_METHODS:
            text = " ".join(filter(None, (self.text, self.advice, self.command)))
            answer: Response = JSONResponse({"error": text}, self.status)
        else:
            answer = plain_page(PageRequest(scope), "refused.html", self.status, refusal=self)
        if self.seconds:
            answer.headers["Retry-After"] = str(self.seconds)
        return answer


def is_api(path: str) -> bool:
    return path.startswith("/api/")


def is_static(path: str) -> bool:
    return path.startswith("/static/")


def host_name(host: str) -> str | None:
    """The name or address in a Host header; None if it cannot be read."""
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:
        return None


def is_loopback_name(host: str) -> bool:
    return host_name(host) in LOOPBACK_NAMES


def with_cookie(send: Send, cookie: str | None) -> Send:
    """Add a cookie to the response."""
    if cookie is None:
        return send

    async def send_with_cookie(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).append("Set-Cookie", cookie)
        await send(message)

    return send_with_cookie


def with_headers(send: Send, is_loopback: bool) -> Send:
    """Add the security headers to the response. One is left out where browsers would complain, without encryption."""

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in SECURITY_HEADERS.items():
                if is_loopback or name != "Cross-Origin-Opener-Policy":
                    headers.setdefault(name, value)
        await send(message)

    return send_with_headers
