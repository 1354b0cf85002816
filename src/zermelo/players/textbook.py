"""The textbook searches as players."""

import functools
from dataclasses import dataclass
from typing import ClassVar

from zermelo.core import Heuristic, class_of
from zermelo.players.common import require, resolved, take_functions
from zermelo.players.player import Choice, HeuristicChoice, Player
from zermelo.position import Game, Position
from zermelo.searches.alphabeta import alphabeta
from zermelo.searches.budget import NO_LIMIT, Budget
from zermelo.searches.minimax import minimax
from zermelo.searches.reporting import reporting
from zermelo.searches.textbook import Found, compiled_search, deepen, run_alphabeta, run_minimax
from zermelo.searches.workspace import PLIES

USUAL_DEPTH = 4


@dataclass(frozen=True)
class SearchPlayer(Player):
    """What the textbook players share."""

    heuristic: HeuristicChoice = None  #: judges positions at the horizon; by default, the game's usual one
    depth: int | None = None  #: plies to look ahead; by default, as many as nodes or seconds allow, or 4 without them

    def __post_init__(self) -> None:
        take_functions(self, "heuristic")
        if self.budget.is_endless:
            object.__setattr__(self, "depth", USUAL_DEPTH)
        require(self, "depth", 1, PLIES)
        require(self, "nodes", 1)
        require(self, "seconds", 0.001)

    def prepare(self, game: Game) -> None:
        state = game.start_state()
        resolved(self.heuristic, game, class_of(state))

    @property
    def is_deterministic(self) -> bool:
        return self.budget.seconds is None

    def __str__(self) -> str:
        is_usual = self.budget == Budget(USUAL_DEPTH)
        return self.text_without("depth") if is_usual else super().__str__()

    def search(self, position: Position, trace: bool = False) -> Found:
        """Run the search and return everything that it found; with trace, its tree as well.

        Without a depth, the search deepens until its nodes or seconds are used up. The tree is then that of the last
        depth, which is searched once more to record it.
        """
        run = functools.partial(self.search_to, position)
        if self.depth is not None:
            return run(self.depth, self.budget, trace=trace)
        found = deepen(run, self.budget)
        return run(found.depth, NO_LIMIT, trace=True) if trace else found

    def search_to(self, position: Position, depth: int, budget: Budget, trace: bool = False) -> Found:
        """One search to this depth, which may be 0, within the nodes and seconds of this budget, not the player's."""
        raise NotImplementedError

    def think(self, position: Position) -> Choice:
        found = self.search(position)
        texts = position.line_texts(found.line)
        return Choice(texts[0], found.seconds, found.score, texts, found.depth, found.nodes, found.evaluated)

    def evaluation(self, position: Position) -> Heuristic:
        return resolved(self.heuristic, position.game, class_of(position.state))


@dataclass(frozen=True)
class MinimaxPlayer(SearchPlayer):
    """Minimax to a fixed depth, or deeper and deeper until its nodes or seconds are used up.

    If there is a depth and the nodes or seconds are used up first, it plays the best of the moves searched so far.
    """

    nodes: int | None = None  #: maximum number of positions generated and evaluated
    seconds: float | None = None  #: maximum time for a move, in seconds
    kind: ClassVar[str] = "minimax"

    def compile_search(self, game: Game) -> None:
        compiled_search(minimax, class_of(game.start_state()), False)

    def search_to(self, position: Position, depth: int, budget: Budget, trace: bool = False) -> Found:
        evaluation = self.evaluation(position)

        def run(evaluation: Heuristic) -> Found:
            return run_minimax(position.state, evaluation, depth, budget=budget, trace=trace)

        with reporting(position, evaluation, again=run):
            return run(evaluation)


@dataclass(frozen=True)
class AlphaBetaPlayer(SearchPlayer):
    """Alpha-beta to a fixed depth, or deeper and deeper until its nodes or seconds are used up.

    If there is a depth and the nodes or seconds are used up first, it plays the best of the moves searched so far.
    """

    tolerance: float = 0  #: a position is also left once beta - alpha is below this number of points
    order: HeuristicChoice = None  #: the heuristic that sorts the moves of the first plies, best first
    order_plies: int | None = None  #: number of plies whose moves are sorted; by default 2, or all with top_moves
    top_moves: int | None = None  #: number of moves to search in each position, the best by the ordering
    nodes: int | None = None  #: maximum number of positions generated and evaluated
    seconds: float | None = None  #: maximum time for a move, in seconds
    kind: ClassVar[str] = "alphabeta"

    def __post_init__(self) -> None:
        super().__post_init__()
        take_functions(self, "order")
        require(self, "tolerance", 0)
        if self.tolerance == int(self.tolerance):
            object.__setattr__(self, "tolerance", int(self.tolerance))  # so that its text is 3 and not 3.0
        require(self, "order_plies", 0, PLIES)
        require(self, "top_moves", 1)

    def prepare(self, game: Game) -> None:
        super().prepare(game)
        if self.order is not None:
            resolved(self.order, game, class_of(game.start_state()))

    def compile_search(self, game: Game) -> None:
        compiled_search(alphabeta, class_of(game.start_state()), False)

    def ordering(self, position: Position) -> Heuristic | None:
        """The heuristic that sorts the moves, if it is not the one that judges positions."""
        return resolved(self.order, position.game, class_of(position.state)) if self.order is not None else None

    def search_to(self, position: Position, depth: int, budget: Budget, trace: bool = False) -> Found:
        evaluation, order = self.evaluation(position), self.ordering(position)

        def run(evaluation: Heuristic, order: Heuristic | None) -> Found:
            return run_alphabeta(
                position.state,
                evaluation,
                depth,
                tolerance=self.tolerance,
                order=order,
                order_plies=self.order_plies,
                top_moves=self.top_moves,
                budget=budget,
                trace=trace,
            )

        with reporting(position, evaluation, order, again=run):
            return run(evaluation, order)
