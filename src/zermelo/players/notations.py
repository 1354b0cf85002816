"""How games are told to other programs. A game that a protocol knows has a module of the protocol's name in its folder.

    games/<name>/gtp.py         GTP, the Go Text Protocol, which is used for other games, too
    games/<name>/nboard.py      the NBoard protocol

The classes below say what such a module offers. No other file names a game.
"""

from typing import Any, Protocol, cast

from zermelo.core.parts import part_of
from zermelo.errors import PlayerError
from zermelo.games import find_game, game_names
from zermelo.language import Message
from zermelo.position import Game, Position
from zermelo.scores import Score

COLOURS = ("black", "white")
"""What GTP calls the player who moves first, and the other one."""


class GtpNotation(Protocol):
    """What a game's module `gtp` offers. A vertex is a move in GTP's words, in lower case."""

    NAME: str  #: what controllers call the game
    AFTER_THE_END: str  #: the answer to a request for a move when the game is over

    def board_size(self, game: Game) -> int | None: ...
    def resized(self, game: Game, size: int) -> Game: ...
    def move_of(self, vertex: str) -> str: ...
    def vertex_of(self, move: str) -> str: ...
    def steps(self, position: Position) -> list[tuple[int, str]]: ...
    def may_be_refused(self, vertex: str) -> bool: ...
    def with_other_to_move(self, position: Position) -> Position | None: ...
    def final_score(self, position: Position) -> str: ...
    def moves_left(self, position: Position) -> int: ...


class NBoardNotation(Protocol):
    """What a game's module `nboard` offers."""

    def can_tell(self, game: Game) -> bool: ...
    def move_text(self, move: str) -> str: ...
    def read_move(self, text: str) -> str: ...
    def forced(self, position: Position) -> str | None: ...
    def moves_left(self, position: Position) -> int: ...
    def discs(self, score: Score) -> float: ...
    def game_text(self, position: Position, seconds: float | None = None) -> str: ...
    def read_game(self, game: Game, text: str) -> tuple[Position, tuple[float, float] | None]: ...
    def time_of(self, move: str) -> float: ...


def knows(game: Game, protocol: str) -> bool:
    """Can this protocol tell this game, with its options?"""
    module = part_of(type(game).__module__, protocol)
    if module is None:
        return False
    return module.can_tell(game) if hasattr(module, "can_tell") else module.board_size(game) is not None


def told_games(protocol: str) -> list[Game]:
    """The games of the catalogue that a protocol knows."""
    return [game for game in map(find_game, game_names()) if knows(game, protocol)]


def gtp_notation(game: Game) -> GtpNotation:
    """How this game is told in GTP. PlayerError if GTP does not know it."""
    return cast(GtpNotation, _notation(game, "gtp", "GTP"))


def nboard_notation(game: Game) -> NBoardNotation:
    """How this game is told in the NBoard protocol. PlayerError if the protocol does not know it."""
    return cast(NBoardNotation, _notation(game, "nboard", "NBoard"))


def _notation(game: Game, protocol: str, name: str) -> Any:
    if not knows(game, protocol):
        raise PlayerError(
            "{name} cannot tell a program about {game}; it is for {games}",
            name=name,
            game=game,
            games=", ".join(str(Message(one.title)) for one in told_games(protocol)),
        )
    return part_of(type(game).__module__, protocol)
