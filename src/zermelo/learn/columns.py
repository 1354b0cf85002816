"""Many states as columns, one array per field, so that compiled code needs no Python object for each state.

The compiled loops also take one state, `like`, and never read it. Its type tells the cache of compiled code which
game's rules the loop contains, so that the loop is compiled again when those rules change.
"""

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import float32, from_dtype, int64, types

from zermelo.core import ArrayOf, compiled, njit
from zermelo.errors import GameError
from zermelo.evaluation.features import FeatureSet

Array = npt.NDArray[Any]
"""An array whose element type the names around it tell."""

Columns = tuple[Array, ...]
"""One array per field of a state class, in the order of its fields."""


def kinds_of(cls: Any) -> list[np.dtype[Any]]:
    """Return the types of the columns. Raise GameError if a state holds more than plain numbers."""
    if any(isinstance(kind, ArrayOf) for kind in cls.kinds):
        raise GameError(
            "no dataset can be made for this game, because its positions ({cls}) contain arrays and not only numbers",
            cls=cls.__name__,
        )
    return [np.dtype(kind) for kind in cls.kinds]


def columns_of(states: Sequence[Any], cls: Any) -> Columns:
    """Return these states as columns."""
    return tuple(np.array([state[i] for state in states], kind) for i, kind in enumerate(kinds_of(cls)))


def state_at(columns: Columns, cls: Any, index: int) -> Any:
    """Return the state in row `index` of the columns."""
    return cls(*(column[index] for column in columns))


@functools.cache
def getter(cls: Any) -> Any:
    """Return a compiled function (columns, index) -> state.

    Its source is generated, because Numba cannot unpack a tuple into the arguments of a class.
    """
    fields = ", ".join(f"columns[{i}][index]" for i in range(len(cls.kinds)))
    # Without builtins: the cache also saves a function's globals, and the `input` of a notebook cannot be saved.
    space: dict[str, Any] = {"cls": cls, "__builtins__": {}}
    exec(f"def state_from(columns, index):\n    return cls({fields})\n", space)
    made = space["state_from"]
    made.__name__ = made.__qualname__ = f"state_from_{cls.__module__}_{cls.__name__}"
    return njit(made, boundscheck=False)


def columns_type(cls: Any) -> Any:
    """Return the Numba type of the columns."""
    return types.Tuple([types.Array(from_dtype(kind), 1, "C", readonly=False) for kind in kinds_of(cls)])


@functools.cache
def _feature_loop(cls: Any, features: FeatureSet) -> Any:
    state_of, write = getter(cls), features.write

    @njit
    def loop(columns, like, out):
        for i in range(len(out)):
            write(state_of(columns, i), out[i])

    return compiled(loop, columns_type(cls), cls.numba, float32[:, ::1])


def feature_matrix(columns: Columns, cls: Any, features: FeatureSet) -> Array:
    """Return a matrix with one row of features per state."""
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


def answers(columns: Columns, cls: Any, question: Any) -> Array:
    """Return what a generic function that takes only a state answers for each state."""
    out = np.zeros(len(columns[0]), np.int64)
    if len(out):
        _flag_loop(cls, question)(columns, state_at(columns, cls, 0), out)
    return out
