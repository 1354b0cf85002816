"""Features: numbers that describe a position to a model. A game lists its own in its module `features`.

    @features("pieces_mine", "pieces_theirs")
    def pieces(state: Reversi, out):
        "Discs."
        out[0] = count(state.mine)
        out[1] = count(state.theirs)

Like heuristics, they are compiled, and they describe the position from the point of view of the player to move.
"""

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numba import int64

from zermelo.core import JIT, Heuristic, generic, njit
from zermelo.core.parts import Named, part_of
from zermelo.core.preparing import prepared
from zermelo.core.state import annotated_boards, annotated_classes
from zermelo.core.weights import named
from zermelo.errors import ZermeloError
from zermelo.language import marked


class FeatureError(ZermeloError):
    """Features that do not exist, or none at all."""


class FeatureSet:
    """Some named numbers that describe a position; `write(state, out)` is compiled code that computes them."""

    def __init__(self, name: str, names: Sequence[str], write: Any, classes: tuple[type, ...], text: str):
        self.name, self.names, self.write, self.classes, self.text = name, tuple(names), write, classes, text

    def __len__(self) -> int:
        return len(self.names)

    def __call__(self, state: Any) -> dict[str, float]:
        """The features of a state or a position, by name."""
        out = np.zeros(len(self), np.float32)
        self.write(getattr(state, "state", state), out)
        return {name: float(value) for name, value in zip(self.names, out, strict=True)}

    def __repr__(self) -> str:
        return f"<features {self.name}: {', '.join(self.names)}>"


def features(*names: str) -> Callable[[Any], FeatureSet]:
    """Make a feature set of a function that writes a number for each name. The function's docstring explains them."""

    def make(function: Any) -> FeatureSet:
        annotation = next(iter(inspect.signature(function, eval_str=True).parameters.values())).annotation
        text = inspect.getdoc(function) or ""
        write = _for_states(function, set(annotated_boards(annotation).values()))
        return FeatureSet(function.__name__, names, write, annotated_classes(annotation), text)

    return make


def _for_states(function: Any, boards: set[Any]) -> Any:
    """The compiled function of a state; if the function wants a board, it is given one."""
    inner = prepared(function)
    if not boards:
        return inner
    (board,) = boards
    around = board.numba(next(iter(board.layouts))).around if JIT else board

    @njit
    def write(state: Any, out: Any) -> None:
        inner(around(state), out)

    return write


def _written_in(package: str, part: str, kind: type) -> list[Any]:
    """The objects of a class that a module of a game's package defines; none if there is no such module."""
    module = part_of(package, part)
    return [value for value in vars(module).values() if isinstance(value, kind)] if module else []


def feature_sets(package: str, cls: Any) -> dict[str, FeatureSet]:
    """The feature sets for states of a class: those of the game, and `heuristics` if the game has any."""
    known = {value.name: value for value in _written_in(package, "features", FeatureSet) if cls in value.classes}
    heuristics = [value for value in _written_in(package, "heuristics", Heuristic) if cls in value.classes]
    usable = {value.name: value for value in heuristics if not value.python}
    if usable:
        known["heuristics"] = heuristic_values(tuple(usable.values()), cls)
    return Named(known, package)


@functools.cache
def heuristic_values(heuristics: tuple[Heuristic, ...], cls: Any) -> FeatureSet:
    """A feature set with the value that each of these heuristics gives."""
    write = _nothing
    for place, one in enumerate(heuristics):
        write = _and_value(write, one.inlined(cls), one.vector, place, one)
    text = marked("The values of all the game's own heuristics.")
    return FeatureSet("heuristics", [h.name for h in heuristics], write, (cls,), text)


@njit
def _nothing(state: Any, out: Any) -> None:
    pass


def _and_value(before: Any, function: Any, weights: Any, place: int, heuristic: Heuristic) -> Any:
    numbers, form = np.array(weights), heuristic.form
    if form is not None:

        @njit
        def write(state: Any, out: Any) -> None:
            before(state, out)
            out[place] = function(state, named(numbers, form))
    else:

        @njit
        def write(state: Any, out: Any) -> None:
            before(state, out)
            out[place] = function(state)

    return write


def joined(sets: Sequence[FeatureSet]) -> FeatureSet:
    """Several feature sets as one, in this order."""
    if not sets:
        raise FeatureError("name at least one set of features")
    whole = sets[0]
    for one in sets[1:]:
        whole = _both(whole, one)
    return whole


@functools.cache
def _both(left: FeatureSet, right: FeatureSet) -> FeatureSet:
    first, second, start = left.write, right.write, len(left)

    @njit
    def write(state: Any, out: Any) -> None:
        first(state, out[:start])
        second(state, out[start:])

    classes = tuple(cls for cls in left.classes if cls in right.classes)
    return FeatureSet(f"{left.name},{right.name}", left.names + right.names, write, classes, "")


# ------------------------------------------------------------------------------------------ what learning asks


@generic
def is_quiet(state: Any) -> bool:
    """Is there no move with which either player, if it were their turn, would win at once? By default, yes."""


@is_quiet.of()
def _(state: Any) -> bool:
    return True


@generic
def move_chance(state: Any, move: int64) -> int:
    """How likely this move is in random play, relative to the others. By default, all are equally likely."""


@move_chance.of()
def _(state: Any, move: Any) -> int:
    return 1


@generic
def image_count(state: Any) -> int:
    """The number of images of a position under turning and mirroring, itself included. By default, 1."""


@image_count.of()
def _(state: Any) -> int:
    return 1


@generic
def image(state: Any, number: int64) -> Any:
    """One of those images; 0 is the position itself."""


@image.of()
def _(state: Any, number: Any) -> Any:
    return state
