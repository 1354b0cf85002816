"""Players that were handed in for a course (see homework.py), as objects with `choose`."""

import ast
from types import ModuleType
from typing import Any

from zermelo.errors import HeuristicError, PlayerError
from zermelo.games.handed_in import classes_in, styles
from zermelo.homework import PlayerStyle, ready
from zermelo.language import _
from zermelo.players.player import WrongAnswer
from zermelo.players.programs import Style, add_style
from zermelo.position import Game, Position

SHOWN = 60
"""Number of characters of a wrong answer that are shown."""


class HandedInPlayer:
    """An object of such a class. Which side it plays is known when it is first asked."""

    def __init__(self, style: PlayerStyle, cls: type, arguments: list[Any], options: dict[str, Any]):
        self.style, self.cls, self.arguments, self.options = style, cls, arguments, options
        self.written = getattr(cls, style.method, None)  # where it is defined
        self._made: dict[int, Any] = {}

    def prepare(self, game: Game) -> None:
        self._object(0)

    def _object(self, player: int) -> Any:
        if player not in self._made:
            try:
                self._made = {
                    player: ready(
                        self.style, self.cls, lambda cls: self.style.player(cls, player, self.arguments, self.options)
                    )
                }
            except HeuristicError as error:
                raise PlayerError(error) from None
        return self._made[player]

    def choose(self, position: Position) -> str:
        return self._chosen(position, None)

    def _chosen(self, position: Position, seconds_left: float | None) -> str:
        made = self._object(position.to_move - 1)
        answer = self.style.answer(made, position.state, self.options, seconds_left)
        move = self.style.move(position.state, answer)
        if move is None:
            code = getattr(self.written, "__code__", None)
            place = f"{code.co_filename}:{code.co_firstlineno}: " if code else ""
            told = repr(answer) if len(repr(answer)) <= SHOWN else repr(answer)[:SHOWN] + "..."
            text = _("{name}.{method} returned {value}; it must return a row and a column, such as (0, 2)")
            raise WrongAnswer(place + text.format(name=self.cls.__name__, method=self.style.method, value=told))
        return move


class HurriedPlayer(HandedInPlayer):
    """One that wants to know how much time it has."""

    def choose(self, position: Position, seconds_left: float | None = None) -> str:
        return self._chosen(position, seconds_left)


def _names(tree: ast.Module) -> list[str]:
    if not any(isinstance(part, ast.ClassDef) for part in tree.body):
        return []  # then no game has to be asked
    return [name for style in styles() if isinstance(style, PlayerStyle) for name in style.class_names(tree)]


def _found(module: ModuleType, name: str) -> tuple[PlayerStyle, type]:
    style, cls = classes_in(module).get(name, (None, object))
    if not isinstance(style, PlayerStyle):
        raise PlayerError("{file} has no player {name!r}", file=module.__file__, name=name)
    return style, cls


def _make(module: ModuleType, name: str, arguments: list[Any], options: dict[str, Any]) -> HandedInPlayer:
    style, cls = _found(module, name)
    kind = HurriedPlayer if style.wants_seconds(cls) else HandedInPlayer
    return kind(style, cls, arguments, options)


def _games(module: ModuleType, name: str) -> list[str]:
    return [_found(module, name)[0].game]


add_style(Style(_names, _make, _games))
