"""Positions of whole games that a search plays with a heuristic, each with its score: the sampler `played`.

A game begins with random moves, and later some moves are random, too. Between the two, weaker players may play on, the
openers: two of some heuristics, with short searches and many random moves. Their positions are not used. Compiled code
plays the game.

The scores of positions that the game's solver can solve quickly enough are exact, and those of all positions from a
ply on that can be chosen (`exact_from`). The other scores mix what the search
said about the position with the score of the next position, as TD(lambda) does; after a random move, what followed says
nothing about the position before, so the search alone counts. With a lambda of 1 no search counts, and those positions
are left out: so a heuristic whose points are not those of the game's results can play the first games.
"""

import functools
import random
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import float64, int8, int32, int64, uint64

from zermelo.core import Heuristic, class_of, compiled, njit
from zermelo.core.numbers import points_of
from zermelo.games import find_heuristic
from zermelo.learn.labels import Labeller, exact_scores
from zermelo.learn.sampling import Sampler, random_walk
from zermelo.learn.td import fraction, next_chance
from zermelo.position import Game
from zermelo.rules import PROVEN, is_noisy, is_over, legal_moves, margin, play, reply_hint, to_move
from zermelo.scores import is_proven
from zermelo.searches.engine import ENGINE_WORK_TYPE, engine_workspace, pvs
from zermelo.searches.transposition import new_table
from zermelo.searches.workspace import INFINITY, heuristic_type

LONGEST = 512  # plies
MEMORY = 1 / 4  # megabytes of the table of positions: the searches are short, and it is emptied before each game
OPENERS_DEPTH = 2  # the greatest depth of the openers' searches
OPENERS_NOISE = 1 / 8  # the probability of a random move of theirs

_own = threading.local()


@dataclass
class Row:
    """A position of a game, and what is known about it."""

    state: Any
    move: int  # the move that led to it; -1 in the first position
    plies: int
    found: float | None  # what the solver or the search says, for the player to move; None for a win or loss it proved
    exact: bool  # did the solver say it?
    explored: bool  # was a random move played here?
    score: float | None = None  # the finished label


@njit
def play_on(state, most, depth, noise, seed, evaluate, table, work, moves, found, explored):
    """Play at most this many moves, each after a search to this depth; returns their number.

    Writes each move, the score of the search before it and whether the move was random. The score is the mean of the
    last two depths, because the player who makes the last move of a search looks better than the other one.
    """
    chance = np.empty(1, np.uint64)
    chance[0] = seed
    root, low, high = int64(0), int64(-INFINITY), int64(INFINITY)
    work.history[:] = 0
    table[:] = 0
    ply = 0
    while ply < most and not is_over(state):
        work.stop = work.nodes = work.horizon = 0
        work.killers[:] = -1
        last = int64(0)
        for now in range(1, depth + 1):
            before, last = last, pvs(state, int64(now), root, root, low, high, evaluate, table, work)
        found[ply] = last if depth == 1 or abs(before) >= PROVEN or abs(last) >= PROVEN else (before + last) // 2
        moves[ply] = work.root_move
        explored[ply] = fraction(chance) < noise
        if explored[ply]:
            number = legal_moves(state, work.moves, root)
            moves[ply] = work.moves[int64(next_chance(chance) % np.uint64(number))]
        state = play(state, moves[ply])
        ply += 1
    return ply


@functools.cache
def _compiled(cls: Any) -> Any:
    return compiled(
        play_on,
        cls.numba,
        int64,
        int64,
        float64,
        uint64,
        heuristic_type(cls),
        uint64[::1],
        ENGINE_WORK_TYPE,
        int32[::1],
        int64[::1],
        int8[::1],
    )


class Playing:
    """Plays games with one heuristic, in any thread."""

    def __init__(self, game: Game, sampler: Sampler, labeller: Labeller):
        self.game, self.sampler, self.labeller = game, sampler, labeller
        self.heuristic = find_heuristic(labeller.heuristic or game.default_heuristic, game)
        self.openers = [find_heuristic(name, game) for name in sampler.openers]
        self.cls = class_of(game.start_state())
        self.play_on = _compiled(self.cls)
        self.exact_score = exact_scores(game)

    def rows(self, seed: int) -> list[Row]:
        """Play one game and return its positions with their scores."""
        chance = random.Random(f"{seed} {self.sampler.kind}")
        state, plies = self._opening(seed, chance)
        most = min(max(self.sampler.most + 1 - plies, 0), LONGEST)
        played = self._play(self.heuristic, state, most, self.labeller.depth, self.sampler.noise, chance)
        solved_from = LONGEST if self.labeller.exact_from is None else self.labeller.exact_from
        rows, move = [], -1
        for i in range(played):
            exact, score = self.exact_score(state, plies + i >= solved_from), int(_own.found[i])
            found = exact if exact is not None else None if is_proven(score) else points_of(score)
            rows.append(Row(state, move, plies + i, found, exact is not None, bool(_own.explored[i])))
            move = int(_own.moves[i])
            state = play(state, move)
        label(rows, float(margin(state)) if is_over(state) else None, int(to_move(state)), self.labeller.trace_decay)
        return [row for row in rows if row.score is not None]

    def _opening(self, seed: int, chance: random.Random) -> tuple[Any, int]:
        """Return a state after random moves and, if there are openers, moves of theirs; and the number of moves."""
        least = min(2, self.sampler.least)
        number = chance.randint(least, self.sampler.least)
        position, plies = random_walk(self.game, chance.randint(least, number) if self.openers else number, seed)
        state = position.state
        if not self.openers:
            return state, plies
        players = [(chance.choice(self.openers), chance.randint(1, OPENERS_DEPTH)) for _ in range(2)]
        while plies < number and not is_over(state):
            heuristic, depth = players[int(to_move(state)) % 2]
            self._play(heuristic, state, 1, depth, OPENERS_NOISE, chance)
            state, plies = play(state, int(_own.moves[0])), plies + 1
        return state, plies

    def _play(
        self, heuristic: Heuristic, state: Any, most: int, depth: int, noise: float, chance: random.Random
    ) -> int:
        """Let this heuristic play at most this many moves; returns their number. `_own` then has the moves."""
        if "work" not in _own.__dict__:
            _own.work, _own.table = engine_workspace(), new_table(MEMORY)
            _own.moves, _own.found = np.empty(LONGEST, np.int32), np.empty(LONGEST, np.int64)
            _own.explored = np.empty(LONGEST, np.int8)
        _own.work.weights = heuristic.address
        _own.work.reduce = int(self.labeller.reduce)
        _own.work.noisy = int(type(state) in is_noisy.implementations)
        _own.work.hinted = int(type(state) in reply_hint.implementations)
        played: int = self.play_on(
            state,
            most,
            depth,
            noise,
            np.uint64(chance.getrandbits(64)),
            heuristic.native(self.cls),
            _own.table,
            _own.work,
            _own.moves,
            _own.found,
            _own.explored,
        )
        return played


def label(rows: Sequence[Row], result: float | None, player: int, trace_decay: float) -> None:
    """Give each row its score, from the last one to the first.

    result: the margin of the ended game for this player; None if the game was not played to its end.
    """
    after = result
    for row in reversed(rows):
        if after is not None and player != to_move(row.state):
            after = -after
        player = to_move(row.state)
        if row.exact:
            after = row.found
        elif row.explored or after is None:
            after = row.found if trace_decay < 1 else None
        elif row.found is not None:
            after = trace_decay * after + (1 - trace_decay) * row.found
        row.score = after
