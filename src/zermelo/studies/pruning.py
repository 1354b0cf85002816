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
from zermelo.language import _, marked
from zermelo.match import Move, play_match
from zermelo.players import AlphaBetaPlayer, MinimaxPlayer, SearchPlayer
from zermelo.position import Game, Position
from zermelo.searches.budget import Budget
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
    """All methods from the same start."""

    start: str
    minimax: Cost
    alphabeta: Cost
    own: Cost | None = None  # of a search of one's own, if one was named

    @property
    def ratio(self) -> float:
        """How many times as many nodes minimax visits as alpha-beta."""
        return self.minimax.nodes / self.alphabeta.nodes

    @property
    def same_moves(self) -> bool:
        """Did all methods play the same moves?"""
        return all(cost.moves == self.minimax.moves for _name, cost in self.costs(""))

    def costs(self, own: str) -> list[tuple[str, Cost]]:
        """The cost of each method, by its name; `own` is the name of one's own search."""
        known = [("minimax", self.minimax), (marked("alpha-beta"), self.alphabeta)]
        return known if self.own is None else [*known, (own, self.own)]


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
    own: SearchPlayer | None = None,
    progress: Callable[[], None] = lambda: None,
) -> list[Comparison]:
    """Compare the methods from each position, and a search of one's own. `progress` is called after each of them."""
    is_tree = game.is_explicit_tree
    depth = depth or (PLIES if is_tree else 4)
    runs = runs or (TREE_RUNS if is_tree else GAME_RUNS)
    play = _one_search if is_tree else _whole_game
    players: list[SearchPlayer] = [MinimaxPlayer(heuristic, depth), AlphaBetaPlayer(heuristic, depth)]
    if own is not None:
        own.prepare(game)
        players.append(own.with_heuristics({"heuristic": heuristic}).with_budget(Budget(depth)))
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


def table(results: Sequence[Comparison], own: str = "") -> tuple[list[str], list[list[str]]]:
    """Return the heading and the rows of the table to print."""
    heading = [_("from"), _("search"), _("mean seconds"), _("least seconds"), _("nodes"), _("times fewer")]
    rows = []
    for result in results:
        start = _short(result.start)
        for name, cost in result.costs(own):
            ratio = "" if cost is result.minimax else f"{result.minimax.nodes / cost.nodes:.2f}"
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
            **({} if result.own is None else {"own": told(result.own)}),
        }
        for result in results
    ]


def chart(results: Sequence[Comparison], game: Game, own: str = "") -> str:
    """Draw the nodes of all methods as bars."""
    groups = []
    for result in results:
        row = [Bar("minimax", result.minimax.nodes, f"{result.minimax.nodes:,}")]
        for name, cost in result.costs(own)[1:]:
            ratio = result.minimax.nodes / cost.nodes
            text = _("{nodes:,} ({ratio:.1f} times fewer)").format(nodes=cost.nodes, ratio=ratio)
            row.append(Bar(_(name), cost.nodes, text))
        groups.append((_short(result.start), row))
    return bars(_("{title}: nodes visited, minimax and alpha-beta").format(title=_(game.title)), groups)
