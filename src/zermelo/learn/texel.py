"""Weights from results: logistic regression of who won on what the heuristic saw on the way ("Texel's method").

The chance that the player to move wins is taken as 1 / (1 + exp(-value / scale)). First the scale is fitted, the
weights as they are; then the weights, with that scale. A heuristic need not be linear in its weights: it is
linearised where it stands, and again where that leads. After Peter Österlund's chess program Texel (2014).
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.core import JIT, Heuristic
from zermelo.errors import FileError, HeuristicError
from zermelo.language import gettext
from zermelo.learn.arena import Arena
from zermelo.match import Record
from zermelo.position import Game
from zermelo.rules import is_over, outcome, play, to_move
from zermelo.tournaments.openings import varied_openings

PER_GAME = 8
"""Positions taken from one game: neighbours tell nearly the same."""

RIDGE = 20.0
"""The old weights count as much as so many positions that speak for each of them."""

ROUNDS = 4
HELD_OUT = 5  # every fifth game is kept for the test


@dataclass
class Examples:
    """Positions, with the result for the player to move (1, a half, 0) and the number of the game they are from."""

    states: list[Any]
    results: np.ndarray[Any, Any]
    games: np.ndarray[Any, Any]

    def __len__(self) -> int:
        return len(self.states)


def _sampled(lines: Sequence[tuple[Any, Sequence[int], float]], seed: int) -> Examples:
    """Some positions of each game: (start, moves, result for player 0: 1, a half, 0)."""
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


def examples_by_play(
    game: Game, heuristic: Heuristic, depth: int, games: int, seed: int, progress: Callable[[], None] = lambda: None
) -> Examples:
    """Positions of games of the heuristic against itself, from openings of chance of many lengths."""
    arena = Arena(game, depth)
    lines = []
    for start in varied_openings(game, games, f"{seed} examples"):
        moves, result = arena.game_played(heuristic, heuristic, start)
        lines.append((start.state, moves, (1 + result) / 2))
        progress()
    return _sampled(lines, seed)


def examples_of_records(game: Game, records: Sequence[Record], seed: int) -> Examples:
    """Positions of games that were played already."""
    lines = []
    for number, record in enumerate(records, 1):
        if record.game != str(game):
            raise FileError(
                gettext("game {number} is a game of {game}, not of {wanted}").format(
                    number=number, game=record.game, wanted=game
                )
            )
        start = game.position(record.start)
        position, moves = start, []
        for move in record.moves:
            position = position.play(move.move)
            moves.append(int(position.last_move or 0))
        if position.is_over:
            won = 0.5 if not is_over(position.state) else (1 + int(outcome(position.state))) / 2
            lines.append((start.state, moves, won if position.to_move == 1 else 1 - won))
    return _sampled(lines, seed)


# ------------------------------------------------------------------------------------------ the fit


def raw_values(heuristic: Heuristic, states: Sequence[Any], vector: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The heuristic's values before they are rounded."""
    function = heuristic._dispatcher if JIT else heuristic.function
    vector = np.ascontiguousarray(vector, np.float32)
    return np.array([float(function(state, vector)) for state in states])


def slopes(heuristic: Heuristic, states: Sequence[Any], vector: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """How much each position's value changes with each weight: positions x weights."""
    columns = []
    for i, weight in enumerate(vector):
        step = max(1.0, abs(float(weight)) / 2)
        up, down = vector.astype(float), vector.astype(float)
        up[i] += step
        down[i] -= step
        columns.append((raw_values(heuristic, states, up) - raw_values(heuristic, states, down)) / (2 * step))
    return np.stack(columns, axis=1)


def chances(values: np.ndarray[Any, Any], scale: float) -> np.ndarray[Any, Any]:
    """The chance to win of positions with these values."""
    return 1 / (1 + np.exp(-np.clip(values / scale, -30, 30)))


def log_loss(values: np.ndarray[Any, Any], results: np.ndarray[Any, Any], scale: float) -> float:
    """How badly these values foretell the results: 0.693 for one who knows nothing."""
    share = np.clip(chances(values, scale), 1e-9, 1 - 1e-9)
    return float(-np.mean(results * np.log(share) + (1 - results) * np.log(1 - share)))


def best_scale(values: np.ndarray[Any, Any], results: np.ndarray[Any, Any]) -> float:
    """The scale with the least loss, by golden section over its logarithm."""
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
    """New weights, and how well the old and the new ones foretell results that were not used."""

    weights: dict[str, float]
    old_loss: float
    new_loss: float
    examples: int


def _newton(
    values: np.ndarray[Any, Any],
    matrix: np.ndarray[Any, Any],
    results: np.ndarray[Any, Any],
    units: np.ndarray[Any, Any],
    scale: float,
) -> np.ndarray[Any, Any]:
    """The change of the weights that makes the linearised heuristic foretell best, changes being held back a little."""
    features = matrix * units / scale
    change = np.zeros(features.shape[1])
    for _ in range(30):
        share = chances(values + features @ change * scale, scale)
        gradient = features.T @ (results - share) - RIDGE * change
        weight = share * (1 - share)
        curvature = (features * weight[:, None]).T @ features + RIDGE * np.eye(len(change))
        step = np.linalg.solve(curvature, gradient)
        step /= max(1.0, float(np.abs(step).max()))  # never more than the weight itself at once
        change += step
        if np.abs(step).max() < 1e-6:
            break
    return np.asarray(change * units)


def units_of(vector: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """What counts as a change of one: the weight itself; for one of (nearly) nothing, a part of the usual one."""
    sizes = np.abs(vector.astype(float))
    usual = float(np.median(sizes[sizes > 0])) if (sizes > 0).any() else 1.0
    return np.asarray(np.maximum(sizes, usual / 4))


def fit(heuristic: Heuristic, examples: Examples) -> Fit:
    """Weights that foretell the results best."""
    if len(examples) == 0 or len(set(examples.results)) < 2:
        raise HeuristicError(
            gettext("{heuristic}: the games all ended alike, so there is nothing to learn from them").format(
                heuristic=heuristic
            )
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
    """Four digits: more would be noise, and a player's text must stay legible."""
    return float(f"{value:.4g}")
