"""Exporting a fitted model as a heuristic file, which is then checked against the model's predictions and timed."""

import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numba import int64, uint64

from zermelo.core import JIT, Heuristic, class_of, compiled, njit
from zermelo.errors import FileError
from zermelo.evaluation.models import Model, heuristic_for, read_model, unit_of, write_model
from zermelo.files.whole import BAD_JSON
from zermelo.games import stored_game
from zermelo.learn.columns import Columns, columns_type, getter, kinds_of, state_at
from zermelo.searches.workspace import heuristic_type

CHECK_SUFFIX = ".check.json"


@dataclass(frozen=True)
class Checked:
    """The result of checking an exported heuristic."""

    positions: int
    greatest_difference: float  # between the values of the heuristic and of the model, in points
    per_second: float  # evaluations per second on one thread
    size: int  # size of the file, in bytes

    @property
    def as_dict(self) -> dict[str, Any]:
        return self.__dict__ | {"per_second": round(self.per_second)}


def write_fitted(path: Path, model: Model, check: dict[str, Any]) -> None:
    """Write a fitted model to a file, and beside it the predictions that an export is checked against."""
    write_model(path, model)
    path.with_suffix(CHECK_SUFFIX).write_text(json.dumps(check), encoding="utf-8")


def export(fitted: Path, out: Path, bits: int = 32) -> Checked:
    """Write a fitted model as a heuristic. With 8 or 16 bits its large arrays are rounded and therefore less exact."""
    model = read_model(fitted)
    check = _read_check(fitted.with_suffix(CHECK_SUFFIX))
    written = write_model(out, model, bits)
    game = stored_game(model.game, str(fitted))
    cls = class_of(game.start_state())
    heuristic = heuristic_for(written, cls, type(game).__module__, out.stem)
    columns = tuple(np.array(column, kind) for column, kind in zip(check["states"], kinds_of(cls), strict=True))
    said = np.array([heuristic(state_at(columns, cls, i)) for i in range(len(columns[0]))]) / unit_of(model)
    difference = float(np.abs(said - np.array(check["predicted"])).max(initial=0.0))
    return Checked(len(said), difference, speed(heuristic, columns, cls), out.stat().st_size)


def _read_check(path: Path) -> dict[str, Any]:
    try:
        check: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return check
    except (OSError, *BAD_JSON):  # type: ignore[misc]  # mypy does not see through the star
        raise FileError(
            "{path} is missing or damaged; an export is checked against the predictions in this file", path=path
        ) from None


def speed(heuristic: Heuristic, columns: Columns, cls: Any, seconds: float = 0.5) -> float:
    """The evaluations per second on one thread, as a search makes them. They repeat these positions again and again."""
    state_of = getter(cls)

    @njit
    def run(columns, like, evaluate, address, rounds):
        total = 0
        for _ in range(rounds):
            for i in range(len(columns[0])):
                total += evaluate(state_of(columns, i), address)
        return total

    loop = compiled(run, columns_type(cls), cls.numba, heuristic_type(cls), uint64, int64)
    like, evaluate = state_at(columns, cls, 0), heuristic.native(cls)
    rounds = 1
    while True:
        began = time.process_time()
        loop(columns, like, evaluate, heuristic.address, rounds)
        took = time.process_time() - began
        if took >= seconds or not JIT:
            return rounds * len(columns[0]) / max(took, 1e-9)
        rounds *= 2
