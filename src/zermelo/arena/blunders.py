"""Moves that gave a result away for certain: found in finished games, where solvers or searches prove the values.

Nothing here runs a student's code. The moves are in the record of the game, and the lab's own solvers judge them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from zermelo.judging import BLUNDER, Judged, better_moves, judge
from zermelo.match import Record
from zermelo.scores import Score

SHOWN = 3
"""The number of blunders that a student is shown."""

SEARCH_NODES, SOLVER_NODES = 20_000, 200_000
"""The nodes that a search and the game's own solver may use for one position: half a second in the slowest game."""

MOST_POSITIONS = 40
"""The number of positions of one game that are judged, from its end."""

UNKNOWN_IN_A_ROW = 4
"""After so many positions whose values cannot be proven, earlier ones are not tried, because most are harder still."""


@dataclass(frozen=True)
class Blunder:
    """A move that gave away a proven win or draw."""

    tournament: str
    pair: str
    swapped: bool
    ply: int  # the number of moves before it in this game
    position: str
    played: str
    right: list[str]  # the best moves
    before: dict[str, Any]  # the value of a best move for the player
    after: dict[str, Any]  # the value of the move played
    lost: float  # of the result: 1 from a win to a loss, 0.5 otherwise

    @property
    def weight(self) -> tuple[float, float, float]:
        """The worse the blunder, the larger: what it cost, in points too, and how quickly it could be seen."""
        plies = [plies for value in (self.before, self.after) if (plies := value["plies"]) is not None]
        return self.lost, self.before["points"] - self.after["points"], -min(plies, default=1 << 20)

    def to_dict(self) -> dict[str, Any]:
        """The blunder as JSON can hold it."""
        return asdict(self)


def score_dict(score: Score, exact: bool) -> dict[str, Any]:
    """A proven score as JSON can hold it."""
    outcome = 0 if score.outcome is None and exact else score.outcome
    return {"outcome": outcome, "points": score.points, "plies": score.plies, "in_points": score.in_points}


def score_words(value: Mapping[str, Any]) -> str:
    """A proven score in the reader's language: `win in 5`, `loss in 4`, `draw`, or points."""
    return Score(value["points"], value["outcome"], value["plies"], value["in_points"]).text


def blunders_in(record: Record, player: int, tournament: str, pair: str, swapped: bool) -> list[Blunder]:
    """The blunders of player 1 or 2 in a finished game, as far as they can be proven, the last move first."""
    plies = len(record.moves)
    path = record.final_position().path[-plies - 1 :]
    found: list[Blunder] = []
    judged, unknown = 0, 0
    for ply in reversed(range(plies)):
        here, played = path[ply], path[ply + 1].last_move_text or ""
        if here.to_move != player or len(here.moves) < 2:
            continue
        if judged == MOST_POSITIONS or unknown == UNKNOWN_IN_A_ROW:
            break
        judged += 1
        now = judge(here, SEARCH_NODES, solver_nodes=SOLVER_NODES)
        lost = _proven_loss(now, played)
        unknown = unknown + 1 if lost is None else 0
        if lost is not None and lost >= BLUNDER:
            found.append(_blunder(now, played, lost, (tournament, pair, swapped, ply)))
    return found


def _proven_loss(judged: Judged, played: str) -> float | None:
    """What a move gave away of the result, if that is proven; None if it is an estimate."""
    assert judged.analysis is not None
    proven = {move.move: move.exact for move in judged.analysis.moves}
    if not (judged.is_exact or (proven[judged.analysis.best.move] and proven[played])):
        return None
    return max(judged.chances.values()) - judged.chances[played]


def _blunder(judged: Judged, played: str, lost: float, where: tuple[str, str, bool, int]) -> Blunder:
    assert judged.analysis is not None
    values = {move.move: score_dict(move.score, move.exact) for move in judged.analysis.moves if move.exact}
    best = judged.analysis.best.move
    right = [move for move in better_moves(judged, played)["as_good"] if move in values]
    return Blunder(*where, str(judged.here), played, right, values[best], values[played], round(lost, 4))


def worst(blunders: Iterable[Blunder]) -> list[Blunder]:
    """The worst blunders, the worst first. The same move in the same position counts once."""
    ranked = sorted(blunders, key=lambda one: one.weight, reverse=True)
    different = {(one.position, one.played): one for one in reversed(ranked)}  # of equal ones, the first remains
    return sorted(different.values(), key=lambda one: one.weight, reverse=True)[:SHOWN]
