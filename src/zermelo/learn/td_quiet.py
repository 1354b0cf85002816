"""Temporal difference learning as in td.py, from games that the engine's search plays: for games with noisy moves.

The engine asks its heuristic about quiet positions only: quiescence follows captures and the like to their end. A table
that learns from all positions spends most of its entries on what is about to be captured. Here the search of the games
has quiescence, too, and the table learns only from positions that quiescence judges by their value alone. What follows
in the game still counts for the positions before it.
"""

from typing import Any

import numpy as np
from numba import float32, int64, uint64

from zermelo.core import compiled, njit
from zermelo.evaluation.tables import MOST_ENTRIES, table_entries
from zermelo.learn.td import GAME_TYPE, SETTINGS_TYPE, fraction, learn_from, next_chance, value_of_score
from zermelo.rules import is_over, legal_moves, outcome, play, to_move
from zermelo.searches.engine import ENGINE_WORK_TYPE, pvs, quiescence
from zermelo.searches.workspace import INFINITY, heuristic_type

LONGEST = 200
"""Number of plies after which a game is stopped and counts as a draw: a search that only repeats moves has no end."""

MEMORY = 1 / 16
"""Megabytes of the table of positions. The searches are short, and it is emptied before each game."""


@njit
def play_quiet_game(state, settings, evaluate, chance, positions, work, game):
    """Play a game and record it in `game`; returns the number of plies and the result for player 0.

    A position that is not quiet has no entries.
    """
    opening = int64(next_chance(chance) % np.uint64(settings.opening_plies + 1))
    root, low, high = int64(0), int64(-INFINITY), int64(INFINITY)
    positions[:] = 0
    work.history[:] = 0
    ply = 0
    while ply < LONGEST and not is_over(state):
        work.stop = work.nodes = work.horizon = 0
        work.killers[:] = -1
        game.number[ply] = 0
        if quiescence(state, root, root, low, high, evaluate, work) == int64(evaluate(state, work.weights)):
            game.number[ply] = table_entries(state, game.entries[ply * MOST_ENTRIES : (ply + 1) * MOST_ENTRIES])
        game.to_move[ply] = to_move(state)
        score = int64(0)
        for depth in range(1, settings.depth + 1):
            score = pvs(state, int64(depth), root, root, low, high, evaluate, positions, work)
        game.found[ply] = value_of_score(score)
        move = int64(work.root_move)
        game.explored[ply] = ply < opening or fraction(chance) < settings.exploration
        if game.explored[ply]:
            number = legal_moves(state, work.moves, root)
            move = int64(work.moves[int64(next_chance(chance) % np.uint64(number))])
        state = play(state, move)
        ply += 1
    result = 0.0
    if is_over(state):
        result = np.float64(outcome(state)) * (1.0 if to_move(state) == 0 else -1.0)
    return ply, result


@njit
def learn_quiet_games(start, games, seed, settings, evaluate, table, changes, distances, positions, work, game):
    """Play games from a position and learn from each, as learn_games does; returns the mean squared error."""
    chance = np.empty(1, np.uint64)
    chance[0] = seed
    squares = 0.0
    for _ in range(games):
        plies, result = play_quiet_game(start, settings, evaluate, chance, positions, work, game)
        squares += learn_from(game, plies, result, settings, table, changes, distances)
    return squares / max(1, games)


_entries: dict[Any, Any] = {}


def compiled_learn_quiet_games(cls):
    """Return learn_quiet_games, compiled for a state class."""
    entry = _entries.get(cls)
    if entry is None:
        table = float32[::1]
        entry = _entries[cls] = compiled(
            learn_quiet_games,
            cls.numba,
            int64,
            uint64,
            SETTINGS_TYPE,
            heuristic_type(cls),
            table,
            table,
            table,
            uint64[::1],
            ENGINE_WORK_TYPE,
            GAME_TYPE,
        )
    return entry
