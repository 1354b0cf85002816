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
from zermelo.evaluation.tables import table_phases, table_size, table_twin
from zermelo.learn.columns import Array
from zermelo.learn.net_training import View

TOGETHER = 3
"""The number of phases that follow each other and share an unknown."""


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
def add_products(order, inputs, starts, part, blocks, vector, targets, out):
    """Add to `out` the sum over all positions of their unknowns, times what they want: their target less their value.

    The value is the sum of the unknowns in `vector`. With no targets, what counts is the value itself: the product of
    the vector with the matrix of the normal equations. Returns the sum of the squares of what the positions want.
    """
    squares = 0.0
    levels = blocks.shape[1]
    for n in range(len(order)):
        i = order[n]
        first, end = starts[i], starts[i + 1]
        phase = inputs[first] // part
        value = np.float32(0)
        for level in range(levels):
            shift = (blocks[phase, level] - phase) * part
            for k in range(first, end):
                value += vector[inputs[k] + shift]
        if len(targets):
            value = targets[i] - value
        squares += value * value
        for level in range(levels):
            shift = (blocks[phase, level] - phase) * part
            for k in range(first, end):
                out[inputs[k] + shift] += value
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
    filled = np.flatnonzero(np.diff(view.starts))
    order = filled[np.argsort(inputs[view.starts[filled]] // part, kind="stable")]  # phase by phase: fewer cache misses
    shape, size = (order, inputs, view.starts, part, blocks), (int(blocks.max()) + 1) * part
    counts = np.bincount(inputs, minlength=size).astype(np.float32)
    for own, *others in blocks:
        for block in others:
            counts[block * part : (block + 1) * part] += counts[own * part : (own + 1) * part]
    scaling = np.where(counts > 0, 1 / (counts + np.float32(ridge)), 0).astype(np.float32)
    table, wanted = np.zeros(size, np.float32), np.zeros(size, np.float32)
    total = add_products(*shape, table, targets, wanted)
    step, length = np.zeros(size, np.float32), 0.0
    for number in range(rounds):
        near = scaling * wanted
        longer = float(np.dot(wanted.astype(np.float64), near))
        if longer <= 1e-9 * max(total, 1e-9):
            break
        step = near if number == 0 else near + np.float32(longer / length) * step
        length = longer
        pushed = np.float32(ridge) * step
        add_products(*shape, step, none, pushed)
        pace = np.float32(length / max(float(np.dot(step.astype(np.float64), pushed)), 1e-30))
        table += pace * step
        if number % 10 == 9:  # once in a while anew, since rounding errors add up
            wanted = np.float32(-ridge) * table
            total = add_products(*shape, table, targets, wanted)
        else:
            wanted -= pace * pushed
        if progress is not None:
            progress(number + 1, float(total) / max(len(view), 1))
    sums = [sum(table[block * part : (block + 1) * part] for block in row) for row in blocks]
    found: npt.NDArray[np.float32] = np.concatenate(sums)[twins]
    return found
