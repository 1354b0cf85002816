"""Tournaments that a page may order: the form's fields, and the checks of who takes part."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from zermelo.calls import Call, parse_call
from zermelo.errors import PlayerError
from zermelo.players import KINDS, named_players
from zermelo.position import Game
from zermelo.web.opponents import OUTSIDE, PERSON, workshop_files
from zermelo.web.positions import NOTHING, game_of
from zermelo.web.settings import Settings
from zermelo.web.workshop_files import WORKSHOP_NAME

MOST_CONTESTANTS, MOST_PAIRS = 24, 10_000
Text = Annotated[str, Field(min_length=1, max_length=300)]
Opening = Annotated[str, Field(min_length=1, max_length=1000)]


class NewTournament(BaseModel):
    """A tournament to play."""

    name: Annotated[str, Field(min_length=1, max_length=60)] = "Tournament"
    game: Annotated[str, Field(max_length=100, description="The game, as in the addresses of pages.")]
    setup: Annotated[str, Field(max_length=4000, description="The options of the game; '-' for the usual ones.")] = (
        NOTHING
    )
    contestants: Annotated[
        list[Text],
        Field(min_length=2, max_length=MOST_CONTESTANTS, description="Heuristics or players, each written as text."),
    ]
    format: Literal["round robin", "gauntlet", "swiss", "knockout", "ladder", "sprt"] = "round robin"
    pairs: Annotated[int, Field(ge=1, le=MOST_PAIRS, description="Pairs of games of each pairing.")] = 20
    depth: Annotated[int, Field(ge=1, le=20, description="Depth of each search, in plies.")] | None = None
    nodes: Annotated[int, Field(ge=1, le=100_000_000, description="Positions visited per move.")] | None = None
    seconds: Annotated[float, Field(ge=0.001, le=30, description="Time limit per move, in seconds.")] | None = None
    plies: Annotated[int, Field(ge=0, le=40, description="Number of random plies in an opening.")] | None = None
    positions: Annotated[
        list[Opening], Field(max_length=1000, description="Openings to use instead of random plies.")
    ] = []
    most_plies: (
        Annotated[int, Field(ge=1, le=100_000, description="Number of plies after which a game is a draw.")] | None
    ) = None
    prove_nodes: (
        Annotated[
            int,
            Field(ge=1, le=1_000_000, description="Positions searched after each move for a proof that ends the game."),
        ]
        | None
    ) = None
    seed: Annotated[int, Field(ge=0, le=1 << 31, description="The number that starts the random generator.")] = 1
    elo0: Annotated[float, Field(ge=-500, le=500, description="Null hypothesis of a sprt, in Elo.")] = 0
    elo1: Annotated[float, Field(ge=-500, le=500, description="Alternative hypothesis of a sprt, in Elo.")] = 20


def settings_of(wanted: NewTournament, settings: Settings) -> dict[str, Any]:
    """The settings of the tournament, as a tournament file has them. An error says what a page may not ask for."""
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
        "sandbox": settings.sandbox,
    }
    numbers = ("depth", "nodes", "seconds", "most_plies", "prove_nodes")
    found |= {n: v for n in numbers if (v := getattr(wanted, n)) is not None}
    openings = {"plies": wanted.plies, "positions": wanted.positions or None}
    found["openings"] = {n: v for n, v in openings.items() if v is not None}
    if wanted.format == "sprt":
        found["sprt"] = {"elo0": wanted.elo0, "elo1": wanted.elo1}
    return found


def check_known(call: Call, game: Game) -> None:
    """An error unless there is a player or heuristic of this name. The process finds whatever else is wrong."""
    known = [*KINDS, *named_players(game), *game.heuristics]
    name = call.name.removeprefix(f"{game.name}/")
    if name not in known and not WORKSHOP_NAME.fullmatch(name):
        raise PlayerError(
            "there is no player or heuristic {name!r}; choose one of {known}", name=call.name, known=", ".join(known)
        )


def check_contestant(call: Call, settings: Settings) -> None:
    """An error unless a page may let it play: neither people, nor programs, nor files outside the workshop."""
    if call.name in (*OUTSIDE, PERSON):
        raise PlayerError("{name} cannot take part in a tournament that is begun from a page", name=call.name)
    workshop_files(call, settings)
