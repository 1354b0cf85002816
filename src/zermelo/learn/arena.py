"""Games between two heuristics at fixed depths, in compiled code. Each pair plays one opening with colours swapped."""

from collections.abc import Callable, Iterator, Sequence

from zermelo.core import Heuristic, class_of
from zermelo.core.threads import in_order
from zermelo.position import Game, Position
from zermelo.searches.playing import Seat, Seating, WholeGame, play_whole_game
from zermelo.searches.whole_games import MOVE
from zermelo.tournaments.openings import find_openings
from zermelo.tournaments.plan import Openings

LONGEST = 400
"""Number of plies after which a game is a draw. Repetitions are not detected; they go on until then."""


class Arena:
    """Plays games between two heuristics, each with an alpha-beta search to its depth."""

    def __init__(self, game: Game, depth: int, other_depth: int | None = None):
        self.game = game
        self.depths = depth, depth if other_depth is None else other_depth
        self.cls = class_of(game.start_state())

    def pair_score(self, one: Heuristic, other: Heuristic, start: Position) -> float:
        """The score of the first heuristic in two games from this position, one with each colour: 0 to 2."""
        one_seat, other_seat = Seat(one, self.depths[0]), Seat(other, self.depths[1])
        first = self._played(one_seat, other_seat, start).outcome
        second = self._played(other_seat, one_seat, start).outcome
        return (2 + first - second) / 2

    def game_played(self, first: Heuristic, second: Heuristic, start: Position) -> tuple[list[int], int]:
        """The moves of one game, and its outcome for player 1."""
        game = self._played(Seat(first, self.depths[0]), Seat(second, self.depths[1]), start)
        return [int(move) for move in game.log[:, MOVE]], game.outcome

    def _played(self, first: Seat, second: Seat, start: Position) -> WholeGame:
        return play_whole_game(Seating(first, second, self.cls), start.state, LONGEST)

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
