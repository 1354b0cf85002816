"""Who sends a request to the arena. Everybody has a link with a key, and nobody a password.

A link is opened once in each browser. The browser then keeps the key in a cookie that scripts cannot read. The
database has only hashes of the keys. A key is looked up whenever it is used: one that the teacher has replaced ends at
once, and a server that is started again knows everybody.
"""

from collections.abc import MutableMapping
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import RedirectResponse, Response

from zermelo.arena.keys import looks_like_key
from zermelo.arena.records import Records
from zermelo.arena.tables import Student
from zermelo.language import _
from zermelo.web.access import IN_SCOPE, Asker, cookie, cookies_of
from zermelo.web.arena.settings import ServerSettings
from zermelo.web.limits import Counter
from zermelo.web.proxies import of_household
from zermelo.web.security import Guard, Message, Refusal, entrance_page, is_loopback_name

HOMES = {"student": "/me", "teacher": "/desk", "watch": "/projector"}
"""Where the link of each kind leads."""

OPEN = frozenset({"/enter", "/join"})
"""The pages that need a key in their address, and no cookie."""

FOR_ALL = ("/", "/projector", "/final", "/api/live", "/api/ladder")
"""What everybody may see if the ladder is visible to everyone, besides the pages of the rounds."""

router = APIRouter()


@dataclass(frozen=True)
class Visitor(Asker):
    """Who sent a request: the teacher (the owner), a student, somebody who only watches, or nobody whom we know.

    One browser may have the teacher's key and a student's as well.
    """

    student: Student | None = None
    watches: bool = False

    @property
    def is_teacher(self) -> bool:
        return self.is_owner

    @property
    def is_member(self) -> bool:
        """May they see what the class sees?"""
        return self.is_owner or self.watches or self.student is not None


NOBODY = Visitor(False)


class Members:
    """Finds out by cookies and keys who sends a request."""

    def __init__(self, records: Records):
        self.records = records

    async def asker(self, scope: MutableMapping[str, Any], headers: Headers) -> Visitor:
        cookies = cookies_of(headers)
        given = {kind: cookies.get(cookie_name(scope, kind), "") for kind in HOMES}
        kind, _space, bearer = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer":
            given = dict.fromkeys(HOMES, bearer.strip())
        if not any(map(looks_like_key, given.values())):
            return NOBODY
        return await run_in_threadpool(self.visitor, given)

    def visitor(self, given: dict[str, str]) -> Visitor:
        """The person who has these keys, of each kind one."""
        return Visitor(
            is_owner=self.records.is_key("teacher", given["teacher"]),
            student=self.records.student_by_key(given["student"]),
            watches=self.records.is_key("watch", given["watch"]),
        )

    def kind_of(self, key: str) -> str | None:
        """The kind of link that has this key; None if there is none."""
        if self.records.student_by_key(key) is not None:
            return "student"
        return next((kind for kind in ("teacher", "join", "watch") if self.records.is_key(kind, key)), None)


def cookie_name(scope: MutableMapping[str, Any], kind: str) -> str:
    """The name of a cookie has the port, because the ports of a machine share their cookies."""
    return f"zermelo-{kind}-{(scope.get('server') or ('', 0))[1]}"


def key_cookie(request: Request, kind: str, key: str) -> str:
    """The cookie that keeps a key."""
    return cookie(cookie_name(request.scope, kind), key, secure=request.url.scheme == "https")


def address_of(connection: HTTPConnection) -> str:
    """The address from which a request comes, for counting."""
    return of_household(connection.client.host if connection.client else "")


def own_address(request: Request, path: str) -> str:
    """The whole address of one of our pages, under the name that the reader uses for this server.

    The teacher may use a name that leads nobody else here: then it is the one that the class uses.
    """
    host, public = request.headers["host"], request.app.state.settings.public
    return f"{public}{path}" if public and is_loopback_name(host) else f"{request.url.scheme}://{host}{path}"


class ArenaGuard(Guard):
    """The guard of the arena: it counts requests, and lets in the class, and others where they may look."""

    def __init__(self, app: Any, settings: ServerSettings, access: Members):
        super().__init__(app, settings, access)
        self.addresses, self.persons = Counter(settings.rates.address), Counter(settings.rates.person)

    def refusal(self, scope: Message, headers: Headers) -> Refusal | None:
        seconds = self.addresses.wait(address_of(HTTPConnection(scope)))
        return too_many(seconds) if seconds else super().refusal(scope, headers)

    def closed(self, scope: Message, headers: Headers) -> Refusal | None:
        visitor: Visitor = scope[IN_SCOPE]
        if visitor.student is not None:
            seconds = self.persons.wait(visitor.student.id)
            if seconds:
                return too_many(seconds)
        if visitor.is_member or scope["path"] in OPEN:
            return None
        if scope["app"].state.arena.course.visible == "everyone" and is_for_all(scope["path"]):
            return None
        if headers.get("authorization"):  # a program, such as `zermelo arena submit`
            return Refusal(403, _("This personal link does not work any more. Ask your teacher for a new one."))
        return Refusal(
            403,
            _("This arena is open to the members of its class."),
            _("Open your personal link in this browser. If you have lost it, ask your teacher for a new one."),
        )

    def wrong_name(self, name: str) -> Refusal:
        return Refusal(
            400,
            _("This server does not answer to the name {name!r}.").format(name=name[:100]),
            _("Use its numeric address instead, or ask its owner to start it with this name:"),
            f"zermelo arena serve --host {self.settings.host} --allow-host {name[:100]}",
        )


def is_for_all(path: str) -> bool:
    return path in FOR_ALL or path == "/rounds" or path.startswith("/rounds/")


def too_many(seconds: int) -> Refusal:
    """The answer to somebody who asks too often."""
    return Refusal(429, _("Too many requests: try again in {seconds} s.").format(seconds=seconds), seconds=seconds)


def count(counter: Counter, sender: str) -> None:
    """Count what somebody does, or refuse it."""
    seconds = counter.wait(sender)
    if seconds:
        raise HTTPException(429, too_many(seconds).text, {"Retry-After": str(seconds)})


# ------------------------------------------------------------------------------------------ for routes


def visitor_of(request: HTTPConnection) -> Visitor:
    """Who sent this request, as the guard has found out."""
    asker = request.scope[IN_SCOPE]
    return asker if isinstance(asker, Visitor) else NOBODY


def member(request: Request) -> Student:
    """A dependency of the routes that are for students: the student who asks."""
    student = visitor_of(request).student
    if student is None:
        raise HTTPException(403, _("This is for students: open your personal link in this browser first."))
    return student


def require_member(request: Request) -> None:
    """A dependency of the routes that only the class may use: students, the teacher, and those who watch."""
    if not visitor_of(request).is_member:
        raise HTTPException(403, _("This is for the members of the class."))


def require_teacher(request: Request) -> None:
    """A dependency of every route that only the teacher may use."""
    if not visitor_of(request).is_teacher:
        raise HTTPException(403, _("Only the teacher can do that: open the teacher's link in this browser first."))


Member = Annotated[Student, Depends(member)]


def records_of(request: HTTPConnection) -> Records:
    records: Records = request.app.state.records
    return records


# ------------------------------------------------------------------------------------------ entering


@router.get("/enter", include_in_schema=False)
def enter(request: Request, key: Annotated[str, Query(max_length=200)] = "") -> Response:
    """The address of a link. It gives the browser a cookie, and leads to an address without the key."""
    members: Members = request.app.state.access
    kind = members.kind_of(key)
    if kind is None:
        count(request.app.state.wrong_keys, address_of(request))
        raise HTTPException(
            403, _("This link is not valid, or no longer. If it was yours, ask your teacher for a new one.")
        )
    if kind == "join":
        return RedirectResponse(f"/join?key={key}", 303)
    return entrance_page(request, HOMES[kind], key_cookie(request, kind, key))
