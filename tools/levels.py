"""Calibrate the ten levels of a game: `python tools/levels.py connect4 --seconds 600 --store levels-connect4.jsonl`.

A pool of fallible players and small engines plays games of neighbours in the ladder, as long as the seconds last. Each
result is appended to the store, so that a later run continues. Then strengths are fitted to all results, and the ten
players whose strengths are nearest to equal steps become the levels, written to games/<name>/levels.json.
"""

import argparse
import itertools
import json
import random
import time
from pathlib import Path

import zermelo as z
from zermelo.match import play_match
from zermelo.players import find_player
from zermelo.players.levels import FILE, NAMES
from zermelo.tournaments.intervals import Z95
from zermelo.tournaments.rating import bradley_terry

STEP = 150.0
"""Elo between two levels, if the pool reaches that far."""
POOL = (
    "fallible({simple}depth=1, breadth=1, taste=8, overlook=1.0)",
    "fallible({simple}depth=1, breadth=1, taste=2, overlook=1.0)",
    "fallible({simple}depth=1, breadth=2, taste=1.5, overlook=0.8)",
    "fallible({simple}depth=2, breadth=2, taste=1.5, overlook=0.7)",
    "fallible({simple}depth=2, breadth=4, taste=1.0, overlook=0.4)",
    "fallible({simple}depth=3, breadth=6, taste=0.7, overlook=0.25)",
    "fallible(depth=2, breadth=3, taste=1.5, overlook=0.6)",
    "fallible(depth=2, breadth=4, taste=0.8, overlook=0.4)",
    "fallible(depth=3, breadth=5, taste=0.7, overlook=0.4)",
    "fallible(depth=3, breadth=6, taste=0.5, overlook=0.25)",
    "fallible(depth=4, breadth=7, taste=0.4, overlook=0.15)",
    "fallible(depth=4, breadth=8, taste=0.3, overlook=0.05)",
    "fallible(depth=4, breadth=8, taste=0.3, overlook=0.2, nodes=1000)",
    "fallible(depth=4, breadth=8, taste=0.2, overlook=0.1, nodes=3000)",
    "fallible(depth=4, breadth=10, taste=0.1, overlook=0.03, nodes=10000)",
    "fallible(depth=4, breadth=10, taste=0.1, overlook=0, nodes=30000)",
)
"""The players to choose from, from what should be the weakest to what should be the strongest."""


def pool_of(game: z.Game) -> list[str]:
    """The players of a game. The weak ones judge positions by what newcomers see at first glance."""
    simple = f"heuristic={game.first_glance}, " if game.first_glance else ""
    return [text.format(simple=simple) for text in POOL]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument(
        "--seconds", type=float, default=0.0, help="How long to play; 0: only fit what is in the store."
    )
    parser.add_argument("--store", type=Path, required=True, help="The file of results.")
    parser.add_argument(
        "--write", type=Path, help="Where to write the levels, such as src/zermelo/games/hex/levels.json."
    )
    given = parser.parse_args()
    game = z.game(given.game)
    if given.seconds:
        play(game, given.seconds, given.store)
    told = chosen(given.store)
    print(json.dumps(told, indent=2))
    if given.write:
        (given.write / FILE if given.write.is_dir() else given.write).write_text(json.dumps(told, indent=2) + "\n")


def play(game: z.Game, seconds: float, store: Path) -> None:
    """Play games of players that are at most two places apart, over and over, with sides changed."""
    players = [find_player(text, game) for text in pool_of(game)]
    until = time.monotonic() + seconds
    near = [(a, b) for a, b in itertools.permutations(range(len(players)), 2) if abs(a - b) <= 2]
    with store.open("a", encoding="utf-8") as file:
        while time.monotonic() < until:
            random.shuffle(near)
            for first, second in near:
                if time.monotonic() > until:
                    return
                start = game.varied_start(random.randrange(1 << 30))
                record = play_match(players[first], players[second], start)
                file.write(json.dumps([str(players[first]), str(players[second]), record.score]) + "\n")
                file.flush()


def chosen(store: Path) -> dict[str, object]:
    """The ten players with the most even steps, and their strengths on a scale on which the weakest has 0."""
    points: dict[tuple[str, str], tuple[float, float]] = {}
    games = 0
    for line in store.read_text(encoding="utf-8").splitlines():
        first, second, score = json.loads(line)
        mine, theirs = points.get((first, second), (0.0, 0.0))
        points[first, second] = mine + score, theirs + 1 - score
        games += 1
    ratings = {rating.player: rating for rating in bradley_terry(points)}
    ladder = sorted(ratings, key=lambda text: ratings[text].elo)
    step = min(STEP, (ratings[ladder[-1]].elo - ratings[ladder[0]].elo) / (len(NAMES) - 1))

    def unevenness(texts: tuple[str, ...]) -> float:
        return sum((ratings[b].elo - ratings[a].elo - step) ** 2 for a, b in itertools.pairwise(texts))

    levels = min(itertools.combinations(ladder, len(NAMES)), key=unevenness)
    return {
        "players": list(levels),
        "elo": [round(ratings[text].elo - ratings[levels[0]].elo) for text in levels],
        "error": [round(Z95 * ratings[text].error) for text in levels],
        "games": games,
    }


if __name__ == "__main__":
    main()
