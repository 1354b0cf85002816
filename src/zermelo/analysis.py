"""What a position and its moves are worth. Positions may be given as texts, too, and heuristics as functions."""

import functools
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from zermelo.core import class_of
from zermelo.errors import PlayerError, PositionError
from zermelo.games import HeuristicLike, PositionLike, find_heuristic, find_position
from zermelo.language import marked
from zermelo.players import PlayerLike, SearchPlayer, find_player
from zermelo.position import Game, Position
from zermelo.rules import moves_of
from zermelo.scores import Score
from zermelo.searches.budget import NO_LIMIT, Budget
from zermelo.searches.deepening import MOST_DEPTH, Engine, compiled_engine
from zermelo.searches.perft import perft as perft_of_state
from zermelo.searches.reporting import reporting
from zermelo.solving import exact
from zermelo.solving.registry import quick_nodes, tried_solution
from zermelo.solving.solution import Solution

State = tuple[Any, ...]
"""States are named tuples; each game has a class of its own."""
PARTS = 4
"""A budget is divided into this number of parts. The solver gets one part of the nodes; of the seconds, all but one."""
MEMORY = 32
"""Megabytes of the engine's table, unless the budget says otherwise."""


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
    """Every legal move, best first. All are searched to the same depth, or all are solved; the depth is 0 then."""

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

    @property
    def unit(self) -> str:
        """What scores that are not wins or losses count: such as `discs` at the end, or `points` of the heuristic."""
        game = self.position.game
        in_results = self.best.score.in_points or self.heuristic in game.result_heuristics
        return game.result_unit if in_results and game.result_unit else marked("points")

    def __str__(self) -> str:
        wide = max(len(move.move) for move in self.moves)
        score = max(10, *(len(move.text) for move in self.moves))
        lines = [f"{move.move:>{wide}}  {move.text:>{score}}  {' '.join(move.line)}" for move in self.moves]
        return "\n".join(lines)


def analyse(
    position: PositionLike,
    *,
    depth: int | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    heuristic: HeuristicLike | None = None,
    player: PlayerLike | None = None,
) -> Analysis:
    """Every legal move with its score, best line and cost, searched until the budget is used up (by default, 1 s).

    Where the game's own solver quickly finds the answer, that is given, unless a heuristic or a player is named. Then
    all scores are exact and `depth` is 0; otherwise none of the scores is the solver's. A player scores each move by
    its own search of the position after the move; it must be one that searches, such as `minimax(depth=3)` or
    `mine.py:my_alphabeta(depth=6)`.
    """
    begin, budget = find_position(position), Budget(depth, nodes, seconds)
    if player is None:
        *_, last = deepen(begin, budget, heuristic=heuristic)
    else:
        *_, last = deepen_by(searcher(player, begin.game, heuristic), begin, budget)
    return last


def _solved(position: Position, solved: Solution) -> Analysis:
    """An analysis by the game's own solver, which is exact."""
    game, state = position.game, position.state
    scores = {move: solved.as_score(position.to_move, move) for move in solved.scores}
    ranked = sorted(scores, key=lambda move: -scores[move])
    texts = {move: game.move_text(state, move) for move in ranked}
    moves = tuple(MoveScore(texts[move], scores[move], (texts[move],), 0, 0, True) for move in ranked)
    return Analysis(position, moves, 0, solved.nodes, solved.seconds, marked("exact solution"))


def _solver_budget(game: Game, budget: Budget) -> Budget:
    """The solver's share of a budget."""
    if budget.nodes is None and budget.seconds is None:
        return Budget(nodes=quick_nodes(game))
    return Budget(nodes=budget.share(1, PARTS).nodes, seconds=budget.share(PARTS - 1, PARTS).seconds)


def deepen(
    position: Position,
    budget: Budget = NO_LIMIT,
    *,
    heuristic: HeuristicLike | None = None,
    solver_nodes: int | None = None,
) -> Iterator[Analysis]:
    """The analysis at depth 1, 2, 3..., each as soon as it is finished. Depth 1 is always given.

    The game's solver comes first, unless a heuristic is named. It has three quarters of the seconds, or a quarter of
    the nodes; without either, as many nodes as take a few seconds. With solver_nodes it has this many nodes instead,
    beside the budget and whatever time they take, so that the same positions are solved every time.
    With a limit of depth or nodes and none of seconds, the result is the same every time.
    """
    if position.is_over:
        raise PositionError("the game is over in {position}", position=position)
    state, game = position.state, position.game
    evaluation = find_heuristic(heuristic or game.default_heuristic, game)
    spent_nodes, spent_seconds = 0, 0.0
    if heuristic is None:
        share = _solver_budget(game, budget) if solver_nodes is None else Budget(nodes=solver_nodes)
        solved = tried_solution(position, share, all_moves=True)
        if solved is not None and solved.complete and solved.scores:
            yield _solved(position, solved)
            return
        if solved is not None and solver_nodes is None:
            spent_nodes, spent_seconds = solved.nodes, solved.seconds
    if budget.is_endless:
        budget, spent_seconds = replace(budget, seconds=1.0), 0.0
    evaluation.native(type(state))  # compiling is no part of the budget
    compiled_engine(class_of(state))
    memory = MEMORY if budget.memory is None else budget.memory
    engine, past = Engine(evaluation, memory=memory), position.past_keys
    began, used = time.perf_counter() - spent_seconds, spent_nodes
    order = moves_of(state)
    for now in range(1, (budget.depth or MOST_DEPTH) + 1):
        left = NO_LIMIT if now == 1 else budget.after(used, time.perf_counter() - began)
        if left.is_spent:
            return
        run = functools.partial(Engine.score_moves, state=state, depth=now, order=order, budget=left, past=past)
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


def searcher(text: PlayerLike, game: Game, heuristic: HeuristicLike | None = None) -> SearchPlayer:
    """The player of this text, which must be one that searches; with this heuristic, if one is given."""
    player = find_player(text, game)
    if not isinstance(player, SearchPlayer):
        raise PlayerError(
            "{player} gives no value to every move; name minimax, alphabeta, or a search of your own", player=player
        )
    return player if heuristic is None else player.with_heuristics({"heuristic": heuristic})


def deepen_by(player: SearchPlayer, position: Position, budget: Budget = NO_LIMIT) -> Iterator[Analysis]:
    """The analysis by a player's own search, which scores every move by the position after it.

    It is given at depth 1, 2, 3..., each as soon as it is finished. The player's limits hold where the budget has none,
    and for all moves together; its usual depth does not hold where the budget limits nodes or seconds.
    """
    if position.is_over:
        raise PositionError("the game is over in {position}", position=position)
    own = replace(player.budget, depth=None) if budget.nodes or budget.seconds else player.budget
    limits = Budget(**(dict(own) | dict(budget)))  # type: ignore[arg-type]
    player.prepare(position.game)  # the time for compiling does not count
    began, used = time.perf_counter(), 0
    order = list(position.moves)
    for depth in range(1, (limits.depth or MOST_DEPTH) + 1):
        found: list[MoveScore] = []
        for move in order:
            left = NO_LIMIT if depth == 1 else limits.after(used, time.perf_counter() - began)
            if left.is_spent:
                return
            after = position.play(move)
            searched = player.search_to(after, depth - 1, left)
            if not searched.complete:
                return
            used += searched.nodes
            score = searched.score.seen_by(position.to_move)
            if score.is_proven:
                score = replace(score, plies=(score.plies or 0) + 1)
            line = (move, *after.line_texts(searched.line)) if depth > 1 else (move,)
            found.append(MoveScore(move, score, line, depth, searched.nodes, score.is_proven))
        found.sort(key=lambda one: -one.score.number)
        order = [one.move for one in found]
        yield Analysis(position, tuple(found), depth, used, time.perf_counter() - began, str(player))
        if all(one.exact for one in found):
            return


def solve(
    position: PositionLike,
    *,
    weak: bool = False,
    all_moves: bool = False,
    seconds: float | None = None,
    threads: int | None = None,
) -> Solution:
    """The exact value of a position for the player to move.

    weak: find out only who wins, which is quicker. all_moves: find every best move, and the score of every legal one.
    Within a limit of seconds the solution may be incomplete; then its `complete` is False.
    """
    return exact.solve(find_position(position), weak=weak, all_moves=all_moves, seconds=seconds, threads=threads)


def perft(position: PositionLike | State, depth: int, ended: int | None = None) -> int:
    """The number of move sequences of exactly `depth` plies from a position, a game, a text or a state.

    A finished game has no continuation. With ended=1 it still counts as one sequence, as in the published counts for
    Reversi; by default that is decided by the game, and for a state it is not counted.
    """
    if isinstance(position, tuple):
        return perft_of_state(position, depth, ended or 0)
    found = find_position(position)
    return perft_of_state(found.state, depth, found.game.perft_counts_ended if ended is None else ended)
