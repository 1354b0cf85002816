"""The engine as a player."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from zermelo.core import Heuristic, class_of
from zermelo.players.common import HeuristicChoice, require, require_flags, resolved
from zermelo.players.player import Choice, Player
from zermelo.position import Game, Position
from zermelo.searches.deepening import MOST_DEPTH, Engine, Iteration, compiled_engine
from zermelo.searches.reporting import reporting
from zermelo.solving.registry import quick_solution


@dataclass(frozen=True)
class EnginePlayer(Player):
    """The strong one: deepening principal-variation search with a table; by depth, nodes, seconds or all (1 s if none).

    Where the game's own solver has the answer at hand it is played; solver=no leaves it out, to compare heuristics.
    With a fixed depth or number of nodes and one thread, the answer depends on nothing but the position.
    """

    heuristic: HeuristicChoice = None  #: judges quiet positions; the game's usual one if not said
    depth: int | None = None  #: plies, at most
    nodes: int | None = None  #: positions visited, at most
    seconds: float | None = None  #: a move, at most
    memory: int = 16  #: megabytes of its table
    threads: int = 1  #: that search together, sharing the table
    reduce: bool = False  #: look at late moves less deeply
    solver: bool = True  #: ask the game's own solver where it is quick
    kind: ClassVar[str] = "engine"

    def __post_init__(self) -> None:
        require(self, "depth", 1, MOST_DEPTH)
        require(self, "nodes", 1)
        require(self, "seconds", 0.001)
        require(self, "memory", 1, 1 << 14)
        require(self, "threads", 1, 64)
        require_flags(self, "reduce", "solver")

    @property
    def is_deterministic(self) -> bool:
        return not self._is_timed and self.threads == 1

    @property
    def _is_timed(self) -> bool:
        return self.seconds is not None or (self.depth is None and self.nodes is None)

    def prepare(self, game: Game) -> None:
        cls = class_of(game.start_state())
        resolved(self.heuristic, game, cls)
        compiled_engine(cls)

    def iterations(self, position: Position) -> Iterator[Iteration]:
        """What it finds, depth after depth."""
        evaluation = resolved(self.heuristic, position.game, class_of(position.state))
        engine = _engine_for(self, evaluation)
        if not self._is_timed:
            engine.forget()
        seconds = 1.0 if self._is_timed and self.seconds is None else self.seconds
        with reporting(evaluation):
            yield from engine.deepen(
                position.state, depth=self.depth, nodes=self.nodes, seconds=seconds, past=position.past_keys
            )

    def think(self, position: Position) -> Choice:
        return self._think(position, None)

    def think_aloud(self, position: Position, tell: Callable[[Choice], None]) -> Choice:
        return self._think(position, tell)

    def _think(self, position: Position, tell: Callable[[Choice], None] | None) -> Choice:
        solved = quick_solution(position, hurry=self._is_timed) if self.solver else None
        if solved is not None and solved.moves:  # a lost position may have no best move: then search
            move = position.game.move_text(position.state, solved.moves[0])
            return Choice(move, solved.seconds, solved.score, (move,), None, solved.nodes, solved=True)
        for found in self.iterations(position):
            if tell is not None:
                tell(_choice(position, found))
        return _choice(position, found)


def _choice(position: Position, found: Iteration) -> Choice:
    texts = position.line_texts(found.line)
    return Choice(texts[0], found.seconds, found.score, texts, found.depth, found.nodes)


_engines = threading.local()


def _engine_for(player: EnginePlayer, evaluation: Heuristic) -> Engine:
    """This thread's engine for a player: its table is kept from move to move."""
    mine = _engines.__dict__.setdefault("mine", {})
    if (player, evaluation) not in mine:
        while len(mine) >= 4:  # a few tables are kept, not one for everyone who ever played
            mine.pop(next(iter(mine)))
        memory: float = player.memory
        if player.nodes is not None:  # no larger than it can be filled: emptying it costs time too
            memory = min(memory, max(0.25, player.nodes * 32 / (1 << 20)))
        mine[player, evaluation] = Engine(evaluation, memory=memory, threads=player.threads, reduce=player.reduce)
    engine: Engine = mine[player, evaluation]
    return engine
