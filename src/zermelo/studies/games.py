"""Many games between two players on the same openings with sides swapped, which several studies need."""

from collections.abc import Callable, Sequence
from typing import Any

from zermelo.calls import call_of
from zermelo.core.contents import is_named
from zermelo.core.threads import in_order
from zermelo.errors import GameError
from zermelo.match import Record, play_match
from zermelo.players import AlphaBetaPlayer, Player, find_player
from zermelo.position import Game, Position
from zermelo.searches.budget import Budget
from zermelo.tournaments.intervals import Rate, paired_rate
from zermelo.tournaments.openings import draw

Progress = Callable[[], None]


def openings(game: Game, number: int, plies: int, seed: int) -> list[Position]:
    """Different positions, each some random plies after a start position. Each has its own start if starts vary.

    There may be fewer than were asked for. It is an error if every game is over before so many plies.
    """
    first = seed * 1_000_003

    def start_of(playout: int) -> Position:
        return game.varied_start(seed * 100_003 + playout - first)

    playouts = range(first + 1, first + 100 * number + 1001)
    found = draw(start_of, playouts, plies, number, identity=lambda position: position)
    if not found:
        raise GameError("the game is nearly always over after {plies} random plies", plies=plies)
    return found


def player_of(name: str, game: Game, depth: int) -> Player:
    """Who plays for a name at this depth: alpha-beta with this heuristic, or a search or class of a file."""
    call = call_of(name)
    if is_named(call.name, "search", "player"):
        return find_player(call, game).with_budget(Budget(depth))
    return AlphaBetaPlayer(name, depth)


def play_pairs(
    first: Player,
    second: Player,
    starts: Sequence[Position],
    progress: Progress = lambda: None,
    threads: int | None = None,
) -> tuple[list[float], list[Record]]:
    """Play both sides of every opening. Returns the scores of `first`, pair after pair, and the records.

    By default there are as many threads as processors.
    """

    def pair(start: Position) -> list[tuple[float, Record]]:
        one = play_match(first, second, start)
        other = play_match(second, first, start)
        progress()
        return [(one.score, one), (1 - other.score, other)]

    for player in (first, second):
        player.prepare(starts[0].game)
    played = [game for both in in_order(pair, starts, threads) for game in both]
    return [score for score, _ in played], [record for _, record in played]


def pair_rate(scores: Sequence[float]) -> Rate:
    """The rate of games that come in pairs on the same opening. The sample is the pair, not the game."""
    return paired_rate(scores)


def pair_rate_dict(rate: Rate) -> dict[str, Any]:
    """The same rate as a dictionary for JSON."""
    return {"score": rate.value, "interval": [rate.low, rate.high], "pairs": rate.games}
