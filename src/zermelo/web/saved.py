"""Saved games: the list, the export and the import."""

import time
import uuid
from typing import Annotated

from fastapi import APIRouter, Body, Depends, HTTPException, Path, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import PlainTextResponse

from zermelo.calls import parse_call
from zermelo.errors import FileError, ZermeloError
from zermelo.games import catalogue_game
from zermelo.language import _
from zermelo.match import Move, Record, reason_text
from zermelo.position import Position
from zermelo.web.access import asker_of
from zermelo.web.game_store import GameStore, SavedGame, is_json, read_text, record_text
from zermelo.web.opponents import name_of
from zermelo.web.pages import page
from zermelo.web.positions import Line, read_line
from zermelo.web.security import require_token
from zermelo.web.views import AGREED, Pair, content, ending_of

router = APIRouter()

GameId = Annotated[str, Path(pattern="^[0-9a-f-]{8,64}$")]


class PlayedMove(BaseModel):
    """A move, and what its player knew about it."""

    model_config = ConfigDict(extra="forbid")
    move: str = Field(max_length=100)
    seconds: float = Field(default=0, ge=0, le=1e9, description="The time that the move took.")
    score: float | None = Field(default=None, ge=-(1 << 31), le=1 << 31, description="The score that the player saw.")
    depth: int | None = Field(default=None, ge=0, le=10_000, description="The depth of the search, in plies.")
    nodes: int | None = Field(default=None, ge=0, le=1 << 53, description="The number of positions visited.")


class PlayedGame(BaseModel):
    """A game as a page saves it."""

    model_config = ConfigDict(extra="forbid")
    line: str = Field(max_length=20_000, description="The game as game/set-up/moves.")
    start: str = Field(
        default="",
        alias="from",
        max_length=4000,
        description="The position in which it began; empty for the usual start.",
    )
    players: Pair = Field(description="Both players, as text.")
    end: str = Field(default="", max_length=20, description="How it ended off the board, such as 1-resigned or 2-time.")
    moves: list[PlayedMove] = Field(default_factory=list, max_length=1000)


class Listed(BaseModel):
    """A saved game in the list."""

    id: str
    saved: float = Field(description="When it was saved, in seconds since 1970.")
    game: str
    players: Pair
    plies: int
    result: str
    path: str = Field(description="The game as it stands in the addresses of pages.")
    start: str = Field(description="The position in which it began; empty for the usual start.")


class Imported(BaseModel):
    """The result of an import."""

    games: int = Field(description="How many games were imported.")


def store_of(request: Request) -> GameStore:
    store: GameStore = request.app.state.games
    return store


def holder_of(request: Request) -> str:
    """The name under which the sender's games are kept. Each visitor has their own; the owner sees all games."""
    return asker_of(request).name


Store = Annotated[GameStore, Depends(store_of)]
Holder = Annotated[str, Depends(holder_of)]


# ------------------------------------------------------------------------------------------ the API


@router.put("/api/saved/{id}", tags=["saved games"], dependencies=[Depends(require_token)], status_code=204)
def save(request: Request, store: Store, holder: Holder, id: GameId, game: PlayedGame) -> None:
    """Save a game, finished or not. It replaces a game of the same id, but keeps what was known about its moves."""
    name, _, rest = game.line.partition("/")
    setup, _, moves = rest.partition("/")
    line = read_line(name, setup, moves, game.start, None, request.app.state.settings.most_plies)
    before = store.one(id, holder)
    known = [] if before is None else before.record.moves
    played = []
    for place, text in enumerate(line.moves):
        about = game.moves[place] if place < len(game.moves) else PlayedMove(move=text)
        if about == PlayedMove(move=about.move) and [one.move for one in known[: place + 1]] == [
            *line.moves[: place + 1]
        ]:
            played.append(known[place])
        else:
            played.append(Move(text, about.seconds, about.score, about.depth, about.nodes))
    players = tuple(text[:500] for text in game.players)
    store.save((id, record_of(line, (players[0], players[1]), played, game.end)), holder=holder)


def record_of(line: Line, players: tuple[str, str], moves: list[Move], end: str) -> Record:
    last = line.last
    ending = ending_of(last, end)
    record = Record(str(line.game), players, line.start or "-", moves)
    if ending is not None:
        record.winner, record.reason = ending.winner, ending.reason
        record.margin = last.margin
    return record


@router.get("/api/saved", tags=["saved games"])
def listed(store: Store, holder: Holder, limit: Annotated[int, Query(ge=1, le=5000)] = 200) -> list[Listed]:
    """The saved games, the newest first. Visitors see their own games, and the owner sees all."""
    return [found for game in store.all(limit, holder) if (found := in_list(game)) is not None]


@router.get("/api/saved.jsonl", tags=["saved games"], response_class=Response, responses=content("application/jsonl"))
def export(store: Store, holder: Holder) -> Response:
    """All saved games as JSON Lines, one game per line, in the format of `zermelo match --save`."""
    text = "".join(game.record.to_json() + "\n" for game in store.all(holder=holder))
    headers = {"Content-Disposition": 'attachment; filename="zermelo-games.jsonl"'}
    return PlainTextResponse(text, media_type="application/jsonl", headers=headers)


@router.get("/api/saved/{id}.txt", tags=["saved games"], response_class=Response, responses=content("text/plain"))
def export_one(store: Store, holder: Holder, id: GameId) -> Response:
    """A saved game as text."""
    found = store.one(id, holder)
    if found is None:
        raise no_such_game(id)
    return PlainTextResponse(record_text(found.record))


@router.delete("/api/saved/{id}", tags=["saved games"], dependencies=[Depends(require_token)], status_code=204)
def delete(store: Store, holder: Holder, id: GameId) -> None:
    """Delete a saved game. It can be restored for a day."""
    if not store.delete(id, holder):
        raise no_such_game(id)


@router.post("/api/saved/{id}/restore", tags=["saved games"], dependencies=[Depends(require_token)], status_code=204)
def restore(store: Store, holder: Holder, id: GameId) -> None:
    """Restore a deleted game."""
    if not store.restore(id, holder):
        raise no_such_game(id)


@router.post("/api/saved", tags=["saved games"], dependencies=[Depends(require_token)])
def import_games(store: Store, holder: Holder, text: Annotated[str, Body(media_type="text/plain")]) -> Imported:
    """Import games from JSON Lines, or one game from its text."""
    records = read_json_lines(text) if is_json(text) else [read_one(text)]
    store.save(*((str(uuid.uuid4()), record) for record in records), holder=holder)
    return Imported(games=len(records))


def no_such_game(id_: str) -> HTTPException:
    return HTTPException(404, _("there is no saved game {id}").format(id=id_))


# ------------------------------------------------------------------------------------------ importing


def read_json_lines(text: str) -> list[Record]:
    records = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                records.append(checked(Record.from_json(line)))
            except ZermeloError as error:
                raise BadImport("line {number}: {error}", number=number, error=error) from None
    return records


def read_one(text: str) -> Record:
    try:
        fields = read_text(text.replace("\r\n", "\n").strip() + "\n")
        game, start = safe_game(fields["game"]), fields.get("start", "")
        line = read_line_of(game, start, fields["moves"])
        end = f"{2 if fields.get('winner') == 'first' else 1}-{fields.get('reason')}"
        players = fields.get("first", "human")[:500], fields.get("second", "human")[:500]
        known = end if fields.get("reason") in ("resigned", "time") else ""
        known = AGREED if fields.get("reason") == "agreed" else known
        return record_of(line, players, [Move(move, 0.0) for move in line.moves], known)
    except ZermeloError as error:
        raise BadImport(str(error)) from None


class BadImport(ZermeloError):
    """The imported text holds no game."""


def safe_game(text: str) -> str:
    if "file" in parse_call(text).options:
        raise FileError("{text}: a page cannot read files", text=text)
    return text


def read_line_of(game: str, start: str, moves: str) -> Line:
    found = catalogue_game(game)
    position: Position = found.position(start)
    texts = found.split_moves(moves) if moves else []
    for text in texts:
        position = position.play(text)
    line = position.line
    return Line(found, start, line, len(line))


def checked(record: Record) -> Record:
    """The same record, if its moves are legal; otherwise an error."""
    start = "" if record.start == "-" else record.start
    safe_game(record.game)
    position = catalogue_game(record.game).position(start)
    for move in record.moves:
        position = position.play(str(move.move))
    return record


# ------------------------------------------------------------------------------------------ the page


def in_list(game: SavedGame) -> Listed | None:
    """An entry of the list; None if its game is no longer in the catalogue."""
    record = game.record
    try:
        found = catalogue_game(record.game)
    except ZermeloError:
        return None
    moves = tuple(move.move for move in record.moves)
    line = Line(found, "" if record.start == "-" else record.start, moves, len(moves))
    won = _("{player} won")
    result = _("a draw") if record.winner is None else won.format(player=_(found.players[record.winner - 1]))
    if record.reason == "unfinished":
        result = reason_text(record.reason)
    elif record.reason != "played out":
        result += f" ({reason_text(record.reason)})"
    return Listed(
        id=game.id,
        saved=game.saved,
        game=_(found.title) if str(found) == found.name else str(found),
        players=record.players,
        plies=len(moves),
        result=result,
        path=line.path,
        start=line.start,
    )


@router.get("/saved", include_in_schema=False)
def saved_page(request: Request, store: Store, holder: Holder) -> Response:
    """The list of saved games."""
    games = listed(store, holder, 500)
    when = {game.id: time.strftime("%Y-%m-%d %H:%M", time.localtime(game.saved)) for game in games}
    return page(request, "saved.html", games=games, when=when, name_of=name_of)
