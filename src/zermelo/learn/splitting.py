"""Splitting a dataset into training, validation and test, by parent, so that siblings stay in the same part."""

from dataclasses import dataclass

import numpy as np

from zermelo.learn.columns import Array
from zermelo.learn.dataset_files import Dataset

TRAINED, VALIDATED = 80, 90
"""Of a hundred parents, the first 80 are for training, the next 10 for validation and the last 10 for the test."""


@dataclass(frozen=True)
class Split:
    """Three parts of a dataset. The training part has no position of the other two, and no mirror image of one."""

    training: Dataset
    validation: Dataset
    test: Dataset


def lot_of(keys: Array, seed: int) -> Array:
    """Return a number from 0 to 99 for each parent. It follows from the parent's key, so it is the same in any file."""
    numbers = np.asarray(keys, np.uint64) ^ np.uint64(seed * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        numbers = (numbers ^ (numbers >> np.uint64(shift))) * np.uint64(factor)
    return (numbers ^ (numbers >> np.uint64(31))) % np.uint64(100)


def split(data: Dataset, extra: Dataset | None = None, seed: int = 1) -> Split:
    """Split a dataset. The rows of `extra` are used for training only, and ended games are not used for training."""
    lots = lot_of(data.parent_key, seed)
    validation, test = data.rows((lots >= TRAINED) & (lots < VALIDATED)), data.rows(lots >= VALIDATED)
    judging = np.unique(np.concatenate([validation.key, test.key]))
    parts = [data.rows(lots < TRAINED)]
    if extra is not None:
        parts.append(extra)
    learned = [part.rows(~part.over & ~np.isin(part.key, judging)) for part in parts]
    columns = {name: np.concatenate([part.columns[name] for part in learned]) for name in data.columns}
    return Split(Dataset(data.game, columns, data.about), validation, test)
