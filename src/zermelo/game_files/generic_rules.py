"""Rules that are written as generic functions of a state, as the games of the catalogue have them, in a single file.

The file has one class of states, made with `@z.state`, and an answer to each question: `@legal_moves.of(Nim)` etc.
"""

import functools
import traceback
import types as python_types
import warnings
from types import ModuleType
from typing import Any

import numpy as np

from zermelo.core import JIT, Generic, StateMeta
from zermelo.core.digest import named_values
from zermelo.core.worlds import source_of
from zermelo.errors import GameError, PlainPythonWarning
from zermelo.game_files.compiling import answer_by_interpreter, note, question, reason_against
from zermelo.game_files.methods import place
from zermelo.language import gettext
from zermelo.rules import MOST_MOVES

NEEDED = {
    "legal_moves": "(state, out, start)",
    "play": "(state, move)",
    "is_over": "(state)",
    "outcome": "(state)",
    "to_move": "(state)",
    "key": "(state)",
}
"""The questions without a default answer, and what they take."""
MEANINGS = {"legal_moves", "play", "is_over", "outcome", "margin", "to_move", "key", "can_repeat"}
PLIES = 300


def looks_like_state(value: Any) -> bool:
    """Is this a class of states that has rules, and that was not made for a class of rules?"""
    is_own = isinstance(value, StateMeta) and not hasattr(value, "layout")
    return is_own and any(value in question(name).implementations for name in NEEDED)


def heading(module: ModuleType, cls: type) -> str:
    """The line of a class as the first line of an error message."""
    file = str(module.__file__)
    for number, line in enumerate((source_of(file) or "").splitlines(), 1):
        if line.startswith(f"class {cls.__name__}"):
            return f"{file}:{number}: {line.strip()}"
    return file


def check_answers(module: ModuleType, cls: Any) -> None:
    """Raise GameError if a question has no answer."""
    for name, takes in NEEDED.items():
        if cls not in question(name).implementations:
            told = gettext("{cls} has no {name}: write @{name}.of({cls}) above a function of {takes}")
            reason = told.format(cls=cls.__name__, name=name, takes=takes)
            raise GameError(f"{heading(module, cls)}\n    {reason}")


def as_plain(value: Any, made: dict[int, Any]) -> Any:
    """An author's function as plain Python, and with it all functions that it calls; any other value as it is."""
    if isinstance(value, Generic):
        return lambda state, *rest: as_plain(value.implementation(type(state)), made)(state, *rest)
    function = value if isinstance(value, python_types.FunctionType) else getattr(value, "py_func", None)
    if not isinstance(function, python_types.FunctionType) or "__zermelo_world__" not in function.__globals__:
        return value
    if id(function) not in made:
        scope = dict(function.__globals__)
        copy = python_types.FunctionType(
            function.__code__, scope, function.__name__, function.__defaults__, function.__closure__
        )
        made[id(function)] = copy
        for name, inner in named_values(function):
            if name in scope and scope[name] is inner:
                scope[name] = as_plain(inner, made)
    return made[id(function)]


class PlainRules:
    """The answers for a class of states as plain Python functions. An error names the author's line."""

    def __init__(self, module: ModuleType, cls: Any):
        self.module, self.cls = module, cls
        self.made: dict[int, Any] = {}

    def function(self, name: str) -> Any:
        return as_plain(question(name).implementation(self.cls), self.made)

    def __call__(self, name: str, state: Any, *rest: Any) -> Any:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of numbers that wrap around
                return self.function(name)(state, *rest)
        except Exception as error:
            raise GameError(self._failure(name, error)) from None

    def _failure(self, name: str, error: BaseException) -> str:
        reason = f"{type(error).__name__}: {error}"
        told = gettext("{name}() failed: {reason}").format(name=name, reason=reason)
        for frame, line in reversed(list(traceback.walk_tb(error.__traceback__))):
            if "__zermelo_world__" in frame.f_globals:
                return f"{place(frame.f_code, line)}\n    {told}"
        return f"{heading(self.module, self.cls)}\n    {told}"

    def fail(self, name: str, reason: str) -> GameError:
        function = getattr(question(name).implementation(self.cls), "py_func", None)
        function = function or question(name).implementation(self.cls)
        return GameError(f"{place(function.__code__)}\n    {reason}")

    def moves(self, state: Any) -> list[int]:
        """The legal moves, checked."""
        out = np.empty(64 * MOST_MOVES, np.int32)
        end = self("legal_moves", state, out, 0)
        if not isinstance(end, (int, np.integer)):
            told = gettext("legal_moves() gave {end!r}: it writes moves to out[start:] and returns the new end")
            raise self.fail("legal_moves", told.format(end=end))
        if end > MOST_MOVES:
            told = gettext("legal_moves() gave {number:,} moves; zermelo can hold at most {most:,}")
            raise self.fail("legal_moves", told.format(number=end, most=MOST_MOVES))
        return [int(move) for move in out[:end]]

    def play(self, state: Any, move: int) -> Any:
        following = self("play", state, move)
        if type(following) is not self.cls:
            told = gettext("play() gave {found!r}, not a {cls}")
            raise self.fail("play", told.format(found=following, cls=self.cls.__name__))
        return following

    def ask_all(self, state: Any, play_all: bool = True) -> None:
        """Ask everything about one state, and let all its moves be played; GameError if something is wrong."""
        self("key", state)
        player = self("to_move", state)
        if player not in (0, 1):
            raise self.fail("to_move", gettext("to_move() gave {player!r}, not 0 or 1").format(player=player))
        if self("is_over", state):
            result = self("outcome", state)
            if result not in (-1, 0, 1):
                told = gettext("outcome() gave {result!r}, not 1, 0 or -1")
                raise self.fail("outcome", told.format(result=result))
            if self.cls in question("margin").implementations:
                self("margin", state)
            return
        moves = self.moves(state)
        if not moves:
            raise self.fail("legal_moves", gettext("legal_moves() gives no moves, although the game is not over"))
        for move in moves if play_all else ():
            self.play(state, move)


def try_out(rules: PlainRules, first: Any) -> None:
    """Play one game as plain Python, always the move in the middle; GameError if something is wrong."""
    state = first
    for _ply in range(PLIES):
        rules.ask_all(state, play_all=False)
        if rules("is_over", state):
            break
        moves = rules.moves(state)
        state = rules.play(state, moves[len(moves) // 2])


def complete(rules: PlainRules, first: Any) -> list[str]:
    """Compile the answers; what cannot be compiled runs as plain Python, and a note says so."""
    notes = []
    for name in sorted(MEANINGS) if JIT else []:
        generic = question(name)
        implementation = generic.implementations.get(rules.cls)
        if implementation is None:
            continue
        reason = reason_against(implementation, rules.cls.numba, *generic._types)
        if not reason:
            continue
        plain = rules.function(name)
        answer_by_interpreter(rules.cls, name, plain)
        arguments: tuple[Any, ...] = ()
        if name == "legal_moves":
            arguments = (np.empty(MOST_MOVES, np.int32), 0)
        elif name == "play":
            arguments = (rules.moves(first)[0],)
        notes.append(note(f"{name}()", reason, functools.partial(plain, first, *arguments)))
    for told in notes:
        warnings.warn(PlainPythonWarning(told), stacklevel=3)
    return notes
