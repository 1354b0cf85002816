"""Models that are fitted to data, each with a way to become a heuristic (see zermelo/models.py)."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from zermelo.errors import ZermeloError
from zermelo.evaluation.features import FeatureSet, image_count
from zermelo.evaluation.models import Model, load_inputs
from zermelo.evaluation.tables import table_shape
from zermelo.language import _
from zermelo.learn.columns import feature_matrix
from zermelo.learn.dataset_files import Dataset
from zermelo.learn.describe import find_features, known_features

CHUNK = 20_000  # rows whose powers are in memory at a time
MANY = ("report", "terms", "threats", "heat", "windows", "cells")  # feature sets of models that can do with many
TINY = 1e-8  # of the mean square, added to the normal equations: features that never vary have no unique weight


class ModelError(ZermeloError):
    """No such model, or none for this game."""


@dataclass
class Setting:
    """What a fit may depend on besides its data."""

    features: tuple[str, ...] = ()  # the default of the model, if empty
    rounds: int = 20
    rate: float = 0.02
    hidden: int = 32
    second: int = 16
    gap: float = 0.0
    seed: int = 1
    progress: Callable[[int, float], None] | None = field(default=None, repr=False)


@dataclass
class Fitted:
    """A model after its training."""

    name: str
    features: tuple[str, ...]
    predict: Callable[[Dataset], Any]  # a score for every row, for the player to move
    export: Callable[[], Model]
    in_points: bool = True  # else only greater and smaller, and the sign, mean something


def _sklearn() -> Any:
    try:
        import sklearn
    except ModuleNotFoundError:
        raise ModelError(_("this model needs scikit-learn: pip install 'zermelo[learn]'")) from None
    return sklearn


def model_of(data: Dataset, kind: str, arrays: dict[str, Any], shape: dict[str, Any], features: Any = ()) -> Model:
    """A model for the game of the data."""
    load_inputs(type(data.game).__module__)
    arrays = {name: np.asarray(array, np.float32) for name, array in arrays.items()}
    board = int(table_shape(data.game.start_state()))
    return Model(kind, str(data.game), arrays, shape, tuple(features), board)


def chosen_features(data: Dataset, setting: Setting, *wanted: str) -> tuple[tuple[str, ...], FeatureSet]:
    """The sets asked for, else those of the wanted that the game has, else all."""
    known = known_features(data.game)
    names = setting.features or tuple(name for name in wanted if name in known) or tuple(known)
    return names, find_features(data.game, names)


def standardised(matrix: Any) -> tuple[Any, Any]:
    """The centre and the factor that bring each feature to mean 0 and spread 1, as they will be stored."""
    centre = matrix.mean(axis=0, dtype=np.float64)
    spread = matrix.std(axis=0, dtype=np.float64)
    factor = np.where(spread > 1e-6, 1 / np.maximum(spread, 1e-6), 0.0)
    return centre.astype(np.float32), factor.astype(np.float32)


# ------------------------------------------------------------------------------------------ polynomials


def polynomial(degree: int, strength: float = 0.0) -> Callable[[Dataset, Setting], Fitted]:
    """Least squares over all products of up to so many features: the report's model is that of degree 2."""

    def fit(training: Dataset, setting: Setting) -> Fitted:
        _sklearn()
        from sklearn.preprocessing import PolynomialFeatures

        wanted = ("report",) if strength == 0 else MANY
        names, features = chosen_features(training, setting, *wanted)
        matrix = feature_matrix(training.states, training.state_class, features)
        centre, factor = standardised(matrix)
        expansion = PolynomialFeatures(degree).fit(np.zeros((1, len(features))))

        def expand(rows: Any) -> Any:
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

        def predict(data: Dataset) -> Any:
            seen = feature_matrix(data.states, data.state_class, features)
            parts = [expand(seen[start : start + CHUNK]) @ terms for start in range(0, len(seen), CHUNK)]
            return np.concatenate(parts) if parts else np.zeros(0)

        def export() -> Model:
            shape = product_chain(expansion.powers_)
            return model_of(training, "polynomial", {"centre": centre, "factor": factor, "terms": terms}, shape, names)

        return Fitted("ridge" if strength else f"degree{degree}", names, predict, export)

    return fit


def product_chain(powers: Any) -> dict[str, Any]:
    """Each product as an earlier one times one feature: `before` and `factor`."""
    places = {tuple(int(p) for p in row): place for place, row in enumerate(powers)}
    before, factors = [0], [0]
    for row in list(places)[1:]:
        feature = max(i for i, power in enumerate(row) if power)
        smaller = (*row[:feature], row[feature] - 1, *row[feature + 1 :])
        before.append(places[smaller])
        factors.append(feature)
    return {"before": before, "factor": factors}


def logistic(training: Dataset, setting: Setting) -> Fitted:
    """Logistic regression: the logarithm of the odds of winning, draws left out."""
    _sklearn()
    from sklearn.linear_model import LogisticRegression

    names, features = chosen_features(training, setting, *MANY)
    decisive = training.rows(training.score != 0)
    matrix = feature_matrix(decisive.states, decisive.state_class, features)
    centre, factor = standardised(matrix)
    model = LogisticRegression(max_iter=200).fit((matrix - centre) * factor, decisive.score > 0)

    def predict(data: Dataset) -> Any:
        seen = feature_matrix(data.states, data.state_class, features)
        return model.decision_function((seen - centre) * factor) if len(seen) else np.zeros(0)

    def export() -> Model:
        terms = np.concatenate([model.intercept_, model.coef_[0]])
        shape = {"before": [0] * len(terms), "factor": [0, *range(len(features))]}
        return model_of(training, "polynomial", {"centre": centre, "factor": factor, "terms": terms}, shape, names)

    return Fitted("logistic", names, predict, export, in_points=False)


# ------------------------------------------------------------------------------------------ trees


def tree_arrays(trees: list[tuple[Any, Any, Any, Any, Any]], constant: float) -> tuple[dict[str, Any], dict[str, Any]]:
    """Arrays and shape of a sum of trees, each given by feature (-1 at leaves), bound, left, right and value."""
    roots, nodes, start = [], [], 0
    for feature, bound, left, right, value in trees:
        roots.append(start)
        leaf = feature < 0
        # A float32 feature is at most a bound if it is at most the greatest float32 that is.
        single = bound.astype(np.float32)
        single = np.where(single > bound, np.nextafter(single, np.float32(-np.inf)), single)
        rows = np.stack(
            [feature, np.where(leaf, value, single), np.where(leaf, 0, left + start), np.where(leaf, 0, right + start)],
            axis=1,
        )
        nodes.append(rows.astype(np.float32))
        start += len(rows)
    if start >= 1 << 24:
        raise ModelError(
            _("the trees have {start} nodes: 16 million is the most that can be exported").format(start=start)
        )
    return {"constant": [constant], "roots": roots, "nodes": np.concatenate(nodes)}, {"trees": len(trees)}


def forest(training: Dataset, setting: Setting) -> Fitted:
    """A random forest: the mean of 50 trees with at most 2000 leaves."""
    _sklearn()
    from sklearn.ensemble import RandomForestRegressor

    names, features = chosen_features(training, setting, *MANY)
    matrix = feature_matrix(training.states, training.state_class, features)
    model = RandomForestRegressor(50, max_leaf_nodes=2000, max_features=0.4, random_state=setting.seed)
    model.fit(matrix, training.score)

    def predict(data: Dataset) -> Any:
        seen = feature_matrix(data.states, data.state_class, features)
        return model.predict(seen) if len(seen) else np.zeros(0)

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

    return Fitted("forest", names, predict, export)


def boosting(training: Dataset, setting: Setting) -> Fitted:
    """Histogram gradient boosting: up to 400 trees of 63 leaves, each mending what those before left."""
    _sklearn()
    from sklearn.ensemble import HistGradientBoostingRegressor

    names, features = chosen_features(training, setting, *MANY)
    matrix = feature_matrix(training.states, training.state_class, features)
    model = HistGradientBoostingRegressor(
        max_iter=400, max_leaf_nodes=63, learning_rate=0.1, random_state=setting.seed
    ).fit(matrix, training.score)

    def predict(data: Dataset) -> Any:
        seen = feature_matrix(data.states, data.state_class, features)
        return model.predict(seen) if len(seen) else np.zeros(0)

    def export() -> Model:
        parts = []
        for (one,) in model._predictors:  # there is no public way to its trees
            nodes = one.nodes
            feature = np.where(nodes["is_leaf"], -1, nodes["feature_idx"].astype(np.int64))
            children = (nodes[side].astype(np.int64) for side in ("left", "right"))
            parts.append((feature, nodes["num_threshold"], *children, nodes["value"]))
        constant = float(np.ravel(model._baseline_prediction)[0])
        return model_of(training, "trees", *tree_arrays(parts, constant), names)

    return Fitted("boosting", names, predict, export)


# ------------------------------------------------------------------------------------------ nets


def perceptron(training: Dataset, setting: Setting) -> Fitted:
    """scikit-learn's net, of two hidden layers."""
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
        warnings.simplefilter("ignore", ConvergenceWarning)  # so many rounds were asked for
        model.fit((matrix - centre) * factor, training.score)

    def predict(data: Dataset) -> Any:
        seen = feature_matrix(data.states, data.state_class, features)
        return model.predict((seen - centre) * factor) if len(seen) else np.zeros(0)

    def export() -> Model:
        arrays = {"centre": centre, "factor": factor}
        for number, (weights, bias) in enumerate(zip(model.coefs_, model.intercepts_, strict=True)):
            arrays |= {f"weights{number}": weights, f"bias{number}": bias}
        widths = [len(features), *(len(bias) for bias in model.intercepts_)]
        return model_of(training, "dense", arrays, {"widths": widths}, names)

    return Fitted("perceptron", names, predict, export)


def net(training: Dataset, setting: Setting) -> Fitted:
    """Our own net (see nets.py), trained by compiled code; mirror images are learned too."""
    from zermelo.evaluation.nets import net_size
    from zermelo.learn.net_training import Net, joined_views, see

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
    """A table over the game's patterns (see tables.py), as `zermelo learn selfplay` learns them, but from scores."""
    from zermelo.evaluation.tables import has_table, table_entries, table_size
    from zermelo.learn.net_training import fit_table, joined_views, see, table_values

    start = training.game.start_state()
    load_inputs(type(training.game).__module__)
    if not has_table(start):
        raise ModelError(
            _("{title} has no patterns, so no table can be learned for it").format(title=_(training.game.title))
        )
    cls, images = training.state_class, int(image_count(start))
    view = joined_views([see(training.states, cls, table_entries, number) for number in range(images)])
    scores, size = np.tile(training.score, images), int(table_size(start))
    rate = 5 * setting.rate
    found = fit_table(
        view, scores, size, rounds=setting.rounds, rate=rate, seed=setting.seed, progress=setting.progress
    )

    def predict(data: Dataset) -> Any:
        seen = see(data.states, cls, table_entries)
        values = np.zeros(len(seen), np.float32)
        table_values(seen.inputs, seen.starts, found, values)
        return values

    return Fitted("table", (), predict, lambda: model_of(training, "table", {"entries": found}, {}))


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
