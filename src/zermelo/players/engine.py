"""The engine as a player."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from zermelo.core import Heuristic, class_of
from zermelo.players.common import require, require_flags, resolved, take_functions
from zermelo.players.player import Choice, HeuristicChoice, Player
from zermelo.position import Game, Position
from zermelo.searches.budget import Budget
from zermelo.searches.deepening import MOST_DEPTH, Engine, Iteration, compiled_engine
from zermelo.searches.reporting import reporting
from zermelo.solving.registry import tried_solution
from zermelo.solving.solution import Solution

PARTS = 4
"""A budget is divided into this number of parts, and the game's own solver may use one of them. If it finds nothing,
the search loses less than a ply of depth."""
USUAL_SECONDS = 1.0
"""The time for a move, if there is no limit at all."""


@dataclass(frozen=True)
class EnginePlayer(Player):
    """The strongest player: iterative deepening, principal-variation search and a transposition table.

    It can be limited by depth, nodes and seconds; without any limit it thinks for one second. Where the game's own
    solver quickly finds the answer, that is played; solver=no leaves the solver out, to compare heuristics. With a
    limit of nodes, or with a fixed depth and one thread, the answer depends on nothing but the position. The solver has
    a quarter of the nodes and seconds, and the search has what is left. Endgame tables, once made, cost nothing.
    """

    heuristic: HeuristicChoice = None  #: judges quiet positions; by default, the game's usual one
    depth: int | None = None  #: maximum depth, in plies
    nodes: int | None = None  #: maximum number of positions visited by search and solver (see solving.registry)
    seconds: float | None = None  #: maximum time for a move, in seconds
    memory: int = 16  #: size of the table, in megabytes
    threads: int = 1  #: number of threads that search together and share the table; 1 if only nodes are limited
    reduce: bool = False  #: search late moves less deeply
    solver: bool = True  #: ask the game's own solver where it is quick
    kind: ClassVar[str] = "engine"

    def __post_init__(self) -> None:
        take_functions(self, "heuristic")
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
        """One, if only nodes are limited: threads that share a table may find other moves each time."""
        return 1 if self.nodes is not None and not self._is_timed else self.threads

    @property
    def _is_timed(self) -> bool:
        return self.budget.seconds is not None

    @property
    def budget(self) -> Budget:
        given = super().budget
        return replace(given, seconds=USUAL_SECONDS) if given.is_endless else given

    def prepare(self, game: Game) -> None:
        cls = class_of(game.start_state())
        resolved(self.heuristic, game, cls)
        compiled_engine(cls)

    def iterations(self, position: Position, spent: Solution | None = None) -> Iterator[Iteration]:
        """What it finds, depth after depth, with what the solver has left of the budget."""
        evaluation = resolved(self.heuristic, position.game, class_of(position.state))
        engine = _engine_for(self, evaluation)
        if not self._is_timed:
            engine.forget()
        left = self.budget if spent is None else self.budget.after(spent.nodes, spent.seconds)

        def run(engine: Engine) -> Iterator[Iteration]:
            yield from engine.deepen(position.state, left, position.past_keys)

        with reporting(position, evaluation, again=lambda h: list(run(Engine(h, reduce=self.reduce)))):
            yield from run(engine)

    def think(self, position: Position) -> Choice:
        return self._think(position, None)

    def think_aloud(self, position: Position, tell: Callable[[Choice], None]) -> Choice:
        return self._think(position, tell)

    def _think(self, position: Position, tell: Callable[[Choice], None] | None) -> Choice:
        solved = self._solved(position) if self.solver else None
        if solved is not None and solved.complete and solved.moves:  # without a best move, a lost position is searched
            move = position.game.move_text(position.state, solved.moves[0])
            score = solved.as_score(position.to_move)
            return Choice(move, solved.seconds, score, (move,), None, solved.nodes, solved=True)
        for found in self.iterations(position, solved):
            if tell is not None:
                tell(_choice(position, found, solved))
        return _choice(position, found, solved)

    def _solved(self, position: Position) -> Solution | None:
        """What the game's solver finds with its share of the budget."""
        return tried_solution(position, self.budget.share(1, PARTS), hurry=self._is_timed)


def _choice(position: Position, found: Iteration, tried: Solution | None) -> Choice:
    texts = position.line_texts(found.line)
    seconds, nodes = (tried.seconds, tried.nodes) if tried is not None else (0.0, 0)
    return Choice(texts[0], seconds + found.seconds, found.score, texts, found.depth, nodes + found.nodes)


_engines = threading.local()


def _engine_for(player: EnginePlayer, evaluation: Heuristic) -> Engine:
    """This thread's engine for a player: its table is kept from move to move."""
    mine = _engines.__dict__.setdefault("mine", {})
    if (player, evaluation) not in mine:
        while len(mine) >= 4:  # only the tables of the last few players are kept
            mine.pop(next(iter(mine)))
        memory: float = player.memory
        if player.nodes is not None:  # no more than the search can fill, since emptying the table takes time, too
            memory = min(memory, max(0.25, player.nodes * 32 / (1 << 20)))
        mine[player, evaluation] = Engine(evaluation, memory=memory, threads=player.used_threads, reduce=player.reduce)
    engine: Engine = mine[player, evaluation]
    return engine
