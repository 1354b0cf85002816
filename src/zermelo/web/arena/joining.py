"""Joining the class by the join link: a name, and in exchange a personal link, which is shown only once."""

from typing import Annotated
from urllib.parse import urlencode

import segno
from fastapi import APIRouter, Depends, HTTPException, Query, Request
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from zermelo.arena.records import Records
from zermelo.arena.tables import Student
from zermelo.errors import ZermeloError
from zermelo.language import _
from zermelo.web.arena.forms import Fields, form
from zermelo.web.arena.signing import address_of, count, key_cookie, own_address, records_of, visitor_of
from zermelo.web.pages import page

router = APIRouter()


@router.get("/join", include_in_schema=False)
def join(request: Request, key: Annotated[str, Query(max_length=200)] = "") -> Response:
    """The form for a new member of the class."""
    if visitor_of(request).student is not None:
        return RedirectResponse("/me", 303)
    check_join_key(request, key)
    return page(request, "arena/join.html", key=key, given="", problem="")


@router.post("/join", include_in_schema=False)
async def joined(request: Request, fields: Annotated[Fields, Depends(form)]) -> Response:
    """Add somebody to the class. A page that is sent twice adds nobody twice, because the first answer had a cookie."""
    return await run_in_threadpool(take_in, request, fields.value("key"), fields.value("name"))


def take_in(request: Request, key: str, name: str) -> Response:
    if visitor_of(request).student is not None:
        return RedirectResponse("/me", 303)
    check_join_key(request, key)
    count(request.app.state.joining, address_of(request))
    records: Records = records_of(request)
    try:
        student, personal = records.add_student(name)
    except ZermeloError as error:
        return page(request, "arena/join.html", error.http_status, key=key, given=name, problem=str(error))
    answer = link_page(request, student, personal)
    answer.headers.append("Set-Cookie", key_cookie(request, "student", personal))
    return answer


def check_join_key(request: Request, key: str) -> None:
    if not records_of(request).is_key("join", key):
        count(request.app.state.wrong_keys, address_of(request))
        raise HTTPException(403, _("This link is not valid, or no longer. Ask your teacher for the present one."))


def link_page(request: Request, student: Student, key: str) -> Response:
    """The page that shows a personal link, with a code for a phone. Nothing keeps it, so it cannot be had again."""
    link = own_address(request, f"/enter?{urlencode({'key': key})}")
    answer = page(request, "arena/link.html", student=student, link=link, code=code_of(link))
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["Referrer-Policy"] = "no-referrer"
    return answer


def code_of(address: str) -> Markup:
    """A QR code as SVG. It has no styles of its own, which our policy forbids."""
    return Markup(
        segno.make(address, error="m", micro=False).svg_inline(border=3, omitsize=True, svgclass="code", lineclass=None)
    )
