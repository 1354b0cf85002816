"""Positions to learn from: random ones, and those of games played well, but not always."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numba import boolean, int32, int64, uint64

from zermelo.core import class_of, compiled, mix, njit
from zermelo.errors import ZermeloError
from zermelo.evaluation.features import move_chance
from zermelo.language import _
from zermelo.players import find_player
from zermelo.players.player import Player
from zermelo.position import Game, Position
from zermelo.rules import is_over, legal_moves, outcome, play, to_move

SAMPLERS = ("random", "careful", "noisy", "best")
MOST_MOVES = 1024
GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # the step of SplitMix64

Scores = dict[int, float]


class SampleError(ZermeloError):
    """Positions that cannot be sampled so."""


@dataclass(frozen=True)
class Sampler:
    """Where the positions come from.

    random    so many random moves from the start, least to most, cut short before the game would end (but not below
              least: such draws are left out)
    careful   the same, but nobody makes a move that lets the other win with his next, or misses a win of his own
    noisy     games of a player who makes a random move with a chance of noise
    best      games in which the best move by its exact score is made, or a random one with a chance of noise
    The games of the last two begin with least careful moves, and all their positions up to most plies are taken.
    """

    kind: str = "random"
    least: int = 5
    most: int = 35
    noise: float = 0.2
    player: str = "alphabeta(depth=3)"

    def __post_init__(self) -> None:
        if self.kind not in SAMPLERS:
            raise SampleError(
                _("there is no sampler {kind!r}; there are {samplers}").format(
                    kind=self.kind, samplers=", ".join(SAMPLERS)
                )
            )
        if not 0 <= self.least <= self.most:
            raise SampleError(
                _("plies from {least} to {most}: the first number is greater, or below 0").format(
                    least=self.least, most=self.most
                )
            )
        if not 0 <= self.noise <= 1:
            raise SampleError(_("noise={noise:g} is no chance from 0 to 1").format(noise=self.noise))

    def positions(self, game: Game, seed: int, score: Callable[[Position], Scores]) -> Iterator[tuple[Position, int]]:
        """The positions of one draw with their plies: one, or those of a game.

        score: of every move, for `best` to choose by.
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
    """Has the player to move a move that wins at once?"""
    for i in range(start, legal_moves(state, moves, start)):
        after = play(state, moves[i])
        if is_over(after):
            result = outcome(after)
            if result != 0 and (result > 0) == (to_move(after) == to_move(state)):
                return True
    return False


@njit
def keep_careful(state, moves, end):
    """Keep the moves after which the other cannot win at once, if there are any; gives their number."""
    kept = 0
    for i in range(end):
        after = play(state, moves[i])
        if not can_win(after, moves, end):
            moves[kept], moves[i] = moves[i], moves[kept]
            kept += 1
    return kept if kept else end


@njit
def walk(state, plies, seed, careful, moves):
    """Random moves, likely as move_chance says, until the next would end the game. Gives the state and their number."""
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
        number = mix(number + GOLDEN)
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
    """The position after so many random moves, or before the game would have ended; and how many there were."""
    start = game.varied_start(seed).state
    run = compiled(walk, class_of(start).numba, int64, uint64, boolean, int32[::1])
    mixed = mix(np.uint64(seed & 0xFFFFFFFFFFFFFFFF))
    state, played = run(start, plies, mixed, careful, np.empty(2 * MOST_MOVES, np.int32))
    return Position(game, state), int(played)
