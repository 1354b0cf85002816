"""Learned models as compiled heuristics: polynomials, nets and trees over a game's features. (Training is in learn/.)

A model consists of arrays, whose numbers together form one vector of weights, and of a description of how to read it.
The functions below say what each kind of model is made of. The value of a heuristic is UNIT times the points of the
data, rounded to a whole number. Tables are an exception: they count in the points of the data, with fractions.
"""

import functools
import itertools
import json
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.core import Heuristic
from zermelo.core.evaluators import Evaluator
from zermelo.core.parts import part_of
from zermelo.core.scratch import scratch
from zermelo.errors import FileError, HeuristicError
from zermelo.evaluation.features import FeatureSet, feature_sets, joined
from zermelo.evaluation.nets import net_function, net_layout, net_size
from zermelo.evaluation.table_files import KIND as TABLE
from zermelo.evaluation.table_files import TableFile, read_table, write_table
from zermelo.evaluation.tables import table_entries, table_heuristic, table_shape
from zermelo.files.arrays import about_bytes, about_of, opened
from zermelo.files.whole import DAMAGED, write_whole
from zermelo.language import Message, _, marked

UNIT = 100.0
"""What one point of the data counts in the value of a heuristic: it counts whole hundredths."""

FINEST = 1 / 512
"""The scale of a fitted table of 16 bits, if its entries are less than 64 points."""


def unit_of(model: "Model") -> float:
    """What one point of the data counts in the value of this model's heuristic."""
    return 1.0 if model.kind == TABLE else UNIT


# ------------------------------------------------------------------------------------------ the kinds


def polynomial_function(write: Any, size: int, shape: dict[str, Any]) -> Callable[..., Any]:
    """A sum of products of features, each of which is first reduced by its centre and multiplied by its factor.

    Term t is the product of term `before[t]` and feature `factor[t]`; term 0 is 1. Arrays: centre, factor, terms.
    """
    before, factors = np.array(shape["before"], np.int64), np.array(shape["factor"], np.int64)
    terms = len(before)

    def polynomial_value(state: Any, w: Any) -> Any:
        features, x = scratch(size, np.float32), scratch(size, np.float64)
        write(state, features)
        for i in range(size):
            x[i] = (np.float64(features[i]) - np.float64(w[i])) * np.float64(w[size + i])
        products = scratch(terms, np.float64)
        products[0] = 1.0
        value = np.float64(w[2 * size])
        for t in range(1, terms):
            products[t] = products[before[t]] * x[factors[t]]
            value += np.float64(w[2 * size + t]) * products[t]
        return np.rint(UNIT * value)

    return polynomial_value


def dense_function(write: Any, size: int, shape: dict[str, Any]) -> Callable[..., Any]:
    """Layers of a matrix and a bias each, with max(0, .) between. Arrays: centre, factor, then weights and biases."""
    widths = np.array(shape["widths"], np.int64)
    most, layers = int(widths.max()), len(widths) - 1

    def dense_value(state: Any, w: Any) -> Any:
        x, y = scratch(most, np.float32), scratch(most, np.float32)
        write(state, x)
        for i in range(size):
            x[i] = (x[i] - w[i]) * w[size + i]
        at = 2 * size
        for layer in range(layers):
            inputs, outputs = widths[layer], widths[layer + 1]
            biases = at + inputs * outputs
            for j in range(outputs):
                y[j] = w[biases + j]
            for i in range(inputs):
                for j in range(outputs):
                    y[j] += x[i] * w[at + i * outputs + j]
            at = biases + outputs
            for j in range(outputs):
                x[j] = max(y[j], np.float32(0)) if layer < layers - 1 else y[j]
        return np.rint(UNIT * np.float64(x[0]))

    return dense_value


def trees_function(write: Any, size: int, shape: dict[str, Any]) -> Callable[..., Any]:
    """A sum of trees. Arrays: a constant, the trees' roots, nodes.

    Each node is four numbers: the feature (-1 at a leaf), the bound, the node to go to if the feature is not greater
    than the bound, and the node to go to if it is. A leaf has its value in place of the bound.
    """
    trees = int(shape["trees"])

    def trees_value(state: Any, w: Any) -> Any:
        x = scratch(size, np.float32)
        write(state, x)
        value = np.float64(w[0])
        for tree in range(trees):
            node = np.int64(w[1 + tree])
            at = 1 + trees + 4 * node
            while w[at] >= 0:
                side = 2 if x[np.int64(w[at])] <= w[at + 1] else 3
                at = 1 + trees + 4 * np.int64(w[at + side])
            value += np.float64(w[at + 1])
        return np.rint(UNIT * value)

    return trees_value


KINDS = {"polynomial": polynomial_function, "dense": dense_function, "trees": trees_function}

# ------------------------------------------------------------------------------------------ models


@dataclass(frozen=True)
class Model:
    """A model: its arrays in order, and the description of how to read them."""

    kind: str  # one of KINDS, or net
    game: str  # as it is written: connect4, reversi(columns=6)
    arrays: dict[str, Any]
    shape: dict[str, Any]
    features: tuple[str, ...] = ()  # the names of its feature sets, in order; a net has none
    board: int = 0  # the number that table_shape gives
    made: dict[str, Any] = field(default_factory=dict)  # how it was made: command, data, figures

    @functools.cached_property
    def vector(self) -> Any:
        """The numbers of all its arrays."""
        return np.concatenate([np.ravel(array).astype(np.float32) for array in self.arrays.values()])

    @property
    def seen_features(self) -> int:
        """The number of features that its arrays refer to. For trees, this is the greatest feature in use, plus one."""
        if self.kind == "trees":
            return int(self.arrays["nodes"].reshape(-1, 4)[:, 0].max(initial=-1)) + 1
        return int(np.size(self.arrays.get("centre", ())))


def is_sound(model: Model, size: int) -> bool:
    """Do its arrays fit together, and the number of features? Compiled code would read outside them without notice."""
    shape, numbers = model.shape, model.vector
    try:
        if not np.isfinite(numbers).all() or (size == 0) != (model.kind == "net"):
            return False
        if model.kind == "trees":
            return _are_trees(numbers, int(shape["trees"]), size)
        if model.kind == "polynomial":
            before, factors = shape["before"], shape["factor"]
            chain = zip(range(1, len(before)), before[1:], factors[1:], strict=True)
            fits = all(0 <= earlier < t and 0 <= factor < size for t, earlier, factor in chain)
            needed = 2 * size + len(before)
        elif model.kind == "dense":
            widths = shape["widths"]
            fits = min(widths) > 0 and widths[0] == size and widths[-1] == 1
            needed = 2 * size + sum((inputs + 1) * outputs for inputs, outputs in itertools.pairwise(widths))
        else:
            fits = model.kind == "net" and min(shape["sizes"]) > 0 and math.isfinite(shape["gap"])
            needed = sum(math.prod(form) for name, form in net_layout(*shape["sizes"]))
        return fits and len(numbers) == needed
    except DAMAGED:
        return False


def _are_trees(numbers: Any, trees: int, size: int) -> bool:
    """Does every path from a root end at a leaf?"""
    roots, nodes = numbers[1 : 1 + trees], numbers[1 + trees :].reshape(-1, 4)
    feature, inner = nodes[:, 0], nodes[:, 0] >= 0
    here, below = np.flatnonzero(inner), nodes[inner, 2:]
    inside = len(roots) == trees and bool(((roots >= 0) & (roots < len(nodes))).all() and (feature < size).all())
    return inside and bool(((below > here[:, None]) & (below < len(nodes))).all())  # children stand after their parents


@functools.cache
def _function(kind: str, shape: str, features: FeatureSet | None) -> Any:
    """The function of all models of one form. Only their numbers differ, so it is compiled once."""
    if kind == "net":
        form = json.loads(shape)
        inputs, hidden, second = form["sizes"]
        return net_function(inputs, hidden, second, form["gap"], UNIT)
    assert features is not None
    return KINDS[kind](features.write, len(features), json.loads(shape))


class Learned(Evaluator):
    """Evaluates by a model, which is given or is read from a file when it is first needed."""

    def __init__(self, source: "Model | Path", cls: Any, package: str, features: FeatureSet | None = None):
        """package: the game's package, in which the model's features are looked up unless they are given."""
        self.source, self.cls, self.package, self.features = source, cls, package, features

    @functools.cached_property
    def model(self) -> Model:
        return read_model(self.source) if isinstance(self.source, Path) else self.source

    @property
    def identity(self) -> Any:
        return self.source

    @property
    def numbers(self) -> Any:
        return self.model.vector

    def function_of(self, label: str) -> Any:
        load_inputs(self.package)
        features = self.features
        if features is None and self.model.features:
            features = joined([_set_of(self.package, name, self.cls) for name in self.model.features])
        number = len(features) if features is not None else 0
        try:
            seen = self.model.seen_features
        except DAMAGED:
            seen = number  # is_sound reports the damage
        if seen > number or (seen < number and self.model.kind != "trees"):  # trees need not use all features
            raise HeuristicError(
                "{label} was learned from {seen} features, but now there are {number}",
                label=label,
                seen=seen,
                number=number,
            )
        if not is_sound(self.model, number):
            raise HeuristicError("{label} is damaged: its arrays do not fit together", label=label)
        return _function(self.model.kind, json.dumps(self.model.shape), features)

    def code_of(self, function: Any) -> dict[type, Any]:
        return _all_compiled.setdefault(function, {})

    def check(self, state: Any, label: str) -> None:
        """Refuse boards other than the one it was learned on."""
        load_inputs(self.package)
        sizes = self.model.shape.get("sizes")
        if self.model.board != int(table_shape(state)) or (sizes and sizes[0] != int(net_size(state))):
            raise HeuristicError(
                "{label} was learned on the board of {game} and cannot evaluate other boards",
                label=label,
                game=self.model.game,
            )

    def refusal(self, label: str, weight: str, known: str) -> Message:
        return Message("{label} is a learned model and has no weight called {weights!r}", label=label, weights=weight)


def model_heuristic(
    source: "Model | Path", cls: Any, package: str, name: str, features: FeatureSet | None = None
) -> Heuristic:
    """A model as a heuristic. Its features are looked up in the game's package, unless they are given."""
    evaluator = Learned(source, cls, package, features)
    doc = marked("A model learned from data.")
    return Heuristic(evaluator, name, (cls,), doc=doc, module=f"{package}.heuristics")


_all_compiled: dict[Any, dict[type, Any]] = {}
"""The compiled code of each function, which models of one form share."""


def load_inputs(package: str) -> None:
    """Import the modules in which a game defines the inputs of tables, nets and other models."""
    for part in ("features", "patterns", "net"):
        part_of(package, part)


def _set_of(package: str, name: str, cls: Any) -> FeatureSet:
    known = feature_sets(package, cls)
    if name not in known:
        raise HeuristicError(
            "the model needs the features {name!r}, but the game only has: {known}",
            name=name,
            known=", ".join(known) or _("none"),
        )
    return known[name]


@functools.cache
def shipped_heuristics(package: str, cls: Any, game: str) -> dict[str, Heuristic]:
    """The heuristics in a game's folder `weights`, tables and other models, whose names begin with `learned`.

    Those that were learned on a different board are left out.
    """
    folder = Path(str(sys.modules[package].__file__)).parent / "weights"
    paths = [path for path in sorted(folder.glob("learned*.npz")) if _knows(path, game)]
    made = {path.stem: heuristic_in(path, package, cls, path.stem) for path in paths}
    return {name: heuristic for name, heuristic in made.items() if heuristic is not None}


def _knows(path: Path, game: str) -> bool:
    about = about_of(path)
    is_tied_to_board = about["shape"] if about["kind"] == TABLE else about.get("board")
    return not is_tied_to_board or about["game"] == game


def heuristic_in(path: Path, package: str, cls: Any, name: str) -> Heuristic | None:
    """The heuristic in a file, for states of a class; None if it is a table and this class has no tables."""
    load_inputs(package)
    if about_of(path)["kind"] != TABLE:
        return model_heuristic(path, cls, package, name)
    if cls not in table_entries.implementations:
        return None
    return table_heuristic((cls,), path, name, f"{package}.heuristics")


def heuristic_for(model: Model, cls: Any, package: str, name: str) -> Heuristic:
    """A model as a heuristic, also if it is a table."""
    load_inputs(package)
    if model.kind == TABLE:
        return table_heuristic((cls,), model.vector, name)
    return model_heuristic(model, cls, package, name)


# ------------------------------------------------------------------------------------------ files


def write_model(path: Path, model: Model, bits: int = 32) -> Model:
    """Write a model, with its matrices rounded to 8 or 16 bits if `bits` says so. Return the model as it will be read.

    A table always has 8 or 16 bits.
    """
    if model.kind == TABLE:
        table = TableFile(model.vector, model.game, model.board, model.made)
        write_table(path, table, min(bits, 16), FINEST)
        return read_model(path)
    about = about_bytes(
        model.kind,
        game=model.game,
        shape=model.shape,
        features=list(model.features),
        board=model.board,
        made=model.made,
        arrays=list(model.arrays),
    )
    stored: dict[str, Any] = {"about": about}
    for name, array in model.arrays.items():
        stored |= _packed(name, np.asarray(array, np.float32), bits)
    write_whole(path, lambda file: np.savez_compressed(file, **stored))
    return read_model(path)


def _packed(name: str, array: Any, bits: int) -> dict[str, Any]:
    """The form in which an array is stored: unchanged, or for a matrix small integers with a scale for each column."""
    if bits == 32 or array.ndim != 2 or name == "nodes":
        return {name: array}
    kind, greatest = {8: (np.int8, 127), 16: (np.int16, 32767)}[bits]
    scale = np.maximum(np.abs(array).max(axis=0), 1e-9) / greatest
    return {name: np.round(array / scale).astype(kind), f"{name}_scale": scale.astype(np.float32)}


def read_model(path: Path) -> Model:
    """Read a model. A FileError says what is wrong with the file."""
    with opened(path) as (about, stored):
        kind = about["kind"]
        if kind == TABLE:
            table = read_table(path)
            return Model(TABLE, table.game, {"entries": table.weights}, {}, board=table.shape, made=table.made)
        if kind != "net" and kind not in KINDS:
            known = ", ".join([TABLE, "net", *KINDS])
            raise FileError(
                "{path} contains a model of the kind {kind!r}, but this version knows only {known}",
                path=path,
                kind=kind,
                known=known,
            )
        arrays = {}
        for name in about["arrays"]:
            array = stored[name].astype(np.float32)
            arrays[name] = array * stored[f"{name}_scale"] if f"{name}_scale" in stored.files else array
        if not isinstance(about["shape"], dict) or not arrays:
            raise ValueError(_("its description is missing"))
        if kind == "net" and not all(isinstance(size, int) for size in about["shape"]["sizes"][:3]):
            raise ValueError(_("its description is missing"))
        features, board = tuple(map(str, about["features"])), int(about["board"])
        return Model(kind, about["game"], arrays, about["shape"], features, board, about["made"])
