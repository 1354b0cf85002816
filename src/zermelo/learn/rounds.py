"""Self-play in rounds: the chunks of a round begin with the same table, so any machine can play them.

At the end of a round the tables of its chunks are merged. An entry that only one chunk has changed gets the value that
this chunk found. If several have changed it, each counts as much as it has moved the entry to and fro: their mean is
taken, because all of them went towards the same target, and the sum of their steps would go too far. The sums from
which the step sizes follow are added up. The result depends on the settings and the number of games only, and with one
chunk in a round it is that of a single thread. To find what a chunk has changed takes as long as comparing all tables,
so rounds are worth it if the games take longer than that: for large tables (Connect 4) from depth 3 or so.
"""

import dataclasses
import functools
import io
import json
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo.learn.columns import Array
from zermelo.learn.self_play import ARRAYS, SelfPlay, Settings, Worker
from zermelo.pieces.crews import Crew
from zermelo.pieces.job import Job, settings_of
from zermelo.pieces.kept import Kept
from zermelo.pieces.results import results

ROUND = 16
"""Number of chunks in a round, where the user does not choose it."""


def kept_settings(learning: SelfPlay) -> str:
    """The settings in whose file the chunks of an unfinished round are kept."""
    return settings_of(dataclasses.asdict(learning.settings))


def step_of(learning: SelfPlay) -> str:
    """The name of the present round among the kept pieces."""
    return f"round {learning.chunks}"


def play_rounds(
    learning: SelfPlay, chunks: int, crew: Crew, kept: Kept, progress: Callable[[], None] = lambda: None
) -> float:
    """Play at least this many chunks, in whole rounds, and learn from them; returns the mean squared error."""
    together, errors = learning.settings.together, []
    for first in range(learning.chunks, learning.chunks + chunks, together):
        job = Job(f"{__name__}:do_chunk", kept_settings(learning), _packed(learning.arrays))
        numbers = range(first, first + together)
        found = []
        for packed in results(crew, job, zip(numbers, numbers, strict=True), kept, step_of(learning)):
            found.append(_unpacked(packed))
            errors.append(float(found[-1]["error"]))
            progress()
        merge(learning.arrays, found)
        learning.chunks += together
    return float(np.mean(errors)) if errors else 0.0


def merge(arrays: dict[str, Array], found: list[dict[str, Array]]) -> None:
    """Put together what several chunks have learned from the same arrays."""
    places, inverse = np.unique(np.concatenate([one["places"] for one in found]), return_inverse=True)
    before = {name: arrays[name][places].astype(float) for name in ARRAYS}
    moved = {
        name: np.concatenate([one[name] for one in found]).astype(float) - before[name][inverse] for name in ARRAYS
    }

    def total(values: Array) -> Array:
        return np.bincount(inverse, values, len(places))

    distance = total(moved["distances"])
    alike = 1.0 / total(np.ones(len(inverse)))  # for entries that have hardly moved
    share = np.where(
        distance[inverse] > 0, moved["distances"] / np.where(distance > 0, distance, 1.0)[inverse], alike[inverse]
    )
    change = {"table": share * moved["table"], "changes": moved["changes"], "distances": moved["distances"]}
    for name in ARRAYS:
        arrays[name][places] = (before[name] + total(change[name])).astype(np.float32)


# ------------------------------------------------------------------------------------------ pieces


def do_chunk(settings: str, data: bytes, piece: Any, stopped: threading.Event) -> bytes:
    """Play the chunk of this number, beginning with the table in `data`; returns the entries that have changed."""
    base = _base(settings, data)
    learning, worker = _replica(settings, base)
    error = worker(int(piece))
    changed = np.zeros(len(base["table"]), bool)
    for name in ARRAYS:
        changed |= learning.arrays[name] != base[name]
    places = np.flatnonzero(changed).astype(np.int32)
    found = {name: learning.arrays[name][places] for name in ARRAYS}
    for name in ARRAYS:  # the replica is the base again
        learning.arrays[name][places] = base[name][places]
    packed = io.BytesIO()
    np.savez_compressed(packed, error=np.float64(error), places=places, **found)  # type: ignore[arg-type]
    return packed.getvalue()


def _packed(arrays: dict[str, Array]) -> bytes:
    """The entries of the arrays that are not zero, which is what the pieces of a round begin with."""
    places = np.flatnonzero(arrays["distances"] != 0).astype(np.int32)
    packed = io.BytesIO()
    kept = {name: arrays[name][places] for name in ARRAYS}
    np.savez(packed, places=places, **kept)  # type: ignore[arg-type]
    return packed.getvalue()


def _unpacked(packed: bytes) -> dict[str, Array]:
    with np.load(io.BytesIO(packed)) as arrays:
        return {name: arrays[name] for name in arrays.files}


@functools.lru_cache(maxsize=1)
def _base(settings: str, data: bytes) -> dict[str, Array]:
    """The arrays that a round begins with; all threads of this process read them."""
    arrays = SelfPlay(Settings(**json.loads(settings))).arrays
    found = _unpacked(data)
    for name in ARRAYS:
        arrays[name][found["places"]] = found[name]
    return arrays


_own = threading.local()


def _replica(settings: str, base: dict[str, Array]) -> tuple[SelfPlay, Worker]:
    """A table of this thread that equals the base, and who plays with it."""
    if getattr(_own, "settings", None) != settings:
        _own.settings, _own.base = settings, None
        _own.learning = SelfPlay(Settings(**json.loads(settings)))
        _own.worker = Worker(_own.learning)
    if _own.base is not base:
        _own.base = base
        for name in ARRAYS:
            _own.learning.arrays[name][:] = base[name]
    return _own.learning, _own.worker
