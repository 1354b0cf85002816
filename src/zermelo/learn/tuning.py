"""Tuning a heuristic's weights, by data or by play, until the tournament's own test says whether they are better.

Everything follows from the settings: the state file holds what was found so far, and a run that goes on from it ends
where an uninterrupted one would have ended.
"""

import dataclasses
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.core import Heuristic
from zermelo.errors import FileError, HeuristicError
from zermelo.evaluation.weight_files import WeightFile, names_code
from zermelo.files.checked import checked
from zermelo.files.trust import check_trust, digest_of, remember
from zermelo.files.whole import DAMAGED, write_whole
from zermelo.games import find_game, find_heuristic
from zermelo.language import _
from zermelo.learn.arena import Arena, openings, pentanomial
from zermelo.learn.spsa import Spsa, mean_of_second_half
from zermelo.learn.texel import Examples, examples_by_play, examples_of_records, fit, rounded, units_of
from zermelo.match import load_records
from zermelo.tournaments.openings import varied_openings
from zermelo.tournaments.rating import Difference, difference
from zermelo.tournaments.sprt import Sprt

METHODS = ("texel", "spsa", "both")
FORMAT = 1

Progress = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and how much there is to do."""


@dataclass(frozen=True)
class Settings:
    """All that decides the result."""

    heuristic: str  # connect4/lines2, or with weights to begin with: connect4/lines2(two=5)
    game: str
    method: str = "both"
    depth: int = 2
    games: int = 1000  # to learn from, by Texel's method
    data: str = ""  # instead: a file of games, as `zermelo match --save` writes
    iterations: int = 200  # of SPSA
    pairs: int = 10  # of games in an iteration
    perturbation: float = 0.4
    step: float = 0.6
    sprt: Sprt = field(default_factory=lambda: Sprt(0, 20))
    judge_pairs: int = 2000  # at most, for the verdict
    measure_pairs: int = 500  # for the size of the difference
    seed: int = 1

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise HeuristicError(
                _("method={method} is none of {methods}").format(method=self.method, methods=", ".join(METHODS))
            )


@dataclass
class Found:
    """What is known so far: this is the state file."""

    settings: Settings
    texel: dict[str, Any] | None = None  # weights, losses
    way: list[list[float]] = field(default_factory=list)  # of SPSA, in shares of the weights' sizes, with its start
    judged: list[float] = field(default_factory=list)  # scores of pairs, new against old
    measured: list[float] = field(default_factory=list)

    def save(self, path: Path) -> None:
        data = {"format": FORMAT, **dataclasses.asdict(self)}
        write_whole(path, lambda file: file.write(json.dumps(data).encode() + b"\n"))
        if names_code(self.settings.heuristic):
            remember(digest_of("tuning", self.settings.heuristic))

    @classmethod
    def load(cls, path: Path, trust: bool = False) -> "Found":
        """Read a state. The heuristic it names may be code: if it was not written here, it is refused without trust."""
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            version = data.pop("format")
            data["settings"]["sprt"] = Sprt(**data["settings"]["sprt"])
            found = checked(cls(Settings(**data.pop("settings")), **data))
        except OSError as error:
            raise FileError(_("{path}: cannot be read: {reason}").format(path=path, reason=error.strerror)) from None
        except DAMAGED as error:
            raise FileError(
                _("{path}: is no state of a tuning, or damaged ({error})").format(path=path, error=error)
            ) from None
        if version != FORMAT:
            raise FileError(
                _("{path}: has format {version}, and this version reads format {ours}").format(
                    path=path, version=version, ours=FORMAT
                )
            )
        named = found.settings.heuristic
        code = [_("the file {file} of this machine").format(file=named)] if names_code(named) else []
        check_trust(str(path), code, digest_of("tuning", named), trust)
        return found


@dataclass(frozen=True)
class Verdict:
    """How a tuning ended."""

    accepted: bool
    weights: dict[str, float]
    size: Difference | None  # measured on openings of its own, after the verdict
    judged_pairs: int
    ratio: float

    def __str__(self) -> str:
        if not self.accepted or self.size is None:
            return _("no improvement found")
        if self.size.elo_interval[1] == float("inf"):
            return _("accepted: more than {elo:+.0f} Elo over the old weights").format(elo=self.size.elo_interval[0])
        return _("accepted: {elo:+.0f} ± {elo_error:.0f} Elo over the old weights").format(
            elo=self.size.elo, elo_error=self.size.elo_error
        )


class Tuning:
    """A tuning under way."""

    def __init__(self, found: Found, state_file: Path | None = None, threads: int = 1):
        self.found, self.settings = found, found.settings
        self.state_file, self.threads = state_file, threads
        self.game = find_game(self.settings.game)
        self.old: Heuristic = find_heuristic(self.settings.heuristic, self.game)
        if len(self.old.weights) < 2:
            said = (
                _("{heuristic} has 1 weight: there is no choice")
                if self.old.weights
                else _("{heuristic} has no weights: there is no choice")
            )
            raise HeuristicError(said.format(heuristic=self.old))
        self.arena = Arena(self.game, self.settings.depth)
        self.units = units_of(self.old.vector)

    def run(self, progress: Progress = lambda what, done, of: None) -> Verdict:
        """Go on until the verdict."""
        if self.settings.method != "spsa" and self.found.texel is None:
            self._texel(progress)
        if self.settings.method != "texel":
            self._spsa(progress)
        return self._judge(self._candidate(), progress)

    def _save(self) -> None:
        if self.state_file is not None:
            self.found.save(self.state_file)

    # -------------------------------------------------------------------------------- finding

    def _examples(self, progress: Progress) -> Examples:
        settings = self.settings
        if settings.data:
            return examples_of_records(self.game, load_records(Path(settings.data)), settings.seed)
        played = 0

        def step() -> None:
            nonlocal played
            played += 1
            progress(_("games to learn from"), played, settings.games)

        return examples_by_play(self.game, self.old, settings.depth, settings.games, settings.seed, step)

    def _texel(self, progress: Progress) -> None:
        found = fit(self.old, self._examples(progress))
        self.found.texel = dataclasses.asdict(found)
        self._save()

    def _player(self, place: np.ndarray[Any, Any]) -> Heuristic:
        weights = place * self.units
        return self.old.with_weights(**dict(zip(self.old.weights, map(float, weights), strict=True)))

    def _spsa(self, progress: Progress) -> None:
        settings, way = self.settings, self.found.way
        search = Spsa(settings.iterations, settings.perturbation, settings.step, settings.seed)
        if not way:
            begin = self.found.texel["weights"] if self.found.texel else self.old.weights
            way.append([float(begin[name] / unit) for name, unit in zip(self.old.weights, self.units, strict=True)])
        while len(way) <= settings.iterations:
            iteration, place = len(way) - 1, np.array(way[-1])
            one, other = map(self._player, search.pair(place, iteration))
            starts = list(varied_openings(self.game, settings.pairs, f"{settings.seed} spsa {iteration}"))
            scores = list(self.arena.pair_scores(one, other, starts, self.threads))
            way.append([float(x) for x in search.after(place, iteration, sum(scores) / (2 * len(scores)))])
            progress(_("steps by play"), len(way) - 1, settings.iterations)
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
        """The sequential test, then, if it is passed, a match of fixed length on other openings for the size.

        The score at which a test stops flatters: it stops on a lucky streak. So the size comes from other games.
        """
        settings, new = self.settings, self.old.with_weights(**weights)
        starts = openings(self.game, settings.judge_pairs + settings.measure_pairs, settings.seed + 1)
        # Where there are not so many different openings, both parts make do with their share.
        split = len(starts) * settings.judge_pairs // (settings.judge_pairs + settings.measure_pairs)
        test = settings.sprt.decide(self.found.judged)
        waiting = starts[len(self.found.judged) : split]
        if test.verdict is None and waiting:
            for score in self.arena.pair_scores(new, self.old, waiting, self.threads):
                test.add(score)
                self.found.judged.append(score)
                progress(_("pairs of the test"), len(self.found.judged), split)
                if len(self.found.judged) % 100 == 0:
                    self._save()
                if test.verdict is not None:
                    break
        self._save()
        accepted = test.verdict == "elo1"
        size = self._measure(new, starts[split:], progress) if accepted else None
        if size is not None and size.elo_interval[0] <= 0:
            accepted = False  # the second match does not confirm it
        return Verdict(accepted, weights, size, test.used, test.ratio)

    def _measure(self, new: Heuristic, starts: list[Any], progress: Progress) -> Difference:
        for score in self.arena.pair_scores(new, self.old, starts[len(self.found.measured) :], self.threads):
            self.found.measured.append(score)
            progress(_("pairs to measure by"), len(self.found.measured), len(starts))
        self._save()
        return difference(pentanomial(self.found.measured))

    def weight_file(self, verdict: Verdict) -> WeightFile:
        """What is written in the end."""
        settings = dataclasses.asdict(self.settings)
        made: dict[str, Any] = {"settings": settings, "verdict": str(verdict), "games": 2 * len(self.found.measured)}
        name = self.settings.heuristic.partition("(")[0]
        known = name if ":" in name or "/" in name else f"{self.game.name}/{name}"
        return WeightFile(known, verdict.weights, made)
