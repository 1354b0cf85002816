"""Handing in from a student's own machine: the requests to an arena's server, with nothing but Python's own library."""

import base64
import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from http.client import HTTPException, HTTPMessage
from pathlib import Path
from typing import IO, Any
from urllib.parse import parse_qs, urlsplit

from zermelo.arena.keys import looks_like_key, write_private
from zermelo.errors import FileError, ResourceError, ZermeloError
from zermelo.files.folders import data_folder, make_folder
from zermelo.files.reading import cannot_read
from zermelo.language import language

SECONDS = 30
"""How long an answer may take."""
LONGEST = 1 << 22
ATTEMPTS = 3
PATIENCE = 120
"""Seconds for which a server that is started again is waited for."""


class Unreachable(ResourceError):
    """The server does not answer."""


class Address:
    """The address of an arena and the key of a student, from a personal link."""

    def __init__(self, base: str, key: str):
        self.base, self.key = base, key

    @classmethod
    def of_link(cls, text: str) -> "Address":
        """Read a personal link, http://host:port/enter?key=..."""
        parts = urlsplit(text.strip())
        key = parse_qs(parts.query).get("key", [""])[0]
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ZermeloError("{link!r} is not a link; use your personal link, http://.../enter?key=...", link=text)
        if parts.path.rstrip("/").endswith("/join"):
            raise ZermeloError("this is the link for joining; open it in a browser, and use your personal link then")
        if not looks_like_key(key):
            raise ZermeloError("this link has no key; use your personal link, http://.../enter?key=...")
        folder = parts.path.removesuffix("/").removesuffix("/enter")
        return cls(f"{parts.scheme}://{parts.netloc}{folder}", key)

    def ask(self, path: str, content: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The answer to a request. ZermeloError in the server's own words if it refuses.

        A request that got no answer is sent again: what was handed in twice is recognised.
        """
        headers = {"Authorization": f"Bearer {self.key}", "Accept": "application/json", "Accept-Language": language()}
        data = None
        if content is not None:
            headers["Content-Type"], data = "application/json", json.dumps(content).encode()
        request = urllib.request.Request(f"{self.base}{path}", data, headers)
        for attempt in range(1, ATTEMPTS + 1):
            try:
                with OPENER.open(request, timeout=SECONDS) as answer:
                    found = json.loads(answer.read(LONGEST))
                if not isinstance(found, dict):
                    raise ValueError
                return found
            except urllib.error.HTTPError as error:
                with error:
                    self._refused(error)
            except ValueError:
                raise ZermeloError("{base} is not the server of an arena", base=self.base) from None
            except (OSError, HTTPException) as error:  # URLError is an OSError
                reason = getattr(error, "reason", None) or error
                if attempt == ATTEMPTS or isinstance(reason, ConnectionRefusedError):
                    raise Unreachable(
                        "the arena at {base} does not answer: {reason}", base=self.base, reason=reason
                    ) from None
        raise AssertionError

    def _refused(self, error: urllib.error.HTTPError) -> None:
        try:
            said = json.loads(error.read(LONGEST))["error"]
        except (ValueError, KeyError, TypeError, OSError, HTTPException):
            said = ""
        if error.code >= 500:
            raise Unreachable(
                "{base} answered with status {status} {said}", base=self.base, status=error.code, said=said
            )
        if not isinstance(said, str) or not said:
            raise ZermeloError(
                "{base} is not the server of an arena: status {status}", base=self.base, status=error.code
            )
        raise Refused(said)


class Refused(ZermeloError):
    """The server refused a request; the text is the server's."""

    exit_status = 1


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """The key must not be sent to another address."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> None:
        return None


OPENER = urllib.request.build_opener(_NoRedirects)


def request_of(path: Path, main: str | None = None) -> dict[str, Any]:
    """What is sent for a file, a ZIP file, or a folder of Python files."""
    try:
        if path.is_dir():
            files = sorted(file for file in path.rglob("*.py") if not _hidden(file.relative_to(path)))
            if not files:
                raise FileError("{path}: there are no Python files in this folder", path=path)
            texts = {str(file.relative_to(path).as_posix()): file.read_text(encoding="utf-8") for file in files}
            found: dict[str, Any] = {"filename": path.resolve().name, "files": texts}
        else:
            found = {"filename": path.name, "base64": base64.b64encode(path.read_bytes()).decode()}
    except FileError:
        raise
    except (OSError, ValueError) as error:
        raise cannot_read(path, error) from None
    return found if main is None else found | {"main": main}


def _hidden(path: Path) -> bool:
    return any(part.startswith((".", "__pycache__")) for part in path.parts)


def follow(
    address: Address, submission: Mapping[str, Any], tell: Callable[[Mapping[str, Any]], None], pause: float = 1.0
) -> dict[str, Any]:
    """Ask about a submission until there is a verdict. A server that is started again meanwhile is waited for."""
    found, lost = dict(submission), None
    while found["state"] in ("waiting", "checking"):
        tell(found)
        time.sleep(pause)
        try:
            found, lost = address.ask(f"/api/submissions/{int(found['id'])}"), None
        except Unreachable:
            lost = lost or time.monotonic()
            if time.monotonic() - lost > PATIENCE:
                raise
    return found


# ------------------------------------------------------------------------------------------ remembered links


def _memory() -> Path:
    return data_folder() / "arena-link"


def remember(link: str) -> None:
    """Keep a personal link for the next time, in a file that only the user may read."""
    make_folder(_memory().parent)
    write_private(_memory(), f"{link.strip()}\n")


def remembered() -> str | None:
    """The personal link that was used last."""
    try:
        return _memory().read_text(encoding="utf-8").strip() or None
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise cannot_read(_memory(), error) from None
