"""A question of the Reversi report: how much does alpha-beta save compared with minimax?

The experiment follows the report. A tree is searched many times by each method. Of a game, whole games are played from
given positions and from the start: both sides by minimax, then both sides by alpha-beta, with the same heuristic and
depth. The time depends on the machine, so its mean and its least value are given. The nodes do not, and those of both
players are counted over the whole game.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from zermelo.drawing.charts import Bar, bars
from zermelo.language import _
from zermelo.match import Move, play_match
from zermelo.players import AlphaBetaPlayer, MinimaxPlayer, SearchPlayer
from zermelo.position import Game, Position
from zermelo.searches.workspace import PLIES

TREE_RUNS, GAME_RUNS = 20, 5  # as in the report


@dataclass(frozen=True)
class Cost:
    """The cost of one search method from one start."""

    mean_seconds: float
    least_seconds: float
    nodes: int
    moves: tuple[str, ...]


@dataclass(frozen=True)
class Comparison:
    """Both methods from the same start."""

    start: str
    minimax: Cost
    alphabeta: Cost

    @property
    def ratio(self) -> float:
        """How many times as many nodes minimax visits as alpha-beta."""
        return self.minimax.nodes / self.alphabeta.nodes

    @property
    def same_moves(self) -> bool:
        """Did both methods play the same moves?"""
        return self.minimax.moves == self.alphabeta.moves


def _cost(
    play: Callable[[SearchPlayer, Position], Sequence[Move]], player: SearchPlayer, start: Position, runs: int
) -> Cost:
    """Play `runs` times. Only the time of the searches counts, not the time between them."""
    played = [play(player, start) for _ in range(runs)]
    times = [sum(move.seconds for move in moves) for moves in played]
    nodes = sum(move.nodes or 0 for move in played[0])
    return Cost(sum(times) / runs, min(times), nodes, tuple(move.move for move in played[0]))


def _one_search(player: SearchPlayer, position: Position) -> Sequence[Move]:
    choice = player.think(position)
    return [Move(choice.move, choice.seconds, nodes=choice.nodes)]


def _whole_game(player: SearchPlayer, position: Position) -> Sequence[Move]:
    return play_match(player, player, position).moves


def study(
    game: Game,
    positions: Sequence[Position],
    *,
    heuristic: str | None = None,
    depth: int | None = None,
    runs: int | None = None,
    progress: Callable[[], None] = lambda: None,
) -> list[Comparison]:
    """Compare the two methods from each position. `progress` is called twice per position, once after each method."""
    is_tree = game.is_explicit_tree
    depth = depth or (PLIES if is_tree else 4)
    runs = runs or (TREE_RUNS if is_tree else GAME_RUNS)
    play = _one_search if is_tree else _whole_game
    players = (MinimaxPlayer(heuristic, depth), AlphaBetaPlayer(heuristic, depth))
    results = []
    for position in positions:
        costs = []
        for player in players:
            costs.append(_cost(play, player, position, runs))
            progress()
        start = "start" if position == game.start() else str(position)
        results.append(Comparison(start, *costs))
    return results


def _short(start: str) -> str:
    return start if len(start) <= 24 else start[:21] + "..."


def table(results: Sequence[Comparison]) -> tuple[list[str], list[list[str]]]:
    """Return the heading and the rows of the table to print."""
    heading = [_("from"), _("search"), _("mean seconds"), _("least seconds"), _("nodes"), _("times fewer")]
    rows = []
    for result in results:
        start = _short(result.start)
        for name, cost in (("minimax", result.minimax), ("alpha-beta", result.alphabeta)):
            ratio = f"{result.ratio:.2f}" if name == "alpha-beta" else ""
            rows.append(
                [start, _(name), f"{cost.mean_seconds:.6f}", f"{cost.least_seconds:.6f}", f"{cost.nodes}", ratio]
            )
            start = ""
    return heading, rows


def to_dict(results: Sequence[Comparison]) -> list[dict[str, Any]]:
    """Return the results in a form that can be written as JSON."""

    def told(cost: Cost) -> dict[str, Any]:
        return {"mean_seconds": cost.mean_seconds, "least_seconds": cost.least_seconds, "nodes": cost.nodes}

    return [
        {
            "start": result.start,
            "minimax": told(result.minimax),
            "alphabeta": told(result.alphabeta),
            "ratio": result.ratio,
            "same_moves": result.same_moves,
        }
        for result in results
    ]


def chart(results: Sequence[Comparison], game: Game) -> str:
    """Draw the nodes of both methods as bars."""
    groups = []
    for result in results:
        pair = [
            Bar("minimax", result.minimax.nodes, f"{result.minimax.nodes:,}"),
            Bar(
                _("alpha-beta"),
                result.alphabeta.nodes,
                _("{nodes:,} ({ratio:.1f} times fewer)").format(nodes=result.alphabeta.nodes, ratio=result.ratio),
            ),
        ]
        groups.append((_short(result.start), pair))
    return bars(_("{title}: nodes visited, minimax and alpha-beta").format(title=_(game.title)), groups)
