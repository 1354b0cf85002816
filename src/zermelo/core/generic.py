"""Generic functions: one implementation per state class. Python chooses it at each call, compiled code beforehand."""

import functools
import inspect
import time
import warnings
from collections.abc import Callable
from typing import Any

from zermelo.core.cache import is_ours
from zermelo.core.compiling import JIT, njit
from zermelo.core.numba_private import register_choice
from zermelo.core.plain import PLAIN_FIRST, PLAIN_SECONDS, NotCompiled, as_python, only_cached
from zermelo.core.state import BoardMeta
from zermelo.errors import Message


class _FewCalls:
    """A question of our own rules that nobody has compiled: the first calls run as plain Python, then it is compiled.

    Compiling a question takes as long as dozens of plain answers, and whoever wants one move asks fewer.
    """

    def __init__(self, generic: "Generic", cls: type, function: Any) -> None:
        self.generic, self.cls, self.plain = generic, cls, as_python(function)
        self.left, self.seconds = PLAIN_FIRST.calls, PLAIN_SECONDS

    def __call__(self, *arguments: Any) -> Any:
        if self.left <= 0 or self.seconds <= 0:
            return self.generic.entry(self.cls)(*arguments)
        self.left -= 1
        began = time.thread_time()
        answer = self.plain(*arguments)
        self.seconds -= time.thread_time() - began
        return answer


class Generic:
    """A function whose implementation depends on the class of its first argument, a state.

    It is made from a stub. The stub's annotations are the Numba types of the other arguments, for calls from Python.
    Its docstring is the promise that every implementation keeps.
    """

    def __init__(self, stub: Callable[..., Any]):
        functools.update_wrapper(self, stub)
        self.__name__ = stub.__name__
        self.default: Any = None
        self.implementations: dict[type, Any] = {}
        self._entries: dict[type, Any] = {}
        self._types = tuple(p.annotation for p in list(inspect.signature(stub).parameters.values())[1:])
        if JIT:
            register_choice(self)

    def of(self, *classes: type) -> Callable[[Any], Any]:
        """`@play.of(Reversi)` registers the implementation for that class, and `@play.of()` the one for all others."""

        def register(function: Any) -> Any:
            function.__name__ = function.__qualname__ = "_".join([self.__name__, *(cls.__name__ for cls in classes)])
            dispatcher = njit(function)
            if not classes:
                self.default = dispatcher
            for cls in classes:
                if cls in self._entries:
                    told = Message(
                        "{name} of {state} was already in use; code that has been compiled keeps the old version",
                        name=self.__name__,
                        state=cls.__name__,
                    )
                    warnings.warn(str(told), stacklevel=2)
                    del self._entries[cls]
                self.implementations[cls] = dispatcher
            return dispatcher

        return register

    def implementation(self, cls: type) -> Any:
        """The function that runs for this state class."""
        chosen = self.implementations.get(cls, self.default)
        if chosen is None:
            name = getattr(cls, "__name__", cls)
            raise TypeError(f"{self.__name__} is not defined for {name}: write @{self.__name__}.of({name})")
        return chosen

    def __call__(self, state: Any, *arguments: Any) -> Any:
        cls = type(state)
        entry = self._entries.get(cls)
        if entry is None:
            if isinstance(cls, BoardMeta):
                return self(state.state, *arguments)
            entry = self._first_entry(cls)
        return entry(state, *arguments)

    def _first_entry(self, cls: type) -> Any:
        """What the first calls from Python run: the compiled function if its code is there, or else the plain one."""
        function = self.implementation(cls)
        if not JIT or PLAIN_FIRST.tell is not None or not PLAIN_FIRST.calls or not is_ours(function.py_func):
            return self.entry(cls)
        try:
            with only_cached():
                return self.entry(cls)
        except NotCompiled:
            entry = self._entries[cls] = _FewCalls(self, cls, function)
            return entry

    def entry(self, cls: type) -> Any:
        """What a call from Python runs for states of this class; it is compiled if that has not happened yet."""
        entry = self._entries.get(cls)
        if entry is None or isinstance(entry, _FewCalls):
            entry = self.implementation(cls)
            if JIT:
                entry = self._compiled(cls, entry)
            self._entries[cls] = entry
        return entry

    def _compiled(self, cls: Any, function: Any) -> Any:
        """The compiled function as Python calls it; the plain one if the code is not there and somebody waits."""

        def compiled() -> Any:
            return function.compile((cls.numba, *self._types))

        return PLAIN_FIRST.entry(self._entries, cls, function, compiled) if is_ours(function.py_func) else compiled()

    def __reduce__(self) -> str:
        return self.__name__  # the name in its module: it is pickled by reference


generic = Generic
