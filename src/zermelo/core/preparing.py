"""Preparing a user's function for the compiler, together with all that it calls and reads.

A student writes helper functions without a decorator, and lists and dictionaries at the top of the file. A prepared
function is a copy of the student's function with rewritten code (see rewriting.py), and with other values behind its
global names: compiled functions in the place of plain ones, and arrays, tuples and tables in the place of lists and
dictionaries (see constants.py). The original is left alone, and runs as plain Python where somebody needs that.
"""

import builtins
import functools
import types as python_types
from typing import Any

import numpy as np

from zermelo.core.cache import PACKAGE, is_ours
from zermelo.core.compiling import njit
from zermelo.core.constants import sequence_of, table_of
from zermelo.core.digest import has_overloads, is_known_by_version, named_values, names_in
from zermelo.core.numba_private import options_of
from zermelo.core.rewriting import MISSING
from zermelo.core.rewritten import Before, rewritten
from zermelo.core.unpacking import HELPERS


def prepared(function: Any, before: Before | None = None, **names: Any) -> Any:
    """The njit function for a function that somebody wrote. Our own functions are compiled as they are.

    before: what to do to the syntax tree of each function first; names: what the added code calls, by name.
    """
    return _Preparing(before, names).compiled(function)


def is_users(function: Any) -> bool:
    """Is this a plain function that a user wrote?"""
    return (
        isinstance(function, python_types.FunctionType)
        and not is_ours(function)
        and not is_known_by_version(function.__code__.co_filename)
        and not has_overloads(function)
    )


def users_function(value: Any) -> Any:
    """The function that a user wrote, if this is one, or one that a decorator of ours made a search; else None.

    Such a search is called in its own code under the name that the decorator gave it.
    """
    function = getattr(value, "searching_function", value)
    return function if is_users(function) else None


def _is_users_module(module: Any) -> bool:
    file = getattr(module, "__file__", None) or ""
    is_installed = "site-packages" in file or "dist-packages" in file or file.startswith(PACKAGE)
    return "__zermelo_world__" in vars(module) or (bool(file) and not is_installed and not is_known_by_version(file))


class _Preparing:
    """Prepares one function and what it reaches. Each function, list and dictionary is prepared once."""

    def __init__(self, before: Before | None = None, names: dict[str, Any] | None = None) -> None:
        self.before, self.names = before, names or {}
        self.made: dict[int, tuple[Any, Any]] = {}  # by id: the value, which is kept so that its id stays its own
        self.modules: dict[int, tuple[Any, Any]] = {}  # by the id of the copy: the module and its copy

    def compiled(self, function: Any, **options: Any) -> Any:
        """The njit function of a user's function."""
        if not is_users(function):
            return njit(function, **options)
        known = self.made.get(id(function))
        if known is None:
            scope = dict(function.__globals__) | HELPERS | self.names
            scope |= {name: value for name, value in named_values(function) if name in function.__code__.co_freevars}
            copy, added = self._rewritten(function, scope)
            known = self.made[id(function)] = function, self._known(njit(copy, **options))
            for one in added:
                scope[one.__name__] = self._known(njit(one, **options))
            for one in (copy, *added):
                self._prepare_names(one, scope)
        return known[1]

    def _known(self, dispatcher: Any) -> Any:
        """The same njit function; it will not be prepared again."""
        self.made[id(dispatcher)] = dispatcher, dispatcher
        return dispatcher

    def _rewritten(self, function: Any, scope: dict[str, Any]) -> tuple[Any, list[Any]]:
        """A copy of a function that reads its names from this scope, and the functions that its new code calls."""
        code, codes = function.__code__, rewritten(function, lambda name: _value_of(name, scope), self.before)
        closure = None
        if codes is None:
            codes = {code.co_name: code}
            closure = tuple(
                python_types.CellType(self.value(cell.cell_contents)) for cell in function.__closure__ or ()
            )
        defaults = tuple(self.value(value) for value in function.__defaults__ or ())
        copy = python_types.FunctionType(codes.pop(code.co_name), scope, function.__name__, defaults or None, closure)
        copy.__kwdefaults__ = function.__kwdefaults__
        copy.__module__, copy.__qualname__ = function.__module__, function.__qualname__
        added = [python_types.FunctionType(one, scope, name) for name, one in codes.items()]
        for one in added:
            one.__module__ = function.__module__
        return copy, added

    def _prepare_names(self, function: Any, scope: dict[str, Any]) -> None:
        for name, value in named_values(function):
            if name in scope and scope[name] is value:
                scope[name] = self.value(value)
                self._fill(scope[name], names_in(function.__code__))

    def value(self, value: Any) -> Any:
        """The form of a value that compiled code can use; the value itself if there is none, or if it is one."""
        if isinstance(value, (int, float, str, np.ndarray, np.generic, type(None))):
            return value
        known = self.made.get(id(value))
        if known is None:
            made = self._converted(value)
            known = self.made.setdefault(id(value), (value, made))
            self.made.setdefault(id(made), (made, made))
        return known[1]

    def _converted(self, value: Any) -> Any:
        if isinstance(value, functools._lru_cache_wrapper) and is_users(value.__wrapped__):
            calls_itself = any(inner is value for _, inner in named_values(value.__wrapped__))
            return value if calls_itself else self.compiled(value.__wrapped__)  # a recursion may need its memory
        if users_function(value) is not None:
            return self.compiled(users_function(value))
        if isinstance(value, (list, tuple)):
            return sequence_of(value, self.value)
        if isinstance(value, (dict, set, frozenset)):
            return table_of(value, self.value)
        if isinstance(value, python_types.ModuleType) and _is_users_module(value):
            return self._module(value)
        function = getattr(value, "py_func", None)
        if hasattr(value, "targetoptions") and is_users(function) and self._needs_more(function):
            options = {name: option for name, option in options_of(value).items() if name != "nopython"}
            return self.compiled(function, **options)
        return value

    def _needs_more(self, function: Any) -> bool:
        """Does a function that the user compiles with @njit read something that Numba does not know?"""
        return any(
            isinstance(value, (list, dict, set, frozenset)) or is_users(value) for _, value in named_values(function)
        )

    def _module(self, module: Any) -> Any:
        """A copy of a user's module, which _fill() fills with those values that compiled code asks for."""
        copy = python_types.ModuleType(module.__name__, module.__doc__)
        self.made[id(module)] = module, copy
        self.modules[id(copy)] = module, copy
        return copy

    def _fill(self, copy: Any, names: frozenset[str]) -> None:
        """Give a copied module the values of these names, and likewise the modules inside it."""
        original, _ = self.modules.get(id(copy), (None, None))
        for name in names:
            if original is not None and name in vars(original) and name not in vars(copy):
                vars(copy)[name] = self.value(vars(original)[name])
                self._fill(vars(copy)[name], names)


def _value_of(name: str, scope: dict[str, Any]) -> Any:
    return scope.get(name, getattr(builtins, name, MISSING))
