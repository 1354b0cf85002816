"""Scores and analyses as pages show them: short marks, chances between 0 and 1, how good a move is beside the best.

It knows nothing of requests: the processes of the workshop judge with it, too.
"""

import functools
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from zermelo.analysis import Analysis, MoveScore, deepen
from zermelo.games import find_heuristic
from zermelo.language import _
from zermelo.position import Game, Position, random_playout
from zermelo.searches.budget import Budget
from zermelo.solving.registry import quick_nodes, quick_solution
from zermelo.web.positions import board_of

SAMPLES = 24  # random games, one position of each
INACCURACY, MISTAKE, BLUNDER = 0.08, 0.18, 0.35  # of a chance lost by a move
AS_GOOD = 0.02
AT_LEAST_APART = 0.15  # seconds between reports: shallow depths come by the hundred
LINES, LINE_MOVES = 5, 8


@functools.lru_cache(maxsize=256)
def scale_of(game: Game, heuristic: str) -> float:
    """The mean size of the heuristic's values in positions of random games: such a score counts as tanh(1)."""
    evaluate = find_heuristic(heuristic, game)
    sizes = []
    for seed in range(SAMPLES):
        end = random_playout(game.varied_start(seed), seed)
        path = end.path
        middle = path[len(path) * (1 + seed % 8) // 10]
        if not middle.is_over:
            sizes.append(abs(int(evaluate(middle.state))))
    return max(1.0, sum(sizes) / max(1, len(sizes)))


def chance_of(score: MoveScore, scale: float) -> float:
    """How likely the player to move wins: 0 to 1. A proven result, or a solver's, is certain."""
    value = score.score
    if value.outcome is not None or (score.exact and value == 0):
        return 0.5 + 0.5 * (value.outcome or 0)
    return 0.5 + 0.49 * math.tanh(value.points / scale)


def quality_of(move: MoveScore, best: MoveScore, scale: float) -> str:
    """`best`, `good`, `fair` or `bad`, beside the best move; where all is lost, nothing is good."""
    chance = chance_of(move, scale)
    if move.score == best.score:
        return "best" if chance > 0 else "fair"
    if chance == 0:
        return "bad"
    lost = chance_of(best, scale) - chance
    return "good" if lost < INACCURACY else "fair" if lost < MISTAKE else "bad"


def word_for(lost: float) -> str | None:
    """What to call a move that gave away so much."""
    if lost < INACCURACY:
        return None
    return "inaccuracy" if lost < MISTAKE else "mistake" if lost < BLUNDER else "blunder"


def scale_for(analysis: Analysis, game: Game) -> float:
    """The scale of an analysis; a solver's scores need none."""
    return 1.0 if analysis.best.score.in_points or analysis.depth == 0 else scale_of(game, analysis.heuristic)


def sometimes(found: Iterator[Analysis]) -> Iterator[Analysis]:
    """Not every analysis, if they come too fast to be seen; but always the last."""
    last, waiting = 0.0, None
    for analysis in found:
        now = time.monotonic()
        if now - last >= AT_LEAST_APART:
            last, waiting = now, None
            yield analysis
        else:
            waiting = analysis
    if waiting is not None:
        yield waiting


def analysis_view(here: Position, analysis: Analysis) -> dict[str, Any]:
    """An analysis for the page; chances are player 1's, scores the mover's."""
    scale = scale_for(analysis, here.game)
    chance = chance_of(analysis.best, scale)
    return {
        "depth": analysis.depth,
        "nodes": analysis.nodes,
        "seconds": round(analysis.seconds, 3),
        "heuristic": analysis.heuristic,
        "exact": analysis.is_exact,
        "chance": round(chance if here.to_move == 1 else 1 - chance, 4),
        "text": analysis.best.text,
        "side": _(here.game.players[here.to_move - 1]),
        "qualities": {move.move: quality_of(move, analysis.best, scale) for move in analysis.moves},
        "lines": [
            {"move": move.move, "text": move.text, "line": list(move.line[:LINE_MOVES]), "exact": move.exact}
            for move in analysis.moves[:LINES]
        ],
        "picture": board_of(here, {move.move: move.score.mark for move in analysis.moves}),
    }


# ------------------------------------------------------------------------------------------ a whole game


@dataclass(frozen=True)
class Judged:
    """A position of a game, and every move's chance for the player to move; none if the game is over."""

    here: Position
    analysis: Analysis | None
    chances: dict[str, float]

    @property
    def is_exact(self) -> bool:
        return self.analysis is None or self.analysis.is_exact

    @property
    def chance(self) -> float:
        """Player 1's."""
        if self.analysis is None:
            return {1: 1.0, 2: 0.0, None: 0.5}[self.here.winner]
        best = self.chances[self.analysis.best.move]
        return best if self.here.to_move == 1 else round(1 - best, 4)

    def chance_for(self, player: int) -> float:
        return self.chance if player == 1 else 1 - self.chance


def review(path: Sequence[Position], nodes: int, heuristic: str) -> Iterator[dict[str, Any]]:
    """The points of a game's graph, in order: player 1's chance, and what is known of the move played there.

    Every position is solved where the game's solver can do that within its nodes, or else estimated by a search of so
    many nodes: no clock is asked, so the same game gets the same review on any machine. A move is compared with the
    others of its own position only, which were all judged in the same way.
    """
    before: Judged | None = None
    for ply, here in enumerate(path):
        now = judge(here, nodes, heuristic)
        if before is not None:
            yield point_of(before, ply - 1, here.last_move_text, now)
        before = now
    assert before is not None
    yield point_of(before, len(path) - 1)


def judge(here: Position, nodes: int, heuristic: str) -> Judged:
    """A position as a review has it."""
    if here.is_over:
        return Judged(here, None, {})
    found = deepen(here, Budget(nodes=nodes), heuristic=heuristic or None, solver_nodes=quick_nodes(here.game))
    *_, analysis = found
    scale = scale_for(analysis, here.game)
    return Judged(here, analysis, {move.move: round(chance_of(move, scale), 4) for move in analysis.moves})


def point_of(judged: Judged, ply: int, played: str | None = None, after: Judged | None = None) -> dict[str, Any]:
    """A point of the graph. `exact`: the position is solved. `sure`: the word for the move is no estimate."""
    point: dict[str, Any] = {
        "ply": ply,
        "chance": judged.chance,
        "text": judged.analysis.best.text if judged.analysis else "",
        "over": judged.analysis is None,
        "exact": judged.is_exact,
    }
    if judged.analysis is None:
        return point
    best = judged.analysis.best
    point |= {"mover": judged.here.to_move, "best": best.move}
    if played is not None and after is not None:
        exact = {move.move: move.exact for move in judged.analysis.moves}
        lost = lost_by(judged, played, after)
        point |= {"played": played, "lost": round(lost, 4), "word": word_for(lost)}
        point["sure"] = judged.is_exact or (exact[best.move] and exact[played])
        if point["word"]:
            point |= better_moves(judged, played)
            if not point["as_good"]:
                point["word"] = None  # whatever seemed better is seen to lose
    return point


def lost_by(judged: Judged, played: str, after: Judged) -> float:
    """The chance that a move gave away; where it is estimated, as much as both positions agree about.

    A move that leads to a proven win gave away nothing, whatever an estimate says.
    """
    best = max(judged.chances.values())
    lost = best - judged.chances[played]
    if judged.is_exact:
        return lost
    mover = judged.here.to_move
    if after.is_exact:
        return 0.0 if after.chance_for(mover) == 1 else lost
    return max(0.0, min(lost, best - after.chance_for(mover)))


def better_moves(judged: Judged, played: str) -> dict[str, list[str]]:
    """The moves about as good as the best, and those better than the one played, without any that is proven to lose."""
    chances = judged.chances
    best = max(chances.values())
    good = [move for move, chance in chances.items() if chance > 0 and not _is_seen_to_lose(judged, move, best)]
    return {
        "as_good": [move for move in good if chances[move] >= best - AS_GOOD],
        "better": [move for move in good if chances[move] > chances[played] + AS_GOOD],
    }


def _is_seen_to_lose(judged: Judged, move: str, best: float) -> bool:
    """Does the game's solver refute a move of a position that is only estimated?"""
    if judged.is_exact or judged.chances[move] < best - AS_GOOD:
        return False
    after = judged.here.play(move)
    if after.is_over:
        return False
    solved = quick_solution(after, Budget(nodes=quick_nodes(after.game)))
    if solved is None:
        return False
    return solved.outcome == (1 if after.to_move != judged.here.to_move else -1)
