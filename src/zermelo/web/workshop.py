"""The workshop: users write heuristics, searches and players in the page, where they are tried, checked and played.

It runs code on the user's machine. So it exists only if the lab listens on loopback and the workshop is not switched
off, every request that writes or compiles carries the page's token, and the code runs in processes of its own.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, HTTPException, Query, Request, Response
from pydantic import BaseModel, Field

from zermelo.games import find_game, game_names
from zermelo.games.sandboxed import limits_of
from zermelo.language import _
from zermelo.web.events import event_stream
from zermelo.web.pages import page
from zermelo.web.positions import matched_games, usual_game
from zermelo.web.searches import Searches
from zermelo.web.security import require_token
from zermelo.web.settings import Settings
from zermelo.web.views import content
from zermelo.web.workbench import MOST_CHECKS, use_sandbox, workbench
from zermelo.web.workshop_checks import check_work
from zermelo.web.workshop_examples import KINDS, beginning, starter
from zermelo.web.workshop_files import (
    MOST_TEXT,
    file_path,
    files,
    heuristics_in,
    players_in,
    read_file,
    remove_file,
    searches_in,
    write_file,
)

FileName = Annotated[str, Field(max_length=60)]
GameText = Annotated[str, Query(max_length=100, description="The game in which searches and players are tried.")]
USUAL_FILE = "mine.py"


@asynccontextmanager
async def living(app: FastAPI) -> AsyncIterator[None]:
    """End the processes of the workshop with the server."""
    app.state.checks = Searches(MOST_CHECKS, 0)
    use_sandbox(app.state.settings.workshop_folder, limits_of(app.state.settings.sandbox))
    yield
    await app.state.checks.close()
    await asyncio.to_thread(workbench(app.state.settings.workshop_folder).close)


def require_workshop(request: Request) -> None:
    """A dependency of every route here: an error if the workshop is closed."""
    settings: Settings = request.app.state.settings
    if not settings.has_workshop:
        why = _("it was switched off") if settings.is_loopback else _("the lab can be reached from other machines")
        raise HTTPException(403, _("The workshop is closed: {why}. It runs code on this machine.").format(why=why))


router = APIRouter(lifespan=living, dependencies=[Depends(require_workshop)])


class Written(BaseModel):
    """The text of a file."""

    text: Annotated[str, Field(max_length=MOST_TEXT)]


class FileShown(Written):
    """A file of the workshop."""

    name: str
    heuristics: list[str] = Field(description="Its heuristics, named as players name them, such as mine.py:middle.")
    searches: list[str] = Field(description="Its searches, named as players name them, such as mine.py:my_alphabeta.")
    players: list[str] = Field(description="Its classes of players, such as mine.py:Mine.")


class Fault(BaseModel):
    """What is wrong with a file."""

    line: int | None = Field(description="The line of the fault, counted from 1, if it is known.")
    text: str = Field(description="The fault as a sentence.")
    heuristic: str | None = Field(description="The heuristic, search or player with the fault, if it is known.")


class Checked(BaseModel):
    """The result of compiling and trying a file."""

    fault: Fault | None = Field(default=None, description="What is wrong, if anything is.")
    done: dict[str, Any] | None = Field(default=None, description="What is in the file, if nothing is wrong.")


class StoppedChecks(BaseModel):
    """The answer to a request to stop."""

    stopped: int = Field(description="How many checks were running.")


@router.get("/workshop", include_in_schema=False)
def workshop_page(request: Request, file: str = "", game: str = "") -> Response:
    """The page with the editor, which shows the file that is named, or the usual one, or a new one for a game."""
    settings: Settings = request.app.state.settings
    workbench(settings.workshop_folder).warm_up()
    known = files(settings)
    name = file or (USUAL_FILE if USUAL_FILE in known or not known else known[0])
    text = read_file(settings, name)
    games = matched_games()
    chosen = game if game in games else usual_game().name
    return page(
        request,
        "workshop.html",
        file=name,
        is_new=text is None,
        text=starter(games[chosen]) if text is None else text,
        files=known,
        games={one: _(found.title) for one, found in games.items()},
        game=chosen,
        heuristics={
            one: {"built_in": list(found.heuristics), "usual": found.default_heuristic, "own": list(own)}
            for one, found in games.items()
            for own in [heuristics_in(settings, found)]
        },
        kinds=KINDS,
        starters={one: {kind: beginning(kind, found) for kind in KINDS} for one, found in games.items()},
        most_text=MOST_TEXT,
    )


@router.get("/api/workshop/files", tags=["workshop"])
def list_files(request: Request) -> list[str]:
    """The files of the workshop."""
    return files(request.app.state.settings)


@router.get("/api/workshop/files/{name}", tags=["workshop"])
def get_file(request: Request, name: FileName) -> FileShown:
    """The text of a file."""
    settings: Settings = request.app.state.settings
    text = read_file(settings, name)
    if text is None:
        raise HTTPException(404, _("the workshop has no file {name}").format(name=name))
    named = [one for game in game_names() for one in heuristics_in(settings, find_game(game))]
    own = {one for one in named if one.startswith(f"{name}:")}
    searches, players = (
        [one for one in found if one.startswith(f"{name}:")] for found in (searches_in(settings), players_in(settings))
    )
    return FileShown(name=name, text=text, heuristics=sorted(own), searches=searches, players=players)


@router.put("/api/workshop/files/{name}", tags=["workshop"], dependencies=[Depends(require_token)])
def put_file(request: Request, name: FileName, written: Written) -> FileShown:
    """Save a file."""
    write_file(request.app.state.settings, name, written.text)
    return get_file(request, name)


@router.delete("/api/workshop/files/{name}", tags=["workshop"], dependencies=[Depends(require_token)])
def delete_file(request: Request, name: FileName) -> list[str]:
    """Delete a file, and answer with the files that are left."""
    if not remove_file(request.app.state.settings, name):
        raise HTTPException(404, _("the workshop has no file {name}").format(name=name))
    return files(request.app.state.settings)


@router.post("/api/workshop/files/{name}/check", tags=["workshop"], dependencies=[Depends(require_token)])
async def check_file(request: Request, name: FileName, game: GameText = "") -> Checked:
    """Compile what is in a file and try it, in a process of its own."""
    settings: Settings = request.app.state.settings
    _require(settings, name)
    tried = matched_games().get(game, usual_game())
    bench = workbench(settings.workshop_folder)
    return Checked(**await asyncio.to_thread(bench.check, name, tried.name))


@router.post(
    "/api/workshop/files/{name}/report",
    tags=["workshop"],
    dependencies=[Depends(require_token)],
    response_class=Response,
    responses=content("text/event-stream"),
)
def report_file(request: Request, name: FileName) -> Response:
    """Check a file as `zermelo check` does. Events: `step` (how far it is), `report` for each thing in it, `done`.

    The check ends as soon as nobody reads the answer.
    """
    settings: Settings = request.app.state.settings
    _require(settings, name)
    return event_stream(request.app.state.checks, check_work(file_path(settings, name), settings.sandbox))


def _require(settings: Settings, name: str) -> None:
    if read_file(settings, name) is None:
        raise HTTPException(404, _("the workshop has no file {name}").format(name=name))


@router.post("/api/workshop/stop", tags=["workshop"], dependencies=[Depends(require_token)])
async def stop_checks(request: Request) -> StoppedChecks:
    """Stop whatever is being compiled or tried."""
    bench = workbench(request.app.state.settings.workshop_folder)
    return StoppedChecks(stopped=await asyncio.to_thread(bench.stop))
