"""Temporal difference learning in compiled code: games of a table against itself, with an update after each game.

A position's value is tanh(sum of its entries / SCALE): 1 is a sure win and -1 a sure loss for the player to move. The
target of a position is a mixture of the score of a shallow search, which uses the table as its heuristic, and the
target of the next position: this is TD(lambda). The last target is the result of the game. Where a random move was
played (exploration), only the search counts, because the player did not choose what followed.

Every entry has a step size of its own, |sum of its changes| / sum of |its changes|, so an entry that changes to and
fro by chance slows down. This is from D. Beal and M. Smith, Temporal coherence and prediction decay in TD learning
(1999). Bagheri, Thill, Koch and Konen found it the best choice for n-tuples (Online adaptable learning rates for the
game Connect-4, 2014).
"""

import math
from typing import Any

import numba
import numpy as np
from numba import float32, int64, uint64

from zermelo.core import compiled, mix, njit
from zermelo.evaluation.tables import MOST_ENTRIES, table_entries
from zermelo.learn.sampling import GOLDEN_GAMMA
from zermelo.rules import POINT, PROVEN, is_over, legal_moves, outcome, play, to_move
from zermelo.searches.alphabeta import alphabeta
from zermelo.searches.workspace import INFINITY, UNLIMITED, WORK_TYPE, heuristic_type

SCALE = 1000.0
"""Points of the heuristic at which a position's value is tanh(1) = 0.76, which is a winning probability of 0.88."""

LONGEST = 512
"""Number of plies after which a game is stopped and counts as a draw."""

SETTINGS = np.dtype(
    [
        ("depth", np.int64),  # depth of the search, in plies
        ("opening_plies", np.int64),  # maximum number of random moves at the start
        ("exploration", np.float64),  # share of random moves after the opening
        ("trace_decay", np.float64),  # the lambda of TD(lambda)
        ("rate", np.float64),  # share of the error that one update removes when all step sizes are 1
    ],
    align=True,
)
SETTINGS_TYPE = numba.from_dtype(SETTINGS)

GAME = np.dtype(
    [
        ("entries", np.int32, (LONGEST * MOST_ENTRIES,)),
        ("number", np.int32, (LONGEST,)),  # number of entries at each ply
        ("to_move", np.int8, (LONGEST,)),  # the player to move: 0 or 1
        ("found", np.float64, (LONGEST,)),  # value that the search found, for the player to move
        ("explored", np.int8, (LONGEST,)),  # 1 if a random move was played
    ],
    align=True,
)
GAME_TYPE = numba.from_dtype(GAME)


@njit
def next_chance(chance):
    """Return the next 64 random bits; chance[0] is the state of the random generator."""
    chance[0] += GOLDEN_GAMMA
    return mix(chance[0])


@njit
def fraction(chance):
    """Return a random number from 0 to 1, but never 1."""
    return np.float64(next_chance(chance) >> np.uint64(11)) / 9007199254740992.0


@njit
def value_of_score(score):
    """Bring a score of the search to the range from -1 to 1."""
    if score > PROVEN:
        return 1.0
    if score < -PROVEN:
        return -1.0
    return math.tanh(score / (SCALE * POINT))


@njit
def play_game(state, settings, evaluate, chance, work, game):
    """Play a game and record it in `game`; returns the number of plies and the result for player 0."""
    opening = int64(next_chance(chance) % np.uint64(settings.opening_plies + 1))
    # These have a type: for literals, Numba would compile another version of alphabeta.
    root, low, high = int64(0), int64(-INFINITY), int64(INFINITY)
    ply = 0
    while ply < LONGEST and not is_over(state):
        game.number[ply] = table_entries(state, game.entries[ply * MOST_ENTRIES : (ply + 1) * MOST_ENTRIES])
        game.to_move[ply] = to_move(state)
        score = alphabeta(state, int64(settings.depth), root, root, low, high, evaluate, evaluate, work)
        game.found[ply] = value_of_score(score)
        move = work.line[0]
        game.explored[ply] = ply < opening or fraction(chance) < settings.exploration
        if game.explored[ply]:
            number = legal_moves(state, work.moves, root)
            move = work.moves[int64(next_chance(chance) % np.uint64(number))]
        state = play(state, move)
        ply += 1
    result = 0.0
    if is_over(state):
        result = np.float64(outcome(state)) * (1.0 if to_move(state) == 0 else -1.0)
    return ply, result


@njit
def learn_from(game, plies, result, settings, table, changes, distances):
    """Move the table towards the targets of a game, from the last position to the first.

    Returns the mean squared error before the update.
    """
    target = result  # for player 0
    squares = 0.0
    learned = 0
    for ply in range(plies - 1, -1, -1):
        sign = 1.0 if game.to_move[ply] == 0 else -1.0
        found = sign * game.found[ply]
        target = found if game.explored[ply] else settings.trace_decay * target + (1 - settings.trace_decay) * found
        number = game.number[ply]
        if number == 0:  # nothing is learned from this position
            continue
        learned += 1
        first = ply * MOST_ENTRIES
        total = np.float32(0)
        for i in range(first, first + number):
            total += table[game.entries[i]]
        error = sign * target - math.tanh(total / SCALE)
        squares += error * error
        step = np.float32(SCALE * settings.rate * error / number)
        for i in range(first, first + number):
            entry = game.entries[i]
            distance = distances[entry]
            share = abs(changes[entry]) / distance if distance > 0 else np.float32(1)
            table[entry] += share * step
            changes[entry] += step
            distances[entry] = distance + abs(step)
    return squares / max(1, learned)


@njit
def learn_games(start, games, seed, settings, evaluate, table, changes, distances, work, game):
    """Play games from a position and learn from each; returns the mean squared error.

    `changes` and `distances` hold, for every entry, the sum of its changes and the sum of their absolute values, both
    before they are multiplied by the step size.
    """
    chance = np.empty(1, np.uint64)
    chance[0] = seed
    work.stop = 0
    work.limit = UNLIMITED
    work.tolerance = 0
    work.order_plies = 0
    work.top_moves = 0
    squares = 0.0
    for _ in range(games):
        work.generated = 0
        work.evaluated = 0
        plies, result = play_game(start, settings, evaluate, chance, work, game)
        squares += learn_from(game, plies, result, settings, table, changes, distances)
    return squares / max(1, games)


_entries: dict[Any, Any] = {}


def compiled_learn_games(cls):
    """Return learn_games, compiled for a state class."""
    entry = _entries.get(cls)
    if entry is None:
        table = float32[::1]
        entry = _entries[cls] = compiled(
            learn_games,
            cls.numba,
            int64,
            uint64,
            SETTINGS_TYPE,
            heuristic_type(cls),
            table,
            table,
            table,
            WORK_TYPE,
            GAME_TYPE,
        )
    return entry


def new_settings(**values):
    """Return the settings as compiled code takes them."""
    made = np.zeros(1, SETTINGS).view(np.recarray)[0]
    for name, value in values.items():
        setattr(made, name, value)
    return made


def new_game():
    """Return an empty record of a game."""
    return np.zeros(1, GAME).view(np.recarray)[0]
