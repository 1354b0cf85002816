"""The weights of a heuristic as its function sees them: by place, w[0], and by name, w.corner.

In compiled code a name is a constant, so w.corner costs what w[0] costs. Weights that somebody wrote have names and are
64-bit floats. Those of learned models have no names, and are 32-bit floats, since nets and tables are large.
"""

import ctypes
import functools
import operator
from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic, models, overload, register_model

from zermelo.core.numba_private import array_at, borrowed, register_named_elements

Form = str | int
"""What compiled code must know about weights: their names, one in each line, or how many there are without names."""


def form_of(names: Any, number: int) -> Form:
    return "\n".join(names) if names else number


def kind_of_number(form: Form) -> Any:
    """The type of each weight."""
    return np.dtype(np.float64 if isinstance(form, str) else np.float32)


# ------------------------------------------------------------------------------------------ in plain Python


class Weights(np.ndarray[Any, Any]):
    """Weights in plain Python. For each list of names there is a subclass with a property for each name."""

    def __getitem__(self, index: Any) -> Any:
        return self.view(np.ndarray)[index]  # a part of the weights has no names, or other ones


@functools.cache
def _class_of(form: str) -> Any:
    properties = {name: property(operator.itemgetter(place)) for place, name in enumerate(form.split("\n"))}
    return type("Weights", (Weights,), properties)


def named(array: Any, form: Form) -> Any:
    """An array of weights that also knows them by name, if they have names."""
    return array.view(_class_of(form)) if isinstance(form, str) else array


def weights_from(address: int, form: Form) -> Any:
    """The weights at an address, in plain Python."""
    number = len(form.split("\n")) if isinstance(form, str) else form
    kind = ctypes.c_double if isinstance(form, str) else ctypes.c_float
    return named(np.ctypeslib.as_array((kind * number).from_address(int(address))), form)


# ------------------------------------------------------------------------------------------ in compiled code


class WeightsType(types.Array):
    """The Numba type of weights with names: an array whose elements are also its attributes."""

    def __init__(self, form: str):
        self.names = tuple(form.split("\n"))
        register_named_elements(WeightsType, self.names)
        super().__init__(types.float64, 1, "C", name=f"weights({', '.join(self.names)})")

    @property
    def key(self) -> Any:
        return self.names

    @property
    def mangling_args(self) -> Any:
        return self.name, ()

    def __repr__(self) -> str:
        return str(self.name)  # the code cache tells types apart by it

    def can_convert_to(self, typing_context: Any, other: Any) -> Any:
        """Weights with other names are another type; code for plain arrays is compiled anew for these."""
        return None


register_model(WeightsType)(models.ArrayModel)


def weights_type(form: Form) -> Any:
    """The Numba type of what a function gets as w."""
    return WeightsType(form) if isinstance(form, str) else types.Array(types.float32, 1, "C")


@intrinsic(prefer_literal=True)
def weights_at(typing_context: Any, address: Any, form: Any) -> Any:
    """The weights at an address; form: a constant."""
    if not isinstance(form, types.Literal):
        return None
    kind = weights_type(form.literal_value)
    number = len(kind.names) if isinstance(kind, WeightsType) else form.literal_value

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = builder.inttoptr(arguments[0], context.get_data_type(kind.dtype).as_pointer())
        return array_at(context, builder, kind, pointer, number)

    return kind(types.uint64, form), generate


@intrinsic(prefer_literal=True)
def _named(typing_context: Any, array: Any, form: Any) -> Any:
    if not isinstance(form, types.Literal):
        return None
    kind = weights_type(form.literal_value)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return borrowed(context, builder, kind, arguments[0])  # all arrays of one dimension look alike

    return kind(array, form), generate


@overload(named, prefer_literal=True)
def _named_by_type(array, form):  # type: ignore[no-untyped-def]  # Numba compares it with what it returns
    return lambda array, form: _named(array, form)  # type: ignore[call-arg]
