"""The models that can be fitted to a dataset. Each can be exported as a heuristic (see evaluation/models.py)."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.errors import ZermeloError
from zermelo.evaluation.features import FeatureSet, image_count
from zermelo.evaluation.models import Model, load_inputs, read_model
from zermelo.evaluation.nets import net_size
from zermelo.evaluation.tables import has_table, table_entries, table_limit, table_shape
from zermelo.language import Message
from zermelo.learn.columns import Array, feature_matrix
from zermelo.learn.dataset_files import Dataset
from zermelo.learn.describe import find_features, known_features
from zermelo.learn.net_training import Net, joined_views, see
from zermelo.learn.table_fitting import fit_table, table_values, twins_of

CHUNK = 20_000  # number of rows whose products of features are in memory at a time
MANY = ("report", "terms", "threats", "heat", "windows", "cells")  # feature sets of models that can use many features
TINY = 1e-8  # least penalty in the normal equations: the weight of a feature that never varies would not be unique


class ModelError(ZermeloError):
    """A model that does not exist, or not for this game."""


@dataclass
class Setting:
    """What a fit may depend on besides its data."""

    features: tuple[str, ...] = ()  # names of feature sets; if empty, the model's default
    rounds: int = 20
    rate: float = 0.02
    hidden: int = 32
    second: int = 16
    gap: float = 0.0
    seed: int = 1
    ridge: float = 10.0
    start: Path | None = None  # a table that is changed
    progress: Callable[[int, float], None] | None = field(default=None, repr=False)


@dataclass
class Fitted:
    """A model after its training."""

    name: str
    features: tuple[str, ...]
    predict: Callable[[Dataset], Array]  # returns a score for every row, for the player to move
    export: Callable[[], Model]
    in_points: bool = True  # if false, the predictions have a meaningful order and sign, but are not points


def _sklearn() -> Any:
    try:
        import sklearn
    except ModuleNotFoundError:
        raise ModelError(
            "this model needs the package scikit-learn; install it with pip install 'zermelo[learn]'"
        ) from None
    return sklearn


def model_of(data: Dataset, kind: str, arrays: dict[str, Any], shape: dict[str, Any], features: Any = ()) -> Model:
    """Return a model for the game of this dataset."""
    load_inputs(type(data.game).__module__)
    arrays = {name: np.asarray(array, np.float32) for name, array in arrays.items()}
    board = int(table_shape(data.game.start_state()))
    return Model(kind, str(data.game), arrays, shape, tuple(features), board)


def chosen_features(data: Dataset, setting: Setting, *wanted: str) -> tuple[tuple[str, ...], FeatureSet]:
    """Return the feature sets to use: those of the setting, else those `wanted` that the game has, else all."""
    known = known_features(data.game)
    names = setting.features or tuple(name for name in wanted if name in known) or tuple(known)
    return names, find_features(data.game, names)


def standardised(matrix: Array) -> tuple[Array, Array]:
    """Return the centres and factors that bring each feature to mean 0 and standard deviation 1."""
    centre = matrix.mean(axis=0, dtype=np.float64)
    spread = matrix.std(axis=0, dtype=np.float64)
    factor = np.where(spread > 1e-6, 1 / np.maximum(spread, 1e-6), 0.0)
    return centre.astype(np.float32), factor.astype(np.float32)


def predictor(features: FeatureSet, predict: Callable[[Array], Array]) -> Callable[[Dataset], Array]:
    """Return a function that predicts the rows of a dataset from the matrix of their features."""

    def of_rows(data: Dataset) -> Array:
        matrix = feature_matrix(data.states, data.state_class, features)
        return predict(matrix) if len(matrix) else np.zeros(0)

    return of_rows


# ------------------------------------------------------------------------------------------ polynomials


def polynomial(degree: int, strength: float = 0.0) -> Callable[[Dataset, Setting], Fitted]:
    """Return a model of all products of up to `degree` features, fitted by least squares.

    The model of the Connect 4 report has degree 2. A `strength` above 0 makes it a ridge regression.
    """

    def fit(training: Dataset, setting: Setting) -> Fitted:
        _sklearn()
        from sklearn.preprocessing import PolynomialFeatures

        wanted = ("report",) if strength == 0 else MANY
        names, features = chosen_features(training, setting, *wanted)
        matrix = feature_matrix(training.states, training.state_class, features)
        centre, factor = standardised(matrix)
        expansion = PolynomialFeatures(degree).fit(np.zeros((1, len(features))))

        def expand(rows: Array) -> Any:
            return expansion.transform((rows.astype(np.float64) - centre) * factor)

        size = expansion.n_output_features_
        gram, products = np.zeros((size, size)), np.zeros(size)
        for start in range(0, len(matrix), CHUNK):
            part = expand(matrix[start : start + CHUNK])
            gram += part.T @ part
            products += part.T @ training.score[start : start + CHUNK].astype(np.float64)
        penalty = np.full(size, max(strength, TINY) * len(matrix))
        penalty[0] = 0  # the constant is free
        terms = np.linalg.solve(gram + np.diag(penalty), products)

        def predict(seen: Array) -> Array:
            return np.concatenate([expand(seen[start : start + CHUNK]) @ terms for start in range(0, len(seen), CHUNK)])

        def export() -> Model:
            shape = product_chain(expansion.powers_)
            return model_of(training, "polynomial", {"centre": centre, "factor": factor, "terms": terms}, shape, names)

        return Fitted("ridge" if strength else f"degree{degree}", names, predictor(features, predict), export)

    return fit


def product_chain(powers: Any) -> dict[str, Any]:
    """Describe each product as an earlier product (`before`) times one feature (`factor`)."""
    places = {tuple(int(p) for p in row): place for place, row in enumerate(powers)}
    before, factors = [0], [0]
    for row in list(places)[1:]:
        feature = max(i for i, power in enumerate(row) if power)
        smaller = (*row[:feature], row[feature] - 1, *row[feature + 1 :])
        before.append(places[smaller])
        factors.append(feature)
    return {"before": before, "factor": factors}


def logistic(training: Dataset, setting: Setting) -> Fitted:
    """Fit a logistic regression. Its predictions are logarithms of the odds of winning; draws are left out."""
    _sklearn()
    from sklearn.linear_model import LogisticRegression

    names, features = chosen_features(training, setting, *MANY)
    decisive = training.rows(training.score != 0)
    matrix = feature_matrix(decisive.states, decisive.state_class, features)
    centre, factor = standardised(matrix)
    model = LogisticRegression(max_iter=200).fit((matrix - centre) * factor, decisive.score > 0)

    predict = predictor(features, lambda seen: model.decision_function((seen - centre) * factor))

    def export() -> Model:
        terms = np.concatenate([model.intercept_, model.coef_[0]])
        shape = {"before": [0] * len(terms), "factor": [0, *range(len(features))]}
        return model_of(training, "polynomial", {"centre": centre, "factor": factor, "terms": terms}, shape, names)

    return Fitted("logistic", names, predict, export, in_points=False)


# ------------------------------------------------------------------------------------------ trees


def tree_arrays(trees: list[tuple[Any, Any, Any, Any, Any]], constant: float) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the arrays and the shape of a sum of trees.

    Each tree is given by the feature (-1 at leaves), the bound, the left and right child and the value of its nodes.
    """
    roots, nodes, start = [], [], 0
    for feature, bound, left, right, value in trees:
        roots.append(start)
        leaf = feature < 0
        # A float32 feature is at most `bound` exactly if it is at most the greatest float32 that is not above `bound`.
        single = bound.astype(np.float32)
        single = np.where(single > bound, np.nextafter(single, np.float32(-np.inf)), single)
        rows = np.stack(
            [feature, np.where(leaf, value, single), np.where(leaf, 0, left + start), np.where(leaf, 0, right + start)],
            axis=1,
        )
        nodes.append(rows.astype(np.float32))
        start += len(rows)
    if start >= 1 << 24:
        raise ModelError("the trees have {start:,} nodes, and at most 16 million nodes can be exported", start=start)
    return {"constant": [constant], "roots": roots, "nodes": np.concatenate(nodes)}, {"trees": len(trees)}


def forest(training: Dataset, setting: Setting) -> Fitted:
    """Fit a random forest, the mean of 50 trees with at most 2000 leaves each."""
    _sklearn()
    from sklearn.ensemble import RandomForestRegressor

    names, features = chosen_features(training, setting, *MANY)
    matrix = feature_matrix(training.states, training.state_class, features)
    model = RandomForestRegressor(50, max_leaf_nodes=2000, max_features=0.4, random_state=setting.seed)
    model.fit(matrix, training.score)

    def export() -> Model:
        parts = []
        for one in model.estimators_:
            tree = one.tree_
            leaf = tree.children_left < 0
            values = tree.value[:, 0, 0] / len(model.estimators_)
            parts.append(
                (np.where(leaf, -1, tree.feature), tree.threshold, tree.children_left, tree.children_right, values)
            )
        return model_of(training, "trees", *tree_arrays(parts, 0.0), names)

    return Fitted("forest", names, predictor(features, model.predict), export)


def boosting(training: Dataset, setting: Setting) -> Fitted:
    """Fit up to 400 trees of 63 leaves by histogram gradient boosting; each corrects the error of those before it."""
    _sklearn()
    from sklearn.ensemble import HistGradientBoostingRegressor

    names, features = chosen_features(training, setting, *MANY)
    matrix = feature_matrix(training.states, training.state_class, features)
    model = HistGradientBoostingRegressor(
        max_iter=400, max_leaf_nodes=63, learning_rate=0.1, random_state=setting.seed
    ).fit(matrix, training.score)

    def export() -> Model:
        parts = []
        for (one,) in model._predictors:  # scikit-learn has no public name for these trees
            nodes = one.nodes
            feature = np.where(nodes["is_leaf"], -1, nodes["feature_idx"].astype(np.int64))
            children = (nodes[side].astype(np.int64) for side in ("left", "right"))
            parts.append((feature, nodes["num_threshold"], *children, nodes["value"]))
        constant = float(np.ravel(model._baseline_prediction)[0])
        return model_of(training, "trees", *tree_arrays(parts, constant), names)

    return Fitted("boosting", names, predictor(features, model.predict), export)


# ------------------------------------------------------------------------------------------ nets


def perceptron(training: Dataset, setting: Setting) -> Fitted:
    """Fit scikit-learn's net, with two hidden layers."""
    _sklearn()
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.neural_network import MLPRegressor

    names, features = chosen_features(training, setting, *MANY)
    matrix = feature_matrix(training.states, training.state_class, features)
    centre, factor = standardised(matrix)
    model = MLPRegressor(
        hidden_layer_sizes=(64, 32), max_iter=setting.rounds, random_state=setting.seed, batch_size=512
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the user chose the number of rounds
        model.fit((matrix - centre) * factor, training.score)

    predict = predictor(features, lambda seen: model.predict((seen - centre) * factor))

    def export() -> Model:
        arrays = {"centre": centre, "factor": factor}
        for number, (weights, bias) in enumerate(zip(model.coefs_, model.intercepts_, strict=True)):
            arrays |= {f"weights{number}": weights, f"bias{number}": bias}
        widths = [len(features), *(len(bias) for bias in model.intercepts_)]
        return model_of(training, "dense", arrays, {"widths": widths}, names)

    return Fitted("perceptron", names, predict, export)


def net(training: Dataset, setting: Setting) -> Fitted:
    """Fit our own net (see nets.py) with compiled code. It also learns from mirror images."""
    load_inputs(type(training.game).__module__)
    cls = training.state_class
    inputs = int(net_size(training.game.start_state()))
    scale = float(np.sqrt(np.mean(training.score.astype(np.float64) ** 2))) * 2 or 1.0
    made = Net(inputs, setting.hidden, setting.second, scale, setting.gap, setting.seed)
    images = int(image_count(training.game.start_state()))
    view = joined_views([see(training.states, cls, image_number=number) for number in range(images)])
    made.fit(view, np.tile(training.score, images), rounds=setting.rounds, rate=setting.rate, progress=setting.progress)

    def export() -> Model:
        return model_of(training, "net", made.finished(), {"sizes": list(made.sizes), "gap": made.gap})

    return Fitted("net", (), lambda data: made.predict(see(data.states, cls)), export)


def table(training: Dataset, setting: Setting) -> Fitted:
    """Fit a table over the game's patterns (see tables.py) to scores, by least squares (see table_fitting.py).

    If the setting has a table to start from, what is fitted are changes to it.
    """
    start = training.game.start_state()
    load_inputs(type(training.game).__module__)
    if not has_table(start):
        raise ModelError(
            "{title} has no patterns, so no table can be learned for it", title=Message(training.game.title)
        )
    cls, images = training.state_class, int(image_count(start))
    view = joined_views([see(training.states, cls, table_entries, number) for number in range(images)])
    scores, twins = np.tile(training.score, images), twins_of(start, cls)
    base = _table_to_change(setting.start, training, len(twins))
    known = np.zeros(len(view), np.float32)
    table_values(view.inputs, view.starts, base, known)
    found = base + fit_table(
        view, scores - known, start, twins, rounds=setting.rounds, ridge=setting.ridge, progress=setting.progress
    )

    def predict(data: Dataset) -> Array:
        seen = see(data.states, cls, table_entries)
        values = np.zeros(len(seen), np.float32)
        table_values(seen.inputs, seen.starts, found, values)
        limit = float(table_limit(start)) or np.inf
        return np.clip(values, -limit, limit)

    return Fitted("table", (), predict, lambda: model_of(training, "table", {"entries": found}, {}))


def _table_to_change(path: Path | None, training: Dataset, size: int) -> Array:
    """The entries of a table in a file; without one, an empty table."""
    if path is None:
        return np.zeros(size, np.float32)
    model, board = read_model(path), int(table_shape(training.game.start_state()))
    entries: Array = model.arrays.get("entries", np.zeros(0, np.float32))
    if model.kind != "table" or model.board != board or len(entries) != size:
        raise ModelError(
            "{path} is not a table for {title}, so it cannot be changed", path=path, title=Message(training.game.title)
        )
    return entries


MODELS: dict[str, Callable[[Dataset, Setting], Fitted]] = {
    "degree1": polynomial(1),
    "degree2": polynomial(2),
    "degree3": polynomial(3),
    "degree4": polynomial(4),
    "ridge": polynomial(1, strength=1e-3),
    "logistic": logistic,
    "forest": forest,
    "boosting": boosting,
    "perceptron": perceptron,
    "table": table,
    "net": net,
}
