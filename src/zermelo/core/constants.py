"""The lists, dictionaries and sets at the top of a user's file, in the form in which compiled code reads them.

Numba knows numbers, tuples and arrays as constants. So a list of numbers becomes an array that cannot be written, as
does a list of such lists if they have the same length; any other list becomes a tuple. A dictionary or a set becomes a
`Table`, which is a Numba type of its own: it is never built while the program runs, and looking something up in it
costs about as much as indexing an array.
"""

import hashlib
import operator
import pickle
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba import types
from numba.extending import models, overload, overload_method, register_model, typeof_impl

from zermelo.core.numba_private import TypingError, register_constant
from zermelo.errors import marked

Convert = Callable[[Any], Any]
"""Gives the compiled form of a part of a list or dictionary."""

NO_KEY = marked("the dictionary does not have this key")

LONG_ROW = 4
"""From this length on, tuples in a list of tuples become the rows of an array. Shorter ones are cells and directions,
which index boards and are unpacked, and stay tuples."""
LONG_TUPLE = 64
"""From this length on, a tuple of numbers becomes an array, since code for a long tuple takes long to compile."""
_NUMBER = (bool, int, float, np.number, np.bool_)


# ------------------------------------------------------------------------------------------ lists and tuples


def sequence_of(value: list[Any] | tuple[Any, ...], convert: Convert) -> Any:
    """The compiled form of a list or a tuple; the value itself if there is none."""
    array = _array_of(value)
    if array is not None:
        return array
    if hasattr(value, "_fields"):
        return value  # a named tuple, which Numba knows
    return alike([convert(part) for part in value])


def _array_of(value: Any) -> Any:
    """An array with the numbers of a list, or of lists of the same length; None if they are no such table."""
    if not _is_table(value, in_list=False):
        return None
    try:
        array = np.array(value)
    except ValueError:  # the lists differ in length
        return None
    if array.dtype.kind not in "biuf":
        return None
    array.setflags(write=False)
    return array


def _is_table(value: Any, in_list: bool) -> bool:
    if isinstance(value, list):
        return bool(value) and all(isinstance(part, _NUMBER) or _is_table(part, in_list=True) for part in value)
    if type(value) is tuple:
        least = LONG_ROW if in_list else LONG_TUPLE
        rows = bool(value) and all(type(part) is tuple and len(part) >= LONG_ROW for part in value)
        if rows and not in_list:
            return all(_is_table(part, in_list=True) for part in value)
        return len(value) >= least and all(isinstance(part, _NUMBER) for part in value)
    return False


def alike(values: list[Any]) -> tuple[Any, ...]:
    """The values as a tuple; whole numbers become fractions where others in the same place are fractions."""
    if values and all(isinstance(value, _NUMBER) for value in values):
        if any(isinstance(value, (float, np.floating)) for value in values):
            return tuple(map(float, values))
        return tuple(values)
    lengths = {len(value) if type(value) is tuple else -1 for value in values}
    if len(lengths) == 1 and lengths != {-1} and lengths != {0}:
        columns = [alike(list(column)) for column in zip(*values, strict=True)]
        return tuple(zip(*columns, strict=True))
    arrays = [value for value in values if isinstance(value, np.ndarray)]
    if arrays and len(arrays) == len(values) and len({array.dtype for array in arrays}) > 1:
        common = np.result_type(*arrays)
        return tuple(_frozen(array.astype(common)) for array in arrays)
    return tuple(values)


def _frozen(array: Any) -> Any:
    array.setflags(write=False)
    return array


# ------------------------------------------------------------------------------------------ dictionaries and sets


class Table:
    """A dictionary whose keys and values are constants, or a set: then there are no values."""

    def __init__(self, keys: tuple[Any, ...], values: tuple[Any, ...] | None):
        self.keys, self.values = keys, values
        self.mark = hashlib.sha256(pickle.dumps((keys, values))).hexdigest()[:16]

    def __reduce__(self) -> Any:
        return Table, (self.keys, self.values)

    def index(self, key: Any) -> int:
        """The place of a key that is known when the code is compiled; -1 if there is no such key."""
        return self.keys.index(key) if key in self.keys else -1


class TableType(types.Type):
    """The Numba type of one Table. Tables with the same contents have the same type."""

    def __init__(self, table: Table):
        self.table = table
        super().__init__(f"table_{table.mark}")


register_model(TableType)(models.OpaqueModel)
register_constant(TableType)


@typeof_impl.register(Table)
def _typeof(value, context):
    return TableType(value)


def table_of(value: Any, convert: Convert) -> Any:
    """The compiled form of a dictionary or a set; the value itself if there is none."""
    if isinstance(value, dict):
        keys, values = tuple(value), tuple(convert(part) for part in value.values())
    else:
        keys, values = tuple(sorted(value, key=repr)), None
    try:
        return Table(keys, values)
    except Exception:  # it holds something that is no constant, such as a function
        return value


def _kind(value: Any) -> Any:
    """What two keys or values must have in common so that one variable can hold both."""
    if isinstance(value, (bool, np.bool_)):
        return bool
    if isinstance(value, (int, np.integer)):
        return int
    if isinstance(value, tuple):
        return tuple(_kind(part) for part in value)
    if isinstance(value, np.ndarray):
        return value.dtype, value.ndim, value.flags.c_contiguous
    return value.mark if isinstance(value, Table) else type(value)


def _column(values: tuple[Any, ...]) -> Any:
    """Keys or values as an array or a tuple that can be indexed; None if they differ in kind."""
    values = alike(list(values))
    if len({_kind(value) for value in values}) > 1 or not values:
        return None
    if isinstance(values[0], _NUMBER):
        array = np.array(values)
        return _frozen(array) if array.dtype.kind in "biuf" else None
    if isinstance(values[0], np.ndarray) and len({value.shape for value in values}) == 1:
        return _frozen(np.array(values))
    return values


def _finder(keys: tuple[Any, ...]) -> Any:
    """A function that gives the place of a key, or -1."""
    column = _column(keys)
    if column is None:
        return None
    dimensions = len(keys[0]) if isinstance(keys[0], tuple) else 0
    whole = np.array(keys) if isinstance(keys[0], (int, np.integer, tuple)) else np.array(0.5)
    if whole.dtype.kind in "iu" and whole.ndim == 1 + (dimensions > 0):
        whole = whole.reshape(len(keys), -1).astype(np.int64)
        low, high = whole.min(axis=0), whole.max(axis=0)
        if np.prod((high - low + 1).astype(float)) <= 64 + 16 * len(keys):
            return _dense_finder(whole, low, high, dimensions)

    def find(key):
        for place in range(len(column)):
            if column[place] == key:
                return place
        return -1

    return find


def _dense_finder(whole: Any, low: Any, high: Any, dimensions: int) -> Any:
    """Whole numbers, or tuples of whole numbers, that lie close together: a look into an array is enough."""
    spans = high - low + 1
    places = np.full(int(np.prod(spans)), -1)
    for place, key in enumerate(whole):
        offset = 0
        for part, least, span in zip(key, low, spans, strict=True):
            offset = offset * int(span) + int(part - least)
        places[offset] = place
    least, most = int(low[0]), int(high[0])

    def find_number(key):
        if key < least or key > most or key != int(key):
            return -1
        return places[int(key) - least]

    def find_tuple(key):
        offset = 0
        for axis in range(dimensions):
            part = int(key[axis])
            if part < low[axis] or part > high[axis]:
                return -1
            offset = offset * spans[axis] + part - low[axis]
        return places[offset]

    return find_tuple if dimensions else find_number


def _fits(table: Table, key: Any) -> bool:
    """Could this Numba type be that of a key?"""
    key = types.unliteral(key)
    first = table.keys[0] if table.keys else None
    if isinstance(first, tuple):
        return isinstance(key, types.BaseTuple) and len(key) == len(first)
    if isinstance(first, str):
        return isinstance(key, types.UnicodeType)
    return isinstance(key, (types.Number, types.Boolean))


def _parts(table: Any, key: Any) -> Any:
    """The function that finds a key in a table, as njit code; None if it cannot be compiled."""
    find = _finder(table.table.keys) if isinstance(table, TableType) and _fits(table.table, key) else None
    return None if find is None else numba.njit(find, nogil=True)


@overload(operator.getitem, prefer_literal=True)
def _getitem(table, key):
    if not isinstance(table, TableType) or table.table.values is None:
        return None
    if isinstance(key, types.Literal):
        place = table.table.index(key.literal_value)
        if place < 0:
            raise TypingError(f"KeyError: {key.literal_value!r}")
        value = table.table.values[place]
        return lambda table, key: value
    find, values = _parts(table, key), _column(table.table.values)
    if find is None or values is None:
        raise TypingError("a dictionary of different kinds")

    def get(table, key):
        place = find(key)
        if place < 0:
            raise KeyError(NO_KEY)
        return values[place]

    return get


@overload_method(TableType, "get", prefer_literal=True)
def _get(table, key, default=None):
    if table.table.values is None:
        return None
    find, values = _parts(table, key), _column(table.table.values)
    if find is None or values is None:
        raise TypingError("a dictionary of different kinds")

    def get(table, key, default=None):
        place = find(key)
        return default if place < 0 else values[place]

    return get


@overload(operator.contains)
def _contains(table, key):
    if not isinstance(table, TableType):
        return None
    find = _parts(table, key)
    return (lambda table, key: False) if find is None else (lambda table, key: find(key) >= 0)


@overload(len)
def _len(table):
    if isinstance(table, TableType):
        size = len(table.table.keys)
        return lambda table: size
    return None


def _constant_method(name: str, content: Callable[[Table], Any]) -> None:
    @overload_method(TableType, name)
    def method(table):
        value = content(table.table)
        if value is None:
            raise TypingError("a dictionary of different kinds")
        return lambda table: value


def _pairs(table: Table) -> Any:
    pairs = alike(list(zip(table.keys, table.values or (), strict=True)))
    return pairs if len({_kind(pair) for pair in pairs}) == 1 else None


_constant_method("keys", lambda table: _column(table.keys))
_constant_method("values", lambda table: None if table.values is None else _column(table.values))
_constant_method("items", lambda table: None if table.values is None else _pairs(table))
