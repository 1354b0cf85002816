"""Many games between two players, fairly: what several studies need."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any

from zermelo.errors import GameError
from zermelo.language import _
from zermelo.match import Record, play_match
from zermelo.players import Player
from zermelo.position import Game, Position, random_playout
from zermelo.tournaments.intervals import Rate, paired_rate

Progress = Callable[[], None]


def openings(game: Game, number: int, plies: int, seed: int) -> list[Position]:
    """So many different positions, each some random plies from a start (of its own, where starts vary).

    Fewer, if there are not so many; an error if every game is over by then.
    """
    found: dict[Position, None] = {}
    attempt = 0
    while len(found) < number and attempt < 100 * number + 1000:
        attempt += 1
        start = game.varied_start(seed * 100_003 + attempt)
        opening = random_playout(start, seed * 1_000_003 + attempt, plies)
        if not opening.is_over:
            found[opening] = None
    if not found:
        raise GameError(_("the game is nearly always over after {plies} random plies").format(plies=plies))
    return list(found)


def play_pairs(
    first: Player,
    second: Player,
    starts: Sequence[Position],
    progress: Progress = lambda: None,
    threads: int | None = None,
) -> tuple[list[float], list[Record]]:
    """Both sides of every opening; scores of `first`, pair after pair, and the records. Uses all cores if not told.

    Compiled searches free the interpreter, so threads do.
    """

    def pair(start: Position) -> list[tuple[float, Record]]:
        one = play_match(first, second, start)
        other = play_match(second, first, start)
        progress()
        return [(one.score, one), (1 - other.score, other)]

    for player in (first, second):
        player.prepare(starts[0].game)
    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        running = [pool.submit(copy_context().run, pair, start) for start in starts]  # see clock.run_stoppable
        played = [game for one in running for game in one.result()]
    return [score for score, _ in played], [record for _, record in played]


def pair_rate(scores: Sequence[float]) -> Rate:
    """The rate of games that come in pairs on the same opening: the pair is the sample, not the game."""
    return paired_rate(scores)


def pair_rate_dict(rate: Rate) -> dict[str, Any]:
    """The same for machines."""
    return {"score": rate.value, "interval": [rate.low, rate.high], "pairs": rate.games}
