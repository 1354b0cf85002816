"""Checks that data from files has the types that it should have: fields of dataclasses against their annotations.

JSON and SQLite return whatever was written: a text in place of a number, 1e400 (which Python reads as infinity), or an
integer of a thousand digits. Data that passes these checks can be added, compared, drawn and written again.
"""

import dataclasses
import functools
import math
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from zermelo.errors import FileError

Fits = Callable[[Any], bool]
T = TypeVar("T")

GREATEST = 1 << 63
"""Integers from files must be smaller. Nothing here needs larger ones, and databases do not accept them."""


def is_int(value: Any) -> bool:
    """Is it an integer of any size? True and False are not."""
    return type(value) is int


def is_whole(value: Any) -> bool:
    """Is it an integer that fits into 64 bits?"""
    return is_int(value) and -GREATEST <= value < GREATEST


def is_number(value: Any) -> bool:
    """Is it a finite number?"""
    return is_whole(value) or (type(value) is float and math.isfinite(value))


def checked(thing: T) -> T:
    """The same dataclass instance, if all its fields have their types. A FileError names the first that does not."""
    cls: Any = type(thing)
    for name, fits in _fields(cls):
        if not fits(getattr(thing, name)):
            shown = repr(getattr(thing, name))
            raise FileError(
                "{field} cannot be {value}",
                field=name,
                value=shown if len(shown) <= 80 else f"{shown[:77]}...",
            )
    return thing


@functools.cache
def _fields(cls: Any) -> list[tuple[str, Fits]]:
    hints = typing.get_type_hints(cls, include_extras=True)
    return [(field.name, _fits(hints[field.name])) for field in dataclasses.fields(cls)]


def _fits(kind: Any) -> Fits:
    """A test whether a value has this type. For Annotated[int, test], it is that test."""
    simple: dict[Any, Fits] = {int: is_whole, float: is_number, Any: lambda value: True}
    if kind in simple:
        return simple[kind]
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Annotated:
        test: Fits = inner[1]
        return test
    if origin in (types.UnionType, typing.Union):
        return _fits_one(inner)
    if origin is tuple and inner[-1:] != (...,):
        parts = [_fits(one) for one in inner]
        return lambda value: (
            isinstance(value, tuple)
            and len(value) == len(parts)
            and all(fits(one) for fits, one in zip(parts, value, strict=True))
        )
    if origin in (tuple, list, Sequence):
        each = _fits(inner[0])
        return lambda value: isinstance(value, (tuple, list)) and all(map(each, value))
    if origin in (dict, Mapping):
        key, item = map(_fits, inner)
        return lambda value: (
            isinstance(value, Mapping) and all(key(one) and item(other) for one, other in value.items())
        )
    if dataclasses.is_dataclass(kind):
        return lambda value: isinstance(value, typing.cast(type, kind)) and checked(value) is value
    return lambda value: isinstance(value, kind)


def _fits_one(kinds: Sequence[Any]) -> Fits:
    one, *others = (_fits(kind) for kind in kinds)
    if not others:
        return one
    if len(others) == 1:  # usually `int | None`
        other = others[0]
        return lambda value: one(value) or other(value)
    return lambda value: one(value) or any(fits(value) for fits in others)
