"""Heuristics that cannot be compiled run as plain Python, by themselves, with one note about the line and the reason.

Before that, the function is tried as plain Python in a few positions. What fails there, such as a misspelt name, is a
mistake, and is reported as one. The note also says how long an evaluation takes, measured here and compared with the
game's own heuristic. (The positions and that heuristic come from a room above this one: see `provide_trials`.)
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from numba import int32, int64, types, uint64

from zermelo.core.compiling import compiled, njit
from zermelo.errors import Message

ENOUGH = 0.01
"""Seconds of processor time that a measurement takes at least."""


@dataclass(frozen=True)
class Trial:
    """Positions of a game in which a heuristic is tried, and the compiled heuristic that it is compared with."""

    states: Sequence[Any]
    usual: Any  # a Heuristic


_providers: list[Callable[[type], Trial | None]] = []


def provide_trials(provider: Callable[[type], Trial | None]) -> None:
    """Ask this function for the trial of a class of states; it may not know the class."""
    _providers.append(provider)


def trial_of(cls: type) -> Trial | None:
    """Positions of the game with this class of states; None if nobody knows any."""
    return next((trial for provider in reversed(_providers) if (trial := provider(cls)) is not None), None)


# ------------------------------------------------------------------------------------------ speed


@njit
def repeated(evaluate: Any, state: Any, address: Any, times: Any) -> Any:
    """The sum of many evaluations of one state, so that none of them can be left out."""
    total = int64(0)
    for _ in range(times):
        total += evaluate(state, address)
    return total


def seconds_each(heuristic: Any, cls: Any, states: Sequence[Any]) -> float:
    """The processor time of one evaluation, called as a search calls it."""
    kind = types.FunctionType(int32(cls.numba, uint64))
    call, judge = compiled(repeated, kind, cls.numba, uint64, int64), heuristic.native(cls)
    done, spent, times = 0, 0.0, 1
    while spent < ENOUGH:
        for state in states:
            began = time.thread_time()
            call(judge, state, heuristic.address, times)
            spent += time.thread_time() - began
            done += times
        times *= 2
    return spent / done


def slowness(heuristic: Any, cls: Any, trial: Trial) -> Message:
    """How long an evaluation takes, and how many times as long as with the game's own heuristic."""
    mine = seconds_each(heuristic, cls, trial.states)
    usual = seconds_each(trial.usual, cls, trial.states)
    if mine < 2 * usual:  # the usual one may be a large net
        return Message(
            "measured: {mine} for each evaluation; {usual}, which is compiled, takes {other}",
            mine=_duration(mine),
            usual=trial.usual,
            other=_duration(usual),
        )
    return Message(
        "measured: {mine} for each evaluation, {times:,} times as long as {usual}, which is compiled",
        mine=_duration(mine),
        times=_rounded(mine / usual),
        usual=trial.usual,
    )


def _rounded(number: float) -> int:
    """A number with two digits that count."""
    return int(float(f"{number:.2g}"))


def _duration(seconds: float) -> str:
    return f"{seconds * 1e3:.2g} ms" if seconds >= 1e-3 else f"{_rounded(seconds * 1e6)} µs"
