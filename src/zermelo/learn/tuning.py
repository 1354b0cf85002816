"""Tuning the weights of a heuristic or a search, from data or by play, and testing whether the new weights are better.

The result depends on the settings only, not on who plays the games. The state file holds what was found so far, and a
file beside it the games played since it was written (see pieces/kept.py). A run that continues from there ends with the
same result as an uninterrupted one.
"""

import contextlib
import dataclasses
import json
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.calls import call_of
from zermelo.core import Heuristic
from zermelo.core.contents import is_named
from zermelo.errors import HeuristicError, SearchError
from zermelo.evaluation.weight_files import WeightFile, names_code
from zermelo.files.checked import checked
from zermelo.files.reading import check_format, reading
from zermelo.files.trust import check_trust, digest_of, remember
from zermelo.files.whole import write_whole
from zermelo.language import _, marked
from zermelo.learn.arena import openings, pentanomial
from zermelo.learn.spsa import Spsa, mean_of_second_half
from zermelo.learn.texel import Examples, examples_of_records, fit, rounded, sampled, units_of
from zermelo.learn.versions import Named, Weights, weights_at
from zermelo.match import load_records
from zermelo.pieces.crews import Crew, Threads
from zermelo.pieces.job import settings_of
from zermelo.pieces.kept import Kept, beside
from zermelo.pieces.sources import with_code
from zermelo.position import Position
from zermelo.tournaments.openings import varied_openings
from zermelo.tournaments.rating import Difference, difference
from zermelo.tournaments.sprt import Sprt

METHODS = ("texel", "spsa", "both")
FORMAT = 1

Progress = Callable[[str, int, int], None]
"""Called with a description of the present step, how much of it is done, and how much there is in all."""


@dataclass(frozen=True)
class Settings:
    """Everything that decides the result."""

    heuristic: str  # connect4/lines2, with initial weights connect4/lines2(two=5), or a search, mine.py:my_search
    game: str
    method: str = "both"
    depth: int = 2
    games: int = 1000  # number of games played for Texel's method
    data: str = ""  # file of recorded games to use instead, as `zermelo match --save` writes it
    iterations: int = 200  # number of iterations of SPSA
    pairs: int = 10  # pairs of games in each iteration
    perturbation: float = 0.4
    step: float = 0.6
    sprt: Sprt = field(default_factory=lambda: Sprt(0, 20))
    judge_pairs: int = 2000  # maximum number of pairs of games for the verdict
    measure_pairs: int = 500  # number of pairs of games to measure the size of the difference
    seed: int = 1

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise HeuristicError(
                "unknown method {method!r}; the methods are {methods}", method=self.method, methods=", ".join(METHODS)
            )


@dataclass
class Found:
    """What was found so far, which is what the state file holds."""

    settings: Settings
    texel: dict[str, Any] | None = None  # the weights and losses of Texel's method
    way: list[list[float]] = field(default_factory=list)  # SPSA's weights from the start on, as shares of their sizes
    judged: list[float] = field(default_factory=list)  # scores of the new weights in the pairs of the test
    measured: list[float] = field(default_factory=list)  # scores of the new weights in the pairs that measure

    def save(self, path: Path) -> None:
        """Write the state file."""
        data = {"format": FORMAT, **dataclasses.asdict(self)}
        write_whole(path, lambda file: file.write(json.dumps(data).encode() + b"\n"))
        if names_code(self.settings.heuristic):
            remember(digest_of("tuning", self.settings.heuristic))

    @classmethod
    def load(cls, path: Path, trust: bool = False) -> "Found":
        """Read a state file.

        The heuristic that it names may be code. If the file was not written on this machine, it is then refused unless
        `trust` is true.
        """
        with reading(path, marked("{path} is not a state file of tuning, or it is damaged ({error})")):
            data = json.loads(path.read_text(encoding="utf-8"))
            form = data.pop("format")
            data["settings"]["sprt"] = Sprt(**data["settings"]["sprt"])
            found = checked(cls(Settings(**data.pop("settings")), **data))
        check_format(path, form, FORMAT)
        named = found.settings.heuristic
        code = [_("the file {file} on this machine").format(file=named)] if names_code(named) else []
        check_trust(str(path), code, digest_of("tuning", named), trust)
        return found


@dataclass(frozen=True)
class Verdict:
    """The result of a tuning."""

    accepted: bool
    weights: dict[str, float]
    size: Difference | None  # measured after the verdict, on other openings
    judged_pairs: int
    ratio: float  # log-likelihood ratio of the test

    def __str__(self) -> str:
        if not self.accepted or self.size is None:
            return _("no improvement found")
        if float("inf") in (self.size.elo, self.size.elo_interval[1]):  # it won every game, or might win every game
            return _("accepted: more than {elo:+.0f} Elo over the old weights").format(elo=self.size.elo_interval[0])
        return _("accepted: {elo:+.0f} ± {elo_error:.0f} Elo over the old weights").format(
            elo=self.size.elo, elo_error=self.size.elo_error
        )


class Tuning:
    """A tuning while it runs."""

    def __init__(self, found: Found, state_file: Path | None = None, crew: Crew | None = None):
        """crew: those who play the games, by default this thread alone. The result is the same."""
        self.found, self.settings = found, found.settings
        self.state_file, self.crew = state_file, crew or Threads(1)
        if is_named(call_of(self.settings.heuristic).name, "search") and (
            self.settings.method == "texel" or self.settings.data
        ):
            raise SearchError(
                "{name}: texel cannot tune a search, since it needs the value of a position; use spsa",
                name=self.settings.heuristic,
            )
        self.named = Named(self.settings.heuristic, self.settings.game, self.settings.depth)
        self.game, self.old = self.named.versions.game, self.named.versions.old
        self.units = units_of(self.old.vector)
        self.kept = Kept()

    def run(self, progress: Progress = lambda what, done, of: None) -> Verdict:
        """Find new weights, or continue from the state file, and judge them."""
        if self.state_file is not None:
            self.kept = Kept(beside(self.state_file), settings_of(with_code(dataclasses.asdict(self.settings))))
        with self.kept:
            if self.settings.method != "spsa" and isinstance(self.old, Heuristic) and self.found.texel is None:
                self._texel(self.old, progress)
            if self.settings.method != "texel":
                self._spsa(progress)
            verdict = self._judge(self._candidate(), progress)
            self.kept.remove()
        return verdict

    def _save(self) -> None:
        if self.state_file is not None:
            self.found.save(self.state_file)

    def _pair_scores(
        self, new: Weights, old: Weights, starts: list[Position], step: str, known: int = 0
    ) -> "contextlib.closing[Generator[float, None, None]]":
        """The scores of the pairs of games of a step. Leaving the block gives up those under way."""
        return contextlib.closing(self.named.pair_scores(self.crew, new, old, starts, self.kept, step, known))

    # -------------------------------------------------------------------------------- finding

    def _examples(self, progress: Progress) -> Examples:
        settings = self.settings
        if settings.data:
            return examples_of_records(self.game, load_records(Path(settings.data)), settings.seed)
        starts, lines = varied_openings(self.game, settings.games, f"{settings.seed} examples"), []
        for line in self.named.lines(self.crew, starts, self.kept):
            lines.append(line)
            progress(_("games to learn from"), len(lines), settings.games)
        return sampled(lines, settings.seed)

    def _texel(self, old: Heuristic, progress: Progress) -> None:
        found = fit(old, self._examples(progress))
        self.found.texel = dataclasses.asdict(found)
        self._save()

    def _spsa(self, progress: Progress) -> None:
        settings, way = self.settings, self.found.way
        search = Spsa(settings.iterations, settings.perturbation, settings.step, settings.seed)
        if not way:
            begin = self.found.texel["weights"] if self.found.texel else self.old.weights
            way.append([float(begin[name] / unit) for name, unit in zip(self.old.weights, self.units, strict=True)])
        while len(way) <= settings.iterations:
            iteration, place = len(way) - 1, np.array(way[-1])
            one, other = (weights_at(self.old, moved * self.units) for moved in search.pair(place, iteration))
            starts = list(varied_openings(self.game, settings.pairs, f"{settings.seed} spsa {iteration}"))
            with self._pair_scores(one, other, starts, f"spsa {iteration}") as played:
                scores = list(played)
            way.append([float(x) for x in search.after(place, iteration, sum(scores) / (2 * len(scores)))])
            progress(_("iterations of SPSA"), len(way) - 1, settings.iterations)
            if len(way) % 20 == 0:
                self._save()
        self._save()

    def _candidate(self) -> dict[str, float]:
        if self.settings.method == "texel":
            assert self.found.texel is not None
            return dict(self.found.texel["weights"])
        weights = mean_of_second_half(self.found.way) * self.units
        return {name: rounded(value) for name, value in zip(self.old.weights, weights, strict=True)}

    # -------------------------------------------------------------------------------- judging

    def _judge(self, weights: dict[str, float], progress: Progress) -> Verdict:
        """Run the sequential test and, if the new weights pass it, measure the difference in a match of fixed length.

        The score at which a test stops is too good, because it tends to stop on a lucky streak. The size of the
        difference is therefore measured on other openings.
        """
        settings, old = self.settings, dict(self.old.weights)
        starts = openings(self.game, settings.judge_pairs + settings.measure_pairs, settings.seed + 1)
        # If there are fewer different openings than that, both parts get their share of them.
        split = len(starts) * settings.judge_pairs // (settings.judge_pairs + settings.measure_pairs)
        test = settings.sprt.decide(self.found.judged)
        if test.verdict is None:
            with self._pair_scores(weights, old, starts[:split], "test", len(self.found.judged)) as scores:
                for score in scores:
                    test.add(score)
                    self.found.judged.append(score)
                    progress(_("pairs of games of the test"), len(self.found.judged), split)
                    if len(self.found.judged) % 100 == 0:
                        self._save()
                    if test.verdict is not None:
                        break
        self._save()
        accepted = test.verdict == "elo1"
        size = self._measure(weights, starts[split:], progress) if accepted else None
        if size is not None and size.elo_interval[0] <= 0:
            accepted = False  # the second match does not confirm the test
        return Verdict(accepted, weights, size, test.used, test.ratio)

    def _measure(self, weights: Weights, starts: list[Position], progress: Progress) -> Difference:
        old, known = dict(self.old.weights), len(self.found.measured)
        with self._pair_scores(weights, old, starts, "measure", known) as scores:
            for score in scores:
                self.found.measured.append(score)
                progress(_("pairs of games to measure the difference"), len(self.found.measured), len(starts))
        self._save()
        return difference(pentanomial(self.found.measured))

    def weight_file(self, verdict: Verdict) -> WeightFile:
        """Return the new weights as they are written to a file."""
        settings = dataclasses.asdict(self.settings)
        made: dict[str, Any] = {"settings": settings, "verdict": str(verdict), "games": 2 * len(self.found.measured)}
        name = self.settings.heuristic.partition("(")[0]
        known = name if ":" in name or "/" in name else f"{self.game.name}/{name}"
        return WeightFile(known, verdict.weights, made)
