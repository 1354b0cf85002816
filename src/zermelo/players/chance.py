"""A player that moves at random."""

import random
import time
from dataclasses import dataclass
from typing import ClassVar

from zermelo.players.player import Choice, Player
from zermelo.position import Position


@dataclass(frozen=True)
class RandomPlayer(Player):
    """Chooses a legal move at random. With a seed, the same position always gets the same move."""

    seed: int | None = None  #: starts the random generator; the same seed gives the same moves
    kind: ClassVar[str] = "random"

    def think(self, position: Position) -> Choice:
        began = time.perf_counter()
        generator = random.Random() if self.seed is None else random.Random(f"{self.seed} {position.key}")
        return Choice(generator.choice(position.moves), time.perf_counter() - began)

    @property
    def is_deterministic(self) -> bool:
        return self.seed is not None
