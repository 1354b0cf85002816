"""Making a dataset: positions are sampled and every move of each is scored, on all cores. A run can be resumed.

The work is cut into blocks, and every block has its own seed, so the file does not depend on who makes them. Finished
blocks are kept in a file beside it until the whole dataset is written.
"""

import contextlib
import dataclasses
import functools
import io
import itertools
import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.core import class_of
from zermelo.errors import FileError, ZermeloError
from zermelo.evaluation.features import is_quiet
from zermelo.evaluation.models import load_inputs
from zermelo.files.folders import make_folder
from zermelo.games import find_game
from zermelo.learn.columns import answers, columns_of
from zermelo.learn.dataset_files import COLUMNS, FIELD, Dataset, field_types, write_dataset
from zermelo.learn.labels import Labeller, calibrated, for_next_player, is_solvable, unit_of
from zermelo.learn.played import Playing, Row
from zermelo.learn.sampling import Sampler, random_walk
from zermelo.pieces.crews import Crew, Threads
from zermelo.pieces.job import Job, settings_of
from zermelo.pieces.kept import Kept, beside
from zermelo.pieces.results import results
from zermelo.pieces.sources import with_code
from zermelo.position import Game, Position
from zermelo.rules import is_over, table_key, to_move

BLOCK = 64
"""Number of draws of the sampler in one block."""

CALIBRATING = 200
"""Number of draws used to bring scores of a search to the scale of exact scores."""


@dataclass(frozen=True)
class Plan:
    """Everything that a dataset depends on."""

    game: Game
    examples: int = 200_000
    sampler: Sampler = field(default_factory=Sampler)
    labeller: Labeller = field(default_factory=Labeller)
    seed: int = 1

    def __post_init__(self) -> None:
        load_inputs(type(self.game).__module__)

    @property
    def settings(self) -> dict[str, Any]:
        """The plan without the number of examples, as it is stored in files."""
        return {
            "game": str(self.game),
            "sampler": dataclasses.asdict(self.sampler) | {"openers": list(self.sampler.openers)},
            "labels": dataclasses.asdict(self.labeller),
            "seed": self.seed,
        }


class Stopped(Exception):
    """Raised in a worker thread when the work was stopped from outside."""


def make_block(plan: Plan, number: int, stopped: threading.Event) -> Dataset:
    """Return the rows of one block."""
    if plan.sampler.kind == "played":
        return _played_block(plan, number, stopped)
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
    if stopped.is_set():  # the search of the last position may have been cut short
        raise Stopped
    cls = class_of(plan.game.start_state())
    columns: dict[str, Any] = {name: np.array(rows[name], kind) for name, kind in COLUMNS.items()}
    fields = dict(zip((FIELD + name for name in cls._fields), columns_of(states, cls), strict=True))
    return Dataset(plan.game, columns | fields, {})


def _played_block(plan: Plan, number: int, stopped: threading.Event) -> Dataset:
    """Return a block of whole games: the positions of a game are one family, and stay together."""
    playing = Playing(plan.game, plan.sampler, plan.labeller)
    rows: list[Row] = []
    games: list[int] = []
    for draw in range(BLOCK * number, BLOCK * (number + 1)):
        if stopped.is_set():
            raise Stopped
        found = playing.rows((plan.seed << 32) + draw)
        rows += found
        games += [draw - BLOCK * number] * len(found)
    cls = class_of(plan.game.start_state())
    states = columns_of([row.state for row in rows], cls)
    families = np.array(games, np.int32)
    players = answers(states, cls, to_move)
    keys = answers(states, cls, table_key).view(np.uint64)
    starts = np.flatnonzero(np.diff(families, prepend=-1))
    quiet = answers(states, cls, is_quiet) != 0
    columns: dict[str, Any] = {
        "parent": families,
        "move": [row.move for row in rows],
        "plies": [row.plies for row in rows],
        "score": [row.score for row in rows],
        "exact": [row.exact for row in rows],
        "over": np.zeros(len(rows), bool),
        "same_player": np.diff(players, prepend=-1) == 0,
        "quiet": quiet,
        "parent_quiet": quiet,
        "key": keys,
        "parent_key": np.repeat(keys[starts], np.diff(starts, append=len(rows))),
    }
    columns = {name: np.asarray(columns[name], kind) for name, kind in COLUMNS.items()}
    fields = dict(zip((FIELD + name for name in cls._fields), states, strict=True))
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
    """Add one row for every scored move of a position."""
    quiet = bool(is_quiet(position.state))
    parent_key = position.game.canonical_key(position.state)
    for move, score in scores.items():
        state, seen = for_next_player(position.state, move, score)
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


# ------------------------------------------------------------------------------------------ pieces


def do_block(settings: str, data: bytes, piece: Any, stopped: threading.Event) -> bytes:
    """Make the block of this number, as a piece of work (see pieces/job.py). Its columns come back as NPZ."""
    made = make_block(_planned(settings), int(piece), stopped)
    packed = io.BytesIO()
    np.savez_compressed(packed, **made.columns)  # type: ignore[arg-type]
    return packed.getvalue()


def do_scale(settings: str, data: bytes, piece: Any, stopped: threading.Event) -> bytes:
    """Find the factor that brings the scores of a search to the scale of exact scores, likewise."""
    plan = _planned(settings)
    least, most = plan.sampler.least, plan.sampler.most
    plies = [least + draw * (most - least) // CALIBRATING for draw in range(CALIBRATING)]
    sample = [random_walk(plan.game, number, -1 - draw)[0] for draw, number in enumerate(plies)]
    needed = not all(is_solvable(position) for position in sample)
    return json.dumps(calibrated(plan.labeller, sample).scale if needed else 1.0).encode()


@functools.lru_cache(maxsize=4)
def _planned(settings: str) -> Plan:
    """The plan that has these settings."""
    found = json.loads(settings)
    sampler, labeller = Sampler(**found["sampler"]), Labeller(**found["labels"])
    return Plan(find_game(found["game"]), sampler=sampler, labeller=labeller, seed=found["seed"])


def _block_of(game: Game, packed: bytes) -> Dataset:
    with np.load(io.BytesIO(packed)) as arrays:
        return Dataset(game, {name: arrays[name] for name in arrays.files}, {})


# ------------------------------------------------------------------------------------------ the whole


class Making:
    """A dataset that is being made, with the blocks that are finished so far."""

    def __init__(self, plan: Plan, path: Path):
        self.plan, self.path = plan, path
        make_folder(path.parent)
        self.kept = Kept(beside(path), settings_of(with_code(plan.settings) | {"block": BLOCK}))
        self.blocks: list[Dataset] = []  # of each block in turn, the rows that are new
        self.seen: set[int] = set()
        self.examples = 0

    def run(self, crew: Crew, progress: Callable[[int], None] | None = None) -> None:
        """Have blocks made, and take them in their order, until there are enough examples."""
        self._calibrate(crew)
        job, barren = Job(f"{__name__}:do_block", settings_of(with_code(self.plan.settings))), 0
        with contextlib.closing(results(crew, job, enumerate(itertools.count()), self.kept, "block")) as blocks:
            for packed in blocks:
                before = self.examples
                self.take(_block_of(self.plan.game, packed))
                barren = 0 if self.examples > before else barren + 1
                if barren > 100:
                    raise ZermeloError(
                        "{game}: there are no more new positions; the dataset cannot have more than {examples} "
                        "examples",
                        game=self.plan.game,
                        examples=self.examples,
                    )
                if progress is not None:
                    progress(min(self.examples, self.plan.examples))
                if self.examples >= self.plan.examples:
                    break

    def _calibrate(self, crew: Crew) -> None:
        """Find the scale of the searched scores of the plan, which is a piece of work, too."""
        if self.plan.labeller.kind == "auto" and self.plan.sampler.kind != "played":
            job = Job(f"{__name__}:do_scale", settings_of(with_code(self.plan.settings)))
            [scale] = results(crew, job, [(0, None)], self.kept, "scale")
            labeller = dataclasses.replace(self.plan.labeller, scale=json.loads(scale))
            self.plan = dataclasses.replace(self.plan, labeller=labeller)

    def take(self, block: Dataset) -> None:
        """Keep the new parents of the next block: those of which no mirror image was seen before."""
        new = np.zeros(len(block), bool)
        starts = np.flatnonzero(np.diff(block.parent, prepend=-1))
        for start, end in zip(starts, [*starts[1:], len(block)], strict=True):
            family = int(block.parent_key[start])
            if family not in self.seen:
                self.seen.add(family)
                new[start:end] = True
        self.blocks.append(block.rows(new))
        self.examples += int(new.sum())

    def finish(self) -> Dataset:
        """Write the dataset. Parents stay whole, and there are as many as the number of examples needs."""
        parts, shift = [], 0
        for part in self.blocks:
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
        }
        data = Dataset(self.plan.game, {name: column[:size] for name, column in columns.items()}, about)
        write_dataset(self.path, data)
        self.kept.remove()
        return data


def make_dataset(
    plan: Plan,
    path: Path,
    *,
    threads: int | None = None,
    crew: Crew | None = None,
    progress: Callable[[int], None] | None = None,
) -> Dataset:
    """Make a dataset and write it to a file; `progress` is called with the number of examples made so far.

    A crew does the work, by default threads of this process; the file is the same, byte for byte. When it is
    interrupted, the finished blocks stay beside the file, and the same call continues from there.
    """
    if path.exists():
        raise FileError("{path} already exists; delete it or choose another file", path=path)
    making = Making(plan, path)
    with making.kept, contextlib.nullcontext(crew) if crew is not None else Threads(threads) as workers:
        making.run(workers, progress)
        return making.finish()
