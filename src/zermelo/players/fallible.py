"""A player that errs as people do: it sees few moves at first glance, and overlooks some of the replies."""

import dataclasses
import math
import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from zermelo.core import class_of
from zermelo.players.common import require, resolved, take_functions
from zermelo.players.engine import EnginePlayer
from zermelo.players.player import Choice, HeuristicChoice, Player
from zermelo.players.textbook import AlphaBetaPlayer
from zermelo.position import Game, Position
from zermelo.scores import RECORDED_WIN, Score
from zermelo.searches.budget import NO_LIMIT
from zermelo.searches.workspace import PLIES

OWN_WIN = 4
"""People overlook their own winning moves less often than the opponent's replies, by about this factor."""
WAVERING = 0.1
"""How much taste still counts between moves that were looked at, in parts of what it counts at first glance."""
OPENING_PLIES = 6
"""A player that searches like the engine chooses among nearly equal moves at the beginning, so that games differ."""
OPENING_MOVES = 3


@dataclass(frozen=True)
class FalliblePlayer(Player):
    """Errs as people do. It sees first the moves that look good at a glance (captures, or the centre), and looks
    ahead only from the best of those. Each time it may overlook what the opponent can reply, and then judges the move
    by how the board looks right after it.

    With nodes, it searches like the engine, except that it sometimes fails to concentrate (with the probability
    `overlook`) and then moves as without nodes. Every game is different, unless there is a seed.

    Depth and breadth may be fractions, so that strengths change without jumps: with depth=2.3, it looks three plies
    ahead in three moves of ten, and two in the others.
    """

    heuristic: HeuristicChoice = None  #: judges positions; by default, the game's usual one
    glance: HeuristicChoice = None  #: judges moves at first glance; by default, the game's own for that
    depth: float = 2  #: plies to look ahead, on average
    breadth: float = 5  #: number of moves to look at, on average
    overlook: float = 0.3  #: the probability of overlooking the replies to a move, from 0 to 1
    taste: float = 0.5  #: how much the first glance depends on taste, in standard deviations of the moves' values
    nodes: int | None = None  #: maximum number of positions that it visits while it concentrates
    seed: int | None = None  #: starts the random generator; the same seed gives the same moves
    kind: ClassVar[str] = "fallible"

    def __post_init__(self) -> None:
        take_functions(self, "heuristic", "glance")
        require(self, "depth", 1, PLIES, fraction=True)
        require(self, "breadth", 1, fraction=True)
        require(self, "overlook", 0, 1)
        require(self, "taste", 0)
        require(self, "nodes", 1)

    def prepare(self, game: Game) -> None:
        cls = class_of(game.start_state())
        resolved(self.heuristic, game, cls)
        resolved(self.glance_of(game), game, cls)
        self._searcher.prepare(game)
        if self.nodes is not None:
            self.engine_for(game).prepare(game)

    @property
    def is_deterministic(self) -> bool:
        return self.seed is not None

    def glance_of(self, game: Game) -> HeuristicChoice:
        """The heuristic by which it sees moves at first glance."""
        return self.glance if self.glance is not None else game.first_glance or self.heuristic

    @property
    def _searcher(self) -> AlphaBetaPlayer:
        return AlphaBetaPlayer(self.heuristic, max(1, math.ceil(self.depth) - 1))

    def engine_for(self, game: Game, parts: int = 1) -> EnginePlayer:
        """The player that it is while it concentrates, with one of so many parts of its nodes."""
        return EnginePlayer(self.heuristic, nodes=max(1, (self.nodes or 1) // parts), solver=game.levels_ask_solver)

    def think(self, position: Position) -> Choice:
        began = time.perf_counter()
        chance = self.chance(position)
        player = self.at_a_move(chance)
        if self.nodes is not None and chance.random() >= self.overlook:
            return player._concentrated(position, chance, began)
        return player.looked(Looks(player, position, chance), began)

    def at_a_move(self, chance: random.Random) -> "FalliblePlayer":
        """What it is at one move: a player whose depth and breadth are whole numbers."""
        if self.depth == int(self.depth) and self.breadth == int(self.breadth):
            return self
        depth, breadth = (int(mean) + (chance.random() < mean % 1) for mean in (self.depth, self.breadth))
        return dataclasses.replace(self, depth=depth, breadth=breadth)

    def chance(self, position: Position) -> random.Random:
        """The random numbers of a move."""
        return random.Random() if self.seed is None else random.Random(f"{self.seed} {position.key}")

    def looked(self, looks: "Looks", began: float) -> Choice:
        """What it plays after having looked at some moves; began: when it began to think."""
        position, chance = looks.position, looks.chance
        seen = looks.at_a_glance()
        values = {move: looks.value(move) for move in seen}
        spread = looks.spread(list(values.values())) * self.taste * WAVERING
        best = max(seen, key=lambda move: (values[move] + chance.gauss(0, spread), chance.random()))
        return self._choice(position, best, values[best], began, looks.nodes)

    def _concentrated(self, position: Position, chance: random.Random, began: float) -> Choice:
        """The engine's move; at the beginning of a game, one of those that are nearly as good."""
        if len(position.path) > OPENING_PLIES:
            return self.engine_for(position.game).think(position)
        looks = Looks(self, position, chance)
        values = {move: looks.searched(move) for move in position.codes}
        best = max(values.values())
        close = [move for move, value in values.items() if value >= best - looks.spread(list(values.values())) / 4]
        if len(close) == 1:
            return self._choice(position, close[0], best, began, looks.nodes)
        engine = self.engine_for(position.game, OPENING_MOVES)
        tried = {}
        for move in sorted(close, key=lambda move: -values[move])[:OPENING_MOVES]:
            after = position.play_code(move)
            known = after.is_over or len(position.codes) == 1
            tried[move] = values[move] if known else looks.mine(after, engine.think(after).score)
        best = max(tried.values())
        good = [move for move, value in tried.items() if value >= best - looks.spread(list(values.values())) / 8]
        chosen = chance.choice(good)
        return self._choice(position, chosen, tried[chosen], began, looks.nodes)

    def _choice(self, position: Position, move: int, value: float, began: float, nodes: int) -> Choice:
        text = position.game.move_text(position.state, move)
        score = Score.of_number(value, position.to_move)
        return Choice(text, time.perf_counter() - began, score, (text,), int(self.depth), nodes)


class Looks:
    """What a fallible player sees in one position."""

    def __init__(self, player: FalliblePlayer, position: Position, chance: random.Random):
        cls = class_of(position.state)
        self.player, self.position, self.chance = player, position, chance
        self.heuristic: Callable[[Any], float] = resolved(player.heuristic, position.game, cls)
        self.glance: Callable[[Any], float] = resolved(player.glance_of(position.game), position.game, cls)
        self.after = {move: position.play_code(move) for move in position.codes}
        self.nodes = 0

    def at_a_glance(self) -> list[int]:
        """The moves that it looks at: those that look best at once, by its taste; and its own winning moves."""
        player, chance = self.player, self.chance
        looks = {move: self._value_of(after, self.glance) for move, after in self.after.items()}
        spread = self.spread(list(looks.values())) * player.taste
        felt = {move: (look + chance.gauss(0, spread), chance.random()) for move, look in looks.items()}
        for move, after in self.after.items():
            if after.is_over and after.winner == self.position.to_move and chance.random() * OWN_WIN >= player.overlook:
                return [move]
        return sorted(felt, key=lambda move: felt[move], reverse=True)[: int(player.breadth)]

    def value(self, move: int) -> float:
        """What it believes that a move is worth."""
        if self.chance.random() < self.player.overlook or self.player.depth == 1:
            return self._value_of(self.after[move], self.heuristic)
        return self.searched(move)

    def searched(self, move: int) -> float:
        """What a move is worth, as far as the player looks ahead."""
        after = self.after[move]
        if after.is_over or self.player.depth == 1:
            return self._value_of(after, self.heuristic)
        found = self.player._searcher.search_to(after, int(self.player.depth) - 1, NO_LIMIT)
        self.nodes += found.nodes
        return self.mine(after, found.score)

    def _value_of(self, after: Position, heuristic: Callable[[Any], float]) -> float:
        """What a position looks worth, without looking ahead."""
        self.nodes += 1
        if after.is_over:
            return (
                0.0
                if after.winner is None
                else RECORDED_WIN
                if after.winner == self.position.to_move
                else -RECORDED_WIN
            )
        value = float(heuristic(after.state))
        return value if after.to_move == self.position.to_move else -value

    def mine(self, after: Position, score: Score | None) -> float:
        """A score of the position after a move, as a number for the player who makes the move."""
        number = 0.0 if score is None else float(score.number)
        return number if after.to_move == self.position.to_move else -number

    @staticmethod
    def spread(values: list[float]) -> float:
        """How much values differ; wins and losses are not counted."""
        plain = [value for value in values if abs(value) < RECORDED_WIN // 2]
        return statistics.pstdev(plain) if len(plain) > 1 else 0.0
