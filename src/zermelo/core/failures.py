"""Where a heuristic failed. Compiled code tells what went wrong but not where, so the function is run once more.

`Recording` is a heuristic that writes down each position before it evaluates it. A search that failed is run again with
it. Then the function is run as plain Python on the last position that was written down, and Python knows the line.
"""

import re
import sys
import traceback
import types as python_types
import warnings
from typing import Any

import numba
import numpy as np
from numba import int32, uint64

from zermelo.core.cache import is_ours
from zermelo.core.digest import named_values
from zermelo.core.explanations import no_attribute, place_text, undefined
from zermelo.core.heuristic import Heuristic
from zermelo.core.numba_private import freeze
from zermelo.core.shells import (
    STATE_BYTES,
    BadValue,
    bounded,
    callback_shell,
    itself,
    read_state,
    recording_shell_of,
)
from zermelo.core.weights import named
from zermelo.errors import Message

Place = tuple[str, int]
"""A file and a line in it."""


class Recording(Heuristic):
    """The same heuristic, which writes down each state before it evaluates it. It serves one search at a time."""

    def __init__(self, of: Heuristic):
        super().__init__(
            of.evaluator, of.name, of.classes, of.weights, python=of.python, compiled=of.compiled, doc=of.__doc__
        )
        self.label = of.label
        self.vector = of.vector
        self._compiled = {}  # not shared with the heuristic, since it does more
        self._of = of
        self._buffer = np.zeros(1 + STATE_BYTES // 8, np.uint64)
        self._seen: Any = None

    def last(self, like: Any) -> Any:
        """The state that it evaluated last, if any; like: a state of the same class."""
        if self._buffer.any():
            return read_state(like, self._buffer.ctypes.data)
        return self._seen

    def _interpreted(self) -> Any:
        judge = super()._interpreted()

        def native(state: Any, address: int) -> int:
            self._seen = state
            return int(judge(state, address))

        return native

    def _compile(self, cls: Any) -> Any:
        if self._of.note(cls) is not None:
            return callback_shell(self._interpreted(), int32(cls.numba, uint64))
        return super()._compile(cls)

    def _native_code(self, signature: Any, arguments: Any) -> Any:
        around = getattr(arguments[0], "around", itself)
        native = recording_shell_of(self._of._dispatcher, self.form, self._buffer.ctypes.data, around)
        shell = numba.njit(native, nogil=True)
        shell.compile(signature)
        freeze(shell)
        return shell


# ------------------------------------------------------------------------------------------ as plain Python


def plain_function(function: Any) -> Any:
    """A user's function as plain Python, and with it all its helpers, even those that the user compiles with @njit."""
    return _plain(function, {})


def _plain(value: Any, made: dict[int, Any]) -> Any:
    """A user's function as plain Python, and with it all its helpers; any other value as it is."""
    if isinstance(value, python_types.ModuleType):
        return _plain_module(value, made)
    function = value if isinstance(value, python_types.FunctionType) else getattr(value, "py_func", None)
    if not isinstance(function, python_types.FunctionType) or is_ours(function):
        return value
    if id(function) not in made:
        scope = dict(function.__globals__)
        copy = python_types.FunctionType(
            function.__code__, scope, function.__name__, function.__defaults__, function.__closure__
        )
        copy.__kwdefaults__ = function.__kwdefaults__
        made[id(function)] = copy
        for name, inner in named_values(function):
            if name in scope and scope[name] is inner:
                scope[name] = _plain(inner, made)
    return made[id(function)]


def _plain_module(module: Any, made: dict[int, Any]) -> Any:
    """A copy of a user's module (see worlds.py) in which compiled functions are plain Python; others as they are."""
    if "__zermelo_world__" not in vars(module):
        return module
    if id(module) not in made:
        made[id(module)] = copy = python_types.ModuleType(module.__name__)
        for name, value in vars(module).items():
            is_compiled = isinstance(getattr(value, "py_func", None), python_types.FunctionType)
            vars(copy)[name] = _plain(value, made) if is_compiled else value
    return made[id(module)]


def plain_result(heuristic: Heuristic, state: Any) -> tuple[Any, int]:
    """What the function returns when it and its helpers run as plain Python, and the line at which it does so."""
    function, form = plain_function(heuristic.function), heuristic.form
    given = heuristic.evaluator.given(state)
    arguments = (given,) if form is None else (given, named(heuristic.vector, form))
    written = heuristic.written
    line = written.co_firstlineno

    def watch(frame: python_types.FrameType, event: str, _: Any) -> None:
        nonlocal line
        if event == "return" and frame.f_code is written:
            line = frame.f_lineno

    before = sys.getprofile()
    # Compiled code lets numbers wrap around where NumPy warns, and fails at divisions by zero where NumPy warns.
    with warnings.catch_warnings(), np.errstate(over="ignore", under="ignore", divide="raise", invalid="raise"):
        warnings.simplefilter("ignore")
        sys.setprofile(watch)
        try:
            return function(*arguments), line
        finally:
            sys.setprofile(before)


def place_of(heuristic: Heuristic, state: Any, error: BaseException) -> tuple[Place, BaseException]:
    """The line at which a heuristic fails in this state with this error, or else the function's first line.

    Plain Python often says more about the error than compiled code does, so its error is returned as well.
    """
    file, line = heuristic.written.co_filename, heuristic.written.co_firstlineno
    said = error
    try:
        result, line = plain_result(heuristic, state)
        bounded(result)
    except Exception as again:
        if _is_alike(again, error):
            said = again
    return last_line(said, heuristic.written) or (file, line), said if isinstance(said, type(error)) else error


def _is_alike(again: Exception, error: BaseException) -> bool:
    if isinstance(again, type(error)) or isinstance(error, type(again)):
        return True
    return isinstance(again, FloatingPointError) and isinstance(error, (ZeroDivisionError, BadValue))


def last_line(error: BaseException, written: python_types.CodeType) -> Place | None:
    """The last line in the files of a function's author on the way to an error; not one of this package or NumPy.

    written: the code of the function.
    """
    own = written.co_filename
    found = None
    for frame, line in traceback.walk_tb(error.__traceback__):
        code = frame.f_code
        if line and (code.co_filename == own or "__zermelo_world__" in frame.f_globals):
            found = code.co_filename, line
    return found


def failure_text(heuristic: Heuristic, state: Any, where: str, error: BaseException) -> Message:
    """A message of two lines or more: the author's source line, then what failed, in which position and why.

    where: the text of the position; empty if it does not matter.
    """
    (file, line), said = place_of(heuristic, state, error)
    place = place_text(file, line, heuristic.name)
    told = {"place": place, "name": heuristic, "position": where, "reason": failure_reason(said)}
    if not where:
        return Message("{place}\n    {name} failed: {reason}", **told | {"name": heuristic.name})
    if "\n" in where:
        return Message("{place}\n    {name} failed: {reason}. The position:\n{position}", **told)
    return Message("{place}\n    {name} failed in the position {position}: {reason}", **told)


def failure_reason(error: BaseException) -> object:
    """What an error says, in words; for most errors, the type and the message."""
    if isinstance(error, AttributeError) and error.name and error.obj is not None:
        return no_attribute(error.obj, error.name)
    if isinstance(error, UnboundLocalError) or (isinstance(error, NameError) and "free variable" in str(error)):
        name = (re.findall(r"'(\w+)'", str(error)) or [str(error)])[0]
        return Message("{name} has no value here: give it one on every path, for example {name} = 0", name=name)
    if isinstance(error, NameError) and error.name:
        return undefined(error.name, ())
    said = str(error)
    if isinstance(error, BadValue):
        return Message(said)
    if isinstance(error, TypeError) and re.search(r"'(builtin_function_or_)?method'", said):
        return Message("{type}: {said}; to call a method, write () after its name", type="TypeError", said=said)
    return Message("{type}: {said}", type=type(error).__name__, said=Message(said)) if said else type(error).__name__
