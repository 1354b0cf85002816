"""A user's own search: a function of a node, made a search by `@z.search`."""

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any, overload

import numpy as np

from zermelo.core.weights import Form, form_of
from zermelo.errors import SearchError

VIEWS = ("mover", "max")
FLAGS = ("maximising", "maximizing", "is_max", "max_turn", "max_player", "maximising_player", "maximizing_player")
"""Names of parameters that say whether MAX moves: at the root they are True."""

FORM = "def {name}(node, depth) or def {name}(node, depth, alpha, beta)"


class OwnSearch:
    """A search that a user wrote, with its named weights. Calling it calls the function."""

    def __init__(
        self,
        function: Callable[..., Any],
        perspective: str = "mover",
        weights: Mapping[str, float] | None = None,
        compiled: bool = False,
    ):
        self.function = function
        self.name = self.label = function.__name__
        self.perspective = perspective
        self.weights = self.defaults = dict(weights or {})
        self.compiled = compiled
        self.arguments = _arguments(function, bool(weights))
        self.made: dict[Any, Any] = {}  # what running.py has compiled, by the class of states
        functools.update_wrapper(self, function)

    @property
    def form(self) -> Form:
        """What compiled code must know about its weights: their names; none if it has no weights."""
        return form_of(self.weights, 0)

    @property
    def vector(self) -> "np.ndarray[Any, Any]":
        """Its weights as numbers, in their order."""
        return np.array(list(self.weights.values()) or [0.0], np.float64)

    @property
    def searching_function(self) -> Callable[..., Any]:
        """The function, for code that compiles it (see core/preparing.py)."""
        return self.function

    @property
    def py_func(self) -> Callable[..., Any]:
        """The function, for code that asks what a compiled function depends on (see core/digest.py)."""
        return self.function

    @property
    def takes_window(self) -> bool:
        """Does the function take alpha and beta?"""
        return "alpha" in self.arguments

    @property
    def takes_depth(self) -> bool:
        """Does the function take the depth?"""
        return "depth" in self.arguments

    def with_weights(self, **weights: float) -> "OwnSearch":
        """The same search with other weights. Nothing is compiled again."""
        for name in weights:
            if name not in self.weights:
                known = ", ".join(self.weights) or "none"
                raise SearchError(
                    "{search} has no weight {name}; its weights are: {known}", search=self.label, name=name, known=known
                )
        other = self.labelled(self.label)
        other.weights = self.weights | weights
        return other

    def labelled(self, label: str) -> "OwnSearch":
        """The same search, printed under this name."""
        other = OwnSearch(self.function, self.perspective, self.defaults, self.compiled)
        other.weights, other.defaults, other.made, other.label = self.weights, self.defaults, self.made, label
        return other

    def __call__(self, *arguments: Any) -> Any:
        return self.function(*arguments)

    def __str__(self) -> str:
        """Its name, and the weights that differ from its default weights."""
        changed = [f"{name}={value:g}" for name, value in self.weights.items() if value != self.defaults[name]]
        return f"{self.label}({', '.join(changed)})" if changed else self.label

    def __repr__(self) -> str:
        return f"<search {self}>"


def _arguments(function: Callable[..., Any], weighted: bool) -> list[str]:
    """What the function is called with: `node`, `depth`, `alpha`, `beta`, `w`, or `flag`, in its own order.

    A parameter with a default value that is none of these keeps its default, as do all after it.
    """
    name = function.__name__
    form = FORM.format(name=name)
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        raise SearchError("{name} is not a function: write {form}", name=name, form=form) from None
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if not positional:
        raise SearchError("{name} takes no arguments: write {form}", name=name, form=form)
    found = ["node"]
    for parameter in positional[1:]:
        if parameter.name in ("depth", "alpha", "beta") or (weighted and parameter.name == "w"):
            found.append(parameter.name)
        elif parameter.name in FLAGS:
            found.append("flag")
        elif parameter.default is not parameter.empty:
            break
        else:
            raise SearchError(
                "{name}: the lab cannot know what {parameter!r} is: write {form}, or give it a default value",
                name=name,
                parameter=parameter.name,
                form=form,
            )
    if ("alpha" in found) != ("beta" in found):
        raise SearchError("{name} takes only one of alpha and beta: write {form}", name=name, form=form)
    if weighted and "w" not in found:
        raise SearchError("{name}: a search with weights={{...}} takes w after its other arguments", name=name)
    return found


@overload
def search(function: Callable[..., Any]) -> OwnSearch: ...


@overload
def search(
    *, perspective: str = "mover", weights: Mapping[str, float] | None = None, compiled: bool = False
) -> Callable[[Callable[..., Any]], OwnSearch]: ...


def search(
    function: Any = None,
    *,
    perspective: str = "mover",
    weights: Mapping[str, float] | None = None,
    compiled: bool = False,
) -> Any:
    """Make a search of a function of a node, a depth and, if you like, a window.

        @z.search
        def my_alphabeta(node, depth, alpha, beta):
            if node.is_over or depth == 0:
                return node.value
            for child in node.children():
                alpha = max(alpha, -my_alphabeta(child, depth - 1, -beta, -alpha))
                if alpha >= beta:
                    break
            return alpha

    It returns the value for the player to move or, with `perspective="max"`, the value for MAX, who moves at the root;
    or a pair of the value and the best move. Functions of the same file may call one another: decorate the one that
    the lab calls. With `compiled=True`, a search that cannot be compiled is an error, and does not run as plain Python.
    """
    if perspective not in VIEWS:
        raise SearchError(
            "perspective={perspective!r}: write 'max' for values of the player who moves at the root, "
            "or leave it out for values of the player to move",
            perspective=perspective,
        )
    if function is None:
        return functools.partial(search, perspective=perspective, weights=weights, compiled=compiled)
    return OwnSearch(function, perspective, weights, compiled)
