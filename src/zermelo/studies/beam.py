"""A question of the Hex report (section 2.3): what do the depth and the beam of a search cost, and what do they gain?

The report's player searches a few plies deep and tries only the most promising moves, which it finds by evaluating the
positions they lead to. For every depth and beam, this study measures the time and the nodes per move over sample
positions, and the score against one fixed player of this kind.
"""

import dataclasses
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from zermelo.drawing.charts import heat_map
from zermelo.language import _
from zermelo.players import AlphaBetaPlayer
from zermelo.position import Game
from zermelo.studies.games import Progress, openings, pair_rate, play_pairs
from zermelo.tournaments.intervals import Rate

HEURISTIC = "report"
SAMPLES = 6  # number of positions over which the cost is measured
REPORT_DEPTH, REPORT_BEAM = 3, 10  # the report's usual settings, against which every other setting plays


@dataclass(frozen=True)
class Setting:
    """One depth and beam, with the mean cost of a move and the score against the report's usual player."""

    game: str
    depth: int
    top_moves: int
    seconds: float
    nodes: float
    evaluated: float
    rate: Rate | None  # None for the usual player itself


def study(
    games: Sequence[Game],
    depths: Sequence[int],
    beams: Sequence[int],
    *,
    pairs: int = 10,
    seed: int = 1,
    progress: Progress = lambda: None,
) -> list[Setting]:
    """Measure every depth with every beam on every board."""
    found = []
    for game in games:
        samples = openings(game, SAMPLES, 6, seed)
        starts = openings(game, pairs, 2, seed + 1)
        usual = AlphaBetaPlayer(HEURISTIC, REPORT_DEPTH, top_moves=REPORT_BEAM)
        for depth in depths:
            for beam in beams:
                player = dataclasses.replace(usual, depth=depth, top_moves=beam)
                costs = [player.search(position) for position in samples]
                rate = None
                if player != usual:
                    scores, _ = play_pairs(player, usual, starts)
                    rate = pair_rate(scores)
                found.append(
                    Setting(
                        str(game),
                        depth,
                        beam,
                        statistics.mean(cost.seconds for cost in costs),
                        statistics.mean(cost.nodes for cost in costs),
                        statistics.mean(cost.evaluated for cost in costs),
                        rate,
                    )
                )
                progress()
    return found


def table(settings: Sequence[Setting]) -> tuple[list[str], list[list[str]]]:
    """Return the heading and the rows of the table to print."""
    heading = [
        *(_("game"), _("depth"), "top_moves", _("seconds per move")),
        *(_("nodes"), _("evaluated"), _("score against depth 3, top 10")),
    ]
    rows = [
        [
            s.game,
            str(s.depth),
            str(s.top_moves),
            f"{s.seconds:.4f}",
            f"{s.nodes:.0f}",
            f"{s.evaluated:.0f}",
            str(s.rate) if s.rate else _("(itself)"),
        ]
        for s in settings
    ]
    return heading, rows


def to_dict(settings: Sequence[Setting]) -> list[dict[str, Any]]:
    """Return the results in a form that can be written as JSON."""
    return [
        {
            "game": s.game,
            "depth": s.depth,
            "top_moves": s.top_moves,
            "seconds": s.seconds,
            "nodes": s.nodes,
            "evaluated": s.evaluated,
            "score": s.rate.value if s.rate else None,
            "interval": [s.rate.low, s.rate.high] if s.rate else None,
        }
        for s in settings
    ]


def chart(settings: Sequence[Setting]) -> str:
    """Draw the scores as a heat map: a row for each board and depth, a column for each beam, and the time per move."""
    rows = list(dict.fromkeys((s.game, s.depth) for s in settings))
    beams = list(dict.fromkeys(s.top_moves for s in settings))
    known = {(s.game, s.depth, s.top_moves): s for s in settings}
    cells: list[list[tuple[float, str] | None]] = []
    for game, depth in rows:
        line: list[tuple[float, str] | None] = []
        for beam in beams:
            s = known[game, depth, beam]
            share = s.rate.value if s.rate else 0.5
            line.append((share, f"{share:.0%}, {1000 * s.seconds:.3g} ms"))
        cells.append(line)
    return heat_map(
        _("Score against depth 3, top 10, and time per move"),
        [_("{game}, depth {depth}").format(game=game, depth=depth) for game, depth in rows],
        [_("top {number}").format(number=beam) for beam in beams],
        cells,
    )
