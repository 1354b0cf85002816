"""The ASGI app of the lab, which joins its parts."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from zermelo import __version__
from zermelo.web import analyse, exercise, home, play, position_answers, saved, session, tournaments, why, workshop
from zermelo.web.access import Access
from zermelo.web.frame import PROBLEMS, frame
from zermelo.web.game_store import GameStore
from zermelo.web.pages import Look
from zermelo.web.searches import Searches
from zermelo.web.security import LabGuard
from zermelo.web.settings import Settings

# Each part has one router. The last one has the shortest paths, /{game}/..., which would catch those of the others.
PARTS = (home, session, saved, analyse, why, exercise, tournaments, workshop, position_answers, play)


def create_app(settings: Settings | None = None) -> FastAPI:
    """The lab as an ASGI app."""
    settings = settings or Settings()
    searches = Searches(settings.searches, settings.waiting)

    @asynccontextmanager
    async def living(app: FastAPI) -> AsyncIterator[None]:
        yield
        await searches.close()

    app = FastAPI(
        title="The zermelo lab",
        version=__version__,
        description="The positions, moves, searches, saved games and tournaments of the lab. Its pages use this API.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        responses=PROBLEMS,
        lifespan=living,
    )
    frame(app, settings, Access(settings), Look("base.html"), LabGuard)
    app.state.searches, app.state.games = searches, GameStore(settings.data)
    for part in PARTS:
        app.include_router(part.router)
    return app
