"""Positions to learn from: random ones, and those of good games in which some moves are random."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numba import boolean, int32, int64, uint64

from zermelo.core import class_of, compiled, mix, njit
from zermelo.errors import ZermeloError
from zermelo.evaluation.features import move_chance
from zermelo.players import find_player
from zermelo.players.player import Player
from zermelo.position import Game, Position
from zermelo.rules import is_over, legal_moves, outcome, play, to_move

SAMPLERS = ("random", "careful", "noisy", "best", "played")
MOST_MOVES = 1024
GOLDEN_GAMMA = np.uint64(0x9E3779B97F4A7C15)
"""The step between the numbers of the random generator SplitMix64."""

Scores = dict[int, float]


class SampleError(ZermeloError):
    """Settings with which positions cannot be sampled."""


@dataclass(frozen=True)
class Sampler:
    """Where the positions come from.

    random    the position after `least` to `most` random moves; if the game would end earlier, the position before its
              end, unless that has fewer than `least` plies (such draws are left out)
    careful   the same, but no move is played that misses an immediate win or allows the opponent one
    noisy     games of a player whose moves are replaced by random ones with probability `noise`
    best      games in which a move with the best score is played, or a random one with probability `noise`
    played    games of the search that finds the scores, with random moves with probability `noise` (see played.py)

    The games of `noisy` and `best` begin with `least` careful moves, those of `played` with 2 to `least` random ones.
    All their positions up to `most` plies are used.

    openers: heuristics that weaker players use in the games of `played`. They choose the last moves of the opening, so
    that its positions are not only those that random moves lead to.
    """

    kind: str = "random"
    least: int = 5
    most: int = 35
    noise: float = 0.2
    player: str = "alphabeta(depth=3)"
    openers: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in SAMPLERS:
            raise SampleError(
                "unknown sampler {kind!r}; the samplers are {samplers}", kind=self.kind, samplers=", ".join(SAMPLERS)
            )
        if not 0 <= self.least <= self.most:
            raise SampleError(
                "plies from {least} to {most}: the first number must be at least 0 and at most the second",
                least=self.least,
                most=self.most,
            )
        if not 0 <= self.noise <= 1:
            raise SampleError("noise={noise:g} is not a probability from 0 to 1", noise=self.noise)

    def positions(self, game: Game, seed: int, score: Callable[[Position], Scores]) -> Iterator[tuple[Position, int]]:
        """Yield the positions of one draw, each with its number of plies: a single one, or those of a game.

        `score` returns the score of every move of a position; `best` chooses by it.
        """
        chance = random.Random(f"{seed} {self.kind}")
        if self.kind in ("random", "careful"):
            here, plies = random_walk(game, chance.randint(self.least, self.most), seed, self.kind == "careful")
            if plies >= self.least:
                yield here, plies
            return
        player = find_player(self.player, game) if self.kind == "noisy" else None
        here, plies = random_walk(game, self.least, seed, careful=True)
        while self.least <= plies <= self.most and not here.is_over:
            yield here, plies
            here, plies = here.play(self._move(here, chance, player, score)), plies + 1

    def _move(
        self, position: Position, chance: random.Random, player: Player | None, score: Callable[[Position], Scores]
    ) -> str:
        if chance.random() < self.noise:
            return chance.choice(position.moves)
        if player is not None:
            return player.choose(position)
        scores = score(position)
        best = max(scores.values())
        return position.game.move_text(position.state, chance.choice([m for m in scores if scores[m] == best]))


@njit
def can_win(state, moves, start):
    """Can the player to move win with a single move?"""
    for i in range(start, legal_moves(state, moves, start)):
        after = play(state, moves[i])
        if is_over(after):
            result = outcome(after)
            if result != 0 and (result > 0) == (to_move(after) == to_move(state)):
                return True
    return False


@njit
def keep_careful(state, moves, end):
    """Keep the moves that allow the opponent no immediate win, if there are any; returns the number of moves kept."""
    kept = 0
    for i in range(end):
        after = play(state, moves[i])
        if not can_win(after, moves, end):
            moves[kept], moves[i] = moves[i], moves[kept]
            kept += 1
    return kept if kept else end


@njit
def walk(state, plies, seed, careful, moves):
    """Play random moves until the next one would end the game; returns the state and the number of moves.

    How likely each move is follows from move_chance.
    """
    number = seed
    for ply in range(plies):
        end = legal_moves(state, moves, 0)
        if careful:
            if can_win(state, moves, end):
                return state, ply
            end = keep_careful(state, moves, end)
        total = 0
        for i in range(end):
            total += move_chance(state, moves[i])
        number = mix(number + GOLDEN_GAMMA)
        pick = np.int64(number % np.uint64(total))
        chosen = 0
        while pick >= move_chance(state, moves[chosen]):
            pick -= move_chance(state, moves[chosen])
            chosen += 1
        after = play(state, moves[chosen])
        if is_over(after):
            return state, ply
        state = after
    return state, plies


def random_walk(game: Game, plies: int, seed: int, careful: bool = False) -> tuple[Position, int]:
    """Return the position after `plies` random moves, or before the game would have ended, and the number of moves."""
    start = game.varied_start(seed).state
    run = compiled(walk, class_of(start).numba, int64, uint64, boolean, int32[::1])
    mixed = mix(np.uint64(seed & 0xFFFFFFFFFFFFFFFF))
    state, played = run(start, plies, mixed, careful, np.empty(2 * MOST_MOVES, np.int32))
    return Position(game, state), int(played)
