"""The ladder, live; the same for a projector; the rounds and the final."""

import json
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Path, Query, Request, Response, WebSocket
from markupsafe import Markup

from zermelo.arena.exports import shown_names
from zermelo.arena.submitting import shown_time
from zermelo.errors import ZermeloError
from zermelo.language import _
from zermelo.web.arena.news import News, badge_of, without_ids
from zermelo.web.arena.signing import records_of, visitor_of
from zermelo.web.pages import page
from zermelo.web.spectators import serve_spectator

router = APIRouter()


# ------------------------------------------------------------------------------------------ pages


@router.get("/", include_in_schema=False)
def ladder(request: Request) -> Response:
    """The ladder."""
    return page(request, "arena/ladder.html", news=in_page(_news(request).content("standings")), badge=_badge(request))


@router.get("/projector", include_in_schema=False)
def projector(request: Request, seconds: Annotated[int, Query(ge=1, le=3600)] = 12) -> Response:
    """The ladder for a projector: large, and turning its pages by itself after some seconds."""
    return page(request, "arena/projector.html", news=in_page(_news(request).content("standings")), seconds=seconds)


@router.get("/rounds", include_in_schema=False)
def rounds(request: Request) -> Response:
    """All rounds, the latest first."""
    records, arena = records_of(request), request.app.state.arena
    found = records.published("rounds")[1]
    ended = [{"number": one["number"], "time": shown_time(one["due"], arena)} for one in found.get("rounds", [])]
    return page(
        request,
        "arena/rounds.html",
        rounds=ended[::-1],
        next_round=shown_time(found["next"], arena) if found.get("next") else None,
        has_final=bool(records.published("final")[1]),
    )


@router.get("/rounds/{number}", include_in_schema=False)
def one_round(request: Request, number: Annotated[int, Path(ge=1, le=1_000_000)]) -> Response:
    """The table of a round, with the changes since the one before."""
    return _table(request, f"round/{number}", _("Round {number}").format(number=number))


@router.get("/final", include_in_schema=False)
def final(request: Request) -> Response:
    """The final."""
    return _table(request, "final", _("Final"))


def _table(request: Request, name: str, heading: str) -> Response:
    content = records_of(request).published(name)[1]
    if not content:
        raise HTTPException(404, _("This has not been played yet."))
    news = json.dumps({"standings": without_ids(content)}, ensure_ascii=False)
    return page(
        request,
        "arena/round.html",
        heading=heading,
        has_rows=bool(content.get("rows")),
        number=content.get("number") if "how" in content else None,  # the number of a round is no random number
        how=content.get("how"),
        codes=_codes(request, content),
        ended=shown_time(content["ended"], request.app.state.arena) if content.get("ended") else None,
        news=in_page(news),
        badge=_badge(request),
    )


def _codes(request: Request, content: dict[str, Any]) -> list[tuple[str, str]]:
    """Who plays in the final, each with the digest of the code that was published before the first game."""
    codes = content.get("contestants", {})
    names = shown_names(records_of(request), request.app.state.arena.course.names) if codes else {}
    return sorted((names.get(name, name), digest) for name, digest in codes.items())


def in_page(text: str) -> Markup:
    """JSON inside a page, in an element that is not run. No text in it can end the element."""
    return Markup(text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"))


def _badge(request: Request) -> str:
    """What marks the reader's own row."""
    student = visitor_of(request).student
    return badge_of(student.id) if student is not None else ""


def _news(connection: Request | WebSocket) -> News:
    news: News = connection.app.state.news
    return news


# ------------------------------------------------------------------------------------------ API


@router.get("/api/ladder", tags=["ladder"])
def get_ladder(request: Request) -> dict[str, Any]:
    """The standings as the worker published them last."""
    return without_ids(records_of(request).published("standings")[1])  # type: ignore[no-any-return]


@router.websocket("/api/live")
async def live(socket: WebSocket) -> None:
    """The news of the arena: standings, queue, state, rounds, final. A page that is slow gets the newest of each."""
    await socket.accept()
    news = _news(socket)
    try:
        spectator = news.attach()
    except ZermeloError as error:
        await socket.close(1013, str(error)[:120])
        return
    try:
        await serve_spectator(socket, spectator)
    finally:
        news.spectators.discard(spectator)
