"""How good predictions are: of all positions, and of the quiet ones, since wins at hand flatter every model."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from zermelo.learn.dataset_files import Dataset

REPORT_TOLERANCE = 1.0
"""The report's own test takes what is above 1 for a good move, below -1 for a bad one, and between them for neither."""


@dataclass(frozen=True)
class Measures:
    """Of predictions on some rows."""

    rows: int
    mse: float | None  # mean squared error; of models that speak in points
    r2: float | None  # the share of the scores' variance that is explained
    sign: float  # right winner, of the rows that are no draw
    three: float | None  # right among win, draw and loss, a draw being predicted within half a point of 0
    report_test: float | None  # the report's "My test"; it takes scores of exactly 1 and -1 for wrong, whatever is said

    @property
    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def measure(predicted: Any, scores: Any, in_points: bool = True) -> Measures:
    """The measures of predictions, both for the player to move."""
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


def report_test(predicted: Any, scores: Any, tolerance: float = REPORT_TOLERANCE) -> float:
    """The share that the report's test counts as right."""
    good = (predicted > tolerance) & (scores > tolerance)
    bad = (predicted < -tolerance) & (scores < -tolerance)
    neither = (np.abs(predicted) < tolerance) & (np.abs(scores) < tolerance)
    return float(np.mean(good | bad | neither)) if len(scores) else 0.0


@dataclass(frozen=True)
class Agreement:
    """How often the move with the best prediction is a perfect one, over positions with a choice."""

    parents: int
    score: float  # its score is the best there is
    outcome: float  # it wins, draws or loses as the best does


def agreement(data: Dataset, predicted: Any, chosen: Any = None) -> Agreement:
    """Of the parents whose rows are chosen (a mask; all). Ended games are known, and not predicted.

    A row is seen by the player who moves next: mostly the other, to whom the best move leaves least.
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


def report(data: Dataset, predicted: Any, in_points: bool = True) -> Report:
    """Everything about predictions for a dataset's rows. Ended games are left out: no search asks about them."""
    alive, quiet = ~data.over, data.quiet & ~data.over
    return Report(
        measure(predicted[alive], data.score[alive], in_points),
        measure(predicted[quiet], data.score[quiet], in_points),
        agreement(data, predicted),
        agreement(data, predicted, data.parent_quiet),
    )
