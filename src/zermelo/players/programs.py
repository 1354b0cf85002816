"""Players that users write in plain Python, run in this process, which must be one of their own.

The seam: a STYLE is a way to write such a player in a file. It says by the text of a file, which is not run, which
names are such players, and it makes a plain object from the loaded module and a name:

    class Mine:
        def choose(self, position): ...                 returns a move: its text, its number, or a move of a board
        def choose(self, position, seconds_left): ...   the same; seconds_left is a number, or None without a limit
        def prepare(self, game): ...                    optional; called before the object's first move

`add_style(Style(recognise, make, games))` adds another. HostedPlayer does all the rest: an object for each game, moves
that are checked, and faults with the line of the user's file. Two kinds of processes host such players: that of a match
or of a game against a person (program_process.py, which players/classes.py starts), and that of a contestant in a
tournament (tournaments/guest.py).
"""

import ast
import inspect
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, replace
from numbers import Integral
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any, ClassVar

from zermelo.boards.board import Move
from zermelo.calls import Call, text_of
from zermelo.core import contents
from zermelo.errors import MoveError, PlayerError, ZermeloError
from zermelo.games import load_module
from zermelo.language import _
from zermelo.players.player import Choice, Crashed, Fault, IllegalMove, Player, Resigned, WrongAnswer
from zermelo.position import Game, Position
from zermelo.scores import Score

MOST_GAMES = 512
"""Number of games under way whose objects are kept. A tournament plays at most half as many at a time."""

LONGEST_TOLD = 4000
"""Maximum number of characters of a traceback that are kept."""

SHOWN = 100
"""Number of characters of a wrong answer that are shown."""


# ------------------------------------------------------------------------------------------ styles


@dataclass(frozen=True)
class Style:
    """A way to write a player in a file."""

    recognise: Callable[[ast.Module], list[str]]  #: the names of such players in a parsed file
    make: Callable[[ModuleType, str, list[Any], dict[str, Any]], Any]  #: the object of this name, given its options
    games: Callable[[ModuleType, str], list[str] | None]  #: the names of the games it plays; None: any game


STYLES: list[Style] = []


def add_style(style: Style) -> None:
    """Players of this style are players from now on."""
    STYLES.append(style)
    if style.recognise not in contents.RECOGNISERS["player"]:
        contents.RECOGNISERS["player"].append(style.recognise)


def _make_object(module: ModuleType, name: str, arguments: list[Any], options: dict[str, Any]) -> Any:
    cls = getattr(module, name)
    try:
        inspect.signature(cls).bind(*arguments, **options)
    except TypeError as error:
        raise PlayerError("{name}: its class does not take these options: {error}", name=name, error=error) from None
    return cls(*arguments, **options)


def _games_of_class(module: ModuleType, name: str) -> list[str] | None:
    """The games that the attribute `games` of a class names, as one text or several."""
    named = getattr(getattr(module, name), "games", None)
    return [named] if isinstance(named, str) else None if named is None else [str(one) for one in named]


add_style(Style(contents.class_names, _make_object, _games_of_class))


def programs_in(path: Path) -> dict[str, Style]:
    """The players in a file, by name."""
    try:
        tree = ast.parse(path.read_text(encoding="utf-8-sig"))
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return {}  # loading the file says what is wrong
    found: dict[str, Style] = {}
    for style in STYLES:
        for name in style.recognise(tree):
            found.setdefault(name, style)
    return found


def plays(path: Path, name: str, game: Game) -> bool:
    """Does a player in a file play this game?"""
    style = programs_in(path)[name]
    named = style.games(load_module(path), name)
    return named is None or bool({game.name, game.name.partition("/")[0], str(game)} & set(named))


# ------------------------------------------------------------------------------------------ one in this process


@dataclass(frozen=True)
class _Under:
    """A game under way: what its object has seen."""

    place: tuple[str, str, int]  # the game, the position in which it began, and the side that the object plays
    line: tuple[str, ...]  # the moves up to the last position that the object was shown
    thing: Any

    def leads_to(self, place: tuple[str, str, int], line: tuple[str, ...]) -> bool:
        return place == self.place and len(self.line) < len(line) and line[: len(self.line)] == self.line


class HostedPlayer(Player):
    """A player from a user's file. Each game has an object of its own, which sees the positions in their order.

    A position continues a game if its moves begin with those that led to the last position that an object of the same
    side was shown. All others begin a game, for which the file is read again if it has changed.
    """

    kind: ClassVar[str] = "hosted"

    def __init__(self, path: Path, call: Call, seconds: float | None = None):
        """call: `mine.py:Mine(option=3)`; path: where the file is. seconds: the time for a move."""
        self.path, self.call, self.seconds = path.resolve(), call, seconds
        self.name = call.name.rpartition(":")[2]
        self._under: list[_Under] = []  # the game that was asked about last comes last
        self._spare: tuple[Game, Any] | None = None  # an object that was prepared and has seen no game
        self._has_begun = False  # whether the next position is one for which there is an object

    @property
    def is_deterministic(self) -> bool:
        return False  # nobody knows

    def prepare(self, game: Game) -> None:
        """Make the object for the first game."""
        self._spare = game, self._made(game)

    def begin(self, position: Position) -> None:
        """See to it that there is an object for the game of this position, which think() is asked about next."""
        place, line = _place_of(position)
        known = [under for under in self._under if under.leads_to(place, line)]
        if known:
            under = max(reversed(known), key=lambda one: len(one.line))
            self._under.remove(under)
        elif self._spare is not None and self._spare[0] == position.game and self._is_current():
            under, self._spare = _Under(place, line, self._spare[1]), None
        else:
            under = _Under(place, line, self._made(position.game))
        self._under = [*self._under, replace(under, line=line)][-MOST_GAMES:]
        self._has_begun = True

    def think(self, position: Position) -> Choice:
        if not self._has_begun:
            self.begin(position)
        thing, self._has_begun = self._under[-1].thing, False
        began = time.perf_counter()
        choice = self._faulted(lambda: self._asked(thing, position), thing)
        seconds = time.perf_counter() - began
        text = self._checked(choice.move if isinstance(choice, Choice) else choice, thing, position)
        return replace(choice, move=text) if isinstance(choice, Choice) else Choice(text, seconds)

    def _asked(self, thing: Any, position: Position) -> Any:
        if isinstance(thing, Player):
            return thing.think(position)
        if takes_seconds(thing):
            return thing.choose(position, seconds_left=self.seconds)
        return thing.choose(position)

    @property
    def wants_seconds(self) -> bool:
        """Does the object that was asked last want to know how much time it has?"""
        return takes_seconds(self._under[-1].thing)

    def _checked(self, move: Any, thing: Any, position: Position) -> str:
        """The text of a move that the object returned."""
        if not isinstance(move, (str, Integral, Move)) or isinstance(move, bool):
            shown = repr(move) if len(repr(move)) <= SHOWN else repr(move)[:SHOWN] + "..."
            raise WrongAnswer(
                f"{self.place_of(thing)}: "
                + _("{name} returned {value}, which is not a move; return its text, such as {example!r}").format(
                    name=self.name, value=shown, example=position.moves[0]
                )
            )
        try:
            position.play(str(move))
        except MoveError as error:
            raise IllegalMove(f"{self.place_of(thing)}: {error}") from None
        return str(move)

    def _made(self, game: Game) -> Any:
        """A new object, from the file as it is now."""
        module = load_module(self.path)
        style = programs_in(self.path).get(self.name)
        if style is None:
            known = ", ".join(programs_in(self.path)) or _("none")
            raise PlayerError(
                "{file} has no player {name!r}; it has {known}", file=self.path, name=self.name, known=known
            )
        self._module = module
        arguments = [_plain(value) for key, value in self.call.options.items() if isinstance(key, int)]
        options = {str(key): _plain(value) for key, value in self.call.options.items() if not isinstance(key, int)}
        thing = self._faulted(lambda: style.make(module, self.name, arguments, options))
        if not callable(getattr(thing, "choose", None)):
            raise PlayerError("{name} has no method choose", name=f"{self.path}:{self.name}")
        if callable(getattr(thing, "prepare", None)):
            self._faulted(lambda: thing.prepare(game), thing)
        return thing

    def _is_current(self) -> bool:
        return load_module(self.path) is self._module

    def _faulted(self, run: Callable[[], Any], thing: Any = None) -> Any:
        """The result of the user's code. Whatever it raises, SystemExit too, is a crash with the line of the file."""
        try:
            return run()
        except (Fault, Resigned):
            raise
        except BaseException as error:
            if isinstance(error, PlayerError) and thing is None:
                raise
            where = self._line_of(error) or self.place_of(thing)
            told = "".join(traceback.format_exception(error.with_traceback(self._from_file(error))))[-LONGEST_TOLD:]
            kind = "" if isinstance(error, ZermeloError) else f"{type(error).__name__}: "
            raise Crashed(f"{where}: {kind}{error}", said=told) from None

    def _from_file(self, error: BaseException) -> TracebackType | None:
        """The traceback from the first line of the user's files on; whole if there is none."""
        step = error.__traceback__
        while step is not None and not Path(step.tb_frame.f_code.co_filename).is_relative_to(self.path.parent):
            step = step.tb_next
        return step or error.__traceback__

    def _line_of(self, error: BaseException) -> str | None:
        """The last line of the user's files in a traceback."""
        frames = traceback.extract_tb(error.__traceback__)
        own = [frame for frame in frames if Path(frame.filename).is_relative_to(self.path.parent)]
        return f"{own[-1].filename}:{own[-1].lineno}" if own else None

    def place_of(self, thing: Any) -> str:
        """Where the method of an object is defined, as file and line."""
        methods = [getattr(thing, "written", None), *(getattr(type(thing), name, None) for name in ("choose", "think"))]
        for method in methods:
            code = getattr(inspect.unwrap(method or _place_of), "__code__", None)
            if code is not None and Path(code.co_filename).is_relative_to(self.path.parent):
                return f"{code.co_filename}:{code.co_firstlineno}"
        return str(self.path)

    def __str__(self) -> str:
        return str(self.call)


def takes_seconds(thing: Any) -> bool:
    """Does the method `choose` of an object take seconds_left?"""
    return "seconds_left" in inspect.signature(thing.choose).parameters


def _place_of(position: Position) -> tuple[tuple[str, str, int], tuple[str, ...]]:
    """The game of a position and the side to move there, and the moves that led to it."""
    return (str(position.game), str(position.path[0]), position.to_move), tuple(position.line)


def _plain(value: Any) -> Any:
    """The value of an option, as plain Python has it."""
    return text_of(value) if isinstance(value, Call) else value


# ------------------------------------------------------------------------------------------ between processes


class Places:
    """Positions that come as a start and a line of moves. Those played last are kept: the next is two moves later."""

    MOST = 4096

    def __init__(self) -> None:
        self.known: dict[tuple[str, str, tuple[str, ...]], Position] = {}

    def position(self, game: Game, start: str, line: list[str]) -> Position:
        """The position after these moves, played from the latest known position of the game, or from the start."""
        moves, name = tuple(line), str(game)
        for number in range(len(moves), -1, -1):
            position = self.known.get((name, start, moves[:number]))
            if position is not None:
                break
        else:
            number, position = 0, game.position(start)
        for move in moves[number:]:
            position = position.play(move)
        if len(self.known) >= self.MOST:
            self.known.clear()
        self.known[name, start, moves] = position
        return position


def told_of(choice: Choice) -> dict[str, Any]:
    """A choice as an answer of a process. A player may say anything about its move: only numbers are passed on."""
    told = {name: getattr(choice, name) for name in ("depth", "nodes", "evaluated")}
    score = choice.score.number if isinstance(choice.score, Score) else None
    return {"move": choice.move, "score": score} | {k: int(v) for k, v in told.items() if isinstance(v, Integral)}


def choice_told(told: Any, seconds: float) -> Choice:
    """The choice in such an answer, which cannot be trusted. Raises ValueError if it is not a choice."""
    if not isinstance(told, dict) or not isinstance(told.get("move"), str):
        raise ValueError
    score, depth, nodes, evaluated = (told.get(name) for name in ("score", "depth", "nodes", "evaluated"))
    if not all(n is None or (isinstance(n, int) and abs(n) < 1 << 62) for n in (depth, nodes, evaluated)):
        raise ValueError
    if score is not None and not (isinstance(score, (int, float)) and abs(score) < 1 << 62):
        raise ValueError
    known = None if score is None else Score.of_number(score)
    return Choice(told["move"][:200], seconds, known, (), depth, nodes, evaluated)
