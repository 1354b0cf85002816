"""Temporal differences, compiled: games against oneself, after each of which the table moves towards what was found.

A position's value is tanh(sum of its entries / SCALE): 1 a sure win, -1 a sure loss for the player to move. The target
of a position on the way is a mixture of what a shallow search says of it (with the table as its heuristic) and the
target of the next one, TD(lambda); the last target is the result. After a move of chance (exploration) the search
alone counts: what followed was not the player's choice.

Every entry has a step size of its own, |sum of its changes| / sum of |its changes|: one that is pulled to and fro by
chance slows down (D. Beal and M. Smith, Temporal coherence and prediction decay in TD learning, 1999; found the best
for n-tuples by Bagheri, Thill, Koch and Konen, Online adaptable learning rates for the game Connect-4, 2014).
"""

import math
from typing import Any

import numba
import numpy as np
from numba import float32, int64, uint64

from zermelo.core import compiled, mix, njit
from zermelo.evaluation.tables import MOST_ENTRIES, table_entries
from zermelo.rules import POINT, PROVEN, is_over, legal_moves, outcome, play, to_move
from zermelo.searches.alphabeta import alphabeta
from zermelo.searches.workspace import INFINITY, UNLIMITED, WORK_TYPE, heuristic_type

SCALE = 1000.0
"""Points of the heuristic at which a position is won with probability 0.88: tanh(1) = 0.76."""

LONGEST = 512
"""A game of more plies is left as a draw."""

GOLDEN_GAMMA = np.uint64(0x9E3779B97F4A7C15)

SETTINGS = np.dtype(
    [
        ("depth", np.int64),  # of the search
        ("opening_plies", np.int64),  # at most so many moves of chance at the start
        ("exploration", np.float64),  # share of moves of chance later on
        ("trace_decay", np.float64),  # lambda
        ("rate", np.float64),  # share of the error that one update takes away, at full step sizes
    ],
    align=True,
)
SETTINGS_TYPE = numba.from_dtype(SETTINGS)

GAME = np.dtype(
    [
        ("entries", np.int32, (LONGEST * MOST_ENTRIES,)),
        ("number", np.int32, (LONGEST,)),  # of entries, at each ply
        ("mover", np.int8, (LONGEST,)),  # 0 or 1
        ("found", np.float64, (LONGEST,)),  # by the search, for the mover
        ("explored", np.int8, (LONGEST,)),  # 1: a move of chance was played
    ],
    align=True,
)
GAME_TYPE = numba.from_dtype(GAME)


@njit
def next_chance(chance):
    """The next 64 bits of chance; chance[0] is what they follow from."""
    chance[0] += GOLDEN_GAMMA
    return mix(chance[0])


@njit
def fraction(chance):
    """A number from 0 to 1, never 1."""
    return np.float64(next_chance(chance) >> np.uint64(11)) / 9007199254740992.0


@njit
def value_of_score(score):
    """A score of the search, from -1 to 1."""
    if score > PROVEN:
        return 1.0
    if score < -PROVEN:
        return -1.0
    return math.tanh(score / (SCALE * POINT))


@njit
def play_game(state, settings, evaluate, chance, work, game):
    """Play a game and write it down; returns the number of plies and the result for player 0."""
    opening = int64(next_chance(chance) % np.uint64(settings.opening_plies + 1))
    # Typed, not literal: another version of alphabeta would be compiled for those.
    root, low, high = int64(0), int64(-INFINITY), int64(INFINITY)
    ply = 0
    while ply < LONGEST and not is_over(state):
        game.number[ply] = table_entries(state, game.entries[ply * MOST_ENTRIES : (ply + 1) * MOST_ENTRIES])
        game.mover[ply] = to_move(state)
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
    """Move the table towards the targets of a game, from its end to its beginning; returns the mean squared error."""
    target = result  # for player 0
    squares = 0.0
    for ply in range(plies - 1, -1, -1):
        sign = 1.0 if game.mover[ply] == 0 else -1.0
        found = sign * game.found[ply]
        target = found if game.explored[ply] else settings.trace_decay * target + (1 - settings.trace_decay) * found
        number = game.number[ply]
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
    return squares / max(1, plies)


@njit
def learn_games(start, games, seed, settings, evaluate, table, changes, distances, work, game):
    """Play so many games from a position and learn from each; returns the mean squared error.

    changes and distances: of every entry, the sum of its changes and of their sizes, before step sizes.
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
    """learn_games for a state class."""
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
    """The settings as compiled code takes them."""
    made = np.zeros(1, SETTINGS).view(np.recarray)[0]
    for name, value in values.items():
        setattr(made, name, value)
    return made


def new_game():
    """Room for a game."""
    return np.zeros(1, GAME).view(np.recarray)[0]
