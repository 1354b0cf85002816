"""Analyses as pages show them.

This module knows nothing of requests, because the processes of the workshop use it too.
"""

import time
from collections.abc import Iterator
from typing import Any

from zermelo.analysis import Analysis, MoveScore
from zermelo.judging import chance_of, fitted, quality_of, scale_for
from zermelo.language import _
from zermelo.position import Position
from zermelo.scores import Score
from zermelo.web.positions import board_of

AT_LEAST_APART = 0.15  # seconds between two reports; hundreds of shallow depths are searched in a second
LINES, LINE_MOVES = 5, 8


def sometimes(found: Iterator[Analysis]) -> Iterator[Analysis]:
    """The analyses without those that come too fast to be seen. The last one is always among them."""
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


def analysis_view(here: Position, analysis: Analysis, in_points: bool = False) -> dict[str, Any]:
    """An analysis for the page. Chances and the bar's number are player 1's; other scores are the player to move's.

    Scores are in the unit of the game, or in the heuristic's points.
    """
    game, scale = here.game, scale_for(analysis, here.game)
    best, side = analysis.best, 1 if here.to_move == 1 else -1
    chances = {move.move: chance_of(move, scale) for move in analysis.moves}
    chance = chances[best.move] if side == 1 else 1 - chances[best.move]
    unit = "points" if in_points else game.score_unit
    shown = analysis.moves[: game.marked_moves]
    number = best.score if side == 1 else -best.score
    return {
        "depth": analysis.depth,
        "nodes": analysis.nodes,
        "seconds": round(analysis.seconds, 3),
        "heuristic": analysis.heuristic,
        "exact": analysis.is_exact,
        "chance": round(chance, 4),
        "text": said(best, chances[best.move], unit),
        "number": marked_score(number, chance, unit),
        "legend": legend_of(here, analysis, unit),
        "side": _(game.players[here.to_move - 1]),
        "qualities": {move.move: quality_of(move, best, scale) for move in analysis.moves},
        "lines": [
            {
                "move": move.move,
                "text": said(move, chances[move.move], unit),
                "line": list(move.line[:LINE_MOVES]),
                "exact": move.exact,
            }
            for move in analysis.moves[:LINES]
        ],
        "picture": board_of(here, {move.move: marked_score(move.score, chances[move.move], unit) for move in shown}),
    }


def marked_score(score: Score, chance: float, unit: str) -> str:
    """A score in up to six characters. What is certain is never shown as a chance, and estimates have one decimal."""
    if score.outcome is None:
        return Score(round(score.points, 1)).mark if unit == "points" else f"{100 * chance:.0f}%"
    if unit != "plies":
        return score.mark
    return "=" if score.outcome == 0 else Score(outcome=score.outcome, plies=score.plies).mark


def said(move: MoveScore, chance: float, unit: str) -> str:
    """A score as a text."""
    if move.score.outcome is None and unit == "points":
        return Score(round(move.score.points, 1)).text
    return f"{100 * chance:.0f} %" if move.score.outcome is None else move.text


def legend_of(here: Position, analysis: Analysis, unit: str) -> str:
    """What the numbers mean, in one sentence."""
    game = here.game
    in_results = unit == "points" and analysis.unit == game.result_unit
    if unit == "points" and analysis.is_exact:
        if in_results:
            return _("Result in {unit} with best play, exact.").format(unit=_(game.result_unit))
        return _("Points at the end with best play, exact.") if analysis.best.score.in_points else _("Exact.")
    if in_results:
        return _("Result in {unit}, estimated by {heuristic}.").format(
            unit=_(game.result_unit), heuristic=analysis.heuristic
        )
    if unit == "points":
        return _("Points of the heuristic {heuristic}: an estimate.").format(heuristic=analysis.heuristic)
    if analysis.is_exact:
        return _("W7: a win in 7 plies, L6: a loss in 6. Exact.")
    known = fitted(type(game), analysis.heuristic)
    if not known:
        return _(
            "%: chance of winning, estimated from the size of the heuristic's values. W7: a certain win in 7 plies."
        )
    return _("%: chance of winning, fitted to the results of {games} games. W7: a certain win in 7 plies.").format(
        games=known["games"]
    )
