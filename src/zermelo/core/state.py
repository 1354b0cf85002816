"""States: immutable tuples whose fields have declared NumPy types, the same in Python and in compiled code."""

import inspect
import types as python_types
import typing
from collections.abc import Callable, Mapping
from typing import Any

import numba
import numpy as np
from numba import types
from numba.extending import typeof_impl

from zermelo.core.numba_private import register_metaclass, tuple_type


class ArrayOf:
    """The declared type of a field that holds a whole array, for the rare game whose rules depend on data."""

    def __init__(self, kind: type[np.generic], dimensions: int):
        self.kind, self.dimensions = kind, dimensions

    def __call__(self, value: Any) -> np.ndarray[Any, Any]:
        array = np.array(value, self.kind, order="C", ndmin=self.dimensions)
        array.setflags(write=False)
        return array

    @property
    def numba(self) -> Any:
        return types.Array(numba.from_dtype(np.dtype(self.kind)), self.dimensions, "C", readonly=True)


def _numba_type(kind: Any) -> Any:
    return kind.numba if isinstance(kind, ArrayOf) else numba.from_dtype(np.dtype(kind))


class StateMeta(type):
    """The class of state classes."""

    kinds: tuple[Any, ...]

    @property
    def numba(cls) -> Any:
        """The Numba type of its states. It is not stored: a class and a type that hold each other cannot be pickled."""
        return tuple_type(map(_numba_type, cls.kinds), cls)


def class_of(state: Any) -> Any:
    """The class of a state. (Type checkers do not accept type(state) as the argument of a cached function.)"""
    return type(state)


class BoardMeta(type):
    """The class of board classes (see zermelo.boards): a function annotated with one gets boards instead of states."""

    layouts: Mapping[type, Any]
    """Its state classes, each with what the board has to know of it."""


def _named_in(annotation: Any) -> tuple[Any, ...]:
    union = typing.get_origin(annotation) in (typing.Union, python_types.UnionType)
    return tuple(_meant(cls) for cls in (typing.get_args(annotation) if union else (annotation,)))


_meanings: list[Callable[[Any], Any]] = []


def let_annotations_mean(meaning: Callable[[Any], Any]) -> None:
    """From now on, classes for which meaning(class) is not None stand for that board class (see zermelo.game_files)."""
    _meanings.append(meaning)


def _meant(annotation: Any) -> Any:
    found = (meaning(annotation) for meaning in _meanings)
    return next((board for board in found if board is not None), annotation)


def annotated_classes(annotation: Any) -> tuple[type, ...]:
    """The state classes that an annotation names, as `A` or `A | B` or by a board; none if it names anything else."""
    named = _named_in(annotation)
    if not all(isinstance(cls, (StateMeta, BoardMeta)) for cls in named):
        return ()
    return tuple(state for cls in named for state in (cls.layouts if isinstance(cls, BoardMeta) else (cls,)))


def annotated_boards(annotation: Any) -> dict[type, Any]:
    """The board class that an annotation names for each class of states; empty if it names states."""
    boards = [cls for cls in _named_in(annotation) if isinstance(cls, BoardMeta)]
    return {state: board for board in boards for state in board.layouts}


def state(cls: Any) -> Any:
    """Class decorator over typing.NamedTuple: fields are converted to their declared NumPy types.

    >>> from typing import NamedTuple
    >>> @state
    ... class Nim(NamedTuple):
    ...     heap: np.uint8 = 7
    >>> Nim(3)._replace(heap=2)
    Nim(heap=np.uint8(2))
    """
    kinds = tuple(cls.__annotations__[field] for field in cls._fields)
    for field, kind in zip(cls._fields, kinds, strict=True):
        if not (isinstance(kind, ArrayOf) or (isinstance(kind, type) and issubclass(kind, np.generic))):
            raise TypeError(f"{cls.__name__}.{field}: declare a NumPy type such as np.uint64, not {kind}")
    plain_new = cls.__new__

    def __new__(made: Any, *arguments: Any, **named: Any) -> Any:
        if named or len(arguments) != len(kinds):
            arguments = plain_new(made, *arguments, **named)
        return tuple.__new__(made, [kind(value) for kind, value in zip(kinds, arguments, strict=True)])

    body = {
        "__slots__": (),
        "__new__": __new__,
        "__doc__": cls.__doc__,
        "__module__": cls.__module__,
        "__qualname__": cls.__qualname__,
        "__signature__": inspect.signature(cls),
        "__reduce__": lambda self: (type(self), tuple(self)),
        "_make": classmethod(lambda made, values: made(*values)),
        "kinds": kinds,
    }
    made = StateMeta(cls.__name__, (cls,), body)
    typeof_impl.register(made)(lambda value, context: type(value).numba)
    return made


register_metaclass(StateMeta)
