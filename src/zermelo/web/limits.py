"""How often somebody may ask. The counts are kept in memory, and only for a limited number of senders."""

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

MOST_KNOWN = 20_000
"""Number of senders that are remembered. When there are more, those who have not asked for longest are forgotten."""


@dataclass(frozen=True)
class Rate:
    """So many requests at once, and so many per second in the long run."""

    at_once: int
    per_second: float


class Counter:
    """Counts the requests of each sender."""

    def __init__(self, rate: Rate, most: int = MOST_KNOWN, clock: Callable[[], float] = time.monotonic):
        self.rate, self.most, self.clock = rate, most, clock
        self._known: OrderedDict[str, tuple[float, float]] = OrderedDict()  # sender -> requests in hand, and when

    def __len__(self) -> int:
        return len(self._known)

    def wait(self, sender: str) -> int:
        """Count a request. 0 if it is allowed, or else the number of seconds after which the next one is."""
        now = self.clock()
        left, before = self._known.pop(sender, (float(self.rate.at_once), now))
        left = min(float(self.rate.at_once), left + max(0.0, now - before) * self.rate.per_second)
        allowed = left >= 1
        self._known[sender] = (left - 1 if allowed else left, now)
        if len(self._known) > self.most:
            self._known.popitem(last=False)
        return 0 if allowed else max(1, math.ceil((1 - left) / self.rate.per_second))
