"""Many states as columns: an array for each field. Compiled code goes through them without a Python object for each.

The loops here also take one state, `like`, and never look at it: the cache of compiled code learns from the arguments'
types which game's rules are inside, and notices when they change.
"""

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import float32, from_dtype, int64, types

from zermelo.core import ArrayOf, compiled, njit
from zermelo.errors import GameError
from zermelo.evaluation.features import FeatureSet
from zermelo.language import _

Columns = tuple[Any, ...]
"""Of each field of a state class an array, in their order."""


def kinds_of(cls: Any) -> list[np.dtype[Any]]:
    """The types of the columns; GameError for states that hold more than numbers."""
    if any(isinstance(kind, ArrayOf) for kind in cls.kinds):
        raise GameError(
            _("the positions of this game ({cls}) are more than a few numbers: no data can be made").format(
                cls=cls.__name__
            )
        )
    return [np.dtype(kind) for kind in cls.kinds]


def columns_of(states: Sequence[Any], cls: Any) -> Columns:
    """These states as columns."""
    return tuple(np.array([state[i] for state in states], kind) for i, kind in enumerate(kinds_of(cls)))


def state_at(columns: Columns, cls: Any, index: int) -> Any:
    """One of them as a state."""
    return cls(*(column[index] for column in columns))


@functools.cache
def getter(cls: Any) -> Any:
    """A compiled function (columns, index) -> state, written out, since Numba calls no class with a tuple's parts."""
    fields = ", ".join(f"columns[{i}][index]" for i in range(len(cls.kinds)))
    # No builtins: the cache saves a function's globals too, and a notebook's `input` cannot be saved.
    space: dict[str, Any] = {"cls": cls, "__builtins__": {}}
    exec(f"def state_from(columns, index):\n    return cls({fields})\n", space)
    made = space["state_from"]
    made.__name__ = made.__qualname__ = f"state_from_{cls.__module__}_{cls.__name__}"
    return njit(made, boundscheck=False)


def columns_type(cls: Any) -> Any:
    """The Numba type of columns."""
    return types.Tuple([types.Array(from_dtype(kind), 1, "C", readonly=False) for kind in kinds_of(cls)])


@functools.cache
def _feature_loop(cls: Any, features: FeatureSet) -> Any:
    state_of, write = getter(cls), features.write

    @njit
    def loop(columns, like, out):
        for i in range(len(out)):
            write(state_of(columns, i), out[i])

    return compiled(loop, columns_type(cls), cls.numba, float32[:, ::1])


def feature_matrix(columns: Columns, cls: Any, features: FeatureSet) -> Any:
    """A row of features for each state."""
    out = np.zeros((len(columns[0]), len(features)), np.float32)
    if len(out):
        _feature_loop(cls, features)(columns, state_at(columns, cls, 0), out)
    return out


@functools.cache
def _flag_loop(cls: Any, question: Any) -> Any:
    state_of = getter(cls)

    @njit
    def loop(columns, like, out):
        for i in range(len(out)):
            out[i] = question(state_of(columns, i))

    return compiled(loop, columns_type(cls), cls.numba, int64[::1])


def answers(columns: Columns, cls: Any, question: Any) -> Any:
    """What a generic function of a state alone says of each."""
    out = np.zeros(len(columns[0]), np.int64)
    if len(out):
        _flag_loop(cls, question)(columns, state_at(columns, cls, 0), out)
    return out
