"""The weights of a heuristic in a module.

A matrix of small integers times a scale for each column, which is what `zermelo learn export --bits 8` makes of a
model's matrices, stands there as those integers. They are multiplied when the module begins.
"""

from typing import Any

import numpy as np
from numba import float32, int8, int64

from zermelo.core import Heuristic, njit
from zermelo.evaluation.models import Learned
from zermelo.publish.memory import Memory, Scaled, array_reader

MOST = 127
LEAST_BYTES = 1 << 14
"""Smaller matrices are left as they are."""


def place_weights(heuristic: Heuristic, memory: Memory, name: str = "weights") -> int:
    """The address of a heuristic's weights in the module."""
    numbers = np.ascontiguousarray(heuristic.vector)
    model = heuristic.evaluator.model if isinstance(heuristic.evaluator, Learned) else None
    rest, at, found = numbers.copy(), 0, []
    for part, array in model.arrays.items() if model is not None else ():
        array = np.asarray(array)
        whole = as_integers(array) if array.ndim == 2 and array.nbytes >= LEAST_BYTES else None
        if whole is not None:
            found.append((part, at, *whole))
            rest[at : at + array.size] = 0
        at += array.size
    address = memory.take(name, numbers.nbytes, rest.tobytes())
    for part, first, integers, scales in found:
        whole_at = memory.take(f"{name}/{part}/integers", integers.nbytes, integers.tobytes())
        scales_at = memory.take(f"{name}/{part}/scales", scales.nbytes, scales.tobytes())
        to = address + numbers.itemsize * first
        memory.scaled.append(Scaled(to, whole_at, scales_at, integers.size, scales.size))
    return address


def as_integers(matrix: "np.ndarray[Any, Any]") -> "tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]] | None":
    """Integers of 8 bits and the scales of the columns whose products are exactly this matrix, if there are any."""
    if matrix.dtype != np.float32:
        return None
    greatest = np.abs(matrix).max(axis=0)
    guess = greatest / np.float32(MOST)
    scales = np.ones_like(guess)
    integers = np.zeros(matrix.shape, np.int8)
    for column in np.flatnonzero(greatest):
        for scale in (guess[column], np.nextafter(guess[column], np.float32(0)), np.nextafter(guess[column], np.inf)):
            scales[column] = scale
            integers[:, column] = np.round(matrix[:, column] / scales[column])
            if (integers[:, column] * scales[column] == matrix[:, column]).all():
                break
    same = (integers.astype(np.float32) * scales).tobytes() == matrix.tobytes()
    return (integers, scales) if same else None


def multiplied(scaled: list[Scaled]) -> Any:
    """The compiled function that multiplies the matrices when the module begins."""
    floats, integers = array_reader(float32), array_reader(int8)

    @njit
    def multiply(address: Any, integers_at: Any, scales_at: Any, number: Any, columns: Any) -> None:
        out, whole = floats(int64(address), int64(number)), integers(int64(integers_at), int64(number))
        scales = floats(int64(scales_at), int64(columns))
        for i in range(number):
            out[i] = float32(whole[i]) * scales[i % columns]

    places = tuple(scaled)
    if not places:
        return njit(lambda: None)

    @njit
    def multiply_all() -> None:
        for one in places:
            multiply(one.address, one.integers, one.scales, one.number, one.columns)

    return multiply_all
