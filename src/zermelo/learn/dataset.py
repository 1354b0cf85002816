"""Making a dataset: positions sampled, every move of each scored, on all cores, and taken up again when interrupted.

The work is cut into blocks, each with a seed of its own, so the result does not depend on how many cores there are. A
finished block is kept in a folder beside the file until the whole is written.
"""

import contextvars
import dataclasses
import json
import os
import shutil
import threading
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.core import class_of
from zermelo.core.clock import stop_all
from zermelo.errors import FileError, ZermeloError
from zermelo.evaluation.features import is_quiet
from zermelo.evaluation.models import load_inputs
from zermelo.files.whole import BAD_JSON, cannot_write
from zermelo.language import gettext
from zermelo.learn.columns import columns_of
from zermelo.learn.dataset_files import COLUMNS, FIELD, Dataset, field_types, read_dataset, write_dataset
from zermelo.learn.labels import Labeller, calibrated, for_next_mover, is_solvable, unit_of
from zermelo.learn.sampling import Sampler, random_walk
from zermelo.position import Game, Position
from zermelo.rules import is_over, to_move

BLOCK = 64
"""Draws of the sampler in a block."""

CALIBRATING = 200
"""Draws by which searched scores are brought to the scale of exact ones."""


@dataclass(frozen=True)
class Plan:
    """All that a dataset depends on."""

    game: Game
    examples: int = 200_000
    sampler: Sampler = field(default_factory=Sampler)
    labeller: Labeller = field(default_factory=Labeller)
    seed: int = 1

    def __post_init__(self) -> None:
        load_inputs(type(self.game).__module__)

    @property
    def settings(self) -> dict[str, Any]:
        """The plan, without the number of examples, as it is kept in files."""
        return {
            "game": str(self.game),
            "sampler": dataclasses.asdict(self.sampler),
            "labels": dataclasses.asdict(self.labeller),
            "seed": self.seed,
        }


class Stopped(Exception):
    """A worker was told to go home."""


def make_block(plan: Plan, number: int, stopped: threading.Event) -> Dataset:
    """The rows of one block."""
    rows: dict[str, list[Any]] = {name: [] for name in COLUMNS}
    states: list[Any] = []
    parents = 0
    for draw in range(BLOCK * number, BLOCK * (number + 1)):
        known: dict[int, tuple[dict[int, float], bool]] = {}

        def scores(position: Position, known: Any = known) -> dict[int, float]:
            if position.key not in known:
                known[position.key] = plan.labeller.scores(position)
            return dict(known[position.key][0])

        for position, plies in plan.sampler.positions(plan.game, (plan.seed << 32) + draw, scores):
            if stopped.is_set():
                raise Stopped
            found = scores(position)
            _add_rows(rows, states, position, found, known[position.key][1], parents, plies + 1)
            parents += 1
    cls = class_of(plan.game.start_state())
    columns: dict[str, Any] = {name: np.array(rows[name], kind) for name, kind in COLUMNS.items()}
    fields = dict(zip((FIELD + name for name in cls._fields), columns_of(states, cls), strict=True))
    return Dataset(plan.game, columns | fields, {})


def _add_rows(
    rows: dict[str, list[Any]],
    states: list[Any],
    position: Position,
    scores: dict[int, float],
    exact: bool,
    parent: int,
    plies: int,
) -> None:
    quiet = bool(is_quiet(position.state))
    parent_key = position.game.canonical_key(position.state)
    for move, score in scores.items():
        state, seen = for_next_mover(position.state, move, score)
        over = bool(is_over(state))
        row = (
            parent,
            move,
            plies,
            seen,
            exact,
            over,
            to_move(state) == to_move(position.state),
            bool(is_quiet(state)) and not over,
            quiet,
            position.game.canonical_key(state),
            parent_key,
        )
        for name, value in zip(COLUMNS, row, strict=True):
            rows[name].append(value)
        states.append(state)


def _read_json(path: Path) -> Any:
    """What stands in a file of the folder; None if it is damaged."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except BAD_JSON:
        return None


class Making:
    """A dataset in the making: its blocks, on disk and under way."""

    def __init__(self, plan: Plan, path: Path):
        self.path, self.folder = path, path.with_name(path.name + ".parts")
        self._open(plan)
        self.plan = self._calibrated(plan)
        self.blocks: dict[int, Dataset] = {}
        self.seen: set[int] = set()
        self.kept: list[Any] = []  # of each block in turn, which of its rows are new
        self.examples = 0
        self.seconds = 0.0

    def _open(self, plan: Plan) -> None:
        """Make the folder, or take up the work of an earlier run, if it had the same settings."""
        notes = self.folder / "settings.json"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            if notes.exists() and _read_json(notes) != plan.settings:
                raise FileError(
                    gettext("{folder} holds the beginning of other data: remove it, or name another file").format(
                        folder=self.folder
                    )
                )
            notes.write_text(json.dumps(plan.settings), encoding="utf-8")
        except OSError as error:
            raise cannot_write(self.folder, error) from None

    def _calibrated(self, plan: Plan) -> Plan:
        notes = self.folder / "scale.json"
        if plan.labeller.kind != "auto":
            return plan
        if not notes.exists():
            least, most = plan.sampler.least, plan.sampler.most
            plies = [least + draw * (most - least) // CALIBRATING for draw in range(CALIBRATING)]
            sample = [random_walk(plan.game, number, -1 - draw)[0] for draw, number in enumerate(plies)]
            needed = not all(is_solvable(position) for position in sample)
            scale = calibrated(plan.labeller, sample).scale if needed else 1.0
            notes.write_text(json.dumps(scale), encoding="utf-8")
        scale = _read_json(notes)
        if not isinstance(scale, float):
            raise FileError(
                gettext("{folder} holds the beginning of other data: remove it, or name another file").format(
                    folder=self.folder
                )
            )
        return dataclasses.replace(plan, labeller=dataclasses.replace(plan.labeller, scale=scale))

    def file_of(self, number: int) -> Path:
        return self.folder / f"{number:06}.npz"

    def take(self, number: int, block: Dataset) -> None:
        """Keep what is new in the next block: parents of which no mirror image was seen."""
        new = np.zeros(len(block), bool)
        starts = np.flatnonzero(np.diff(block.parent, prepend=-1))
        for start, end in zip(starts, [*starts[1:], len(block)], strict=True):
            family = int(block.parent_key[start])
            if family not in self.seen:
                self.seen.add(family)
                new[start:end] = True
        self.blocks[number] = block
        self.kept.append(new)
        self.examples += int(new.sum())

    def finish(self, processor_seconds: float) -> Dataset:
        """Write the dataset: whole parents, as many as make up the number of examples."""
        parts, shift = [], 0
        for number, new in enumerate(self.kept):
            part = self.blocks[number].rows(new)
            _, parent = np.unique(part.parent, return_inverse=True)
            part.columns["parent"] = (parent + shift).astype(np.int32)
            shift = int(part.parent.max(initial=shift - 1)) + 1
            parts.append(part.columns)
        columns = {name: np.concatenate([part[name] for part in parts]) for name in field_types(self.plan.game)}
        ends = np.flatnonzero(np.diff(columns["parent"], append=-1)) + 1
        size = int(ends[min(int(np.searchsorted(ends, self.plan.examples)), len(ends) - 1)])
        about = self.plan.settings | {
            "examples": size,
            "parents": int(columns["parent"][size - 1]) + 1,
            "unit": unit_of(self.plan.game, self.plan.labeller),
            "seconds": round(self.seconds, 1),
            "processor_seconds": round(processor_seconds, 1),
        }
        data = Dataset(self.plan.game, {name: column[:size] for name, column in columns.items()}, about)
        write_dataset(self.path, data)
        shutil.rmtree(self.folder, ignore_errors=True)
        return data


def make_dataset(
    plan: Plan, path: Path, *, threads: int | None = None, progress: Callable[[int], None] | None = None
) -> Dataset:
    """Make a dataset and write it to a file. progress(examples): so many are done.

    Interrupted, it leaves what is finished beside the file, and the same call goes on from there.
    """
    if path.exists():
        raise FileError(gettext("{path} exists already: remove it, or name another file").format(path=path))
    making = Making(plan, path)
    began, used = time.monotonic(), time.process_time()
    _run(making, threads or os.cpu_count() or 1, progress)
    making.seconds = time.monotonic() - began
    return making.finish(time.process_time() - used)


def _run(making: Making, threads: int, progress: Callable[[int], None] | None) -> None:
    stopped = threading.Event()
    waiting: dict[Future[Dataset], int] = {}
    ready: dict[int, Dataset] = {}
    following, barren = 0, 0
    pool = ThreadPoolExecutor(threads, thread_name_prefix="zermelo-data")
    try:
        while making.examples < making.plan.examples:
            while len(waiting) < 2 * threads:
                number = following
                # In a copy of the context: NumPy's error settings, by which unsigned numbers may wrap, belong to it.
                run = contextvars.copy_context().run
                waiting[pool.submit(run, _block, making, number, stopped)] = number
                following += 1
            done, _ = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                ready[waiting.pop(future)] = future.result()
            while len(making.kept) in ready:
                before = making.examples
                making.take(len(making.kept), ready.pop(len(making.kept)))
                barren = 0 if making.examples > before else barren + 1
            if barren > 100:
                raise ZermeloError(
                    gettext("{game}: no new positions are found any more; {examples} examples is all there are").format(
                        game=making.plan.game, examples=making.examples
                    )
                )
            if progress is not None:
                progress(min(making.examples, making.plan.examples))
    finally:
        stopped.set()
        for future in waiting:
            future.cancel()
        while any(not future.done() for future in waiting):
            stop_all()
            wait(waiting, timeout=0.1)
        pool.shutdown()


def _block(making: Making, number: int, stopped: threading.Event) -> Dataset:
    file = making.file_of(number)
    if file.exists():
        return read_dataset(file)
    block = make_block(making.plan, number, stopped)
    write_dataset(file, block)
    return block
