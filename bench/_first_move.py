"""Processor time of the engine's first move with an empty cache, beside another version's. Run it by hand:

    python bench/_first_move.py SOURCES [GAME ...]

SOURCES is the `src` folder of the other version (git archive COMMIT | tar x -C FOLDER). Both versions take turns, each
in a new process with a new cache; what is measured is `prepare` and `choose` of engine(nodes=2000), without imports.
"""

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

GAMES = ("reversi", "connect4", "tictactoe", "parcheckers", "onitama", "hex")
ROUNDS = 3

ONE = """
import sys, time
from zermelo.games import find_game
from zermelo.players import find_player
game = find_game(sys.argv[1])
player = find_player("engine(nodes=2000)", game)
began = time.process_time()
player.prepare(game)
player.choose(game.start())
print(time.process_time() - began)
"""


def seconds(sources: str, game: str) -> float:
    """One measurement in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"PYTHONPATH": sources, "ZERMELO_CACHE_DIR": folder}
        run = subprocess.run(
            [sys.executable, "-c", ONE, game], env=environment, capture_output=True, text=True, check=True
        )
    return float(run.stdout)


def main() -> None:
    other, games = sys.argv[1], sys.argv[2:] or GAMES
    ours = str(Path(__file__).parents[1] / "src")
    print("game          theirs    ours   ratio  rounds")
    for game in games:
        rounds = [(seconds(other, game), seconds(ours, game)) for _ in range(ROUNDS)]
        theirs, own = (statistics.median(column) for column in zip(*rounds, strict=True))
        ratios = [mine / its for its, mine in rounds]
        low, high = min(ratios), max(ratios)
        print(f"{game:12} {theirs:6.2f} s {own:6.2f} s  {statistics.median(ratios):5.2f}  {low:.2f} to {high:.2f}")


if __name__ == "__main__":
    main()
