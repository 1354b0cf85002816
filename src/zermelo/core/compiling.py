"""Compiling: the package's own njit, and entry points for given argument types."""

import functools
import inspect
from typing import Any

import numba
import numpy as np

from zermelo.core.cache import CodeCache, is_ours
from zermelo.core.claims import claims
from zermelo.core.numba_private import compile_quickly, divide, options_of, use_cache

JIT = not numba.config.DISABLE_JIT  # type: ignore[attr-defined]
"""False with NUMBA_DISABLE_JIT=1. Everything then runs as plain Python, for debuggers and for measuring coverage."""

if JIT:
    compile_quickly(claims.release)
else:
    np.seterr(over="ignore")  # unsigned arithmetic wraps around in compiled code, and so it must in Python


def njit(function: Any = None, **options: Any) -> Any:
    """numba.njit with our cache, and without the GIL. Users' code is checked for array bounds and division by zero."""
    if function is None:
        return functools.partial(njit, **options)
    if not JIT:
        return function
    checked = not is_ours(function)
    defaults = {"nogil": True, "boundscheck": checked, "error_model": "python" if checked else "numpy"}
    dispatcher = numba.njit(function, **(defaults | options))
    use_cache(dispatcher, CodeCache(function, options_of(dispatcher)))
    if not checked and _is_plain(function):
        inner = numba.njit(function, **(defaults | options))
        divide(inner=inner, dispatcher=dispatcher, cache=CodeCache(function, options_of(inner) | {"inner": True}))
    return dispatcher


def _is_plain(function: Any) -> bool:
    """Is it neither a generator, nor a function of any number of arguments, nor one that runs Python code?"""
    flags = inspect.CO_GENERATOR | inspect.CO_VARARGS | inspect.CO_VARKEYWORDS
    code = function.__code__
    return not code.co_flags & flags and "objmode" not in (*code.co_names, *code.co_freevars)


@functools.cache
def compiled(function: Any, *argument_types: Any) -> Any:
    """The entry point of an njit function for these types, which calls it without choosing among its versions."""
    return function.compile(argument_types) if JIT else function
