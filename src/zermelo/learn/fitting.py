"""Fitting a model to a dataset and measuring how good it is."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.evaluation.models import Model
from zermelo.learn.columns import Array
from zermelo.learn.dataset_files import Dataset
from zermelo.learn.metrics import Report, report
from zermelo.learn.splitting import Split
from zermelo.learn.trainers import MODELS, Fitted, ModelError, Setting

CHECKED = 1000
"""Number of positions whose predictions are stored with a model, so that an export can be checked against them."""


@dataclass(frozen=True)
class Result:
    """A fitted model and how good it is."""

    fitted: Fitted
    validation: Report
    test: Report
    seconds: float  # processor time of the training, in seconds
    predicted: Array  # the predictions for the rows of the test

    @property
    def name(self) -> str:
        return self.fitted.name

    @property
    def as_dict(self) -> dict[str, Any]:
        return {
            "model": self.name,
            "features": list(self.fitted.features),
            "test": self.test.as_dict,
            "validation": self.validation.as_dict,
            "training_seconds": round(self.seconds, 2),
        }


def check_names(names: Sequence[str]) -> None:
    """Raise ModelError if there is no model with one of these names."""
    for name in names:
        if name not in MODELS:
            raise ModelError("unknown model {name!r}; the models are {models}", name=name, models=", ".join(MODELS))


def fit(parts: Split, name: str, setting: Setting) -> Result:
    """Fit the model with this name to the training rows, and measure it on the other rows."""
    check_names([name])
    if not len(parts.training) or not len(parts.test) or not len(parts.validation):
        raise ModelError("the dataset is too small: training, validation and test each need at least one example")
    began = time.process_time()
    fitted = MODELS[name](parts.training, setting)
    seconds = time.process_time() - began
    validated, predicted = (np.asarray(fitted.predict(part), np.float64) for part in (parts.validation, parts.test))
    return Result(
        fitted,
        report(parts.validation, validated, fitted.in_points),
        report(parts.test, predicted, fitted.in_points),
        seconds,
        predicted,
    )


def checked_rows(test: Dataset, number: int = CHECKED) -> Dataset:
    """Return rows of the test, evenly spread, in which the game is not over."""
    alive = np.flatnonzero(~test.over)
    return test.rows(alive[np.linspace(0, len(alive) - 1, min(number, len(alive))).astype(np.int64)])


def keep(result: Result, parts: Split, made: dict[str, Any]) -> tuple[Model, dict[str, Any]]:
    """Return the model as arrays, and the predictions of the fitted model that those arrays are checked against."""
    rows = checked_rows(parts.test)
    check = {
        "states": [column.tolist() for column in rows.states],
        "predicted": [float(value) for value in result.fitted.predict(rows)],
    }
    model = result.fitted.export()
    model.made.update(made | result.as_dict)
    return model, check
