"""Exact values: by the game's own solver if it has one, otherwise by the engine or by proof-number search."""

import time
from typing import Any

from zermelo.errors import PositionError
from zermelo.position import Position
from zermelo.rules import can_repeat, moves_of
from zermelo.scores import Score
from zermelo.searches.budget import NO_LIMIT, Budget
from zermelo.searches.deepening import MOST_DEPTH, Engine
from zermelo.searches.proof_run import run_proof
from zermelo.searches.reporting import reporting
from zermelo.solving.registry import own_solution
from zermelo.solving.solution import Solution

MEMORY = 64
"""Megabytes of the engine's table, unless the budget says otherwise."""


def solve(
    position: Position,
    *,
    weak: bool = False,
    all_moves: bool = False,
    seconds: float | None = None,
    threads: int | None = None,
) -> Solution:
    """The exact value of a position for the player to move, as analysis.solve describes it."""
    if position.is_over:
        raise PositionError("the game is over in {position}", position=position)
    budget = Budget(seconds=seconds)
    found = own_solution(position, budget, weak=weak, all_moves=all_moves, threads=threads)
    if found is not None:
        return found
    if weak and not all_moves and not can_repeat(position.state):
        return solve_by_proof(position, budget)
    return solve_by_search(position, budget, all_moves=all_moves)


def solve_by_proof(position: Position, budget: Budget = NO_LIMIT) -> Solution:
    """Who wins, by proof-number search, which was measured to be 2 to 14 times as fast as the engine."""
    found = run_proof(position.state, budget)
    assert found.move is not None
    return Solution(
        score=found.outcome or 0,
        moves=(found.move,),
        nodes=found.nodes,
        seconds=found.seconds,
        complete=found.outcome is not None,
    )


def solve_by_search(position: Position, budget: Budget = NO_LIMIT, *, all_moves: bool = False) -> Solution:
    """The value of a position of any game, by the engine: win, draw or loss (or the tree's score), quickest wins first.

    The budget is for the first search, that of the position itself.
    """
    game, state = position.game, position.state
    evaluation = game.heuristics[game.default_heuristic]
    engine = Engine(evaluation, memory=MEMORY if budget.memory is None else budget.memory)
    began = time.perf_counter()
    with reporting(position, evaluation):
        *_, found = engine.deepen(state, budget, position.past_keys)
        if not found.exact or not all_moves:
            return _solution(found.score, (found.move,), {}, found.nodes, began, found.exact)
        scores, nodes = {}, found.nodes
        for move in moves_of(state):
            scored = _score_of_move(engine, state, move)
            nodes += scored[1]
            scores[move] = scored[0]
    best = tuple(move for move, score in scores.items() if score == max(scores.values()))
    return _solution(found.score, best, scores, nodes, began, True)


def _score_of_move(engine: Engine, state: Any, move: int) -> tuple[Score, int]:
    """The exact score of a move, and the nodes it cost."""
    nodes = 0
    for depth in range(1, MOST_DEPTH + 1):
        found = engine.score_moves(state, depth, [move])
        assert found is not None
        nodes += found[0].nodes
        if found[0].exact:
            return found[0].score, nodes
    raise PositionError("the game goes on too long to be solved by search")


def _solution(
    score: Score, moves: tuple[int, ...], scores: dict[int, Score], nodes: int, began: float, complete: bool
) -> Solution:
    """The solution that scores of the search stand for: wins and losses count 1 and -1, points stay as they are."""

    def plain(value: Score) -> int:
        return (value.outcome or 0) if value.is_proven else int(value.points)

    return Solution(
        score=plain(score),
        moves=moves,
        scores={move: plain(value) for move, value in scores.items()},
        plies=score.plies,
        in_points=score != 0 and not score.is_proven,
        nodes=nodes,
        seconds=time.perf_counter() - began,
        complete=complete,
    )
