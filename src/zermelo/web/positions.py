"""Games and positions as they stand in addresses, and boards as the pages show them.

    /hex/5x5,swap=yes/c3a1?at=1         game / set-up / moves ? the ply that is shown, by default the last
    /onitama/cards=boar_ox_elephant_horse_crab/boar:c1-c2
    /reversi/-/-?from=...               from a position other than the usual start

`-` stands for the usual set-up, and for no moves.
"""

import functools
import inspect
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from zermelo.calls import plain_value, text_of
from zermelo.errors import GameError, PositionError
from zermelo.games import catalogue_game, first_game, game_names
from zermelo.language import _
from zermelo.position import Game, Position

NOTHING = "-"
MOST_TEXT = 4000  # characters in the text of a game or position


# ------------------------------------------------------------------------------------------ games


def game_name_in_url(name: str) -> str:
    """The name of a game as one part of an address: `tree/course` becomes `tree:course`."""
    return name.replace("/", ":")


def matched_games() -> dict[str, Game]:
    """The games that people and players can play, by name: all games except explicit trees."""
    games = {name: catalogue_game(name) for name in game_names()}
    return {name: game for name, game in games.items() if not game.is_explicit_tree}


def usual_game() -> Game:
    """The game of a page whose address names none."""
    found = first_game(lambda game: not game.is_explicit_tree)
    if found is None:
        raise GameError("the catalogue has no games")
    return found


@functools.lru_cache(maxsize=256)
def game_of(name: str, setup: str = NOTHING) -> Game:
    """The game of an address."""
    options: dict[str, object] = {}
    for part in [] if setup in ("", NOTHING) else setup.split(","):
        key, equals, value = part.partition("=")
        if not equals:
            options |= _size_options(name, part)
        elif key == "file":
            raise GameError("{name}: a page cannot read files", name=name)
        else:
            options[key] = plain_value(value.replace("_", " "))
    return catalogue_game(name.replace(":", "/"), **options)


def _size_options(name: str, text: str) -> dict[str, object]:
    """The options that `5x5` stands for: the size of a game, or its columns and rows."""
    size = re.fullmatch(r"(\d{1,2})x(\d{1,2})", text)
    known = _parameters(catalogue_game(name.replace(":", "/")))
    if size and "size" in known and size[1] == size[2]:
        return {"size": int(size[1])}
    if size and {"columns", "rows"} <= set(known):
        return {"columns": int(size[1]), "rows": int(size[2])}
    raise GameError("{name} has no set-up {text!r}", name=name, text=text)


def _parameters(game: Game) -> dict[str, inspect.Parameter]:
    return dict(inspect.signature(type(game)).parameters)


def setup_text(game: Game) -> str:
    """The set-up of a game in the form that addresses have."""
    known = _parameters(game)
    values = {name: game.options.get(name, parameter.default) for name, parameter in known.items()}
    given, parts = dict(game.options), []
    for names in (("size", "size"), ("columns", "rows")):
        if any(name in given for name in names):
            parts.append("x".join(str(values[name]) for name in names))
            given = {key: value for key, value in given.items() if key not in names}
    parts += [f"{key}={text_of(value).strip(chr(34)).replace(' ', '_')}" for key, value in given.items()]
    return ",".join(parts) or NOTHING


# ------------------------------------------------------------------------------------------ positions


@dataclass(frozen=True)
class Line:
    """A game as an address tells it: all its moves, and which position is shown."""

    game: Game
    start: str  # the position in which it began; empty for the usual start
    moves: tuple[str, ...]
    at: int  # how many of the moves lead to the position that is shown

    @property
    def position(self) -> Position:
        return position_of(self.game, self.start, self.moves[: self.at])

    @property
    def last(self) -> Position:
        """The position after all its moves."""
        return position_of(self.game, self.start, self.moves)

    @property
    def parts(self) -> tuple[str, str, str]:
        """Game, set-up and moves in the form that addresses have, but not escaped."""
        return game_name_in_url(self.game_name), setup_text(self.game), moves_text(self.game, self.moves)

    @property
    def text(self) -> str:
        """The parts joined, in the form that the API takes."""
        return "/".join(self.parts)

    @property
    def path(self) -> str:
        """The parts joined and escaped, for the address of a page."""
        return "/".join(quote(part, safe=":=,*+~") for part in self.parts)

    @property
    def game_name(self) -> str:
        text = str(self.game)
        return text if "/" in text else self.game.name


def read_line(
    name: str,
    setup: str = NOTHING,
    moves: str = NOTHING,
    start: str = "",
    at: int | None = None,
    most_plies: int = 1000,
) -> Line:
    """The line that an address tells. An error names the part that is wrong."""
    if len(moves) > 16 * most_plies or len(start) > MOST_TEXT or len(setup) > MOST_TEXT:
        raise PositionError("the game in this address is too long")
    game = game_of(name, setup)
    texts = () if moves in ("", NOTHING) else tuple(game.split_moves(moves))
    if len(texts) > most_plies:
        raise PositionError("the game in this address has more than {most_plies} moves", most_plies=most_plies)
    position = position_of(game, start, texts)
    shown = len(texts) if at is None else max(0, min(at, len(texts)))
    line = position.line[-len(texts) :] if texts else ()
    return Line(game, start, line, shown)


MOST_KEPT = 4096
_kept: dict[tuple[Game, str, tuple[str, ...]], Position] = {}  # the oldest first


def position_of(game: Game, start: str, moves: tuple[str, ...]) -> Position:
    """The position after these moves. Positions are kept, since the next request is mostly about the same game."""
    known, here = len(moves), _kept.get((game, start, moves))
    while here is None and known > 0:
        known -= 1
        here = _kept.get((game, start, moves[:known]))
    if here is None:
        here = game.position(start)
    for number in range(known, len(moves)):
        here = here.play(moves[number])
        _kept[game, start, moves[: number + 1]] = here
    while len(_kept) > MOST_KEPT:
        _kept.pop(next(iter(_kept)), None)
    return here


def moves_text(game: Game, moves: tuple[str, ...]) -> str:
    """Moves in the form that addresses have: without commas if the game can tell them apart."""
    joined = "".join(moves)
    try:
        tight = tuple(game.split_moves(joined)) == moves
    except ValueError:
        tight = False
    return (joined if tight else ",".join(moves)) or NOTHING


# ------------------------------------------------------------------------------------------ boards


@dataclass(frozen=True)
class Board:
    """A drawn position as a page first shows it: the picture, and the style of its game.

    The page applies the style itself. Inside the picture it would be inline style, which the security policy forbids.
    """

    svg: str
    style: str


def first_board(position: Position) -> Board:
    """A board to play on, for the HTML of a page."""
    picture = position.picture()
    return Board(picture.svg("board", _board_label(position)), picture.board_style)


def board_of(position: Position, marks: Mapping[str, str] | None = None) -> dict[str, Any]:
    """A board to play on, for the script of a page."""
    return position.picture(marks).to_json("board", _board_label(position))


def view_of_board(position: Position) -> dict[str, Any]:
    """A board to look at, for the script of a page."""
    return position.picture().to_json("view")


def _board_label(position: Position) -> str:
    return _("{title} board").format(title=_(position.game.title))
