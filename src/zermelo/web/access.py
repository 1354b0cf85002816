"""Who sends a request: the owner of the lab, or a visitor.

The owner opens the lab with a secret in the address, which `zermelo serve` prints and which is new at every start. In
exchange the browser gets a cookie with the owner's key. The key is kept in a file that only the owner's account can
read, so that a game continues when the server is started again. Visitors exist only if the lab listens to other
machines. Each visitor has a cookie with a random name, under which their games are saved.
"""

import contextlib
import hashlib
import os
import secrets
from collections.abc import MutableMapping
from dataclasses import dataclass
from functools import cached_property
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import parse_qs, parse_qsl, quote, urlencode

from fastapi import HTTPException, Request
from starlette.datastructures import Headers

from zermelo.language import _
from zermelo.web.settings import Settings

SECRET = "secret"  # the name of the parameter in an address
KEY_FILE = "owner.key"
OWNER = ""  # the name under which the owner's games are saved
A_YEAR = 365 * 24 * 3600
IN_SCOPE = "zermelo.asker"


@dataclass(frozen=True)
class Asker:
    """Who sent a request."""

    is_owner: bool
    name: str = OWNER
    cookie: str | None = None  # to be set with the answer


STRANGER = Asker(False, "stranger")  # asks for a file that is the same for everybody, and gets no token


class Watch(Protocol):
    """Knows who sends a request."""

    async def asker(self, scope: MutableMapping[str, Any], headers: Headers) -> Asker: ...


class Access:
    """The secret of this run, and the key of the owner's cookies."""

    def __init__(self, settings: Settings):
        self.settings = settings
        self.secret = secrets.token_urlsafe(24)

    @cached_property
    def key(self) -> str:
        """The key of the owner's cookies. It is made once; if no file can be kept, it lasts as long as the server."""
        path = self.settings.data / KEY_FILE
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            return _read_key(path) or _make_key(path)
        return secrets.token_urlsafe(32)

    async def asker(self, scope: MutableMapping[str, Any], headers: Headers) -> Asker:
        """The sender of a request, by its cookies or its Authorization header."""
        port = (scope.get("server") or ("", 0))[1]
        cookies = cookies_of(headers)
        if self._is_owner(cookies.get(f"zermelo-owner-{port}", ""), headers.get("authorization", "")):
            return Asker(True)
        known = cookies.get(f"zermelo-visitor-{port}", "")
        value = known if 16 <= len(known) <= 64 else secrets.token_urlsafe(18)
        new = None if value == known else cookie(f"zermelo-visitor-{port}", value)
        return Asker(False, hashlib.sha256(value.encode()).hexdigest()[:24], new)

    def _is_owner(self, key: str, authorization: str) -> bool:
        kind, _space, secret = authorization.partition(" ")
        return same(key, self.key) or (kind.lower() == "bearer" and same(secret, self.secret))

    def owner_cookie(self, scope: MutableMapping[str, Any]) -> str:
        """The cookie that makes a browser the owner's. Its name has the port, because ports share their cookies."""
        return cookie(f"zermelo-owner-{(scope.get('server') or ('', 0))[1]}", self.key)

    def secret_in(self, scope: MutableMapping[str, Any]) -> str | None:
        """The secret in the address of a page, right or wrong."""
        given = parse_qs(scope.get("query_string", b"").decode("latin-1"), keep_blank_values=True).get(SECRET)
        return given[0] if given else None

    def is_secret(self, text: str) -> bool:
        return same(text, self.secret)


def same(given: str, right: str) -> bool:
    """Whether two texts are equal. The comparison takes the same time wherever they differ."""
    return secrets.compare_digest(given.encode(), right.encode())


def cookie(name: str, value: str, secure: bool = False) -> str:
    """A cookie for our own pages, hidden from scripts. A secure one is sent only over encrypted connections."""
    return f"{name}={value}; Path=/; Max-Age={A_YEAR}; SameSite=Strict; HttpOnly" + ("; Secure" if secure else "")


def cookies_of(headers: Headers) -> dict[str, str]:
    try:
        return {name: morsel.value for name, morsel in SimpleCookie(headers.get("cookie", "")).items()}
    except CookieError:
        return {}


def without_secret(scope: MutableMapping[str, Any]) -> str:
    """The address of a page on this server, without the secret."""
    path = "/" + quote(scope["path"].lstrip("/\\"), safe="/,=()")
    pairs = parse_qsl(scope.get("query_string", b"").decode("latin-1"), keep_blank_values=True)
    query = urlencode([(name, value) for name, value in pairs if name != SECRET])
    return f"{path}?{query}" if query else path


def _read_key(path: Path) -> str | None:
    """The key in the file; None if there is no key, or if others could have read or written it."""
    if not path.exists():
        return None
    about = path.lstat()
    if os.name == "posix" and (about.st_mode & 0o077 or about.st_uid != os.getuid()):
        path.unlink()
        return None
    text = path.read_text("ascii", "replace").strip()
    if len(text) < 32:
        path.unlink()
        return None
    return text


def _make_key(path: Path) -> str:
    key = secrets.token_urlsafe(32)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(key + "\n")
    return key


# ------------------------------------------------------------------------------------------ for routes


def asker_of(request: Request) -> Asker:
    """Who sent this request, as the guard has found out."""
    asker: Asker = request.scope[IN_SCOPE]
    return asker


def require_owner(request: Request) -> None:
    """A dependency of every route that visitors may not use."""
    if not asker_of(request).is_owner:
        raise HTTPException(403, _("Only the owner of this lab can do that; visitors can play and analyse."))
