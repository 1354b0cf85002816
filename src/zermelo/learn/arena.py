"""Games between two versions of a heuristic or of a search. Each pair plays one opening with colours swapped."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from zermelo.core import Heuristic, class_of
from zermelo.match import play_match
from zermelo.players import OwnSearchPlayer
from zermelo.position import Game, Position
from zermelo.searches.own.search import OwnSearch
from zermelo.searches.playing import Seat, Seating, WholeGame, play_whole_game
from zermelo.searches.whole_games import MOVE
from zermelo.tournaments.openings import find_openings
from zermelo.tournaments.plan import Openings

LONGEST = 400
"""Number of plies after which a game is a draw. Repetitions are not detected; they go on until then."""


class Pairs:
    """Plays pairs of games between two versions of something."""

    def pair_score(self, one: Any, other: Any, start: Position) -> float:
        """The score of the first version in two games from this position, one with each colour: 0 to 2."""
        raise NotImplementedError

    def pair_scores(self, one: Any, other: Any, starts: Iterable[Position]) -> Iterator[float]:
        """The score of each pair, in the order of the openings."""
        return (self.pair_score(one, other, start) for start in starts)


class Arena(Pairs):
    """Plays games between two heuristics, each with an alpha-beta search to its depth."""

    def __init__(self, game: Game, depth: int, other_depth: int | None = None):
        self.game = game
        self.depths = depth, depth if other_depth is None else other_depth
        self.cls = class_of(game.start_state())

    def pair_score(self, one: Heuristic, other: Heuristic, start: Position) -> float:
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


class SearchArena(Pairs):
    """Plays games between two versions of a user's search, each with the options of this player."""

    def __init__(self, player: OwnSearchPlayer):
        self.player = player

    def pair_score(self, one: OwnSearch, other: OwnSearch, start: Position) -> float:
        new, old = self.player.with_function(one), self.player.with_function(other)
        return play_match(new, old, start).score + 1 - play_match(old, new, start).score


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
