"""Weights from the results of games, by logistic regression ("Texel's method").

The probability that the player to move wins is taken to be 1 / (1 + exp(-value / scale)). First the scale is fitted,
with the weights as they are, and then the weights, with that scale. A heuristic need not be linear in its weights: it
is linearised at the present weights, and again at each new set of weights. The method is named after Peter Österlund's
chess program Texel (2014).
"""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.core import Heuristic
from zermelo.errors import FileError, HeuristicError
from zermelo.learn.columns import Array
from zermelo.match import Record
from zermelo.position import Game
from zermelo.rules import is_over, outcome, play, to_move

PER_GAME = 8
"""Number of positions taken from one game. More would add little, as neighbouring positions are nearly the same."""

RIDGE = 20.0
"""How strongly the old weights are kept: each counts as much as this number of positions that support it."""

ROUNDS = 4
HELD_OUT = 5  # every fifth game is kept for the test and not learned from


Line = tuple[Any, Sequence[int], float]
"""A game: the state in which it begins, its moves, and the result for player 0: 1, 0.5 or 0."""


@dataclass
class Examples:
    """Positions, each with the result for the player to move (1, 0.5 or 0) and the number of the game it is from."""

    states: list[Any]
    results: Array
    games: Array

    def __len__(self) -> int:
        return len(self.states)


def sampled(lines: Iterable[Line], seed: int) -> Examples:
    """Choose some positions of each game."""
    chance = random.Random(seed)
    states, results, games = [], [], []
    for number, (start, moves, result) in enumerate(lines):
        path, state = [], start
        for move in moves:
            path.append(state)
            state = play(state, move)
        for state in chance.sample(path, min(PER_GAME, len(path))):
            states.append(state)
            results.append(result if to_move(state) == 0 else 1 - result)
            games.append(number)
    return Examples(states, np.array(results, float), np.array(games, int))


def examples_of_records(game: Game, records: Sequence[Record], seed: int) -> Examples:
    """Return positions of recorded games."""
    lines = []
    for number, record in enumerate(records, 1):
        if record.game != str(game):
            raise FileError(
                "record {number} is a game of {game}, not of {wanted}", number=number, game=record.game, wanted=game
            )
        start = game.position(record.start)
        position, moves = start, []
        for move in record.moves:
            position = position.play(move.move)
            moves.append(int(position.last_move or 0))
        if position.is_over:
            won = 0.5 if not is_over(position.state) else (1 + int(outcome(position.state))) / 2
            lines.append((start.state, moves, won if position.to_move == 1 else 1 - won))
    return sampled(lines, seed)


# ------------------------------------------------------------------------------------------ the fit


def raw_values(heuristic: Heuristic, states: Sequence[Any], vector: Array) -> Array:
    """Return the heuristic's values of these states before they are rounded."""
    return np.array([heuristic.unrounded(state, vector) for state in states])


def slopes(heuristic: Heuristic, states: Sequence[Any], vector: Array) -> Array:
    """Return how much each position's value changes with each weight: a row per position, a column per weight."""
    columns = []
    for i, weight in enumerate(vector):
        step = max(1.0, abs(float(weight)) / 2)
        up, down = vector.astype(float), vector.astype(float)
        up[i] += step
        down[i] -= step
        columns.append((raw_values(heuristic, states, up) - raw_values(heuristic, states, down)) / (2 * step))
    return np.stack(columns, axis=1)


def chances(values: Array, scale: float) -> Array:
    """Return the probability of winning for positions with these values."""
    return 1 / (1 + np.exp(-np.clip(values / scale, -30, 30)))


def log_loss(values: Array, results: Array, scale: float) -> float:
    """Return how badly these values predict the results; always predicting one half gives 0.693."""
    share = np.clip(chances(values, scale), 1e-9, 1 - 1e-9)
    return float(-np.mean(results * np.log(share) + (1 - results) * np.log(1 - share)))


def best_scale(values: Array, results: Array) -> float:
    """Return the scale with the least loss, by golden-section search over its logarithm."""
    size = float(np.abs(values).mean()) or 1.0
    low, high = np.log(size / 100), np.log(size * 100)
    ratio = (np.sqrt(5) - 1) / 2
    while high - low > 1e-4:
        left, right = high - ratio * (high - low), low + ratio * (high - low)
        if log_loss(values, results, np.exp(left)) < log_loss(values, results, np.exp(right)):
            high = right
        else:
            low = left
    return float(np.exp((low + high) / 2))


@dataclass(frozen=True)
class Fit:
    """New weights, and the losses of the old and the new ones on games that were not learned from."""

    weights: dict[str, float]
    old_loss: float
    new_loss: float
    examples: int


def _newton(
    values: Array,
    matrix: Array,
    results: Array,
    units: Array,
    scale: float,
) -> Array:
    """Return the change of the weights with which the linearised heuristic predicts best, by Newton's method.

    Large changes are penalised (see RIDGE).
    """
    features = matrix * units / scale
    change = np.zeros(features.shape[1])
    for _ in range(30):
        share = chances(values + features @ change * scale, scale)
        gradient = features.T @ (results - share) - RIDGE * change
        weight = share * (1 - share)
        curvature = (features * weight[:, None]).T @ features + RIDGE * np.eye(len(change))
        step = np.linalg.solve(curvature, gradient)
        step /= max(1.0, float(np.abs(step).max()))  # no step is larger than the weight itself
        change += step
        if np.abs(step).max() < 1e-6:
            break
    return np.asarray(change * units)


def units_of(vector: Array) -> Array:
    """Return what counts as a change of one for each weight: its own size, but at least a quarter of the median."""
    sizes = np.abs(vector.astype(float))
    usual = float(np.median(sizes[sizes > 0])) if (sizes > 0).any() else 1.0
    return np.asarray(np.maximum(sizes, usual / 4))


def fit(heuristic: Heuristic, examples: Examples) -> Fit:
    """Find the weights that predict the results best."""
    if len(examples) == 0 or len(set(examples.results)) < 2:
        raise HeuristicError(
            "{heuristic}: all games had the same result, so nothing can be learned from them", heuristic=heuristic
        )
    tested = examples.games % HELD_OUT == 0
    chosen = [state for state, held in zip(examples.states, tested, strict=True) if not held]
    results = examples.results[~tested]
    vector = heuristic.vector.astype(float)
    scale = best_scale(raw_values(heuristic, chosen, vector), results)
    old = vector.copy()
    for _ in range(ROUNDS):
        change = _newton(
            raw_values(heuristic, chosen, vector), slopes(heuristic, chosen, vector), results, units_of(old), scale
        )
        vector = vector + change
        if np.abs(change / units_of(old)).max() < 1e-3:
            break
    kept = [state for state, held in zip(examples.states, tested, strict=True) if held]
    old_loss, new_loss = (
        log_loss(raw_values(heuristic, kept, weights), examples.results[tested], scale) for weights in (old, vector)
    )
    weights = {name: rounded(value) for name, value in zip(heuristic.weights, vector, strict=True)}
    return Fit(weights, old_loss, new_loss, len(examples))


def rounded(value: float) -> float:
    """Round to four significant digits: more would be noise, and a player's text must stay readable."""
    return float(f"{value:.4g}")
