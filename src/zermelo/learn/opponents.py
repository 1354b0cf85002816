"""Opponents that a table is measured against while it learns: heuristics at equal depth, random and perfect play."""

import itertools
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from zermelo.calls import call_of
from zermelo.core import Heuristic
from zermelo.core.contents import is_named
from zermelo.errors import HeuristicError
from zermelo.games import find_heuristic
from zermelo.language import Message
from zermelo.learn.arena import Arena, openings
from zermelo.match import play_match
from zermelo.players import KINDS, AlphaBetaPlayer, Choice, Player, RandomPlayer, find_player
from zermelo.position import Game, Position
from zermelo.solving.exact import solve
from zermelo.tournaments.intervals import Rate, grouped_rate, score_rate

RANDOM, PERFECT = "random", "perfect"
FREE_MOVES = 3
"""Number of moves that the perfect opponent has prescribed, differently in each game, before it plays perfectly."""


@dataclass(frozen=True)
class Opponents:
    """Fixed opponents and the games played against them."""

    game: Game
    names: tuple[str, ...]
    depth: int
    pairs: int = 50
    seed: int = 1

    def __post_init__(self) -> None:
        for name in self.names:
            if name == PERFECT:
                check_solver(self.game)
            elif name != RANDOM and self._player(name) is None:
                find_heuristic(name, self.game)

    def _player(self, name: str) -> Player | None:
        """The player of this text: `mcts(simulations=100)`, or a search or class of one's own; None for a heuristic."""
        call = call_of(name)
        is_player = call.name in KINDS or is_named(call.name, "search", "player")
        return find_player(call, self.game) if is_player else None

    def scores(self, table: Heuristic) -> dict[str, Rate]:
        """Return the share of the points that the table wins against each opponent, with its 95% interval."""
        starts = openings(self.game, self.pairs, self.seed)
        return {name: self._score(table, name, starts) for name in self.names}

    def _score(self, table: Heuristic, name: str, starts: Sequence[Position]) -> Rate:
        if name == PERFECT:
            results = against_perfect(self.game, table, self.depth, self.pairs, self.seed)
            return score_rate([float(result == 1) for result in results])
        player = RandomPlayer(self.seed) if name == RANDOM else self._player(name)
        if player is not None:
            player.prepare(self.game)
            return grouped_rate([self._against(table, player, start) for start in starts])
        other = find_heuristic(name, self.game)
        pairs = Arena(self.game, self.depth).pair_scores(table, other, starts)
        return score_rate([score / 2 for score in pairs])

    def _against(self, table: Heuristic, other: Player, start: Position) -> list[float]:
        player = AlphaBetaPlayer(table, depth=self.depth)
        first, second = play_match(player, other, start), play_match(other, player, start)
        return [first.score, 1 - second.score]


# ------------------------------------------------------------------------------------------ perfect play


def check_solver(game: Game) -> None:
    """Raise HeuristicError if the game has no solver of its own, since only such a solver is quick enough."""
    if not game.has_perfect_play:
        raise HeuristicError(
            "{title} has no perfect player, because it has no solver; choose another opponent",
            title=Message(game.title),
        )


def free_moves(number: int, choices: int, seed: int) -> list[tuple[int, ...]]:
    """Return different sequences of opening moves; each move is given by its place among the legal moves."""
    everything = list(itertools.product(range(choices), repeat=FREE_MOVES))
    random.Random(seed).shuffle(everything)
    return everything[:number]


def against_perfect(
    game: Game,
    heuristic: Heuristic,
    depth: int,
    number: int = 200,
    seed: int = 1,
    progress: Callable[[], None] = lambda: None,
) -> list[int]:
    """Return the results (1, 0 or -1) of a heuristic that moves first, against an opponent that then plays perfectly.

    The opponent's first moves are prescribed and differ from game to game. After them it wins as soon as possible, or
    loses as late as possible.
    """
    player = AlphaBetaPlayer(heuristic, depth=depth)
    results = []
    for opening in free_moves(number, len(game.start().moves), seed):
        record = play_match(player, PerfectPlayer(opening), game.start())
        results.append({1: 1, None: 0, 2: -1}[record.winner])
        progress()
    return results


@dataclass(frozen=True)
class PerfectPlayer(Player):
    """Plays prescribed moves first and then perfectly: it wins as soon as possible, or loses as late as possible."""

    given: tuple[int, ...] = ()  #: its first moves, each given by its place among the legal moves
    kind: ClassVar[str] = "perfect"

    def think(self, position: Position) -> Choice:
        began = time.perf_counter()
        turn = sum(before.to_move == position.to_move for before in position.path[:-1])
        if turn < len(self.given):
            move = position.moves[self.given[turn] % len(position.moves)]
        else:
            move = position.game.move_text(position.state, solve(position).moves[0])
        return Choice(move, time.perf_counter() - began)
