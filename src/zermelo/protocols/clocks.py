"""The clocks of GTP: how many seconds a move may take."""

from dataclasses import dataclass, field


@dataclass
class Clocks:
    """What time_settings and time_left say. Times are in seconds.

    Each player has `main` seconds, and then `period` seconds for every `stones` moves. A period without stones stands
    for no limit at all, as the specification says.
    """

    main: float = 0.0
    period: float = 0.0
    stones: int = 0
    is_set: bool = False
    left: dict[int, tuple[float, int]] = field(default_factory=dict)  # per player: seconds, and moves of the period

    def begin(self) -> None:
        """A new game begins."""
        self.left.clear()

    def for_move(self, player: int, moves_left: int) -> float | None:
        """Seconds for the next move of a player who will make about so many; None if there is no limit."""
        if player in self.left:
            seconds, stones = self.left[player]
        elif not self.is_set or (self.period > 0 and self.stones == 0):
            return None
        else:
            seconds, stones = (self.main, 0) if self.main > 0 else (self.period, self.stones)
        if stones > 0:
            return max(0.0, seconds / stones)
        extra = self.period / self.stones if self.stones > 0 else 0.0
        return max(0.0, seconds / moves_left + extra)

    def spend(self, player: int, seconds: float) -> None:
        """Count what a move took, for controllers that do not send time_left."""
        if player not in self.left:
            if self.main <= 0:
                return  # every period begins anew, and nobody told how it stands
            self.left[player] = (self.main, 0)
        left, stones = self.left[player]
        if stones > 0:
            self.left[player] = (self.period, self.stones) if stones == 1 else (max(0.0, left - seconds), stones - 1)
        elif left - seconds > 0 or self.stones == 0:
            self.left[player] = (max(0.0, left - seconds), 0)
        else:
            self.left[player] = (self.period, self.stones)
