"""States are typed and immutable, and are made in the same way in Python and in compiled code."""

import pickle
from typing import NamedTuple

import numpy as np
import pytest

from zermelo.core import JIT, ArrayOf, compiled, njit, state


@state
class Pair(NamedTuple):
    """Two numbers."""

    board: np.uint64
    small: np.uint8 = np.uint8(3)


@njit
def swapped(pair):
    return Pair(np.uint64(pair.small), pair.board & np.uint64(0xFF))


@njit
def by_name(pair):
    return Pair(small=pair.small + 1, board=pair.board)


def test_fields_have_their_declared_types():
    pair = Pair(2**63)
    assert pair.board.dtype == np.uint64
    assert pair.small.dtype == np.uint8
    assert pair._replace(board=5).board.dtype == np.uint64
    assert Pair._make([1, 2]) == Pair(1, 2)
    assert Pair.__doc__ == "Two numbers."


def test_states_are_values():
    assert Pair(1, 2) == Pair(1, 2)
    assert hash(Pair(1, 2)) == hash(Pair(1, 2))
    assert pickle.loads(pickle.dumps(Pair(2**63, 2))) == Pair(2**63, 2)
    with pytest.raises(AttributeError):
        Pair(1).board = 2


def test_compiled_code_makes_the_same_states():
    kind = Pair.numba if JIT else None
    made = compiled(swapped, kind)(Pair(7, 200))
    assert made == Pair(200, 7)
    assert type(made) is Pair
    assert made.small.dtype == np.uint8
    assert compiled(by_name, kind)(Pair(7, 1)) == Pair(7, 2)


def test_fields_must_be_numbers():
    class Wrong(NamedTuple):
        name: str

    with pytest.raises(TypeError, match=r"Wrong.name: declare a NumPy type"):
        state(Wrong)


@state
class Holder(NamedTuple):
    table: ArrayOf(np.int32, 2)
    at: np.int32 = np.int32(0)


@njit
def look(holder):
    return holder.table[holder.at, 1]


def test_a_state_may_hold_an_array():
    holder = Holder([[1, 2], [3, 4]], 1)
    assert not holder.table.flags.writeable
    assert compiled(look, Holder.numba if JIT else None)(holder) == 4
    again = pickle.loads(pickle.dumps(holder))
    assert (again.table == holder.table).all()
