"""Two devices: the page on which a game is opened or joined, the page of a game, and its WebSocket."""

import contextlib
import random
import secrets
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Request, Response, WebSocket, WebSocketDisconnect
from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import HTTPConnection

from zermelo.calls import text_of
from zermelo.errors import PositionError, ZermeloError
from zermelo.language import _
from zermelo.position import Game
from zermelo.web.access import IN_SCOPE
from zermelo.web.addresses import addresses
from zermelo.web.pages import page
from zermelo.web.play import CLOCKS, options_of
from zermelo.web.positions import NOTHING, Line, first_board, game_name_in_url, game_of, matched_games, read_line
from zermelo.web.security import is_loopback_name, require_token
from zermelo.web.spectators import GONE
from zermelo.web.together.clocks import TimeControl
from zermelo.web.together.connection import UNFIT, converse, hello
from zermelo.web.together.rooms import NoSuchRoom, Rooms, TooManyPages
from zermelo.web.together.store import OVER_DAYS, PLAYING_DAYS
from zermelo.web.views import LineOfPage, facts_of

router = APIRouter()

TRY_LATER = 1013
COMMAND = "zermelo serve --host 0.0.0.0"
EXAMPLE = "k7mq 3xtz"  # of a code, as people type it
CLOSED_FOR = {NoSuchRoom: GONE, TooManyPages: TRY_LATER}


class Opening(BaseModel):
    """A game for two devices."""

    model_config = ConfigDict(extra="forbid")
    line: str = Field(max_length=20_000, description="The game as game/set-up/moves.", examples=["hex/5x5/-"])
    start: str = Field(default="", alias="from", max_length=4000, description="Where the game began, if elsewhere.")
    clock: str = Field(default="", max_length=10, description="Minutes for each player, or minutes+seconds per move.")
    side: Literal["1", "2", "any"] = Field(default="any", description="The player that the sender wants to be.")


class Opened(BaseModel):
    """A game that was opened."""

    code: str = Field(description="The code of the game, with which everybody can watch.")
    seat: str = Field(description="The key of the sender's seat. Whoever has it can move.")


class TypedCode(BaseModel):
    """A code that somebody has typed."""

    model_config = ConfigDict(extra="forbid")
    code: str = Field(min_length=1, max_length=100)


class Found(BaseModel):
    """The game that a code stands for."""

    code: str = Field(description="The code of the game.")
    invite: str = Field(description="The code that gives a seat in it; empty if the code is only for watching.")


def rooms_of(connection: HTTPConnection) -> Rooms:
    rooms: Rooms = connection.app.state.rooms
    return rooms


def sender_of(connection: HTTPConnection) -> str:
    """The address of the sender, by which requests are counted."""
    return connection.client.host if connection.client else ""


# ------------------------------------------------------------------------------------------ the API


@router.post("/api/together", tags=["two devices"], dependencies=[Depends(require_token)], status_code=201)
async def open_game(request: Request, opening: Opening) -> Opened:
    """Open a game for two devices, and take a seat."""
    parts = opening.line.split("/")
    if len(parts) > 3:
        raise PositionError("{line!r} is not of the form game/set-up/moves", line=opening.line[:200])
    name, setup, moves = [*parts, NOTHING, NOTHING][:3]
    line = read_line(name, setup, moves, opening.start, None, request.app.state.settings.most_plies)
    side = int(opening.side) if opening.side != "any" else 1 + secrets.randbelow(2)
    control = TimeControl.parse(opening.clock)
    code, seat = await rooms_of(request).create(line, control, side, sender_of(request))
    return Opened(code=code, seat=seat)


@router.post("/api/together/find", tags=["two devices"], dependencies=[Depends(require_token)])
async def find_game(request: Request, typed: TypedCode) -> Found:
    """Find the game of a code: an invitation to play, or the code for watching."""
    code, invite = await rooms_of(request).find(typed.code, sender_of(request))
    return Found(code=code, invite=invite)


@router.websocket("/ws/together/{code}")
async def connect(socket: WebSocket, code: str) -> None:
    """A game as it goes on. A page says hello first; only those with a seat may send more."""
    rooms = rooms_of(socket)
    await socket.accept()
    try:
        live = await rooms.open(code, sender_of(socket))
        async with rooms.entered(live, await hello(socket), socket.scope[IN_SCOPE].name) as entered:
            await converse(socket, rooms, live, entered)
    except ZermeloError as error:
        await _close(socket, CLOSED_FOR.get(type(error), UNFIT), str(error)[:120])
    except (TimeoutError, KeyError):
        await _close(socket, UNFIT, _("the page did not say hello"))
    except WebSocketDisconnect:
        pass


async def _close(socket: WebSocket, status: int, reason: str) -> None:
    with contextlib.suppress(RuntimeError):  # the page has closed it
        await socket.close(status, reason)


# ------------------------------------------------------------------------------------------ the pages


@router.get("/together", include_in_schema=False)
def together_page(request: Request, game: Annotated[str, Query(max_length=200)] = "") -> Response:
    """The page on which a game for two devices is opened, or joined by its code."""
    return _begin_page(request, _usual(game or next(iter(matched_games()))))


@router.get("/together/new/{name:game}/{setup}", include_in_schema=False)
@router.get("/together/new/{name:game}/{setup}/{moves}", include_in_schema=False)
def continue_page(request: Request, line: LineOfPage) -> Response:
    """The same for a game that has begun on one device; if nothing was played yet, its options can be changed."""
    here = Line(line.game, line.start, line.moves[: line.at], line.at)
    if here.position.is_over or not (here.moves or here.start):
        return _begin_page(request, line.game)
    return _begin_page(request, line.game, here)


def _usual(name: str) -> Game:
    """A game with the options that newcomers like best."""
    usual = game_of(name).new_game_options()
    return game_of(name, ",".join(f"{key}={text_of(value)}" for key, value in usual.items()) or NOTHING)


def _begin_page(request: Request, game: Game, begun: Line | None = None) -> Response:
    return page(
        request,
        "together.html",
        games={game_name_in_url(name): _(one.title) for name, one in matched_games().items()},
        chosen=game_name_in_url(Line(game, "", (), 0).game_name),
        title=_(game.title),
        begun=begun,
        options=[] if begun is not None else _options(game),
        players=game.players,
        clocks=CLOCKS,
        command=COMMAND,
        example=EXAMPLE,
        reachable=not request.app.state.settings.is_loopback,
    )


def _options(game: Game) -> list[dict[str, Any]]:
    """The fields for the options of a game. If it has a seed, it deals anew, unless somebody wants the same again."""
    fields = options_of(game)
    if any(field["name"] == "seed" and field["value"] is None for field in fields):
        for field in fields:
            if field["name"] == "seed":
                field["value"] = random.randrange(100_000)
            elif field["by_seed"]:
                field["value"] = ""
    return fields


@router.get("/together/{code}", include_in_schema=False)
async def room_page(request: Request, code: str, projector: bool = False) -> Response:
    """The page of a game on two devices. The same for everybody: its script says hello with the key of a seat."""
    live = await rooms_of(request).open(code, sender_of(request))
    room = live.room
    view = facts_of(room.line, room.end)
    return page(
        request,
        "together_room.html",
        data=_data(request, code, projector) | {"can_be_drawn": room.game.can_be_drawn},
        view=view,
        title=_(room.game.title),
        rules=f"/rules/{view.path.split('/')[0]}",
        board=first_board(room.position),
        look="on-projector" if projector else "",
        command=COMMAND,
        has_clock=room.clocks is not None,
        days={"playing": PLAYING_DAYS, "over": OVER_DAYS},
        reachable=not request.app.state.settings.is_loopback,
    )


def _data(request: Request, code: str, projector: bool) -> dict[str, Any]:
    """What the script of the page knows from the start. Links name an address that other machines can reach."""
    settings, host = request.app.state.settings, request.headers.get("host", "")
    base = f"{request.url.scheme}://{host}/"
    if not settings.is_loopback and is_loopback_name(host):
        base = next(iter(addresses(settings.host, settings.allowed_hosts, request.url.port or 80)), base)
    return {"code": code, "base": base, "projector": projector}
