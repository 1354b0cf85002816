"""How many positions a heuristic evaluates in a second of processor time, called as a search calls it."""

import time
from collections.abc import Sequence
from typing import Any

from numba import int64, uint64

from zermelo.core import Heuristic, class_of, compiled, njit
from zermelo.searches.workspace import heuristic_type

EACH = 0.002
"""Seconds that are spent on each position, so that the clock's own time does not count."""
MOST = 0.3
"""Seconds after which no more positions are taken."""


@njit
def repeated(evaluate: Any, state: Any, address: Any, times: Any) -> Any:
    """The sum of many evaluations of one state, so that none of them can be left out."""
    total = int64(0)
    for _ in range(times):
        total += evaluate(state, address)
    return total


def evaluations_per_second(heuristic: Heuristic, states: Sequence[Any]) -> float:
    """Evaluations per second of processor time, on states in which the heuristic does not fail."""
    cls = class_of(states[0])
    call = compiled(repeated, heuristic_type(cls), cls.numba, uint64, int64)
    judge = heuristic.native(cls)
    call(judge, states[0], heuristic.address, 1)
    done, spent, times = 0, 0.0, 1
    for state in states:
        while True:
            began = time.process_time()
            call(judge, state, heuristic.address, times)
            took = time.process_time() - began
            if took >= EACH / 2 or times >= 1 << 24:
                break
            times *= 2
        done, spent = done + times, spent + took
        if spent > MOST:
            break
    return done / max(spent, 1e-9)
