"""ProbCut's statistics, fitted to a game's own searches: how well does a search predict a deeper one?

Many positions of ordinary games are searched depth after depth. For each depth, a line predicts its scores from those
of a smaller depth. The standard deviation of the error decides how far a shallow search must be outside a window
for the deep search to be left out (M. Buro, ProbCut, 1995; Multi-ProbCut, 1997).
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from zermelo.core import Heuristic
from zermelo.errors import ZermeloError
from zermelo.evaluation.probcut_files import Check, ProbCut, digest_of_weights
from zermelo.learn.sampling import random_walk
from zermelo.players import find_player
from zermelo.position import Game, Position
from zermelo.rules import stage
from zermelo.searches.budget import Budget
from zermelo.searches.deepening import Engine

LEAST_DEPTH = 3  # the smallest depth that is worth a check
FEWEST = 30  # positions from which a line is fitted
APART = 4  # plies between two positions of one game
NEIGHBOURS = 1  # stages on either side whose positions count, too


class ProbCutError(ZermeloError):
    """Settings with which no statistics can be fitted."""


@dataclass(frozen=True)
class Sample:
    """The scores of one position in points, by depth (the first one is that of depth 1)."""

    stage: int
    scores: tuple[float, ...]


def shallow_depths(depth: int) -> list[int]:
    """The depths from which the scores of a depth are predicted: about half of it and, before that, about a quarter.

    They are odd or even with the depth, because the player who made the last move looks better.
    """
    half = 2 * (depth // 4) + depth % 2
    quarter = half - 2 * max(1, half // 4)
    return [shallow for shallow in (quarter, half) if 0 < shallow < depth]


def fit_probcut(
    game: Game,
    heuristic: Heuristic,
    *,
    positions: int,
    nodes: int,
    opening: int,
    seed: int,
    progress: Callable[[], None] = lambda: None,
) -> ProbCut:
    """Search positions with this many nodes each, and fit the checks to the scores."""
    engine, samples = Engine(heuristic, memory=max(1.0, nodes * 64 / (1 << 20))), []
    for position in _positions(game, heuristic, positions, opening, seed):
        samples.append(_searched(engine, position, nodes))
        progress()
    checks = tuple(fitted_checks(samples))
    if not checks:
        raise ProbCutError(
            "the searches were too short: fewer than {fewest} of {positions} positions reached depth {depth}",
            fewest=FEWEST,
            positions=positions,
            depth=LEAST_DEPTH,
        )
    made = {"positions": positions, "nodes": nodes, "opening": opening, "seed": seed}
    return ProbCut(str(game), heuristic.name, digest_of_weights(heuristic), checks, made)


def _positions(game: Game, heuristic: Heuristic, number: int, opening: int, seed: int) -> Iterator[Position]:
    """Positions of games that begin with a random opening and go on with a shallow search, with some random moves."""
    chance, found = random.Random(seed), 0
    player = find_player(f"alphabeta(heuristic={heuristic.name}, depth=2)", game)
    while True:
        here, plies = random_walk(game, opening, chance.getrandbits(60), careful=True)
        taken_at = plies + chance.randrange(APART)
        while not here.is_over:
            if plies >= taken_at:
                yield here
                found, taken_at = found + 1, plies + APART
                if found == number:
                    return
            move = chance.choice(here.moves) if chance.random() < 0.1 else player.choose(here)
            here, plies = here.play(move), plies + 1


def _searched(engine: Engine, position: Position, nodes: int) -> Sample:
    engine.forget()
    scores: list[float] = []
    for found in engine.deepen(position.state, Budget(nodes=nodes), position.past_keys):
        if not found.complete or found.score.is_proven or found.exact:
            break
        scores.append(float(found.score.points))
    return Sample(int(stage(position.state)), tuple(scores))


def fitted_checks(samples: Sequence[Sample]) -> Iterator[Check]:
    """The checks for each stage and depth for which there are enough positions, of this stage or of its neighbours."""
    for at in range(max((one.stage for one in samples), default=0) + 1):
        near = [one for one in samples if abs(one.stage - at) <= NEIGHBOURS]
        for depth in range(LEAST_DEPTH, max((len(one.scores) for one in near), default=0) + 1):
            deep = [one for one in near if len(one.scores) >= depth]
            if len(deep) < FEWEST:
                break
            for shallow in shallow_depths(depth):
                line = _line([one.scores[shallow - 1] for one in deep], [one.scores[depth - 1] for one in deep])
                if line is not None:
                    yield Check(at, depth, shallow, *line)


def _line(given: Sequence[float], wanted: Sequence[float]) -> tuple[float, float, float] | None:
    """Slope, offset and deviation of a line of least squares; None if there is no use in it."""
    x, y = np.array(given), np.array(wanted)
    if np.ptp(x) == 0:
        return None
    slope, offset = np.polyfit(x, y, 1)
    if slope <= 0.1:
        return None
    deviation = float(np.sqrt(np.sum((y - slope * x - offset) ** 2) / (len(x) - 2)))
    return round(float(slope), 4), round(float(offset), 4), round(deviation, 4)
