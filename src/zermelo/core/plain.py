"""Rules as plain Python in the first moments: they answer at once while another process compiles them for the cache.

A program that a person looks at, such as the lab, calls `plain_first(tell)`. From then on a question of the rules whose
code is not in the cache is answered by the same function as plain Python, and `tell` is called with the state class.
When the code is there, `take_compiled(cls)` lets the questions look for it again.
"""

import contextlib
import functools
import types as python_types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from zermelo.core.cache import announcing, is_ours
from zermelo.core.digest import named_values


class NotCompiled(BaseException):
    """The code is not in the cache. It is not an Exception, so that nobody takes it for a fault in the code."""


def _refuse() -> None:
    raise NotCompiled


@contextlib.contextmanager
def only_cached() -> Iterator[None]:
    """Inside, code is loaded from the cache, and never compiled: NotCompiled is raised at the first function."""
    with announcing(_refuse):
        yield


_plain: dict[Any, Any] = {}


def plain(function: Any) -> Any:
    """An njit function, with all njit functions that it calls by name, as plain Python.

    It is meant to be called by other such functions. `as_python` is for callers outside.
    """
    original = getattr(function, "py_func", function)
    made = _plain.get(original)
    if made is None:
        scope = dict(original.__globals__)
        cells = tuple(python_types.CellType(_plain_value(cell.cell_contents)) for cell in original.__closure__ or ())
        made = python_types.FunctionType(
            original.__code__, scope, original.__name__, original.__defaults__, cells or None
        )
        made.__kwdefaults__, made.__module__ = original.__kwdefaults__, original.__module__
        _plain[original] = made
        for name, value in named_values(original):
            if scope.get(name) is value:
                scope[name] = _plain_value(value)
    return made


def _plain_value(value: Any) -> Any:
    if hasattr(value, "implementations"):
        return _PlainGeneric(value)
    return plain(value) if hasattr(value, "py_func") and hasattr(value, "targetoptions") else value


class _PlainGeneric:
    """A generic function for plain functions: what they call is plain, too.

    Compiled code returns Python's own numbers inside tuples, which do not wrap around as those of NumPy do.
    """

    def __init__(self, generic: Any) -> None:
        self.generic = generic
        self.known: dict[type, Any] = {}

    def __call__(self, state: Any, *arguments: Any) -> Any:
        cls = type(state)
        function = self.known.get(cls)
        if function is None:
            chosen = self.generic.implementations.get(cls, self.generic.default)
            original = getattr(chosen, "py_func", chosen)
            ours = original is not None and is_ours(original) and not hasattr(cls, "layouts")  # (which boards have)
            function = self.known[cls] = plain(chosen) if ours else self.generic
        return function(state, *arguments)


def as_python(function: Any) -> Any:
    """An njit function as plain Python, to be called from Python: unsigned sums wrap around, as in compiled code.

    For what is called so seldom that nobody should wait for the compiler.
    """
    made = plain(function)

    @functools.wraps(getattr(function, "py_func", function))  # published pages translate what is wrapped
    def call(*arguments: Any) -> Any:
        with np.errstate(over="ignore"):
            return made(*arguments)

    return call


PLAIN_CALLS = 50
"""So many times, a question whose code is not in the cache is answered by plain Python, before it is compiled."""

PLAIN_SECONDS = 0.02
"""The plain answers to a question take no more processor time than this, or it is compiled sooner."""


@contextlib.contextmanager
def compiled_at_once() -> Iterator[None]:
    """Inside, every question is compiled when it is asked for the first time: to fill the cache, or to measure."""
    before, PLAIN_FIRST.calls = PLAIN_FIRST.calls, 0
    try:
        yield
    finally:
        PLAIN_FIRST.calls = before


class PlainFirst:
    """Whether this process answers with plain Python first, and which classes of states still do."""

    def __init__(self) -> None:
        self.tell: Callable[[type], None] | None = None
        self.calls = PLAIN_CALLS
        self.classes: dict[type, list[dict[type, Any]]] = {}  # the tables of entries that hold plain ones

    def entry(self, entries: dict[type, Any], cls: type, function: Any, compile_it: Callable[[], Any]) -> Any:
        """The compiled entry if it is in the cache (or if nobody asked for plain ones), or else the plain one."""
        if self.tell is None:
            return compile_it()
        try:
            with only_cached():
                return compile_it()
        except NotCompiled:
            self.classes.setdefault(cls, []).append(entries)
            self.tell(cls)
            return as_python(function)

    def take_compiled(self, cls: type) -> None:
        """Forget the plain entries of a class, so that the compiled ones are taken from the cache."""
        for entries in self.classes.pop(cls, []):
            entries.pop(cls, None)


PLAIN_FIRST = PlainFirst()


def plain_first(tell: Callable[[type], None] | None) -> None:
    """Answer with plain Python whatever has not been compiled yet, and tell which class it was; None: compile it."""
    PLAIN_FIRST.tell = tell
    if tell is None:
        for cls in list(PLAIN_FIRST.classes):
            PLAIN_FIRST.take_compiled(cls)


def take_compiled(cls: type) -> None:
    """Let the rules of this class use the code that is now in the cache."""
    PLAIN_FIRST.take_compiled(cls)
