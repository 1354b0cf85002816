"""Calibrate the ten levels of a game: `python tools/levels.py connect4 --store build/levels`.

First a survey: a pool of fallible players, of which the strongest search like the engine, plays games of neighbours in
the ladder. The ten players whose strengths are nearest to equal steps, from the weakest to the strongest, become the
levels; in the second half of the survey only those play that would be chosen so far. Then the measurement: the ten play
new games with one another, and only those give the strengths that are told, so that nobody was chosen for luck. Every
result is appended to a file in the store, so that a later run continues. If a later run chooses other players, what was
measured before becomes part of the survey. The levels are written to games/<name>/levels.json.
"""

import argparse
import inspect
import itertools
import json
import random
from collections.abc import Sequence
from pathlib import Path

import zermelo as z
from zermelo.match import play_match
from zermelo.players import find_player
from zermelo.players.levels import FILE, NAMES, levels_of
from zermelo.tournaments.intervals import Z95
from zermelo.tournaments.rating import Rating, bradley_terry

NEAR = 2
"""Players that are at most this many places apart in the ladder play each other."""
WEAK = (
    "fallible({simple}depth=1, breadth=1, taste=8, overlook=1)",
    "fallible({simple}depth=1, breadth=1, taste=2.5, overlook=1)",
    "fallible(depth=1, breadth=2, taste=20, overlook=1)",
    "fallible(depth=1, breadth=2, taste=8, overlook=1)",
    "fallible({simple}depth=2, breadth=2, taste=1.5, overlook=0.7)",
    "fallible(depth=1, breadth=2, taste=4, overlook=0.95)",
    "fallible(depth=1, breadth=2, taste=2, overlook=0.9)",
    "fallible(depth=2, breadth=3, taste=1.5, overlook=0.6)",
    "fallible(depth=2, breadth=4, taste=0.8, overlook=0.4)",
)
STRONG = (
    "fallible(depth=3, breadth=4, taste=1, overlook=0.6)",
    "fallible(depth=3, breadth=5, taste=0.7, overlook=0.4)",
    "fallible(depth=3, breadth=6, taste=0.5, overlook=0.25)",
    "fallible(depth=4, breadth=8, taste=0.3, overlook=0.2)",
    "fallible(depth=4, breadth=8, taste=0.3, overlook=0.05)",
    "fallible(depth=4, breadth=8, taste=0.3, overlook=0.35, nodes=1000)",
    "fallible(depth=4, breadth=8, taste=0.3, overlook=0.2, nodes=1000)",
    "fallible(depth=4, breadth=8, taste=0.2, overlook=0.1, nodes=1000)",
    "fallible(depth=4, breadth=8, taste=0.2, overlook=0.1, nodes=3000)",
)
STRONGER = (
    *STRONG,
    "fallible(depth=4, breadth=10, taste=0.1, overlook=0.06, nodes=5000)",
    "fallible(depth=4, breadth=10, taste=0.1, overlook=0.03, nodes=10000)",
)
STRONGEST = (*STRONGER, "fallible(depth=4, breadth=10, taste=0.1, overlook=0, nodes=30000)")
SOLVED = (  # a solver knows most of these games, so more players are needed for the top
    *STRONGEST,
    "fallible(depth=4, breadth=10, taste=0.1, overlook=0.05, nodes=100000)",
    "fallible(depth=4, breadth=10, taste=0.1, overlook=0.02, nodes=100000)",
    "fallible(depth=4, breadth=10, taste=0.1, overlook=0, nodes=100000)",
)
HEX = (  # nobody in it plays at random, and looking three plies ahead on the whole board would take seconds
    "fallible({simple}depth=1, breadth=1, taste=3, overlook=1)",
    "fallible({simple}depth=1, breadth=1, taste=2, overlook=1)",
    "fallible(depth=1, breadth=2, taste=8, overlook=1)",
    "fallible(depth=1, breadth=2, taste=5, overlook=1)",
    "fallible(depth=1, breadth=2, taste=3.5, overlook=1)",
    "fallible(depth=1, breadth=2, taste=2.5, overlook=0.95)",
    "fallible(depth=1, breadth=2, taste=2, overlook=0.9)",
    "fallible({simple}depth=2, breadth=2, taste=1.5, overlook=0.7)",
    "fallible(depth=2, breadth=4, taste=0.8, overlook=0.4)",
    "fallible(depth=2, breadth=6, taste=0.5, overlook=0.2)",
    "fallible(depth=2, breadth=8, taste=0.4, overlook=0.6, nodes=1000)",
    "fallible(depth=2, breadth=8, taste=0.3, overlook=0.35, nodes=1000)",
    "fallible(depth=2, breadth=8, taste=0.3, overlook=0.2, nodes=1200)",
    "fallible(depth=2, breadth=8, taste=0.3, overlook=0.15, nodes=1500)",
    "fallible(depth=2, breadth=8, taste=0.2, overlook=0.06, nodes=3000)",
    "fallible(depth=2, breadth=8, taste=0.1, overlook=0, nodes=6000)",
)
POOLS = {
    "connect4": (*WEAK, *SOLVED),
    "tictactoe": (*WEAK, *SOLVED),
    "reversi": (*WEAK, *STRONG),
    "hex": HEX,
    "onitama": (*WEAK, *STRONGEST),
}
"""The players to choose from, from what should be the weakest to what should be the strongest."""
NAMED = {
    "connect4": "parity12",
    "hex": "two_distance",
    "onitama": "learned_quiet",
    "parcheckers": "combined",
    "tictactoe": "lines",
}
"""Heuristics of the players above the weakest, so that they stay what they are if a game gets another usual one.

Those of Reversi name none: its usual heuristic is a table for the board of 8x8, and another one for smaller boards.
"""
TREE_SEARCH = {"hex"}
"""Games whose engine needs no heuristic, and would use another search with one: players with nodes name none there."""


def pool_of(game: z.Game) -> list[str]:
    """The players of a game. The weak ones judge positions by what newcomers see at first glance."""
    simple = f"heuristic={game.first_glance}, " if game.first_glance else ""
    texts = [text.format(simple=simple) for text in POOLS.get(game.name, (*WEAK, *STRONGER))]
    if game.name in NAMED:
        named = f"fallible(heuristic={NAMED[game.name]}, "
        own = ("heuristic=", "nodes=") if game.name in TREE_SEARCH else ("heuristic=",)
        texts = [text if any(part in text for part in own) else text.replace("fallible(", named) for text in texts]
    return list(dict.fromkeys(texts))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--survey", type=int, default=12, help="Rounds of the survey.")
    parser.add_argument("--rounds", type=int, default=100, help="Rounds of the measurement.")
    parser.add_argument("--store", type=Path, required=True, help="The folder of results.")
    parser.add_argument("--only-fit", action="store_true", help="Play nothing; fit what is in the store.")
    parser.add_argument("--keep", action="store_true", help="No survey: measure the ten levels that the game has.")
    given = parser.parse_args()
    game = z.game(given.game)
    given.store.mkdir(parents=True, exist_ok=True)
    survey, measured = (given.store / f"{game.name}-{part}.jsonl" for part in ("survey", "measured"))
    if given.keep:
        levels = [str(find_player(text, game)) for text in levels_of(game).players]
    else:
        play(game, pool_of(game), 0 if given.only_fit else given.survey, survey)
        levels = chosen(fitted(survey))
        if {player for game_played in results(measured) for player in game_played[:2]} - set(levels):
            with survey.open("a", encoding="utf-8") as file:
                file.write(measured.read_text(encoding="utf-8"))
            measured.unlink()
            levels = chosen(fitted(survey))
    play(game, levels, 0 if given.only_fit else given.rounds, measured)
    ratings = fitted(measured)
    levels.sort(key=lambda text: ratings[text].elo)
    told = {
        "players": levels,
        "elo": [round(ratings[text].elo - ratings[levels[0]].elo) for text in levels],
        "error": [round(Z95 * ratings[text].error) for text in levels],
        "games": len(results(measured)),
    }
    print(game.name, json.dumps(told, indent=2), flush=True)
    Path(inspect.getfile(type(game))).with_name(FILE).write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")


def results(store: Path) -> list[tuple[str, str, float]]:
    """The first player, the second, and the score of the first, of all games in a file."""
    if not store.exists():
        return []
    return [tuple(json.loads(line)) for line in store.read_text(encoding="utf-8").splitlines()]


def play(game: z.Game, texts: Sequence[str], rounds: int, store: Path) -> None:
    """Let neighbours in the ladder play, with sides changed. After each round the ladder is sorted again."""
    players = {str(find_player(text, game)): find_player(text, game) for text in texts}
    ladder = list(players)
    for number in range(rounds):
        near = [
            (first, second)
            for (i, first), (j, second) in itertools.permutations(enumerate(ladder), 2)
            if abs(i - j) <= NEAR
        ]
        random.shuffle(near)
        with store.open("a", encoding="utf-8") as file:
            for first, second in near:
                start = game.varied_start(random.randrange(1 << 30))
                record = play_match(players[first], players[second], start)
                file.write(json.dumps([first, second, record.score]) + "\n")
        ratings = fitted(store)
        ladder = chosen(ratings) if number >= rounds // 2 else sorted(players, key=lambda text: ratings[text].elo)


def fitted(store: Path) -> dict[str, Rating]:
    """The strengths of all players in a file of results."""
    points: dict[tuple[str, str], tuple[float, float]] = {}
    for first, second, score in results(store):
        mine, theirs = points.get((first, second), (0.0, 0.0))
        points[first, second] = mine + score, theirs + 1 - score
    return {rating.player: rating for rating in bradley_terry(points)}


def chosen(ratings: dict[str, Rating]) -> list[str]:
    """The ten players with the most even steps from the weakest to the strongest, in order."""
    ladder = sorted(ratings, key=lambda text: ratings[text].elo)
    elo = [ratings[text].elo for text in ladder]
    step = (elo[-1] - elo[0]) / (len(NAMES) - 1)
    best = {0: (0.0, [0])}  # for each player: the least unevenness of a choice that ends with it, and that choice
    for _ in NAMES[1:]:
        best = {
            i: min((best[j][0] + (elo[i] - elo[j] - step) ** 2, [*best[j][1], i]) for j in best if j < i)
            for i in range(1, len(ladder))
            if any(j < i for j in best)
        }
    return [ladder[i] for i in best[len(ladder) - 1][1]]


if __name__ == "__main__":
    main()
