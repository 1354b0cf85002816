"""What every legal move of a position is worth."""

import time
from collections.abc import Iterator
from dataclasses import dataclass

from zermelo.core import Heuristic
from zermelo.errors import PositionError
from zermelo.games import find_heuristic
from zermelo.players import line_texts, reporting
from zermelo.position import Position
from zermelo.rules import end_score
from zermelo.scores import is_proven, score_text
from zermelo.search.alphabeta import alphabeta
from zermelo.search.textbook import compiled_search, run_alphabeta
from zermelo.search.workspace import PLIES


@dataclass(frozen=True)
class MoveScore:
    """A legal move with its score for the player to move, and the line expected after it."""

    move: str
    score: int
    line: tuple[str, ...]
    depth: int
    nodes: int

    @property
    def text(self) -> str:
        return score_text(self.score)


@dataclass(frozen=True)
class Analysis:
    """Every legal move, best first, all searched to the same depth."""

    position: Position
    moves: tuple[MoveScore, ...]
    depth: int
    nodes: int
    seconds: float
    heuristic: str

    @property
    def best(self) -> MoveScore:
        return self.moves[0]

    def __str__(self) -> str:
        wide = max(len(move.move) for move in self.moves)
        lines = [f"{move.move:>{wide}}  {move.text:>10}  {' '.join(move.line)}" for move in self.moves]
        return "\n".join(lines)


def analyse(
    position: Position,
    *,
    depth: int | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    heuristic: Heuristic | str | None = None,
) -> Analysis:
    """Every legal move with its score, best line and cost; deeper and deeper until the budget ends (1 s by default)."""
    last = None
    for last in deepen(position, depth=depth, seconds=seconds, nodes=nodes, heuristic=heuristic):  # noqa: B007
        pass
    assert last is not None
    return last


def deepen(
    position: Position,
    *,
    depth: int | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    heuristic: Heuristic | str | None = None,
) -> Iterator[Analysis]:
    """The analysis at depth 1, 2, 3... as each is finished. Depth 1 is always given."""
    if position.is_over:
        raise PositionError(f"the game is over in {position}")
    if depth is None and seconds is None and nodes is None:
        seconds = 1.0
    evaluation = find_heuristic(heuristic or position.game.default_heuristic, position.game)
    evaluation.native(type(position.state))  # compiling is no part of the budget
    compiled_search(alphabeta, type(position.state))
    began, used = time.perf_counter(), 0
    order = list(position.moves)
    for now in range(1, (depth or PLIES) + 1):
        found = []
        for move in order:
            left = None if seconds is None else seconds - (time.perf_counter() - began)
            nodes_left = None if nodes is None else nodes - used
            if now > 1 and ((left is not None and left <= 0) or (nodes_left is not None and nodes_left <= 0)):
                return
            score = _score_move(
                position, move, now, evaluation, left if now > 1 else None, nodes_left if now > 1 else None
            )
            if score is None:
                return
            used += score.nodes
            found.append(score)
        found.sort(key=lambda one: -one.score)
        order = [one.move for one in found]
        yield Analysis(position, tuple(found), now, used, time.perf_counter() - began, str(evaluation))
        if all(is_proven(one.score) or len(one.line) < now for one in found):
            return  # deeper searches would find the same


def _score_move(
    position: Position, move: str, depth: int, evaluation: Heuristic, seconds: float | None, nodes: int | None
) -> MoveScore | None:
    """The exact value of a move at this depth, or None if the budget ended first."""
    child = position.play(move)
    sign = 1 if child.to_move == position.to_move else -1
    if child.is_over:
        ended = end_score(child.state, 1) if child.winner is not None or child.margin else 0
        return MoveScore(move, sign * int(ended), (move,), depth, 1)
    if depth == 1:
        with reporting(evaluation):
            return MoveScore(move, sign * evaluation(child), (move,), 1, 1)
    with reporting(evaluation):
        found = run_alphabeta(child.state, evaluation, depth - 1, seconds=seconds, nodes=nodes)
    if not found.complete:
        return None
    score = found.score - (1 if is_proven(found.score) and found.score > 0 else -1 if is_proven(found.score) else 0)
    return MoveScore(move, sign * score, (move, *line_texts(child, found.line)), depth, found.nodes)
