"""What every legal move of a position is worth."""

import functools
import time
from collections.abc import Iterator
from dataclasses import dataclass

from zermelo.core import Heuristic, class_of
from zermelo.errors import PositionError
from zermelo.games import find_heuristic
from zermelo.language import _, marked
from zermelo.position import Position
from zermelo.rules import moves_of
from zermelo.scores import Score
from zermelo.searches.deepening import MOST_DEPTH, Engine, compiled_engine
from zermelo.searches.reporting import reporting
from zermelo.solving.registry import quick_nodes, tried_solution
from zermelo.solving.solution import Solution

SOLVER_SHARE = 4
"""One part in so many of a budget of nodes is the solver's; of seconds, all but one part."""


@dataclass(frozen=True)
class MoveScore:
    """A legal move with its score for the player to move, and the line expected after it."""

    move: str
    score: Score  #: for the player to move
    line: tuple[str, ...]  #: the moves expected, this one first
    depth: int
    nodes: int
    exact: bool  #: proven, not estimated

    @property
    def text(self) -> str:
        """The score in words: `win in 7` where it is proven, points, or what the heuristic says."""
        return self.score.text


@dataclass(frozen=True)
class Analysis:
    """Every legal move, best first, all searched to the same depth, or all of them solved (depth 0)."""

    position: Position
    moves: tuple[MoveScore, ...]
    depth: int
    nodes: int
    seconds: float
    heuristic: str

    @property
    def best(self) -> MoveScore:
        """The first of them."""
        return self.moves[0]

    @property
    def is_exact(self) -> bool:
        """Is every score proven, none of them an estimate?"""
        return all(move.exact for move in self.moves)

    def __str__(self) -> str:
        wide = max(len(move.move) for move in self.moves)
        score = max(10, *(len(move.text) for move in self.moves))
        lines = [f"{move.move:>{wide}}  {move.text:>{score}}  {' '.join(move.line)}" for move in self.moves]
        return "\n".join(lines)


def analyse(
    position: Position,
    *,
    depth: int | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    heuristic: Heuristic | str | None = None,
) -> Analysis:
    """Every legal move with its score, best line and cost; deeper and deeper until the budget ends (1 s by default).

    Where the game's own solver has the answer at hand it is given, unless a heuristic is named. All scores are exact
    then, and `depth` is 0; otherwise none of them is the solver's.
    """
    last = None
    for last in deepen(position, depth=depth, seconds=seconds, nodes=nodes, heuristic=heuristic):  # noqa: B007
        pass
    assert last is not None
    return last


def _solved(position: Position, solved: Solution) -> Analysis:
    """An analysis by the game's own solver: exact, and nothing left to deepen."""
    game, state = position.game, position.state
    scores = {move: solved.as_score(position.to_move, move) for move in solved.scores}
    ranked = sorted(scores, key=lambda move: -scores[move])
    texts = {move: game.move_text(state, move) for move in ranked}
    moves = tuple(MoveScore(texts[move], scores[move], (texts[move],), 0, 0, True) for move in ranked)
    return Analysis(position, moves, 0, solved.nodes, solved.seconds, marked("exact solution"))


def _tried(position: Position, seconds: float | None, nodes: int | None, solver_nodes: int | None) -> Solution | None:
    """What the game's solver finds with its share of a budget."""
    limit = solver_nodes
    if limit is None and nodes is not None:
        limit = max(1, nodes // SOLVER_SHARE)
    elif limit is None and seconds is None:
        limit = quick_nodes(position.game)
    share = None if seconds is None or solver_nodes is not None else seconds * (SOLVER_SHARE - 1) / SOLVER_SHARE
    return tried_solution(position, all_moves=True, seconds=share, nodes=limit)


def deepen(
    position: Position,
    *,
    depth: int | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    heuristic: Heuristic | str | None = None,
    memory: float = 32,
    solver_nodes: int | None = None,
) -> Iterator[Analysis]:
    """The analysis at depth 1, 2, 3... as each is finished. Depth 1 is always given.

    The game's solver comes first, unless a heuristic is named. It has three quarters of the seconds, or a quarter of
    the nodes; without either, as many nodes as take a few seconds. solver_nodes: this many instead, beside the others
    and whatever time they take, so that it is the same positions that are solved every time.
    With a depth or nodes and no seconds, the result is the same every time.
    """
    if position.is_over:
        raise PositionError(_("the game is over in {position}").format(position=position))
    state, game = position.state, position.game
    evaluation = find_heuristic(heuristic or game.default_heuristic, game)
    spent_nodes, spent_seconds = 0, 0.0
    if heuristic is None:
        solved = _tried(position, seconds, nodes, solver_nodes)
        if solved is not None and solved.complete and solved.scores:
            yield _solved(position, solved)
            return
        if solved is not None and solver_nodes is None:
            spent_nodes, spent_seconds = solved.nodes, solved.seconds
    if depth is None and seconds is None and nodes is None:
        seconds, spent_seconds = 1.0, 0.0
    evaluation.native(type(state))  # compiling is no part of the budget
    compiled_engine(class_of(state))
    engine, past = Engine(evaluation, memory=memory), position.past_keys
    began, used = time.perf_counter() - spent_seconds, spent_nodes
    order = moves_of(state)
    for now in range(1, (depth or MOST_DEPTH) + 1):
        left = None if seconds is None or now == 1 else seconds - (time.perf_counter() - began)
        nodes_left = None if nodes is None or now == 1 else nodes - used
        if (left is not None and left <= 0) or (nodes_left is not None and nodes_left <= 0):
            return
        run = functools.partial(
            Engine.score_moves, state=state, depth=now, order=order, seconds=left, nodes=nodes_left, past=past
        )
        with reporting(position, evaluation, again=lambda h, run=run: run(Engine(h, memory=memory))):
            found = run(engine)
        if found is None:
            return
        used += sum(one.nodes for one in found)
        found.sort(key=lambda one: -one.score)
        order = [one.move for one in found]
        moves = tuple(
            MoveScore(
                game.move_text(state, one.move), one.score, position.line_texts(one.line), now, one.nodes, one.exact
            )
            for one in found
        )
        yield Analysis(position, moves, now, used, time.perf_counter() - began, str(evaluation))
        if all(one.exact for one in found):
            return  # deeper searches would find the same
