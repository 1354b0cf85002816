"""Analyses as pages show them.

This module knows nothing of requests, because the processes of the workshop use it too.
"""

import time
from collections.abc import Iterator
from typing import Any

from zermelo.analysis import Analysis
from zermelo.judging import chance_of, quality_of, scale_for
from zermelo.language import _
from zermelo.position import Position
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


def analysis_view(here: Position, analysis: Analysis) -> dict[str, Any]:
    """An analysis for the page. Chances are those of player 1; scores are those of the player to move."""
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
