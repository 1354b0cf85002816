"""Learning a table from nothing but games against itself, in chunks of games, with checkpoints and a learning curve."""

import contextlib
import dataclasses
import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo.core import class_of
from zermelo.core.threads import in_order
from zermelo.drawing.charts import curves
from zermelo.errors import FileError, GameError
from zermelo.evaluation.table_files import TableFile
from zermelo.evaluation.tables import table_heuristic, table_shape, table_size
from zermelo.files.arrays import arrays_of
from zermelo.files.checked import checked
from zermelo.files.reading import check_format, reading
from zermelo.files.whole import write_whole
from zermelo.games import table_game
from zermelo.language import _, marked
from zermelo.learn.opponents import Opponents
from zermelo.learn.td import compiled_learn_games, new_game, new_settings
from zermelo.learn.td_quiet import MEMORY, compiled_learn_quiet_games
from zermelo.rules import is_noisy, reply_hint
from zermelo.searches.engine import engine_workspace
from zermelo.searches.transposition import new_table
from zermelo.searches.workspace import workspace
from zermelo.tournaments.openings import digest

CHUNK = 50
"""Number of games that one thread plays at a time. They share one start, where a game has several."""

FORMAT = 1
ARRAYS = ("table", "changes", "distances")


@dataclass(frozen=True)
class Settings:
    """Everything that decides what is learned.

    With one thread, or in rounds (see rounds.py), the table depends on these settings and the number of games only.
    """

    game: str
    depth: int = 1
    opening_plies: int = 6
    exploration: float = 0.1
    trace_decay: float = 0.7
    rate: float = 0.5
    seed: int = 1
    quiet: bool = False  # play with quiescence, and learn from quiet positions only
    together: int = 0  # number of chunks in a round; 0: there are no rounds, and threads share the table

    def __post_init__(self) -> None:
        for name, low, high in (("exploration", 0, 1), ("trace_decay", 0, 1), ("rate", 0, 10)):
            if not low <= getattr(self, name) <= high:
                raise GameError(
                    "{name}={value:g} is not a number from {low} to {high}",
                    name=name,
                    value=getattr(self, name),
                    low=low,
                    high=high,
                )


@dataclass
class SelfPlay:
    """A table while it learns."""

    settings: Settings
    chunks: int = 0  # number of finished chunks
    curve: list[dict[str, Any]] = field(default_factory=list)  # games, error, score against each opponent
    arrays: dict[str, npt.NDArray[np.float32]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.game = table_game(self.settings.game)
        self.start = self.game.start_state()
        size = int(table_size(self.start))
        if not self.arrays:
            self.arrays = {name: np.zeros(size, np.float32) for name in ARRAYS}
        elif len(self.arrays["table"]) != size:
            found = len(self.arrays["table"])
            raise FileError(
                "the table of the checkpoint has {found} entries, but {game} needs {size}",
                found=found,
                game=self.game,
                size=size,
            )
        self.heuristic = table_heuristic((class_of(self.start),), self.arrays["table"], "learning")

    @property
    def games(self) -> int:
        """The number of games played so far."""
        return self.chunks * CHUNK

    # -------------------------------------------------------------------------------- playing

    def run(self, chunks: int, threads: int = 1, progress: Callable[[], None] = lambda: None) -> float:
        """Play more chunks of games and learn from them; returns the mean squared error of the predictions.

        Several threads share the table without locks, which loses only a few updates in a million.
        """
        learn, errors = Worker(self), []
        played = in_order(learn, range(self.chunks, self.chunks + chunks), threads)
        try:
            with contextlib.closing(played):  # finish the chunks that have begun, so that the table and the count agree
                for error in played:
                    errors.append(error)
                    progress()
        finally:
            self.chunks += learn.begun
        return float(np.mean(errors)) if errors else 0.0

    def chunk_start(self, chunk: int) -> Any:
        """Return the state in which the games of a chunk begin."""
        return self.game.varied_start(digest(f"{self.settings.seed} start {chunk}") >> 32).state

    # -------------------------------------------------------------------------------- the curve

    def measure(self, opponents: Opponents, error: float) -> None:
        """Play against the opponents and add a point to the learning curve."""
        scores = {name: dataclasses.asdict(rate) for name, rate in opponents.scores(self.heuristic).items()}
        self.curve.append({"games": self.games, "error": error, "depth": opponents.depth, "scores": scores})

    def chart(self) -> str:
        """Draw the learning curve."""
        names = list(dict.fromkeys(name for point in self.curve for name in point["scores"]))
        lines = []
        for name in names:
            known = [(float(point["games"]), point["scores"].get(name)) for point in self.curve]
            lines.append(
                (
                    _("against {name}").format(name=name),
                    [(x, score["value"]) for x, score in known if score is not None],
                )
            )
        return curves(
            _("{title}: learning from self-play").format(title=_(self.game.title)),
            lines,
            _("games"),
            _("share of the points"),
        )

    # -------------------------------------------------------------------------------- files

    def save(self, path: Path) -> None:
        """Write a checkpoint. The previous one is replaced only when the new one is complete."""
        settings = {
            "format": FORMAT,
            "settings": dataclasses.asdict(self.settings),
            "chunks": self.chunks,
            "curve": self.curve,
        }
        stored: dict[str, Any] = {"about": np.frombuffer(json.dumps(settings).encode(), np.uint8), **self.arrays}
        write_whole(path, lambda file: np.savez(file, **stored))

    @classmethod
    def load(cls, path: Path) -> "SelfPlay":
        """Read a checkpoint, to continue from it."""
        with reading(path, marked("{path} is not a checkpoint of self-play, or it is damaged ({error})")):
            with arrays_of(path) as stored:
                about = json.loads(stored["about"].tobytes().decode())
                arrays = {name: np.ascontiguousarray(stored[name], np.float32) for name in ARRAYS}
            settings = checked(Settings(**about["settings"]))
            form, chunks, curve = about["format"], int(about["chunks"]), list(about["curve"])
        check_format(path, form, FORMAT)
        return cls(settings, chunks, curve, arrays)

    def table_file(self) -> TableFile:
        """Return the table in the form in which players use it."""
        table = self.arrays["table"].copy()
        about = {"settings": dataclasses.asdict(self.settings), "games": self.games}
        return TableFile(table, str(self.game), int(table_shape(self.start)), about)


class Worker:
    """Plays chunks of games, in any thread."""

    def __init__(self, learning: SelfPlay):
        self.learning = learning
        settings = dataclasses.asdict(learning.settings)
        here = ("game", "seed", "quiet", "together")  # settings that compiled code need not know
        self.settings = new_settings(**{name: value for name, value in settings.items() if name not in here})
        cls = class_of(learning.start)
        self.evaluate = learning.heuristic.native(cls)
        self.learn_games = compiled_learn_quiet_games(cls) if learning.settings.quiet else compiled_learn_games(cls)
        self.own = threading.local()
        self.begun, self.counting = 0, threading.Lock()

    def __call__(self, chunk: int) -> float:
        """Play one chunk and learn from it; returns the mean squared error of the predictions."""
        with self.counting:
            self.begun += 1
        learning = self.learning
        if "work" not in self.own.__dict__:
            self.own.game = new_game()
            self.own.work = self._quiet_work() if learning.settings.quiet else self._work()
        seed = np.uint64(digest(f"{learning.settings.seed} {chunk}"))
        arrays = (learning.arrays[name] for name in ARRAYS)
        start = learning.chunk_start(chunk)
        return float(
            self.learn_games(start, CHUNK, seed, self.settings, self.evaluate, *arrays, *self.own.work, self.own.game)
        )

    def _work(self) -> tuple[Any, ...]:
        work = workspace()
        work.weights = work.order_weights = self.learning.heuristic.address
        return (work,)

    def _quiet_work(self) -> tuple[Any, ...]:
        work = engine_workspace()
        work.weights = self.learning.heuristic.address
        work.noisy = int(type(self.learning.start) in is_noisy.implementations)
        work.hinted = int(type(self.learning.start) in reply_hint.implementations)
        return new_table(MEMORY), work
