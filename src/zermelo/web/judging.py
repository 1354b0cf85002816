"""Scores as pages show them: short marks, chances between 0 and 1, and how good a move is beside the best."""

import functools
import math

from zermelo.analysis import Analysis, MoveScore
from zermelo.games import find_heuristic
from zermelo.language import _
from zermelo.position import Game, random_playout
from zermelo.rules import MOST_PLIES, WIN
from zermelo.scores import is_proven

SAMPLES = 24  # random games, one position of each
INACCURACY, MISTAKE, BLUNDER = 0.08, 0.18, 0.35  # of a chance lost by a move
AS_GOOD = 0.02


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
    if score.in_points or is_proven(score.score) or (score.exact and score.score == 0):
        return 0.5 + 0.5 * ((score.score > 0) - (score.score < 0))
    return 0.5 + 0.49 * math.tanh(score.score / scale)


def mark_of(score: MoveScore) -> str:
    """The score in up to five characters: `+12`, `W3` (a win in 3 plies), `L4`, `-1.5k`."""
    value = score.score
    if not score.in_points and is_proven(value):
        plies = WIN - abs(value)
        letter = _("W") if value > 0 else _("L")
        return f"{letter}{plies}" if 0 < plies < MOST_PLIES else letter
    if abs(value) >= 10_000:
        return f"{value / 1000:+.0f}k"
    if abs(value) >= 1000:
        return f"{value / 1000:+.1f}k"
    return f"{value:+d}" if value else "0"


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
    return 1.0 if analysis.best.in_points or analysis.depth == 0 else scale_of(game, analysis.heuristic)
