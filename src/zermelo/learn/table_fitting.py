"""Fitting a table to scores by least squares, in compiled code.

The value of a position is the sum of its entries, so the best table solves a linear system, with as many unknowns as
the table has entries. It is solved by the method of conjugate gradients, which only needs sums over the positions:
each iteration goes through all of them once. Every unknown is divided by the root of its count first (the Jacobi
preconditioner), since some entries occur in most positions and others in few.

Three things help where data are scarce. Entries that mean the same share one unknown (`table_twin`). In a game with
phases (`table_phases`), an entry is a sum of three unknowns: one for the whole game, one for a few phases that follow
each other, and one for its own phase. And large unknowns cost something, as much as `ridge` positions would that want
the unknown to be 0. So what is hardly ever seen in one phase is judged as in those beside it, or as in all.
"""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import int32

from zermelo.core import compiled, njit
from zermelo.core.threads import in_order
from zermelo.evaluation.tables import table_phases, table_size, table_twin
from zermelo.learn.columns import Array
from zermelo.learn.net_training import View

TOGETHER = 3
"""The number of phases that follow each other and share an unknown."""

SHARES = 4
"""The positions are shared out among this many calls, on any number of threads, so the result is always the same."""


def blocks_of(parts: int) -> npt.NDArray[np.int64]:
    """For each phase, the numbers of the blocks of unknowns of which its part of the table is the sum."""
    if parts == 1:
        return np.zeros((1, 1), np.int64)
    phases = np.arange(parts)
    return np.stack([phases, parts + phases // TOGETHER, np.full(parts, parts + (parts - 1) // TOGETHER + 1)], axis=1)


@njit
def _write_twins(state, out):
    for entry in range(len(out)):
        out[entry] = table_twin(state, entry)


@functools.cache
def _twin_loop(cls: Any) -> Any:
    return compiled(_write_twins, cls.numba, int32[::1])


def twins_of(state: Any, cls: Any) -> npt.NDArray[np.int32]:
    """Return for every entry of a game's table the entry whose weight it shares."""
    out = np.zeros(int(table_size(state)), np.int32)
    _twin_loop(cls)(state, out)
    return out


@njit
def add_products(rows, inputs, starts, table, targets, out):
    """Add to the entries of each of these positions in `out` what it wants: its target less its value by the table.

    With no targets, what counts is the value itself. Returns the sum of the squares of what the positions want.
    """
    squares = 0.0
    for i in rows:
        value = np.float32(0)
        for k in range(starts[i], starts[i + 1]):
            value += table[inputs[k]]
        if len(targets):
            value = targets[i] - value
        squares += value * value
        for k in range(starts[i], starts[i + 1]):
            out[inputs[k]] += value
    return squares


class Products:
    """The products of vectors of unknowns with the matrix of the normal equations, computed by several threads.

    The blocks of unknowns are added up to a table first, so that each position needs only its own entries.
    """

    def __init__(self, view: View, inputs: npt.NDArray[np.int32], blocks: npt.NDArray[np.int64], part: int):
        self.inputs, self.starts, self.blocks, self.part = inputs, view.starts, blocks, part
        filled = np.flatnonzero(np.diff(view.starts))
        order = filled[np.argsort(inputs[view.starts[filled]] // part, kind="stable")]  # by phase: fewer cache misses
        self.shares = np.array_split(order, SHARES)

    def table(self, vector: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Return the table whose entries are sums of these unknowns."""
        rows = vector.reshape(-1, self.part)
        return np.concatenate([sum(rows[block] for block in own) for own in self.blocks])

    def add(self, vector: npt.NDArray[np.float32], targets: Array, out: npt.NDArray[np.float32]) -> float:
        """Add what the positions want, given the unknowns in `vector`, to each of their unknowns in `out`.

        Returns the sum of the squares of what they want (see `add_products`).
        """
        table = self.table(vector)

        def share(rows: Array) -> tuple[float, npt.NDArray[np.float32]]:
            wanted = np.zeros(len(table), np.float32)
            return add_products(rows, self.inputs, self.starts, table, targets, wanted), wanted

        squares, sums = 0.0, out.reshape(-1, self.part)
        for more, wanted in in_order(share, self.shares, None):
            squares += more
            for own, row in zip(self.blocks, wanted.reshape(-1, self.part), strict=True):
                for block in own:
                    sums[block] += row
        return squares


@njit
def table_values(inputs, starts, table, values):
    """Write the table's value of each position into `values`."""
    for i in range(len(values)):
        value = np.float32(0)
        for k in range(starts[i], starts[i + 1]):
            value += table[inputs[k]]
        values[i] = value


def fit_table(
    view: View,
    scores: Array,
    state: Any,
    twins: npt.NDArray[np.int32],
    *,
    rounds: int,
    ridge: float,
    progress: Callable[[int, float], None] | None = None,
) -> npt.NDArray[np.float32]:
    """Return a table whose values of these positions are as near as possible to these scores.

    state: any state of the game. `progress` is called after each round with its number and the mean squared error.
    """
    parts = int(table_phases(state))
    part, blocks = len(twins) // parts, blocks_of(parts)
    inputs, targets, none = twins[view.inputs], np.asarray(scores, np.float32), np.zeros(0, np.float32)
    products, size = Products(view, inputs, blocks, part), (int(blocks.max()) + 1) * part
    counts = np.bincount(inputs, minlength=size).astype(np.float32)
    for own, *others in blocks:
        for block in others:
            counts[block * part : (block + 1) * part] += counts[own * part : (own + 1) * part]
    scaling = np.where(counts > 0, 1 / (counts + np.float32(ridge)), 0).astype(np.float32)
    table, wanted = np.zeros(size, np.float32), np.zeros(size, np.float32)
    total = products.add(table, targets, wanted)
    step, length = np.zeros(size, np.float32), 0.0
    for number in range(rounds):
        near = scaling * wanted
        longer = float(np.dot(wanted.astype(np.float64), near))
        if longer <= 1e-9 * max(total, 1e-9):
            break
        step = near if number == 0 else near + np.float32(longer / length) * step
        length = longer
        pushed = np.float32(ridge) * step
        products.add(step, none, pushed)
        pace = np.float32(length / max(float(np.dot(step.astype(np.float64), pushed)), 1e-30))
        table += pace * step
        if number % 10 == 9:  # once in a while anew, since rounding errors add up
            wanted = np.float32(-ridge) * table
            total = products.add(table, targets, wanted)
        else:
            wanted -= pace * pushed
        if progress is not None:
            progress(number + 1, float(total) / max(len(view), 1))
    found: npt.NDArray[np.float32] = products.table(table)[twins]
    return found
