"""Tournaments: a form begins them, and pages show them live and game by game."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated

from fastapi import APIRouter, Depends, FastAPI, Query, Request, Response, WebSocket
from pydantic import Field

from zermelo.errors import ZermeloError
from zermelo.games import stored_game
from zermelo.language import _
from zermelo.players import named_players
from zermelo.tournaments.plan import FORMATS, Plan
from zermelo.tournaments.store import Store
from zermelo.web.access import require_owner
from zermelo.web.hub import Hub, NoSuchTournament
from zermelo.web.pages import page
from zermelo.web.positions import NOTHING, game_of, matched_games, usual_game
from zermelo.web.replay import Replay
from zermelo.web.security import require_token
from zermelo.web.settings import Settings
from zermelo.web.spectators import GONE, serve_spectator
from zermelo.web.standings import progress_of, report_of
from zermelo.web.tournament_models import (
    Begun,
    BoardShown,
    Found,
    GameListed,
    GameShown,
    GamesListed,
    Listed,
)
from zermelo.web.tournament_orders import NewTournament, settings_of
from zermelo.web.views import content
from zermelo.web.workshop_files import heuristics_in, players_in, searches_in

OWNERS = [Depends(require_token), Depends(require_owner)]  # visitors may only watch
Identity = Annotated[str, Field(max_length=100)]


@asynccontextmanager
async def living(app: FastAPI) -> AsyncIterator[None]:
    """The tournaments are played while the server runs. Those that the last server left unfinished continue."""
    settings: Settings = app.state.settings
    hub = Hub(settings.data / "tournaments", settings.workshop_folder, max(1, settings.searches - 1))
    app.state.hub = hub
    recovering = asyncio.ensure_future(hub.recover())
    yield
    recovering.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await recovering
    await hub.close()


router = APIRouter(lifespan=living)


# ------------------------------------------------------------------------------------------ pages


@router.get("/tournaments", include_in_schema=False)
def all_tournaments(request: Request) -> Response:
    return page(request, "tournaments.html", tournaments=listed(_hub(request)))


@router.get("/tournaments/new", include_in_schema=False, dependencies=[Depends(require_owner)])
def new_tournament(request: Request, game: str = "", setup: str = NOTHING) -> Response:
    """The form for a new tournament of a game."""
    settings: Settings = request.app.state.settings
    game = game or usual_game().name
    chosen = game_of(game, setup)
    return page(
        request,
        "tournament_new.html",
        games=[(name, _(found.title)) for name, found in matched_games().items()],
        game=game,
        setup=setup,
        title=_(chosen.title),
        heuristics={name: (h.__doc__ or "").strip() for name, h in chosen.heuristics.items()},
        own={**heuristics_in(settings, chosen), **searches_in(settings), **players_in(settings)}
        if settings.has_workshop
        else {},
        players=[*named_players(chosen), "engine(nodes=20000)", "mcts(simulations=2000)", "random"],
        formats=list(FORMATS),
    )


@router.get("/tournaments/{identity}", include_in_schema=False)
def one_tournament(request: Request, identity: str) -> Response:
    """The page that shows a tournament live."""
    hub = _hub(request)
    with hub.store(identity) as store:
        plan = store.plan()[0]
    title = _(stored_game(plan.game, plan.name).title)
    return page(request, "tournament.html", identity=identity, plan=plan, title=title)


@router.get("/tournaments/{identity}/game", include_in_schema=False)
def one_game(request: Request, identity: str, pair: str, swapped: bool = False) -> Response:
    """The page that shows a game move by move."""
    return _replay(_hub(request), identity, pair, swapped).page(request)


# ------------------------------------------------------------------------------------------ API


@router.get("/api/tournaments", tags=["tournaments"])
def list_tournaments(request: Request) -> list[Listed]:
    """All tournaments, the latest first."""
    return listed(_hub(request))


@router.post("/api/tournaments", tags=["tournaments"], status_code=201, dependencies=OWNERS)
async def begin_tournament(request: Request, wanted: NewTournament) -> Begun:
    """Begin a tournament. It is played in a process of its own."""
    return Begun(id=await _hub(request).create(settings_of(wanted, request.app.state.settings)))


@router.get("/api/tournaments/{identity}", tags=["tournaments"])
def get_tournament(request: Request, identity: Identity) -> Found:
    """A tournament with its standings."""
    hub = _hub(request)
    with hub.store(identity) as store:
        one = _listed(hub, identity, store)
        progress = progress_of(store, one.name, one.done, one.total, None)
        return Found(**one.model_dump(), progress=progress, report=report_of(store, one.name))


@router.post("/api/tournaments/{identity}/resume", tags=["tournaments"], dependencies=OWNERS)
async def resume_tournament(request: Request, identity: Identity) -> Begun:
    """Continue a tournament that was stopped."""
    await _hub(request).resume(identity)
    return Begun(id=identity)


@router.post("/api/tournaments/{identity}/stop", tags=["tournaments"], dependencies=OWNERS)
async def stop_tournament(request: Request, identity: Identity) -> Begun:
    """Stop a tournament. It can be resumed later."""
    await _hub(request).stop(identity)
    return Begun(id=identity)


@router.delete("/api/tournaments/{identity}", tags=["tournaments"], dependencies=OWNERS)
async def remove_tournament(request: Request, identity: Identity) -> Begun:
    """Delete a tournament with all its games."""
    await _hub(request).remove(identity)
    return Begun(id=identity)


@router.get("/api/tournaments/{identity}/games", tags=["tournaments"])
def list_games(
    request: Request,
    identity: Identity,
    offset: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    player: Annotated[list[str] | None, Query(max_length=2)] = None,
    latest: bool = False,
) -> GamesListed:
    """The finished games without their moves: all of them, or those of one player, or of two against each other."""
    with _hub(request).store(identity) as store:
        found = store.results(store.plan()[0].name, limit + 1, offset, tuple(player or ()), latest)
    return GamesListed(
        games=[GameListed(**vars(one) | {"players": list(one.players)}) for one in found[:limit]],
        more=len(found) > limit,
    )


@router.get("/api/tournaments/{identity}/game", tags=["tournaments"])
def get_game(request: Request, identity: Identity, pair: str, swapped: bool = False) -> GameShown:
    """One game with its moves."""
    return _replay(_hub(request), identity, pair, swapped).shown()


@router.get("/api/tournaments/{identity}/board", tags=["tournaments"])
def get_board(
    request: Request,
    identity: Identity,
    pair: str,
    swapped: bool = False,
    ply: Annotated[int, Query(ge=0, le=100_000)] = 0,
) -> BoardShown:
    """The board of a game after a number of plies."""
    return _replay(_hub(request), identity, pair, swapped).board(ply)


@router.get(
    "/api/tournaments/{identity}/records",
    tags=["tournaments"],
    response_class=Response,
    responses=content("application/jsonl"),
)
def get_records(request: Request, identity: Identity) -> Response:
    """All finished games as JSON Lines, one game per line."""
    with _hub(request).store(identity) as store:
        text = "".join(f"{game.json}\n" for game in store.games(store.plan()[0].name))
    headers = {"Content-Disposition": f'attachment; filename="{identity}.jsonl"'}
    return Response(text, media_type="application/jsonl", headers=headers)


@router.websocket("/ws/tournaments/{identity}")
async def watch(socket: WebSocket, identity: str) -> None:
    """The news of a tournament: state, progress, report, boards. A page that falls behind gets the newest of each."""
    hub: Hub = socket.app.state.hub
    await socket.accept()
    try:
        live, spectator = hub.attach(identity)
    except ZermeloError as error:
        await socket.close(GONE if isinstance(error, NoSuchTournament) else 1013, str(error)[:120])
        return
    try:
        await serve_spectator(socket, spectator)
    finally:
        live.spectators.discard(spectator)


# ------------------------------------------------------------------------------------------ shared by both


def _hub(request: Request) -> Hub:
    hub: Hub = request.app.state.hub
    return hub


def listed(hub: Hub) -> list[Listed]:
    found = []
    for identity in hub.identities():
        try:
            with hub.store(identity) as store:
                found.append(_listed(hub, identity, store))
        except ZermeloError:  # the file holds no tournament, or is just being made
            continue
    return found


def _listed(hub: Hub, identity: str, store: Store) -> Listed:
    plan: Plan = store.plan()[0]
    done, total = store.counts(plan.name)
    state, error = hub.state(identity)
    return Listed(
        id=identity,
        name=plan.name,
        game=plan.game,
        title=stored_game(plan.game, plan.name).title,
        format=plan.format,
        contestants=plan.names,
        done=done,
        total=total,
        state=state,
        error=error,
    )


def _replay(hub: Hub, identity: str, pair: str, swapped: bool) -> Replay:
    with hub.store(identity) as store:
        found = store.game(store.plan()[0].name, pair, swapped)
    if found is None:
        raise NoSuchTournament("the tournament {identity} has no such game", identity=identity)
    return Replay(
        found.record,
        identity,
        pair,
        swapped,
        api=f"/api/tournaments/{identity}",
        back=(f"/tournaments/{identity}", _("← The tournament")),
        views=(("/analyse/", _("Review the game")), ("/", _("Play from here")), ("/why/", _("See why"))),
    )
