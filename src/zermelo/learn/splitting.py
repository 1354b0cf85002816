"""Which rows are learned from, and which ones judge: by parent, so that no position judges its own siblings."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.learn.dataset_files import Dataset

TRAINED, VALIDATED = 80, 90
"""Of a hundred parents the first so many are for training, up to the second for validation, the rest for the test."""


@dataclass(frozen=True)
class Split:
    """Three parts of the data. No position of the last two, nor its mirror image, is in the first."""

    training: Dataset
    validation: Dataset
    test: Dataset


def lot_of(keys: Any, seed: int) -> Any:
    """A number from 0 to 99 for each parent, by its key: the same in whatever file it stands."""
    numbers = np.asarray(keys, np.uint64) ^ np.uint64(seed * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        numbers = (numbers ^ (numbers >> np.uint64(shift))) * np.uint64(factor)
    return (numbers ^ (numbers >> np.uint64(31))) % np.uint64(100)


def split(data: Dataset, extra: Dataset | None = None, seed: int = 1) -> Split:
    """Split the data; extra rows are for training only. Ended games are no rows to learn from."""
    lots = lot_of(data.parent_key, seed)
    validation, test = data.rows((lots >= TRAINED) & (lots < VALIDATED)), data.rows(lots >= VALIDATED)
    judging = np.unique(np.concatenate([validation.key, test.key]))
    parts = [data.rows(lots < TRAINED)]
    if extra is not None:
        parts.append(extra)
    learned = [part.rows(~part.over & ~np.isin(part.key, judging)) for part in parts]
    columns = {name: np.concatenate([part.columns[name] for part in learned]) for name in data.columns}
    return Split(Dataset(data.game, columns, data.about), validation, test)
