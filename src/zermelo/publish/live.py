"""What is known of functions, classes and patterns that are in memory, for those who translate them."""

import ast
import dataclasses
import functools
import inspect
import re
import textwrap
import types
from typing import Any

from zermelo.publish.expressions import Untranslatable

IGNORED_BASES = (object, tuple, Exception, BaseException, ValueError)
OF_TUPLES = ("_replace", "_asdict", "_make", "_fields")  # which every NamedTuple has


@functools.lru_cache(maxsize=4096)
def tree_of(function: types.FunctionType) -> ast.FunctionDef:
    """The source of a function, parsed."""
    try:
        source = textwrap.dedent(inspect.getsource(function))
        body = ast.parse(source).body
    except (OSError, TypeError, SyntaxError):
        raise Untranslatable(f"the source of {function.__qualname__} cannot be read") from None
    if len(body) == 1 and isinstance(body[0], ast.FunctionDef):
        return body[0]
    lambdas = [node for part in body for node in ast.walk(part) if isinstance(node, ast.Lambda)]
    if len(lambdas) == 1:
        given = ast.Return(lambdas[0].body)
        return ast.FunctionDef("lambda", lambdas[0].args, [ast.copy_location(given, lambdas[0])], [], None)
    raise Untranslatable(f"the source of {function.__qualname__} is not a function of its own")


def defaults_of(function: types.FunctionType) -> tuple[list[str], list[Any]]:
    """The last parameters of a function that have default values, and these values."""
    values = list(function.__defaults__ or ())
    names = list(function.__code__.co_varnames[: function.__code__.co_argcount])
    return names[len(names) - len(values) :], values


def found_in(cls: type, name: str) -> tuple[type | None, Any]:
    """The class, this one or one above it, that has an attribute of this name, and the attribute."""
    for base in cls.__mro__:
        if base in IGNORED_BASES or not is_ours(base):
            continue
        if name in vars(base) and not (name in OF_TUPLES and hasattr(base, "_fields")):
            return base, vars(base)[name]
    return None, None


def is_ours(cls: type) -> bool:
    """Is it a class that somebody wrote in Python for games, not one of the language?"""
    return cls.__module__ not in ("builtins", "abc", "typing", "collections.abc", "numpy")


def is_filled(cls: type) -> bool:
    """Does its fields' order say how an object is made, so that __init__ is not needed?"""
    return hasattr(cls, "_fields") or dataclasses.is_dataclass(cls)


def is_method(value: Any) -> bool:
    """Is it a function that a class has for its objects?"""
    return isinstance(value, (types.FunctionType, staticmethod, classmethod))


def javascript_pattern(pattern: str) -> str:
    """A regular expression of Python as one of JavaScript."""
    return pattern.replace("(?P<", "(?<").replace("\\Z", "$").replace("\\A", "^")


def flags_text(flags: int) -> str:
    """The flags of a regular expression as JavaScript writes them."""
    return "".join(letter for flag, letter in ((re.I, "i"), (re.M, "m"), (re.S, "s")) if flags & flag)
