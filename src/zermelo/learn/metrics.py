"""How good predictions are: for all positions, and for quiet ones alone, since immediate wins are easy to predict."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from zermelo.learn.columns import Array
from zermelo.learn.dataset_files import Dataset

REPORT_TOLERANCE = 1.0
"""The Connect 4 report's own test calls a score above 1 good, a score below -1 bad, and scores between them neither."""


@dataclass(frozen=True)
class Measures:
    """How good the predictions for some rows are. Measures that need points are None for models without points."""

    rows: int
    mse: float | None  # mean squared error
    r2: float | None  # share of the variance of the scores that is explained
    sign: float  # share of the rows that are not draws for which the winner is right
    three: float | None  # share right among win, draw and loss; a prediction within half a point of 0 is a draw
    report_test: float | None  # the report's "My test", which counts scores of exactly 1 and -1 as wrong in any case

    @property
    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def measure(predicted: Array, scores: Array, in_points: bool = True) -> Measures:
    """Measure predictions against scores, both for the player to move."""
    decisive = scores != 0
    sign = float(np.mean(np.sign(predicted[decisive]) == np.sign(scores[decisive]))) if decisive.any() else 0.0
    if not in_points:
        return Measures(len(scores), None, None, sign, None, None)
    squared = float(np.mean((predicted - scores) ** 2)) if len(scores) else 0.0
    variance = float(np.var(scores)) if len(scores) else 0.0
    classes = np.where(np.abs(predicted) < 0.5, 0, np.sign(predicted))
    three = float(np.mean(classes == np.sign(scores))) if len(scores) else 0.0
    r2 = 1 - squared / variance if variance else 0.0
    return Measures(len(scores), squared, r2, sign, three, report_test(predicted, scores))


def report_test(predicted: Array, scores: Array, tolerance: float = REPORT_TOLERANCE) -> float:
    """Return the share of the predictions that the report's test counts as right."""
    good = (predicted > tolerance) & (scores > tolerance)
    bad = (predicted < -tolerance) & (scores < -tolerance)
    neither = (np.abs(predicted) < tolerance) & (np.abs(scores) < tolerance)
    return float(np.mean(good | bad | neither)) if len(scores) else 0.0


@dataclass(frozen=True)
class Agreement:
    """How often the move with the best prediction is a best move, over positions with at least two moves."""

    parents: int
    score: float  # share of the positions in which its score is the best score
    outcome: float  # share of the positions in which it wins, draws or loses as the best move does


def agreement(data: Dataset, predicted: Array, chosen: Array | None = None) -> Agreement:
    """Measure how often the predictions choose a best move; `chosen` is a mask of rows (all rows by default).

    Where a move ends the game, its known score is used instead of a prediction. A row's score is for the player who
    moves next. That is mostly the opponent, and then the best move is the one with the least score.
    """
    rows = data if chosen is None else data.rows(chosen)
    said = predicted if chosen is None else predicted[chosen]
    if not len(rows):
        return Agreement(0, 0.0, 0.0)
    turned = np.where(rows.same_player, -1.0, 1.0)
    values = np.where(rows.over, rows.score, said) * turned
    truth = rows.score * turned
    order = np.lexsort((values, rows.parent))
    firsts = order[np.flatnonzero(np.diff(rows.parent[order], prepend=-1))]
    starts = np.flatnonzero(np.diff(rows.parent, prepend=-1))
    best = np.minimum.reduceat(truth, starts)
    real = np.diff([*starts, len(rows)]) > 1
    if not real.any():
        return Agreement(0, 0.0, 0.0)
    right = truth[firsts] == best
    outcome = np.sign(truth[firsts]) == np.sign(best)
    return Agreement(int(real.sum()), float(right[real].mean()), float(outcome[real].mean()))


@dataclass(frozen=True)
class Report:
    """All measures of one model on one set of rows."""

    every: Measures
    quiet: Measures
    agreement: Agreement
    quiet_agreement: Agreement

    @property
    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def report(data: Dataset, predicted: Array, in_points: bool = True) -> Report:
    """Measure the predictions for a dataset's rows. Ended games are left out, as no search asks about them."""
    alive, quiet = ~data.over, data.quiet & ~data.over
    return Report(
        measure(predicted[alive], data.score[alive], in_points),
        measure(predicted[quiet], data.score[quiet], in_points),
        agreement(data, predicted),
        agreement(data, predicted, data.parent_quiet),
    )
