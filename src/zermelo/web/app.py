"""The ASGI app of the lab, which joins its parts."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from fastapi import FastAPI

from zermelo import __version__
from zermelo.searches.kept import limit_kept_trees
from zermelo.web import (
    analyse,
    exercise,
    home,
    pictures,
    play,
    position_answers,
    puzzles,
    rules,
    saved,
    session,
    strength,
    tournaments,
    why,
    workshop,
)
from zermelo.web.access import Access
from zermelo.web.first_use import FirstUse
from zermelo.web.frame import PROBLEMS, frame
from zermelo.web.game_store import GameStore
from zermelo.web.pages import Look
from zermelo.web.searches import Searches
from zermelo.web.security import LabGuard
from zermelo.web.settings import Settings
from zermelo.web.together import routes as together
from zermelo.web.together.rooms import Rooms
from zermelo.web.together.store import RoomStore

# Each part has one router. The last one has the shortest paths, /{game}/..., which would catch those of the others.
PARTS = (
    home,
    session,
    saved,
    rules,
    puzzles,
    pictures,
    strength,
    analyse,
    why,
    exercise,
    tournaments,
    workshop,
    together,
    position_answers,
    play,
)


def create_app(settings: Settings | None = None) -> FastAPI:
    """The lab as an ASGI app."""
    settings = settings or Settings()
    first_use = FirstUse(settings.plain_first, settings.warm_after)
    limit_kept_trees(settings.kept_memory)
    searches = Searches(settings.searches, settings.waiting)
    games = GameStore(settings.data)
    rooms = Rooms(RoomStore(settings.data), games, first_use, settings.most_plies)

    @asynccontextmanager
    async def living(app: FastAPI) -> AsyncIterator[None]:
        watching = asyncio.ensure_future(rooms.watch_time())
        yield
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching
        await rooms.close()
        first_use.close()
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
    app.state.searches, app.state.games, app.state.first_use, app.state.rooms = searches, games, first_use, rooms
    for part in PARTS:
        app.include_router(part.router)
    return app
