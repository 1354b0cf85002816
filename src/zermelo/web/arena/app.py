"""The ASGI app of an arena, which joins its parts. It only reads and writes the database: the worker does the rest."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace

from fastapi import FastAPI, Request

from zermelo import __version__
from zermelo.arena.links import page_token
from zermelo.arena.records import Records
from zermelo.arena.settings import ArenaSettings
from zermelo.web import session
from zermelo.web.arena import (
    analysing,
    desk,
    desk_final,
    desk_results,
    games,
    hand_in,
    joining,
    ladder,
    signing,
    submission,
)
from zermelo.web.arena.news import News
from zermelo.web.arena.settings import ServerSettings
from zermelo.web.arena.signing import ArenaGuard, Members, visitor_of
from zermelo.web.frame import PROBLEMS, frame
from zermelo.web.limits import Counter
from zermelo.web.pages import Look
from zermelo.web.proxies import Proxies, networks
from zermelo.web.searches import Searches

PARTS = (session, signing, joining, ladder, hand_in, desk, desk_final, desk_results, submission, games, analysing)
"""Each part has one router."""


def create_arena_app(arena: ArenaSettings, records: Records, settings: ServerSettings | None = None) -> FastAPI:
    """The arena as an ASGI app."""
    settings = settings or ServerSettings()
    settings = replace(settings, most_body=max(settings.most_body, room_for(arena)))
    searches = Searches(settings.searches, settings.waiting)
    news = News(records, settings.poll_seconds)

    @asynccontextmanager
    async def living(app: FastAPI) -> AsyncIterator[None]:
        app.state.token = page_token(arena.folder)  # the same as before the server was started again
        async with AsyncExitStack() as stack:
            stack.push_async_callback(searches.close)
            await stack.enter_async_context(news.told())
            yield

    app = FastAPI(
        title="The zermelo arena",
        version=__version__,
        description="The ladder, the rounds and the submissions of a class. Its pages use this API.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        responses=PROBLEMS,
        lifespan=living,
    )
    frame(app, settings, Members(records), Look("arena/base.html", values_of, has_play=False), ArenaGuard)
    app.add_middleware(Proxies, trusted=networks(settings.proxies))
    app.state.arena, app.state.records, app.state.news, app.state.searches = arena, records, news, searches
    rates = settings.rates
    app.state.wrong_keys, app.state.joining = Counter(rates.wrong_keys), Counter(rates.joining)
    for part in PARTS:
        app.include_router(part.router)
    return app


def room_for(arena: ArenaSettings) -> int:
    """Bytes of the longest request: JSON writes some characters with six bytes, and there is more than the files."""
    return 6 * arena.course.most_bytes + (64 << 10)


def values_of(request: Request) -> dict[str, object]:
    """What all templates of the arena know, besides what all templates know."""
    return {"arena": request.app.state.arena, "viewer": visitor_of(request)}
