"""Training nets (see nets.py) by gradient descent, one example at a time.

Every number has a step size of its own, that of AdaGrad (Duchi, Hazan and Singer, 2011): a number with large gradients
in the past takes small steps, and rows that are seldom active still learn when they are.
"""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types
from numba.extending import overload

from zermelo.core import njit
from zermelo.evaluation.features import image
from zermelo.evaluation.nets import SOFTNESS, net_layout, net_view
from zermelo.evaluation.tables import MOST_ENTRIES
from zermelo.learn.columns import Array, Columns, getter, state_at

FIRST_PACE = np.float32(0.01)
"""Initial value of the sums of squared gradients, which keeps the first step small."""


@dataclass(frozen=True)
class View:
    """What a net sees of many positions: inputs[starts[i]:starts[i + 1]] are active in position i."""

    inputs: npt.NDArray[np.int32]
    starts: npt.NDArray[np.int64]
    signs: npt.NDArray[np.int64]
    scores: npt.NDArray[np.float32]  # nan for positions that need the net

    def __len__(self) -> int:
        return len(self.signs)

    @property
    def open(self) -> npt.NDArray[np.bool_]:
        """A mask of the positions that need the net."""
        return np.isnan(self.scores)


def seen_by(seen: Any) -> Any:
    """Bring the result of table_entries, which is only a number of entries, to the form of net_view's result."""
    return seen if isinstance(seen, tuple) else (seen, 1, 0)


@overload(seen_by, inline="always")
def _(seen):
    if isinstance(seen, types.BaseTuple):
        return lambda seen: seen
    return lambda seen: (seen, 1, 0)


@functools.cache
def _view_loop(cls: Any, view: Any) -> Any:
    state_of = getter(cls)

    @njit
    def loop(columns, like, number_of_image, inputs, starts, signs, scores):
        entries = np.empty(MOST_ENTRIES, np.int32)
        end = 0
        for i in range(len(signs)):
            number, sign, score = seen_by(view(image(state_of(columns, i), number_of_image), entries))
            signs[i] = sign
            scores[i] = np.float32(score) if number < 0 else np.float32(np.nan)
            for k in range(max(number, 0)):
                if end < len(inputs):
                    inputs[end] = entries[k]
                end += 1
            starts[i + 1] = end
        return end

    return loop


def see(columns: Columns, cls: Any, view: Any = net_view, image_number: int = 0) -> View:
    """Return what a net sees of these positions, or of one of their mirror images."""
    number = len(columns[0])
    loop, like = _view_loop(cls, view), state_at(columns, cls, 0)
    starts, signs = np.zeros(number + 1, np.int64), np.zeros(number, np.int64)
    scores = np.zeros(number, np.float32)
    room = loop(columns, like, image_number, np.empty(0, np.int32), starts, signs, scores)
    inputs = np.empty(room, np.int32)
    loop(columns, like, image_number, inputs, starts, signs, scores)
    return View(inputs, starts, signs, scores)


def joined_views(views: list[View]) -> View:
    """Join several views into one."""
    shifts = np.cumsum([0, *(len(view.inputs) for view in views[:-1])])
    starts = [view.starts[:-1] + shift for view, shift in zip(views, shifts, strict=True)]
    end = [int(shifts[-1]) + len(views[-1].inputs)]
    return View(
        np.concatenate([view.inputs for view in views]),
        np.concatenate([*starts, end]),
        np.concatenate([view.signs for view in views]),
        np.concatenate([view.scores for view in views]),
    )


# ------------------------------------------------------------------------------------------ nets


@njit(fastmath=True)
def train_net(order, inputs, starts, targets, net, paces, rate):
    """Go once through the examples in this order; returns the mean squared error met on the way.

    `net` and `paces` are the six arrays of net_layout. `targets` are for the player from whose side the net values.
    """
    rows, hidden_bias, second, second_bias, out, out_bias = net
    row_pace, hidden_pace, second_pace, second_bias_pace, out_pace, _ = paces
    width, above_width = second.shape
    zero, one = np.float32(0), np.float32(1)
    layer, active, pull = np.zeros(width, np.float32), np.zeros(width, np.float32), np.zeros(width, np.float32)
    above, above_pull = np.zeros(above_width, np.float32), np.zeros(above_width, np.float32)
    total = 0.0
    for n in range(len(order)):
        i = order[n]
        # forwards
        for j in range(width):
            layer[j] = hidden_bias[j]
        for k in range(starts[i], starts[i + 1]):
            row = rows[inputs[k]]
            for j in range(width):
                layer[j] += row[j]
        for j in range(width):
            active[j] = min(max(layer[j], zero), one)
        for k in range(above_width):
            above[k] = second_bias[k]
        for j in range(width):
            for k in range(above_width):
                above[k] += active[j] * second[j, k]
        value = out_bias[0]
        for k in range(above_width):
            value += max(above[k], zero) * out[k]
        error = value - targets[i]
        total += error * error
        # backwards
        for k in range(above_width):
            above_pull[k] = error * out[k] if above[k] > zero else zero
            push = error * max(above[k], zero)
            out_pace[k] += push * push
            out[k] -= rate * push / np.sqrt(out_pace[k])
            second_bias_pace[k] += above_pull[k] * above_pull[k]
            second_bias[k] -= rate * above_pull[k] / np.sqrt(second_bias_pace[k])
        out_bias[0] -= np.float32(0.1) * rate * error
        for j in range(width):
            pulled = zero
            for k in range(above_width):
                pulled += above_pull[k] * second[j, k]
            pull[j] = pulled if zero < layer[j] < one else zero
            for k in range(above_width):
                push = above_pull[k] * active[j]
                second_pace[j, k] += push * push
                second[j, k] -= rate * push / np.sqrt(second_pace[j, k])
        for j in range(width):
            hidden_pace[j] += pull[j] * pull[j]
            hidden_bias[j] -= rate * pull[j] / np.sqrt(hidden_pace[j])
        for k in range(starts[i], starts[i + 1]):
            row, pace = rows[inputs[k]], row_pace[inputs[k]]
            for j in range(width):
                pace[j] += pull[j] * pull[j]
                row[j] -= rate * pull[j] / np.sqrt(pace[j])
    return total / max(len(order), 1)


@njit
def net_values(inputs, starts, net, values):
    """Write the net's value of each position into `values`, for the player from whose side the net values."""
    rows, hidden_bias, second, second_bias, out, out_bias = net
    width, above_width = second.shape
    layer, above = np.zeros(width, np.float32), np.zeros(above_width, np.float32)
    zero, one = np.float32(0), np.float32(1)
    for i in range(len(values)):
        for j in range(width):
            layer[j] = hidden_bias[j]
        for k in range(starts[i], starts[i + 1]):
            row = rows[inputs[k]]
            for j in range(width):
                layer[j] += row[j]
        for k in range(above_width):
            above[k] = second_bias[k]
        for j in range(width):
            activity = min(max(layer[j], zero), one)
            for k in range(above_width):
                above[k] += activity * second[j, k]
        value = out_bias[0]
        for k in range(above_width):
            value += max(above[k], zero) * out[k]
        values[i] = value


class Net:
    """A net in training. Its values are divided by `scale`, so that they are about 1."""

    def __init__(
        self, inputs: int, hidden: int = 32, second: int = 16, scale: float = 1.0, gap: float = 0.0, seed: int = 1
    ):
        """Make a net with random weights; nets.py explains `gap`."""
        self.sizes, self.scale, self.gap = (inputs, hidden, second), scale, gap
        self.random = np.random.default_rng(seed)
        spread = {"rows": 0.05, "second": (2 / hidden) ** 0.5, "out": second**-0.5}
        self.arrays = {
            name: (self.random.standard_normal(shape) * spread.get(name, 0)).astype(np.float32)
            for name, shape in net_layout(inputs, hidden, second)
        }
        self.arrays["hidden_bias"] += np.float32(0.3)  # inside the range (0 to 1) where an activation can learn
        self.paces = tuple(np.full_like(array, FIRST_PACE) for array in self.arrays.values())
        self.seen = np.zeros(inputs, bool)

    def fit(
        self,
        view: View,
        scores: Array,
        *,
        rounds: int,
        rate: float = 0.02,
        progress: Callable[[int, float], None] | None = None,
    ) -> None:
        """Learn the scores, which are for the players to move, of the positions that need the net.

        The learning rate falls from `rate` to 0. `progress` is called after each round with the number of rounds and
        the mean squared error.
        """
        chosen = np.flatnonzero(view.open)
        taught = scores + self.gap * np.sign(scores)
        targets = (taught * view.signs / self.scale).astype(np.float32)
        self.seen[view.inputs] = True
        for number in range(rounds):
            pace = np.float32(rate * (1 - number / rounds))
            order = self.random.permutation(chosen)
            loss = train_net(order, view.inputs, view.starts, targets, self.net, self.paces, pace)
            if progress is not None:
                progress(number + 1, float(loss) * self.scale**2)
        self.arrays["rows"][~self.seen] = 0  # inputs that were never active count nothing, instead of random numbers

    @property
    def net(self) -> tuple[Array, ...]:
        """The arrays, as compiled code takes them."""
        return tuple(self.arrays.values())

    def predict(self, view: View) -> Array:
        """Return the value of each position for the player to move."""
        values = np.zeros(len(view), np.float32)
        net_values(view.inputs, view.starts, self.net, values)
        values *= np.float32(self.scale)
        if self.gap:
            values -= np.float32(self.gap) * np.tanh(values / np.float32(SOFTNESS * self.gap))
        return np.where(view.open, values * view.signs, view.scores)

    def finished(self) -> dict[str, Array]:
        """Return the arrays of a net that values in points."""
        return self.arrays | {name: self.arrays[name] * np.float32(self.scale) for name in ("out", "out_bias")}
