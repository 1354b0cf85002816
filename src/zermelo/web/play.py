"""Playing: the page of a game, and what it asks the server. The server keeps no game; the address holds all of it."""

import inspect
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, Field
from starlette.convertors import StringConvertor, register_url_convertor
from starlette.responses import RedirectResponse

from zermelo.calls import text_of
from zermelo.core import announcing
from zermelo.errors import PlayerError
from zermelo.language import _, marked
from zermelo.players.player import Choice
from zermelo.players.stand_in import has_stand_in, stand_in
from zermelo.position import Game, Position
from zermelo.web.events import event_stream
from zermelo.web.opponents import (
    HINTS,
    PERSON,
    USUAL,
    choices_of,
    hurried,
    is_person,
    kinds,
    name_of,
    opponent,
    prepare_meanwhile,
)
from zermelo.web.pages import page
from zermelo.web.positions import Line, first_board, game_of
from zermelo.web.searches import Report
from zermelo.web.views import LineOfPage, LineOfRequest, PlayerText, content, facts_of

router = APIRouter()


class GameName(StringConvertor):
    """The first part of an address, unless it is `api`. The API itself answers wrong addresses and methods."""

    regex = "(?!api(?:/|$))[^/]+"


register_url_convertor("game", GameName())

NOT_IN_FORMS = ("variant", "file", "first")  # options of games; in a form, `first` is a player
CLOCKS = {
    "": marked("No clock"),
    "1": marked("1 minute"),
    "3+2": marked("3 minutes + 2 s per move"),
    "10": marked("10 minutes"),
}


class CheckedPlayer(BaseModel):
    """A player that the lab knows."""

    player: str = Field(description="The player as text, with its limits.")
    name: str = Field(description="The name by which pages call the player.")


# ------------------------------------------------------------------------------------------ the API


@router.get("/api/player", tags=["players"])
def check_player(request: Request, line: LineOfRequest, player: PlayerText) -> CheckedPlayer:
    """Check that this player can play this game here; the error says why not."""
    found = opponent(player, line.game, request.app.state.settings)
    return CheckedPlayer(player=str(found) if player != PERSON else PERSON, name=name_of(player))


@router.get("/api/think", tags=["players"], response_class=Response, responses=content("text/event-stream"))
def think(
    request: Request,
    line: LineOfRequest,
    player: PlayerText = HINTS,
    seconds: Annotated[float | None, Query(gt=0, le=3600, description="Time limit, in seconds.")] = None,
) -> Response:
    """Let a player think. Events: `compiling`, `thinking` (for each depth), `move`, and `done`.

    If a move has `stand_in`, then a small search chose it, because the player's code is still being compiled.
    """
    settings, here = request.app.state.settings, line.position
    if here.is_over:
        raise PlayerError("the game is over")
    if is_person(player):
        raise PlayerError("the lab cannot choose moves for a person; name another player")
    unhurried = opponent(player, line.game, settings)
    chosen = hurried(unhurried, seconds)

    first_use = request.app.state.first_use

    def work(report: Report) -> None:
        if has_stand_in(chosen) and not first_use.is_ready(line.game, unhurried):
            first_use.want(line.game, unhurried)
            choice = stand_in(chosen, here)
            report(("move", thought(here, choice) | {"move": choice.move, "stand_in": True}))
            return
        with announcing(lambda: report(("compiling", {"game": _(line.game.title)}))):
            chosen.prepare(line.game)
            choice = chosen.think_aloud(here, lambda found: report(("thinking", thought(here, found))))
        report(("move", thought(here, choice) | {"move": choice.move}))

    return event_stream(request.app.state.searches, work)


class Preparing(BaseModel):
    """How far the code of a player has been compiled."""

    share: float = Field(description="How much of it is there, from 0 to 1.")


@router.get("/api/preparing", tags=["players"])
def preparing(request: Request, line: LineOfRequest, player: PlayerText) -> Preparing:
    """Say how far the code of a player has been compiled. Until it is there, a small search answers for the player."""
    chosen = opponent(player, line.game, request.app.state.settings)
    return Preparing(share=round(request.app.state.first_use.share(line.game, chosen), 2))


def thought(here: Position, choice: Choice) -> dict[str, Any]:
    """A player's thoughts, for the page."""
    text = None
    if choice.score is not None:
        text = _("{score}, solved").format(score=choice.score) if choice.solved else choice.score.text
    return {
        "depth": choice.depth,
        "score": None if choice.score is None else choice.score.number,
        "text": text,
        "line": list(choice.line[:12]),
        "nodes": choice.nodes,
        "seconds": round(choice.seconds, 3),
        "side": _(here.game.players[here.to_move - 1]),
    }


# ------------------------------------------------------------------------------------------ the page


class NewGame(BaseModel):
    """A game that can begin."""

    address: str = Field(description="The address of its page.")


@router.get("/api/new-game/{name}", tags=["players"])
def new_game(request: Request, name: str) -> NewGame:
    """Check the fields of the form for a new game, and tell the address of the game. The error says what is wrong."""
    address = address_of_new(request, name)
    given = dict(request.query_params)
    game = game_of(name)
    for key in ("first", "second"):
        text = given.get(f"{key}_text") or given.get(key)
        if text:
            opponent(text, game, request.app.state.settings)
    return NewGame(address=address)


@router.get("/{name:game}", include_in_schema=False)
def begin(request: Request, name: str) -> Response:
    """Begin a new game: the fields of the form become an address. Options of the game are fields of the same names."""
    return RedirectResponse(address_of_new(request, name), 303)


def address_of_new(request: Request, name: str) -> str:
    """The address of a new game. Without any field, the game has the options that newcomers like best."""
    given = {key: value for key, value in request.query_params.items() if value != ""}
    players = {key: given.pop(f"{key}_text", "") or given.pop(key, "") for key in ("first", "second")}
    for key in ("first", "second"):
        given.pop(key, None)
    kept = {key: given.pop(key) for key in ("clock", "thinking", "from") if key in given}
    if not request.query_params:
        given = {key: text_of(value) for key, value in game_of(name).new_game_options().items()}
    setup = ",".join(f"{key}={value.replace(' ', '_')}" for key, value in given.items())
    game = game_of(name, setup)
    address = "/" + Line(game, "", (), 0).path
    query = urlencode({key: value for key, value in (players | kept).items() if value})
    return f"{address}?{query}" if query else address


@router.get("/{name:game}/{setup}", include_in_schema=False)
@router.get("/{name:game}/{setup}/{moves}", include_in_schema=False)
def play_page(
    request: Request, line: LineOfPage, first: PlayerText = PERSON, second: PlayerText = USUAL, end: str = ""
) -> Response:
    """The page of a game, as far as its address tells the game."""
    players, settings, first_use = [first, second], request.app.state.settings, request.app.state.first_use
    first_use.knows(line.game)
    shares = []
    for text in players:
        player = opponent(text, line.game, settings)
        prepare_meanwhile(player, line.game, first_use)
        shares.append(first_use.share(line.game, player))
    view = facts_of(line, end)
    data = {
        "view": view.model_dump(),
        "players": players,
        "people": [is_person(text) for text in players],
        "hints": HINTS,
        "preparing": shares,
    }
    return page(
        request,
        "play.html",
        data=data,
        line=line,
        view=view,
        board=first_board(line.position),
        players=players,
        names=[name_of(text) for text in players],
        choices=choices_of(line.game, settings),
        options=options_of(line.game),
        kinds=kinds(),
        clocks=CLOCKS,
    )


def options_of(game: Game) -> list[dict[str, Any]]:
    """The fields of the form for a game's options."""
    fields = []
    for name, parameter in inspect.signature(type(game)).parameters.items():
        if name in (*NOT_IN_FORMS, game.text_option) or parameter.kind is parameter.VAR_KEYWORD:
            continue
        value = game.options.get(name, parameter.default)
        kind = "yes" if isinstance(parameter.default, bool) else "text"
        if (isinstance(parameter.default, int) and kind == "text") or name == "seed":
            kind = "number"
        low, high = game.option_limits.get(name, (0, 2**31))
        by_seed = name in game.replaced_by_seed
        field = {"name": name, "value": value, "kind": kind, "low": low, "high": high, "by_seed": by_seed}
        fields.append(field | {"placeholder": game.option_examples.get(name, str(parameter.default or ""))})
    return fields
