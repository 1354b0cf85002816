"""Tournaments: begun from a form, watched live, looked at game by game."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, FastAPI, Query, Request, Response, WebSocket, WebSocketDisconnect
from pydantic import BaseModel, Field

from zermelo.calls import Call, parse_call
from zermelo.errors import PlayerError, ZermeloError
from zermelo.games import find_game
from zermelo.language import _
from zermelo.match import Record, reason_text
from zermelo.players import KINDS, named_players
from zermelo.position import Game
from zermelo.scores import score_text
from zermelo.tournaments.plan import FORMATS, Plan
from zermelo.tournaments.store import Store
from zermelo.web.access import require_owner
from zermelo.web.hub import Hub, NoSuchTournament
from zermelo.web.notation import words_of
from zermelo.web.opponents import OUTSIDE, PERSON, workshop_files
from zermelo.web.pages import page
from zermelo.web.positions import NOTHING, Line, game_of, matched_games, position_of, usual_game, view_of_board
from zermelo.web.security import require_token
from zermelo.web.settings import Settings
from zermelo.web.standings import progress_of, report_of
from zermelo.web.views import Pair, content
from zermelo.web.workshop_files import WORKSHOP_NAME, heuristics_in

OWNERS = [Depends(require_token), Depends(require_owner)]  # visitors of a lab on a network may only look
MOST_CONTESTANTS, MOST_PAIRS = 24, 10_000
Text = Annotated[str, Field(min_length=1, max_length=300)]
Opening = Annotated[str, Field(min_length=1, max_length=1000)]
Identity = Annotated[str, Field(max_length=100)]


@asynccontextmanager
async def living(app: FastAPI) -> AsyncIterator[None]:
    """The tournaments live as long as the server; those that were being played go on."""
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


# ------------------------------------------------------------------------------------------ what is said


class NewTournament(BaseModel):
    """A tournament to play. Contestants are heuristics or players, as text."""

    name: Annotated[str, Field(min_length=1, max_length=60)] = "Tournament"
    game: Annotated[str, Field(max_length=100)]
    setup: Annotated[str, Field(max_length=4000)] = NOTHING
    contestants: Annotated[list[Text], Field(min_length=2, max_length=MOST_CONTESTANTS)]
    format: Literal["round robin", "gauntlet", "swiss", "knockout", "ladder", "sprt"] = "round robin"
    pairs: Annotated[int, Field(ge=1, le=MOST_PAIRS)] = 20
    depth: Annotated[int, Field(ge=1, le=20)] | None = None
    nodes: Annotated[int, Field(ge=1, le=100_000_000)] | None = None
    seconds: Annotated[float, Field(ge=0.001, le=30)] | None = None
    plies: Annotated[int, Field(ge=0, le=40)] | None = None
    positions: Annotated[list[Opening], Field(max_length=1000, description="openings, instead of random plies")] = []
    most_plies: Annotated[int, Field(ge=1, le=100_000, description="then a game is drawn")] | None = None
    prove_nodes: Annotated[int, Field(ge=1, le=1_000_000, description="a search that may end a game")] | None = None
    seed: Annotated[int, Field(ge=0, le=1 << 31)] = 1
    elo0: Annotated[float, Field(ge=-500, le=500)] = 0
    elo1: Annotated[float, Field(ge=-500, le=500)] = 20


class Begun(BaseModel):
    """Where a tournament is found."""

    id: str


class Listed(BaseModel):
    """A tournament in the list of all."""

    id: str
    name: str
    game: str
    title: str
    format: str
    contestants: list[str]
    done: int
    total: int
    state: str
    error: str | None


class Found(Listed):
    """A tournament with its results so far."""

    progress: dict[str, Any]
    report: dict[str, Any]


class GameListed(BaseModel):
    """A finished game."""

    pair: str
    swapped: bool
    players: Pair
    score: float = Field(description="of the one who moved first")
    reason: str
    plies: int


class GamesListed(BaseModel):
    games: list[GameListed]
    more: bool


class MoveShown(BaseModel):
    move: str
    player: int
    score: str | None
    depth: int | None
    nodes: int | None
    seconds: float


class GameShown(BaseModel):
    """A game to look at move by move."""

    game: str
    players: Pair
    colours: Pair
    start: str
    moves: list[MoveShown]
    winner: int | None
    reason: str
    error: str | None
    words: dict[str, str] = Field(description="words in the moves -> their translation for the reader")


class BoardShown(BaseModel):
    picture: dict[str, Any]
    position: str


# ------------------------------------------------------------------------------------------ pages


@router.get("/tournaments", include_in_schema=False)
def all_tournaments(request: Request) -> Response:
    return page(request, "tournaments.html", tournaments=listed(_hub(request)))


@router.get("/tournaments/new", include_in_schema=False, dependencies=[Depends(require_owner)])
def new_tournament(request: Request, game: str = "", setup: str = NOTHING) -> Response:
    """The form for one of a game."""
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
        own=heuristics_in(settings, chosen) if settings.has_workshop else {},
        players=[*named_players(chosen), "engine(nodes=20000)", "mcts(simulations=2000)", "random"],
        formats=list(FORMATS),
    )


@router.get("/tournaments/{identity}", include_in_schema=False)
def one_tournament(request: Request, identity: str) -> Response:
    """The page that shows it live."""
    hub = _hub(request)
    with hub.store(identity) as store:
        plan = store.plan()[0]
    return page(request, "tournament.html", identity=identity, plan=plan, title=_(find_game(plan.game).title))


@router.get("/tournaments/{identity}/game", include_in_schema=False)
def one_game(request: Request, identity: str, pair: str, swapped: bool = False) -> Response:
    """A game to click through."""
    record = _record(_hub(request), identity, pair, swapped)
    game, moves = find_game(record.game), tuple(move.move for move in record.moves)
    start = "" if record.start == NOTHING else record.start
    return page(
        request,
        "tournament_game.html",
        identity=identity,
        pair=pair,
        swapped=swapped,
        record=record,
        path=Line(game, start, moves, len(moves)).path,
        start=start,
        colours=game.players,
        reason_text=reason_text,
    )


# ------------------------------------------------------------------------------------------ API


@router.get("/api/tournaments", tags=["tournaments"])
def list_tournaments(request: Request) -> list[Listed]:
    """All tournaments, the latest first."""
    return listed(_hub(request))


@router.post("/api/tournaments", tags=["tournaments"], status_code=201, dependencies=OWNERS)
async def begin_tournament(request: Request, wanted: NewTournament) -> Begun:
    """Begin one. It is played in a process of its own."""
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
    """Go on with one that nobody plays."""
    await _hub(request).resume(identity)
    return Begun(id=identity)


@router.post("/api/tournaments/{identity}/stop", tags=["tournaments"], dependencies=OWNERS)
async def stop_tournament(request: Request, identity: Identity) -> Begun:
    """Leave off playing; it can be resumed."""
    await _hub(request).stop(identity)
    return Begun(id=identity)


@router.delete("/api/tournaments/{identity}", tags=["tournaments"], dependencies=OWNERS)
async def remove_tournament(request: Request, identity: Identity) -> Begun:
    """Forget it, with all its games."""
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
    """Finished games, without their moves; of one or two players, perhaps."""
    with _hub(request).store(identity) as store:
        found = store.results(store.plan()[0].name, limit + 1, offset, tuple(player or ()), latest)
    return GamesListed(
        games=[GameListed(**vars(one) | {"players": list(one.players)}) for one in found[:limit]],
        more=len(found) > limit,
    )


@router.get("/api/tournaments/{identity}/game", tags=["tournaments"])
def get_game(request: Request, identity: Identity, pair: str, swapped: bool = False) -> GameShown:
    """One game with its moves."""
    record = _record(_hub(request), identity, pair, swapped)
    game = find_game(record.game)
    movers = [position.to_move for position in record.final_position().path]
    return GameShown(
        game=record.game,
        players=record.players,
        colours=game.players,
        start=record.start,
        moves=[
            MoveShown(
                move=move.move,
                player=mover,
                score=None if move.score is None else score_text(move.score),
                depth=move.depth,
                nodes=move.nodes,
                seconds=move.seconds,
            )
            for move, mover in zip(record.moves, movers[-len(record.moves) - 1 :], strict=False)
        ],
        winner=record.winner,
        reason=record.reason,
        error=record.error,
        words=words_of(game),
    )


@router.get("/api/tournaments/{identity}/board", tags=["tournaments"])
def get_board(
    request: Request,
    identity: Identity,
    pair: str,
    swapped: bool = False,
    ply: Annotated[int, Query(ge=0, le=100_000)] = 0,
) -> BoardShown:
    """The board after so many plies of a game."""
    record = _record(_hub(request), identity, pair, swapped)
    moves = tuple(move.move for move in record.moves[:ply])
    position = position_of(find_game(record.game), record.start, moves)
    return BoardShown(picture=view_of_board(position), position=str(position))


@router.get(
    "/api/tournaments/{identity}/records",
    tags=["tournaments"],
    response_class=Response,
    responses=content("application/jsonl"),
)
def get_records(request: Request, identity: Identity) -> Response:
    """All finished games as JSONL, one a line."""
    with _hub(request).store(identity) as store:
        text = "".join(f"{game.json}\n" for game in store.games(store.plan()[0].name))
    headers = {"Content-Disposition": f'attachment; filename="{identity}.jsonl"'}
    return Response(text, media_type="application/jsonl", headers=headers)


@router.websocket("/ws/tournaments/{identity}")
async def watch(socket: WebSocket, identity: str) -> None:
    """Its news: state, progress, report, boards. A page that falls behind gets the newest of each."""
    hub: Hub = socket.app.state.hub
    await socket.accept()
    try:
        live, spectator = hub.attach(identity)
    except ZermeloError as error:
        await socket.close(4404 if isinstance(error, NoSuchTournament) else 1013, str(error)[:120])
        return
    sending = asyncio.ensure_future(_send_all(socket, spectator))
    try:
        while True:  # nothing is expected, but this notices the end
            await socket.receive_text()
    except (WebSocketDisconnect, KeyError):
        pass
    finally:
        live.spectators.discard(spectator)
        sending.cancel()
        with contextlib.suppress(asyncio.CancelledError, Exception):
            await sending


async def _send_all(socket: WebSocket, spectator: Any) -> None:
    async for text in spectator.news():
        await socket.send_text(text)


# ------------------------------------------------------------------------------------------ what they share


def _hub(request: Request) -> Hub:
    hub: Hub = request.app.state.hub
    return hub


def listed(hub: Hub) -> list[Listed]:
    found = []
    for identity in hub.identities():
        try:
            with hub.store(identity) as store:
                found.append(_listed(hub, identity, store))
        except ZermeloError:  # not a tournament, or being made just now
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
        title=find_game(plan.game).title,
        format=plan.format,
        contestants=plan.names,
        done=done,
        total=total,
        state=state,
        error=error,
    )


def _record(hub: Hub, identity: str, pair: str, swapped: bool) -> Record:
    with hub.store(identity) as store:
        found = store.game(store.plan()[0].name, pair, swapped)
    if found is None:
        raise NoSuchTournament(_("the tournament {identity} has no such game").format(identity=identity))
    return found.record


def settings_of(wanted: NewTournament, settings: Settings) -> dict[str, Any]:
    """The tournament as a file would have it, if a page may ask for it."""
    game = game_of(wanted.game, wanted.setup)
    for text in wanted.contestants:
        call = parse_call(text)
        check_contestant(call, settings)
        check_known(call, game)
    found: dict[str, Any] = {
        "name": wanted.name,
        "game": str(game),
        "contestants": wanted.contestants,
        "format": wanted.format,
        "pairs": wanted.pairs,
        "seed": wanted.seed,
    }
    numbers = ("depth", "nodes", "seconds", "most_plies", "prove_nodes")
    found |= {n: v for n in numbers if (v := getattr(wanted, n)) is not None}
    openings = {"plies": wanted.plies, "positions": wanted.positions or None}
    found["openings"] = {n: v for n, v in openings.items() if v is not None}
    if wanted.format == "sprt":
        found["sprt"] = {"elo0": wanted.elo0, "elo1": wanted.elo1}
    return found


def check_known(call: Call, game: Game) -> None:
    """Is there anybody of this name? What else may be wrong, the process finds out."""
    known = [*KINDS, *named_players(game), *game.heuristics]
    name = call.name.removeprefix(f"{game.name}/")
    if name not in known and not WORKSHOP_NAME.fullmatch(name):
        raise PlayerError(
            _("there is no player or heuristic {name!r}; there are {known}").format(
                name=call.name, known=", ".join(known)
            )
        )


def check_contestant(call: Call, settings: Settings) -> None:
    """A page may name what is built in and what is in the workshop: no other files, no programs, no people."""
    if call.name in (*OUTSIDE, PERSON):
        raise PlayerError(_("{name} cannot take part in a tournament that is begun from a page").format(name=call.name))
    workshop_files(call, settings)
