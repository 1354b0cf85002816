"""Games between two heuristics at fixed depths, in compiled code. Each pair plays one opening with colours swapped."""

import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from zermelo.core import Heuristic, class_of
from zermelo.position import Game, Position
from zermelo.processes.threads import in_order
from zermelo.searches.whole_games import MOVE, OUTCOME, OVER, compiled_play_out, new_log
from zermelo.searches.workspace import workspace
from zermelo.tournaments.openings import find_openings
from zermelo.tournaments.plan import Openings

LONGEST = 400
"""Number of plies after which a game is a draw. Repetitions are not detected; they go on until then."""

Seat = tuple[Heuristic, int]
"""A heuristic, and the depth of its search."""

_own = threading.local()


class Arena:
    """Plays games between two heuristics, each with an alpha-beta search to its depth."""

    def __init__(self, game: Game, depth: int, other_depth: int | None = None):
        self.game = game
        self.depths = depth, depth if other_depth is None else other_depth
        self.cls = class_of(game.start_state())
        self.play_out = compiled_play_out(self.cls)

    def pair_score(self, one: Heuristic, other: Heuristic, start: Position) -> float:
        """The score of the first heuristic in two games from this position, one with each colour: 0 to 2."""
        first = self._result((one, self.depths[0]), (other, self.depths[1]), start.state)
        second = self._result((other, self.depths[1]), (one, self.depths[0]), start.state)
        return (2 + first - second) / 2

    def _result(self, first: Seat, second: Seat, state: Any) -> int:
        """The outcome for player 0."""
        self._played(first, second, state)
        return int(_own.ending[OUTCOME]) if _own.ending[OVER] else 0

    def game_played(self, first: Heuristic, second: Heuristic, start: Position) -> tuple[list[int], int]:
        """The moves of one game, and its outcome for player 0."""
        plies = self._played((first, self.depths[0]), (second, self.depths[1]), start.state)
        moves = [int(move) for move in _own.log[:plies, MOVE]]
        return moves, int(_own.ending[OUTCOME]) if _own.ending[OVER] else 0

    def _played(self, first: Seat, second: Seat, state: Any) -> int:
        """Play a game, write it to this thread's log, and return its number of plies."""
        if "work" not in _own.__dict__:
            _own.work, (_own.log, _own.ending) = workspace(), new_log(LONGEST)
        seats = np.array([[h.address, h.address, 0, 0, 0, depth] for h, depth in (first, second)], np.uint64)
        functions = [h.native(self.cls) for h, _ in (first, first, second, second)]
        return int(self.play_out(state, seats, *functions, _own.log, _own.ending, _own.work))

    def pair_scores(
        self,
        one: Heuristic,
        other: Heuristic,
        starts: Sequence[Position],
        threads: int = 1,
        progress: Callable[[], None] = lambda: None,
    ) -> Iterator[float]:
        """The score of each pair, in the order of the openings. If the caller stops early, few more are played."""

        def played(start: Position) -> float:
            score = self.pair_score(one, other, start)
            progress()
            return score

        return in_order(played, starts, threads)


def openings(game: Game, number: int, seed: int, plies: int | None = None) -> list[Position]:
    """Different positions a few plies from the start, or from many starts if the game has them; balanced or not."""
    varied = game.varied_start(1) != game.start() or game.varied_start(2) != game.start()
    wanted = Openings(kind="varied" if varied else "random", plies=plies, balanced=False)
    return [game.position(text) for text in find_openings(game, wanted, number, seed)]


def pentanomial(scores: Sequence[float]) -> list[int]:
    """How many pairs scored 0, 0.5, 1, 1.5 and 2."""
    counts = [0] * 5
    for score in scores:
        counts[round(2 * score)] += 1
    return counts
