"""How long 200,000 exact examples of Connect 4 take, estimated from a twentieth of them.

    python bench/learning.py

The authors of the Connect 4 report waited two nights for as many. An example is a random position of 6 to 36 stones
with its exact score. Positions with few stones take nearly all of the time.
"""

import os
import tempfile
import time
from pathlib import Path

from _common import Figure, main, tell
from zermelo.games import find_game
from zermelo.learn.dataset import Plan, make_dataset

EXAMPLES, PART = 200_000, 20
SEED = 20261116  # different from the seed of the shipped net's data
COMPILING = 50


def measure(rounds: int) -> list[Figure]:
    game, found = find_game("connect4"), []
    with tempfile.TemporaryDirectory() as folder:
        make_dataset(Plan(game, COMPILING, seed=1), Path(folder) / "compiling.npz")
        for number in range(rounds):
            tell(f"{EXAMPLES // PART:,} examples, round {number + 1} of {rounds}")
            clock, processor = time.monotonic(), time.process_time()
            made = make_dataset(Plan(game, EXAMPLES // PART, seed=SEED + number), Path(folder) / f"{number}.npz")
            found.append((len(made), time.monotonic() - clock, time.process_time() - processor))
    clock, processor = (sum(one[i] / one[0] for one in found) / rounds * EXAMPLES / 60 for i in (1, 2))
    note = f"extrapolated from {sum(one[0] for one in found):,}; {os.cpu_count()} threads"
    return [
        Figure("200,000 exact examples of Connect 4", "minutes", clock, note=note),
        Figure("200,000 exact examples of Connect 4, one thread", "minutes of processor time", processor),
    ]


if __name__ == "__main__":
    main("learning", "Exact data", measure, rounds=1)
