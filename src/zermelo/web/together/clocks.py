"""Clocks of a game on two devices. Time is whatever number of seconds the caller says that it is."""

import re
from dataclasses import dataclass, field

from zermelo.errors import PlayerError

MOST_MINUTES, MOST_MORE = 180, 180


@dataclass(frozen=True)
class TimeControl:
    """The time that each player has: `10` is ten minutes, `3+2` three minutes and two seconds more for each move."""

    minutes: int
    more: int = 0  #: seconds

    @classmethod
    def parse(cls, text: str) -> "TimeControl | None":
        """The control of a text; None if it is empty, since then there is no clock."""
        if not text:
            return None
        found = re.fullmatch(r"(\d{1,3})(?:\+(\d{1,3}))?", text)
        if found and 1 <= int(found[1]) <= MOST_MINUTES and int(found[2] or 0) <= MOST_MORE:
            return cls(int(found[1]), int(found[2] or 0))
        raise PlayerError("{text!r} is not a clock; write minutes, or minutes+seconds per move, as in 3+2", text=text)

    def __str__(self) -> str:
        return f"{self.minutes}+{self.more}" if self.more else str(self.minutes)


@dataclass
class Clocks:
    """The clocks of both players, of which at most one runs."""

    control: TimeControl
    left: list[float] = field(default_factory=list)  #: seconds of both players, when the running clock was started
    runs: int = 0  #: the player whose clock runs; 0 if none does
    since: float = 0.0  #: when it was started

    def __post_init__(self) -> None:
        if not self.left:
            self.reset()

    def reset(self) -> None:
        """Give both players their whole time, and stop."""
        self.left, self.runs = [60.0 * self.control.minutes] * 2, 0

    def left_at(self, now: float) -> list[float]:
        """The seconds that both players have left."""
        spent = [now - self.since if player == self.runs else 0.0 for player in (1, 2)]
        return [max(0.0, left - used) for left, used in zip(self.left, spent, strict=True)]

    def is_late(self, now: float) -> bool:
        """Whether the time of the player whose clock runs is up."""
        return bool(self.runs) and self.left_at(now)[self.runs - 1] <= 0

    def start(self, player: int, now: float) -> None:
        """Let the clock of this player run, and the other one stand still."""
        self.left, self.runs, self.since = self.left_at(now), player, now

    def stop(self, now: float) -> None:
        self.start(0, now)

    def add(self, player: int) -> None:
        """Add the seconds that a player gets for a move. The clocks must stand still."""
        self.left[player - 1] += self.control.more
