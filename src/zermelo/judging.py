"""How good the moves of a game were: winning chances between 0 and 1, and what a move gave away of them.

The pages of the lab, the processes of the workshop and the workers of the arena judge moves with it.
"""

import functools
import inspect
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from zermelo.analysis import Analysis, MoveScore, deepen, deepen_by, searcher
from zermelo.calls import parse_call
from zermelo.core.contents import is_named
from zermelo.games import find_heuristic
from zermelo.position import Game, Position, random_playout
from zermelo.searches.budget import Budget
from zermelo.solving.registry import quick_nodes, quick_solution

FILE = "chances.json"
SAMPLES = 24  # random games, from each of which one position is taken
INACCURACY, MISTAKE, BLUNDER = 0.08, 0.18, 0.35  # how much of the winning chance a move gives away
AS_GOOD = 0.02  # moves whose chances differ by less count as equally good


@functools.lru_cache(maxsize=64)
def fitted(kind: type[Game], heuristic: str) -> dict[str, Any]:
    """What `tools/chances.py` found for a heuristic of a game, such as the scale; empty if it was not asked.

    The file is in the game's folder. It is about the usual heuristic, and may have a list of others.
    """
    file = Path(inspect.getfile(kind)).parent / FILE
    try:
        told = dict(json.loads(file.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return {}
    return next((one for one in (told, *told.get("others", ())) if one["heuristic"] == heuristic), {})


@functools.lru_cache(maxsize=256)
def scale_of(game: Game, heuristic: str) -> float:
    """The score that counts as tanh(1). It is fitted to results of games if there are any for this heuristic.

    Otherwise it is the mean size of the heuristic's values in positions of random games.
    """
    if known := fitted(type(game), heuristic):
        return 2 * float(known["scale"])
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
    """The winning chance of the player to move, from 0 to 1. A result that is proven or solved is certain."""
    value = score.score
    if value.outcome is not None or (score.exact and value == 0):
        return 0.5 + 0.5 * (value.outcome or 0)
    return 0.5 + 0.49 * math.tanh(value.points / scale)


def quality_of(move: MoveScore, best: MoveScore, scale: float) -> str:
    """`best`, `good`, `fair` or `bad`, compared with the best move. If every move loses, none is good."""
    chance = chance_of(move, scale)
    if move.score == best.score:
        return "best" if chance > 0 else "fair"
    if chance == 0:
        return "bad"
    lost = chance_of(best, scale) - chance
    return "good" if lost < INACCURACY else "fair" if lost < MISTAKE else "bad"


def word_for(lost: float) -> str | None:
    """The word for a move that gave away this much of the winning chance; None if it was good."""
    if lost < INACCURACY:
        return None
    return "inaccuracy" if lost < MISTAKE else "mistake" if lost < BLUNDER else "blunder"


def scale_for(analysis: Analysis, game: Game) -> float:
    """The scale of an analysis. The scores of a solver need none."""
    return 1.0 if analysis.best.score.in_points or analysis.depth == 0 else scale_of(game, analysis.heuristic)


# ------------------------------------------------------------------------------------------ a whole game


@dataclass(frozen=True)
class Judged:
    """A position of a game, and the chance of each move for the player to move. There are none if the game is over."""

    here: Position
    analysis: Analysis | None
    chances: dict[str, float]

    @property
    def is_exact(self) -> bool:
        return self.analysis is None or self.analysis.is_exact

    @property
    def chance(self) -> float:
        """The winning chance of player 1."""
        if self.analysis is None:
            return {1: 1.0, 2: 0.0, None: 0.5}[self.here.winner]
        best = self.chances[self.analysis.best.move]
        return best if self.here.to_move == 1 else round(1 - best, 4)

    def chance_for(self, player: int) -> float:
        return self.chance if player == 1 else 1 - self.chance


def review(path: Sequence[Position], nodes: int, heuristic: str) -> Iterator[dict[str, Any]]:
    """The points of a game's graph in order: the chance of player 1, and what is known about the move played there.

    Each position is solved if the game's solver can do that within its limit of nodes; otherwise a search of `nodes`
    nodes estimates it. No clock takes part, so the same game gets the same review on any machine. A move is compared
    only with the other moves of its own position, which are all judged in the same way.
    """
    before: Judged | None = None
    for ply, here in enumerate(path):
        now = judge(here, nodes, heuristic)
        if before is not None:
            yield point_of(before, ply - 1, here.last_move_text, now)
        before = now
    assert before is not None
    yield point_of(before, len(path) - 1)


def deepened(
    here: Position, budget: Budget, heuristic: str = "", solver_nodes: int | None = None
) -> Iterator[Analysis]:
    """Analyses of a position, deeper and deeper, by the lab's search with this heuristic, or by a user's own search.

    The game's solver has a limit of nodes and no clock, so that a position is either always solved or never.
    """
    if heuristic and is_named(parse_call(heuristic).name, "search"):
        for analysis in deepen_by(searcher(heuristic, here.game), here, budget):
            yield replace(analysis, heuristic=here.game.default_heuristic)  # by its values chances are estimated
        return
    solver_nodes = quick_nodes(here.game) if solver_nodes is None else solver_nodes
    yield from deepen(here, budget, heuristic=heuristic or None, solver_nodes=solver_nodes)


def judge(here: Position, nodes: int, heuristic: str = "", solver_nodes: int | None = None) -> Judged:
    """A position, solved or estimated. The game's solver may use its usual number of nodes, or solver_nodes."""
    if here.is_over:
        return Judged(here, None, {})
    *_, analysis = deepened(here, Budget(nodes=nodes), heuristic, solver_nodes)
    scale = scale_for(analysis, here.game)
    return Judged(here, analysis, {move.move: round(chance_of(move, scale), 4) for move in analysis.moves})


def point_of(judged: Judged, ply: int, played: str | None = None, after: Judged | None = None) -> dict[str, Any]:
    """A point of the graph: `exact` if the position is solved, `sure` if the word for the move is not an estimate."""
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
                point["word"] = None  # every move that seemed better is known to lose
    return point


def lost_by(judged: Judged, played: str, after: Judged) -> float:
    """The chance that a move gave away. If it is an estimate, the smaller of the estimates before and after the move.

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
    """The moves about as good as the best, and those better than the one played; none that is proven to lose."""
    chances = judged.chances
    best = max(chances.values())
    good = [move for move, chance in chances.items() if chance > 0 and not _is_seen_to_lose(judged, move, best)]
    return {
        "as_good": [move for move in good if chances[move] >= best - AS_GOOD],
        "better": [move for move in good if chances[move] > chances[played] + AS_GOOD],
    }


def _is_seen_to_lose(judged: Judged, move: str, best: float) -> bool:
    """Whether the game's solver proves that a move loses, in a position that is only estimated."""
    if judged.is_exact or judged.chances[move] < best - AS_GOOD:
        return False
    after = judged.here.play(move)
    if after.is_over:
        return False
    solved = quick_solution(after, Budget(nodes=quick_nodes(after.game)))
    if solved is None:
        return False
    return solved.outcome == (1 if after.to_move != judged.here.to_move else -1)
