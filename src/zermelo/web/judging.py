"""Scores and analyses as pages show them: short marks, chances between 0 and 1, how good a move is beside the best.

It knows nothing of requests: the processes of the workshop judge with it, too.
"""

import functools
import math
import time
from collections.abc import Iterator
from typing import Any

from zermelo.analysis import Analysis, MoveScore, deepen
from zermelo.games import find_heuristic
from zermelo.language import _
from zermelo.position import Game, Position, random_playout
from zermelo.rules import MOST_PLIES, WIN
from zermelo.scores import is_proven
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
    board = board_of(here, {move.move: mark_of(move) for move in analysis.moves})
    chance = chance_of(analysis.best, scale)
    return {
        "depth": analysis.depth,
        "nodes": analysis.nodes,
        "seconds": round(analysis.seconds, 3),
        "heuristic": analysis.heuristic,
        "exact": all(move.exact for move in analysis.moves),
        "chance": round(chance if here.to_move == 1 else 1 - chance, 4),
        "text": analysis.best.text,
        "side": _(here.game.players[here.to_move - 1]),
        "qualities": {move.move: quality_of(move, analysis.best, scale) for move in analysis.moves},
        "lines": [
            {"move": move.move, "text": move.text, "line": list(move.line[:LINE_MOVES]), "exact": move.exact}
            for move in analysis.moves[:LINES]
        ],
        "svg": board.svg,
        "style": board.style,
    }


def point_of(here: Position, ply: int, played: str | None, seconds: float, heuristic: str) -> dict[str, Any]:
    """A position of a game on its graph: player 1's chance, and what is known of the move played there, if one was."""
    if here.is_over:
        return {"ply": ply, "chance": {1: 1.0, 2: 0.0, None: 0.5}[here.winner], "text": "", "over": True}
    *_, analysis = deepen(here, seconds=seconds, heuristic=heuristic or None)
    scale = scale_for(analysis, here.game)
    chances = {move.move: round(chance_of(move, scale), 4) for move in analysis.moves}
    best = chances[analysis.best.move]
    point: dict[str, Any] = {
        "ply": ply,
        "chance": best if here.to_move == 1 else round(1 - best, 4),
        "text": analysis.best.text,
        "over": False,
        "mover": here.to_move,
        "best": analysis.best.move,
    }
    if played is not None:
        lost = best - chances[played]
        point |= {"played": played, "lost": round(lost, 4), "word": word_for(lost)}
        if point["word"]:
            point["as_good"] = [move for move, chance in chances.items() if chance >= best - AS_GOOD]
            point["better"] = [move for move, chance in chances.items() if chance > chances[played] + AS_GOOD]
    return point
