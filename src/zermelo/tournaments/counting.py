"""The games of a tournament, counted: the results of every contestant and of every two of them."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from zermelo.tournaments.faults import FAULTS
from zermelo.tournaments.intervals import Rate, score_rate
from zermelo.tournaments.rating import Difference, Rating, difference
from zermelo.tournaments.stored import StoredGame


class _Counted:
    """A count of won, drawn and lost games."""

    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """A point for each win and half a point for each draw."""
        return self.wins + self.draws / 2

    def add(self, score: float) -> None:
        """Count one more game."""
        self.wins += score == 1
        self.draws += score == 0.5
        self.losses += score == 0


@dataclass
class Meeting(_Counted):
    """All games between two contestants. All values are those of `one`, who is listed before `other`."""

    one: str
    other: str
    wins: int = 0
    draws: int = 0
    losses: int = 0
    pair_counts: list[int] = field(default_factory=lambda: [0] * 5)  #: [LL, LD, DD or WL, WD, WW]
    courses: set[int] = field(default_factory=set)  #: a number for the players, start and moves of each different game

    @property
    def score(self) -> float:
        """The mean score of `one`."""
        return self.points / self.games if self.games else 0.5

    @property
    def difference(self) -> Difference:
        """How much stronger `one` is, computed from pairs if all games are in pairs, otherwise from single games."""
        in_pairs = 2 * sum(self.pair_counts) == self.games
        return difference(self.pair_counts if in_pairs else [self.losses, self.draws, self.wins])


@dataclass
class Line(_Counted):
    """A contestant's line in the standings."""

    name: str
    player: str
    rating: Rating
    wins: int = 0
    draws: int = 0
    losses: int = 0
    reasons: list[str] = field(default_factory=list)  #: for which games were lost by a fault, such as a crash

    @property
    def faults(self) -> int:
        """The number of games lost by a fault."""
        return len(self.reasons)

    @property
    def rate(self) -> Rate:
        """The mean score with its 95% interval."""
        return score_rate([1.0] * self.wins + [0.5] * self.draws + [0.0] * self.losses)


class Counts:
    """What a report needs to know of the games, without the games themselves."""

    def __init__(self, names: Sequence[str]):
        self.place = {name: i for i, name in enumerate(names)}
        self.meetings: dict[tuple[str, str], Meeting] = {}
        self.scores: dict[str, Counter[float]] = defaultdict(Counter)  # contestant -> how often it scored 1, 0.5 and 0
        self.reasons: dict[str, list[str]] = defaultdict(list)  # of games lost by a fault
        self.endings: Counter[str] = Counter()
        self._halves: dict[str, float] = {}  # pairs of which one game has been counted

    def add(self, game: StoredGame) -> None:
        """Count a game. In the results, games of a contestant against itself do not count."""
        pair, score = game.pair, game.score
        one, other = pair.first, pair.second
        for name in (one, other):
            self.place.setdefault(name, len(self.place))
        self.endings[game.reason.partition(":")[0]] += 1
        if one != other:
            for name, mine in ((one, score), (other, 1 - score)):
                self.scores[name][mine] += 1
                if mine == 0 and game.reason.startswith(FAULTS):
                    self.reasons[name].append(game.reason)
        if self.place[one] > self.place[other]:
            one, other, score = other, one, 1 - score
        meeting = self.meetings.setdefault((one, other), Meeting(one, other))
        meeting.add(score)
        record = game.record
        meeting.courses.add(hash((*record.players, record.start, *(move.move for move in record.moves))))
        if pair.id in self._halves:
            meeting.pair_counts[round(2 * (self._halves.pop(pair.id) + score))] += 1
        else:
            self._halves[pair.id] = score

    def in_order(self) -> dict[tuple[str, str], Meeting]:
        """The meetings in the order of the contestants."""
        return dict(sorted(self.meetings.items(), key=lambda item: (self.place[item[0][0]], self.place[item[0][1]])))

    def line(self, line: Line) -> Line:
        """The line of a contestant in the standings, with its results."""
        scores = self.scores[line.name]
        line.wins, line.draws, line.losses = scores[1], scores[0.5], scores[0]
        line.reasons = self.reasons[line.name]
        return line
