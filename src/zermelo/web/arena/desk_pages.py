"""What the pages of the teacher's desk share: times in the arena's time zone, and messages after a change."""

import hmac
from datetime import UTC, datetime
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from zermelo.arena.settings import ArenaSettings
from zermelo.web.arena.forms import Fields, form
from zermelo.web.arena.signing import require_teacher
from zermelo.web.pages import page

SAID, SIGN = "said", "sign"
TEACHER = "teacher"
"""Who did it, in the audit log."""
Form = Annotated[Fields, Depends(form)]
"""What the teacher filled in, with the page's token."""


def desk_router() -> APIRouter:
    """A router for a part of the desk. Nobody but the teacher gets through."""
    return APIRouter(prefix="/desk", dependencies=[Depends(require_teacher)], include_in_schema=False)


def arena_of(request: Request) -> ArenaSettings:
    arena: ArenaSettings = request.app.state.arena
    return arena


def when(request: Request, moment: datetime | float | None) -> str:
    """A time in the arena's time zone, with the zone's short name: 2027-01-15 23:59 CET."""
    return _written(request, moment, "%Y-%m-%d %H:%M %Z")


def field_time(request: Request, moment: datetime | float | None) -> str:
    """A time as a field of a form has it, in the arena's time zone."""
    return _written(request, moment, "%Y-%m-%dT%H:%M")


def _written(request: Request, moment: datetime | float | None, form: str) -> str:
    if moment is None:
        return ""
    if not isinstance(moment, datetime):
        moment = datetime.fromtimestamp(moment, UTC)
    return moment.astimezone(arena_of(request).course.zone).strftime(form)


def desk_page(request: Request, name: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A page of the desk. Nobody but the teacher may keep it."""
    answer = page(
        request,
        f"arena/{name}",
        status,
        when=lambda moment: when(request, moment),
        field_time=lambda moment: field_time(request, moment),
        said=_said(request),
        zone=arena_of(request).course.time_zone,
        **values,
    )
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _said(request: Request) -> str:
    """What the last change did. A link could carry any text, so only texts count that this server has signed."""
    text, sign = (request.query_params.get(name, "")[:500] for name in (SAID, SIGN))
    return text if text and hmac.compare_digest(sign.encode(), _sign(request, text).encode()) else ""


def _sign(request: Request, text: str) -> str:
    return hmac.new(request.app.state.token.encode(), text.encode(), "sha256").hexdigest()[:32]


def go(request: Request, path: str, text: str) -> Response:
    """Lead back to a page after a change, and say there what was done."""
    return RedirectResponse(f"{path}?{urlencode({SAID: text, SIGN: _sign(request, text)})}", 303)
