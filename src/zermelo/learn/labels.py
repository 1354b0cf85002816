"""Scores of positions: exact where the game's solver can tell, otherwise from a deep search."""

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.games import find_heuristic
from zermelo.position import Game, Position
from zermelo.rules import play, to_move
from zermelo.scores import Score
from zermelo.searches.deepening import Engine, Iteration
from zermelo.searches.reporting import reporting
from zermelo.solving.exact import solve
from zermelo.solving.registry import own_solution, solver_of

LABELS = ("auto", "exact", "search")
DECIDED = 10_000.0
"""The score of a proven win of a search in a dataset, from which the number of plies to the win is subtracted."""

_own = threading.local()


class LabelError(ZermeloError):
    """A way of scoring that does not exist."""


@dataclass(frozen=True)
class Labeller:
    """Where the scores come from.

    exact     from the game's solver, or from a search to the end for games without a solver
    search    from the engine, at a fixed depth, with a heuristic (the game's default unless one is named)
    auto      exact where the game's solver says that it is quick enough, otherwise search
    """

    kind: str = "auto"
    depth: int = 6
    heuristic: str | None = None
    scale: float = 1.0  # factor for the scores of a search (see calibrated)
    reduce: bool = False  # are late moves searched less deeply at first? Only for played games
    trace_decay: float = 0.0  # share of the next position in the score of a position of a played game
    exact_from: int | None = None  # the number of plies from which on positions of played games are solved at any cost

    def __post_init__(self) -> None:
        if self.kind not in LABELS:
            raise LabelError(
                "unknown labels {kind!r}; choose one of {labels}", kind=self.kind, labels=", ".join(LABELS)
            )

    def scores(self, position: Position) -> tuple[dict[int, float], bool]:
        """Return the score of every move, for the player to move, and whether the scores are exact."""
        if self.kind == "exact" or (self.kind == "auto" and is_solvable(position)):
            found = own_solution(position, all_moves=True) or solve(position, all_moves=True)
            if not found.complete:
                raise InterruptedError
            return {move: float(score) for move, score in found.scores.items()}, True
        return self._searched(position), False

    def _searched(self, position: Position) -> dict[int, float]:
        evaluation = find_heuristic(self.heuristic or position.game.default_heuristic, position.game)
        engines: dict[Any, Engine] = _own.__dict__.setdefault("engines", {})
        engine = engines.get(evaluation)
        if engine is None:
            engines.clear()
            engine = engines[evaluation] = Engine(evaluation, memory=8)
        engine.forget()
        moves = position.codes

        def run(engine: Engine) -> list[Iteration] | None:
            return engine.score_moves(position.state, self.depth, moves, past=position.past_keys)

        with reporting(position, evaluation, again=lambda h: run(Engine(h, memory=8))):
            found = run(engine)
        if found is None:
            raise InterruptedError
        return {one.move: _in_points(one.score) * self.scale for one in found}


def _in_points(score: Score) -> float:
    """Return a search's score in points. Proven wins become numbers small enough for a model to learn from."""
    if not score.is_proven:
        return float(score.points)
    return (DECIDED - (score.plies or 0)) * (1 if score > 0 else -1)


def is_solvable(position: Position) -> bool:
    """Does the game's solver say that it can score this position quickly enough for a dataset?"""
    module = solver_of(position.game)
    ask = getattr(module, "is_practical", None) or getattr(module, "is_quick", None)
    return ask is not None and bool(ask(position.state))


def exact_scores(game: Game) -> Callable[[Any, bool], float | None]:
    """Return a function that gives the exact score of a state, or None if the game's solver is not quick enough.

    Its second argument says that the score is wanted however long the solver takes.
    """
    module = solver_of(game)
    known: Callable[[Any, bool], float | None] | None = getattr(module, "exact_score", None)
    if known is not None:
        return known

    def score(state: Any, at_any_cost: bool) -> float | None:
        position = Position(game, state)
        if not at_any_cost and not is_solvable(position):
            return None
        found = own_solution(position)
        return float(found.score) if found is not None and found.complete else None

    return score


def calibrated(labeller: Labeller, positions: Iterable[Position]) -> Labeller:
    """Return the labeller with its searched scores brought to the scale of the exact ones, if it gives both kinds.

    The factor is the slope of a regression through zero, over the positions that can be solved.
    """
    if labeller.kind != "auto":
        return labeller
    products, squares = 0.0, 0.0
    search = replace(labeller, kind="search", scale=1.0)
    for position in positions:
        if is_solvable(position):
            exact, searched = labeller.scores(position)[0], search.scores(position)[0]
            for move, score in searched.items():
                if abs(score) < DECIDED / 2:
                    products += exact[move] * score
                    squares += score * score
    return replace(labeller, scale=products / squares) if products > 0 else labeller


def for_next_player(state: Any, move: int, score: float) -> tuple[Any, float]:
    """Return the state after a move, and the move's score as seen by the player who moves next."""
    after = play(state, move)
    return after, score if to_move(after) == to_move(state) else -score


def unit_of(game: Game, labeller: Labeller) -> str:
    """Return what a score of 1 means, for the description stored in the file."""
    module = solver_of(game)
    own = "the game's own points (of its solver)" if module is not None else "won 1, drawn 0, lost -1"
    searched = f"{labeller.scale:g} x points of {labeller.heuristic or game.default_heuristic}, depth {labeller.depth}"
    return {"exact": own, "search": searched, "auto": f"exact rows: {own}; others: {searched}"}[labeller.kind]
