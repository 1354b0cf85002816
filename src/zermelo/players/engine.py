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
from zermelo.solving.registry import tried_solution
from zermelo.solving.solution import Solution

SOLVER_SHARE = 4
"""The game's own solver may use one part in so many of a budget; a lost bet costs the search a fraction of a ply."""


@dataclass(frozen=True)
class EnginePlayer(Player):
    """The strong one: deepening principal-variation search with a table; by depth, nodes, seconds or all (1 s if none).

    Where the game's own solver has the answer at hand it is played; solver=no leaves it out, to compare heuristics.
    With nodes, or with a fixed depth and one thread, the answer depends on nothing but the position. Of a budget of
    nodes or seconds the solver has a quarter, and the search what is left; tables of endgames, once made, cost nothing.
    """

    heuristic: HeuristicChoice = None  #: judges quiet positions; the game's usual one if not said
    depth: int | None = None  #: plies, at most
    nodes: int | None = None  #: positions visited by search and solver, at most; see solving.registry for the few more
    seconds: float | None = None  #: a move, at most
    memory: int = 16  #: megabytes of its table
    threads: int = 1  #: that search together, sharing the table; one alone where only nodes are limited
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
        return not self._is_timed and self.used_threads == 1

    @property
    def used_threads(self) -> int:
        """Threads that share a table find other moves each time; a limit of nodes promises the same ones."""
        return 1 if self.nodes is not None and not self._is_timed else self.threads

    @property
    def _is_timed(self) -> bool:
        return self.seconds is not None or (self.depth is None and self.nodes is None)

    @property
    def _seconds(self) -> float | None:
        return 1.0 if self._is_timed and self.seconds is None else self.seconds

    def prepare(self, game: Game) -> None:
        cls = class_of(game.start_state())
        resolved(self.heuristic, game, cls)
        compiled_engine(cls)

    def iterations(self, position: Position, spent: Solution | None = None) -> Iterator[Iteration]:
        """What it finds, depth after depth, with what a solver has left of the budget."""
        evaluation = resolved(self.heuristic, position.game, class_of(position.state))
        engine = _engine_for(self, evaluation)
        if not self._is_timed:
            engine.forget()
        nodes, seconds = self.nodes, self._seconds
        if spent is not None:
            nodes = None if nodes is None else max(1, nodes - spent.nodes)
            seconds = None if seconds is None else max(0.0, seconds - spent.seconds)

        def run(engine: Engine) -> Iterator[Iteration]:
            yield from engine.deepen(
                position.state, depth=self.depth, nodes=nodes, seconds=seconds, past=position.past_keys
            )

        with reporting(position, evaluation, again=lambda h: list(run(Engine(h, reduce=self.reduce)))):
            yield from run(engine)

    def think(self, position: Position) -> Choice:
        return self._think(position, None)

    def think_aloud(self, position: Position, tell: Callable[[Choice], None]) -> Choice:
        return self._think(position, tell)

    def _think(self, position: Position, tell: Callable[[Choice], None] | None) -> Choice:
        solved = self._solved(position) if self.solver else None
        if (
            solved is not None and solved.complete and solved.moves
        ):  # a lost position may have no best move: then search
            move = position.game.move_text(position.state, solved.moves[0])
            score = solved.as_score(position.to_move)
            return Choice(move, solved.seconds, score, (move,), None, solved.nodes, solved=True)
        for found in self.iterations(position, solved):
            if tell is not None:
                tell(_choice(position, found, solved))
        return _choice(position, found, solved)

    def _solved(self, position: Position) -> Solution | None:
        """What the game's solver finds with its share of the budget."""
        nodes = None if self.nodes is None else max(1, self.nodes // SOLVER_SHARE)
        seconds = None if self._seconds is None else self._seconds / SOLVER_SHARE
        return tried_solution(position, hurry=self._is_timed, nodes=nodes, seconds=seconds)


def _choice(position: Position, found: Iteration, tried: Solution | None) -> Choice:
    texts = position.line_texts(found.line)
    seconds, nodes = (tried.seconds, tried.nodes) if tried is not None else (0.0, 0)
    return Choice(texts[0], seconds + found.seconds, found.score, texts, found.depth, nodes + found.nodes)


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
        mine[player, evaluation] = Engine(evaluation, memory=memory, threads=player.used_threads, reduce=player.reduce)
    engine: Engine = mine[player, evaluation]
    return engine
