"""The engine as a player."""

import functools
import random
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from zermelo.core import Heuristic, class_of
from zermelo.errors import PlayerError
from zermelo.evaluation.probcut_files import ProbCut, shipped_probcut
from zermelo.players.common import require, require_flags, resolved, take_functions
from zermelo.players.opening_books import find_opening_book
from zermelo.players.player import Choice, HeuristicChoice, Player
from zermelo.position import Game, Position
from zermelo.scores import Score
from zermelo.searches.budget import Budget
from zermelo.searches.deepening import MOST_DEPTH, Engine, Iteration, compiled_engine
from zermelo.searches.growing import grow
from zermelo.searches.kept import KeptTrees
from zermelo.searches.mcts_run import Mcts
from zermelo.searches.probcut import cut_numbers
from zermelo.searches.reporting import reporting
from zermelo.solving.registry import search_tables, solution_for_move
from zermelo.solving.solution import Solution

PARTS, TIMED_PARTS = 4, 2
"""A budget of nodes or of time is divided into this number of parts, and the game's own solver may use one of them. If
it finds nothing, the search loses about a ply of depth."""
USUAL_SECONDS = 1.0
"""The time for a move, if there is no limit at all."""
ALPHABETA, MCTS = "alphabeta", "mcts"
TREE = 16
"""A Monte Carlo tree may take this many times the memory of the table. It is used only as the tree grows."""
TREE_OPTIONS = ("rave", "prior", "trust", "exploration", "mix", "knowledge", "width", "widening")
"""Those of `Game.engine_options` that are for Monte Carlo tree search. With `mix`, it uses the heuristic, too."""
_kept_trees = KeptTrees()


@dataclass(frozen=True)
class EnginePlayer(Player):
    """The strongest player: iterative deepening, principal-variation search and a transposition table.

    In games where that wins matches, Monte Carlo tree search takes the place of this search, unless a heuristic or a
    depth is given. It uses one thread, and a simulation counts as 10 nodes.

    It can be limited by depth, nodes and seconds; without any limit it thinks for one second. Where the game's own
    solver quickly finds the answer, that is played; solver=no leaves the solver out, to compare heuristics. With a
    limit of nodes, or with a fixed depth and one thread, the answer depends on nothing but the position. The solver has
    a quarter of the nodes or half of the seconds, if an attempt is worth while, and the search has what is left. With
    a limit of seconds, what the solver finds is kept for later moves. Endgame tables, once made, cost nothing. With
    book, it plays the opening by a book (`zermelo learn book` makes one), as long as the position is in the book.
    """

    heuristic: HeuristicChoice = None  #: judges quiet positions; by default, the game's usual one
    depth: int | None = None  #: maximum depth, in plies
    nodes: int | None = None  #: maximum number of positions visited by search and solver (see solving.registry)
    seconds: float | None = None  #: maximum time for a move, in seconds
    memory: int = 16  #: size of the table, in megabytes
    threads: int = 1  #: number of threads that search together and share the table; 1 if only nodes are limited
    reduce: bool | None = None  #: search late moves less deeply; by default, in games where that wins matches
    probcut: float | None = None  #: deviations for ProbCut, 0 to leave it out; by default, what wins the game's matches
    search: str | None = None  #: alphabeta or mcts; by default, what wins the game's matches
    solver: bool = True  #: ask the game's own solver where it is quick
    book: float | None = None  #: play the opening book's moves that are worse than its best by at most so many points
    kind: ClassVar[str] = "engine"

    def __post_init__(self) -> None:
        take_functions(self, "heuristic")
        require(self, "depth", 1, MOST_DEPTH)
        require(self, "nodes", 1)
        require(self, "seconds", 0.001)
        require(self, "memory", 1, 1 << 14)
        require(self, "threads", 1, 64)
        require(self, "probcut", 0, 100)
        require(self, "book", 0)
        if self.search not in (None, ALPHABETA, MCTS):
            raise PlayerError("engine: search={search} is not alphabeta or mcts", search=self.search)
        require_flags(self, "solver", *["reduce"] * (self.reduce is not None))

    @property
    def is_deterministic(self) -> bool:
        return not self._is_timed and self.used_threads == 1 and not self.book

    @property
    def used_threads(self) -> int:
        """One, if only nodes are limited: threads that share a table may find other moves each time."""
        return 1 if self.nodes is not None and not self._is_timed else self.threads

    @property
    def _is_timed(self) -> bool:
        return self.budget.seconds is not None

    @property
    def budget(self) -> Budget:
        given = self.given_budget
        return replace(given, seconds=USUAL_SECONDS) if given.is_endless else given

    @property
    def owner(self) -> "EnginePlayer":
        """Who keeps the tables: this player or, if it differs from another only in its limits, the one it came from."""
        kept: EnginePlayer = self.__dict__.get("_owner", self)
        return kept if kept.nodes == self.nodes else self

    def _with(self, changes: Mapping[str, Any]) -> Self:
        made = super()._with(changes)
        if made is not self and set(changes) <= {"depth", "seconds"}:  # as programs with a clock do at each move
            made.__dict__["_owner"] = self.owner
        return made

    def grows_tree(self, game: Game) -> bool:
        """Is Monte Carlo tree search its search in this game?"""
        if self.search is None and (self.heuristic is not None or self.depth is not None):
            return False
        return (self.search or game.engine_options.get("search", ALPHABETA)) == MCTS

    def prepare(self, game: Game) -> None:
        if self.grows_tree(game):
            self.compile_search(game)
            return
        cls = class_of(game.start_state())
        evaluation = resolved(self.heuristic, game, cls)
        self.pruning(game, evaluation)
        self.compile_search(game)

    def compile_search(self, game: Game) -> None:
        if self.grows_tree(game):
            self._plant(game.start(), 1)
            return
        compiled_engine(class_of(game.start_state()))

    def pruning(self, game: Game, evaluation: Heuristic) -> dict[str, Any]:
        """The options of the search that leave out what is unlikely to matter: those chosen, or else the game's."""
        usual = game.engine_options
        deviations = usual.get("probcut", 0) if self.probcut is None else self.probcut
        found = shipped_probcut(type(game).__module__, evaluation) if deviations else None
        if self.probcut and found is None:
            raise PlayerError(
                "engine: there are no ProbCut statistics for the heuristic {name}; zermelo learn probcut makes them",
                name=evaluation,
            )
        return {
            "reduce": usual.get("reduce", False) if self.reduce is None else self.reduce,
            "cuts": None if found is None else _cuts(found, deviations),
        }

    def iterations(self, position: Position, spent: Solution | None = None) -> Iterator[Iteration]:
        """What it finds, depth after depth, with what the solver has left of the budget."""
        if self.grows_tree(position.game):
            yield from self._grown(position, spent)
            return
        evaluation = resolved(self.heuristic, position.game, class_of(position.state))
        pruning = self.pruning(position.game, evaluation)
        engine = _engine_for(self, evaluation, position.game, pruning)
        if not self._is_timed:
            engine.forget()
        left = self.budget if spent is None else self.budget.after(spent.nodes, spent.seconds)

        tables = search_tables(position, hurry=self._is_timed) if self.solver else None

        def run(engine: Engine) -> Iterator[Iteration]:
            yield from engine.deepen(position.state, left, position.past_keys, tables)

        with reporting(position, evaluation, again=lambda h: list(run(Engine(h, **pruning)))):
            yield from run(engine)

    def _grown(self, position: Position, spent: Solution | None) -> Iterator[Iteration]:
        """The same with Monte Carlo tree search. The tree is kept from move to move, if only time is limited."""
        is_kept = self._is_timed and self.nodes is None
        tree = _kept_trees.take(self.owner, position) if is_kept else None
        tree = tree or self._plant(position, TREE * self.memory)
        left = self.budget if spent is None else self.budget.after(spent.nodes, spent.seconds)
        yield from grow(tree, left, position.past_keys)
        if is_kept:
            _kept_trees.keep(self.owner, position, tree)

    def _plant(self, position: Position, memory: int) -> Mcts:
        game = position.game
        evaluation = resolved(self.heuristic, game, class_of(position.state)) if self.tree_is_judged(game) else None
        return Mcts(position.state, heuristic=evaluation, memory=memory, **self.tree_options(game))

    def tree_options(self, game: Game) -> dict[str, Any]:
        """How its trees grow: the options of Mcts except the heuristic and the memory."""
        usual = game.engine_options
        return {"seed": 0} | {name: usual[name] for name in TREE_OPTIONS if name in usual}

    def tree_is_judged(self, game: Game) -> bool:
        """Has its heuristic a part in the value of a tree's leaves?"""
        return "mix" in game.engine_options

    def think(self, position: Position) -> Choice:
        return self._think(position, None)

    def think_aloud(self, position: Position, tell: Callable[[Choice], None]) -> Choice:
        return self._think(position, tell)

    def _think(self, position: Position, tell: Callable[[Choice], None] | None) -> Choice:
        if (known := self._from_book(position)) is not None:
            return known
        solved = self._solved(position) if self.solver else None
        if solved is not None and solved.complete and solved.moves:  # without a best move, a lost position is searched
            move = position.game.move_text(position.state, solved.moves[0])
            score = solved.as_score(position.to_move)
            return Choice(move, solved.seconds, score, (move,), None, solved.nodes, solved=True)
        for found in self.iterations(position, solved):
            if tell is not None:
                tell(_choice(position, found, solved))
        return _choice(position, found, solved)

    def _from_book(self, position: Position) -> Choice | None:
        """One of the good moves of the game's opening book, by chance; with book=0, the best."""
        book = None if self.book is None else find_opening_book(position.game)
        if book is None or self.book is None or not (moves := book.good_moves(position, self.book)):
            return None
        chosen = random.choice(moves) if self.book else moves[0]
        move = position.game.move_text(position.state, chosen.move)
        return Choice(move, 0.0, Score(chosen.score, player=position.to_move), (move,))

    def _solved(self, position: Position) -> Solution | None:
        """What the game's solver finds with its share of the budget."""
        share = self.budget.share(1, TIMED_PARTS if self._is_timed else PARTS)
        return solution_for_move(position, share, self.used_threads, self.owner)


def _choice(position: Position, found: Iteration, tried: Solution | None) -> Choice:
    texts = position.line_texts(found.line)
    seconds, nodes = (tried.seconds, tried.nodes) if tried is not None else (0.0, 0)
    return Choice(texts[0], seconds + found.seconds, found.score, texts, found.depth, nodes + found.nodes)


@functools.cache
def _cuts(found: ProbCut, deviations: float) -> Any:
    return cut_numbers(found.checks, deviations)


_engines = threading.local()


def _engine_for(player: EnginePlayer, evaluation: Heuristic, game: Game, pruning: dict[str, Any]) -> Engine:
    """This thread's engine for a player: its table is kept from move to move."""
    mine = _engines.__dict__.setdefault("mine", {})
    place = player.owner, evaluation, type(game)
    if place not in mine:
        while len(mine) >= 4:  # only the tables of the last few players are kept
            mine.pop(next(iter(mine)))
        memory: float = player.memory
        if player.nodes is not None:  # no more than the search can fill, since emptying the table takes time, too
            memory = min(memory, max(0.25, player.nodes * 32 / (1 << 20)))
        mine[place] = Engine(evaluation, memory=memory, threads=player.used_threads, **pruning)
    engine: Engine = mine[place]
    return engine
