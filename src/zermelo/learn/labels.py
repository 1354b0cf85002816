"""What positions are worth: exactly, where the game's solver can say it, else by a deep search."""

import threading
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.games import find_heuristic
from zermelo.language import _
from zermelo.position import Game, Position
from zermelo.rules import moves_of, play, to_move
from zermelo.scores import Score
from zermelo.searches.deepening import Engine
from zermelo.searches.reporting import reporting
from zermelo.solving.exact import solve
from zermelo.solving.registry import own_solution, solver_of

LABELS = ("auto", "exact", "search")
DECIDED = 10_000.0
"""What a search's proven win counts in a dataset, less the plies to it."""

_own = threading.local()


class LabelError(ZermeloError):
    """Scores that cannot be had so."""


@dataclass(frozen=True)
class Labeller:
    """Where the scores come from.

    exact     the game's solver, or for games without one a search to the end
    search    the engine, to a depth, with a heuristic (the game's default, if none is named)
    auto      exact where the game's solver says that it can, else search
    """

    kind: str = "auto"
    depth: int = 6
    heuristic: str | None = None
    scale: float = 1.0  # of searched scores: see calibrated

    def __post_init__(self) -> None:
        if self.kind not in LABELS:
            raise LabelError(
                _("there are no labels {kind!r}; there are {labels}").format(kind=self.kind, labels=", ".join(LABELS))
            )

    def scores(self, position: Position) -> tuple[dict[int, float], bool]:
        """The score of every move for the player to move, and whether the scores are exact."""
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
        moves = moves_of(position.state)

        def run(engine: Engine) -> Any:
            return engine.score_moves(position.state, self.depth, moves, past=position.past_keys)

        with reporting(position, evaluation, again=lambda h: run(Engine(h, memory=8))):
            found = run(engine)
        if found is None:
            raise InterruptedError
        return {one.move: _in_points(one.score) * self.scale for one in found}


def _in_points(score: Score) -> float:
    """A search's score, with its proven wins brought down to numbers that a model can live with."""
    if not score.is_proven:
        return float(score.points)
    return (DECIDED - (score.plies or 0)) * (1 if score > 0 else -1)


def is_solvable(position: Position) -> bool:
    """Does the game's solver say that it can score such a position while data is made?"""
    module = solver_of(position.game)
    ask = getattr(module, "is_practical", None) or getattr(module, "is_quick", None)
    return ask is not None and bool(ask(position.state))


def calibrated(labeller: Labeller, positions: Iterable[Position]) -> Labeller:
    """The labeller with its searched scores brought to the scale of the exact ones, if it gives both.

    The factor is the slope of a regression through zero, over those of the positions that can be solved.
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


def for_next_mover(state: Any, move: int, score: float) -> tuple[Any, float]:
    """What a move leads to, and its score seen by the player who moves then."""
    after = play(state, move)
    return after, score if to_move(after) == to_move(state) else -score


def unit_of(game: Game, labeller: Labeller) -> str:
    """What a score of 1 means, for the file's description."""
    module = solver_of(game)
    own = "the game's own points (of its solver)" if module is not None else "won 1, drawn 0, lost -1"
    searched = f"{labeller.scale:g} x points of {labeller.heuristic or game.default_heuristic}, depth {labeller.depth}"
    return {"exact": own, "search": searched, "auto": f"exact rows: {own}; others: {searched}"}[labeller.kind]
