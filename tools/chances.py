"""Fit winning chances to results: `python tools/chances.py onitama --games 2000 --seed 1`.

A small search plays games against itself from random openings, and sometimes plays a random move. In each position it
notes its score, in the points of the game's usual heuristic; the result of the game follows. A logistic curve is fitted
to four games of five: the chance of the player to move is 1 / (1 + exp(-points / scale)). The other games, which the
fit has not seen, say how good the curve is: the mean logarithmic loss (0.693 for somebody who always says 50%), and for
each fifth of the range of chances what was promised and what came. All this is written to games/<name>/chances.json.
With --heuristic, it goes to the list `others` of that file, for boards on which that heuristic is the usual one.
"""

import argparse
import json
import math
import random
from pathlib import Path

import zermelo as z
from zermelo.games import find_game
from zermelo.judging import FILE
from zermelo.players import find_player
from zermelo.players.player import Player
from zermelo.position import Position

OPENING, RANDOM = 4, 0.1
"""Random plies at the beginning of a game, and the share of random moves after them."""
FIFTHS = 5
"""One game of so many is held out, and the range of chances is divided into as many parts."""
MOST_PLIES = 400
"""Plies after which a game counts as a draw."""


def game_of(here: Position, player: Player, source: random.Random) -> list[tuple[float, float]]:
    """The pairs of score and result (1, 0.5 or 0, both for the player to move) of one game."""
    noted = []
    for ply in range(MOST_PLIES):
        if here.is_over:
            break
        if ply < OPENING:
            here = here.play(source.choice(here.moves))
            continue
        choice = player.think(here)
        assert choice.score is not None
        if choice.score.outcome is None:
            noted.append((here.to_move, choice.score.points))
        here = here.play(source.choice(here.moves) if source.random() < RANDOM else choice.move)
    winner = here.winner if here.is_over else None
    return [(points, 0.5 if winner is None else float(winner == mover)) for mover, points in noted]


def loss(pairs: list[tuple[float, float]], scale: float) -> float:
    """The mean logarithmic loss of the curve with this scale."""
    total = 0.0
    for points, result in pairs:
        x = max(-35.0, min(35.0, points / scale))
        total += math.log1p(math.exp(-x)) + (1 - result) * x
    return total / len(pairs)


def fit(pairs: list[tuple[float, float]]) -> float:
    """The scale that makes the results most likely."""
    low, high = math.log(1e-3), math.log(1e5)
    for _ in range(60):  # the loss has one valley
        a, b = low + (high - low) / 3, high - (high - low) / 3
        if loss(pairs, math.exp(a)) < loss(pairs, math.exp(b)):
            high = b
        else:
            low = a
    return math.exp((low + high) / 2)


def promised(pairs: list[tuple[float, float]], scale: float) -> list[list[float]]:
    """For each fifth of the range of chances: the mean chance, the mean result, and the number of positions."""
    groups: list[list[tuple[float, float]]] = [[] for _ in range(FIFTHS)]
    for points, result in pairs:
        chance = 1 / (1 + math.exp(-max(-35.0, min(35.0, points / scale))))
        groups[min(FIFTHS - 1, int(chance * FIFTHS))].append((chance, result))
    return [
        [*(round(sum(values) / len(group), 3) for values in zip(*group, strict=True)), len(group)]
        for group in groups
        if group
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=2000, help="Number of games to play.")
    parser.add_argument("--depth", type=int, default=3, help="Depth of the search, in plies.")
    parser.add_argument("--search", default="alphabeta", help="The search: alphabeta, or engine to follow captures.")
    parser.add_argument("--seed", type=int, default=1, help="Where the random numbers begin.")
    parser.add_argument("--heuristic", help="A heuristic other than the usual one.")
    given = parser.parse_args()
    game = find_game(given.game)
    heuristic = given.heuristic or game.default_heuristic
    player = find_player(f"{given.search}(depth={given.depth}, heuristic={heuristic})", game)
    player.prepare(game)
    source = random.Random(given.seed)
    seen: list[tuple[float, float]] = []
    held_out: list[tuple[float, float]] = []
    for number in range(given.games):
        pairs = game_of(game.varied_start(given.seed * 1_000_000 + number), player, source)
        (held_out if number % FIFTHS == 0 else seen).extend(pairs)
    scale = fit(seen)
    told = {
        "heuristic": heuristic,
        "scale": round(scale, 4),
        "games": given.games,
        "positions": len(seen) + len(held_out),
        "depth": given.depth,
        "seed": given.seed,
        "loss": round(loss(seen, scale), 4),
        "held_out": {
            "positions": len(held_out),
            "loss": round(loss(held_out, scale), 4),
            "promised": promised(held_out, scale),
        },
        "command": f"tools/chances.py {given.game} --games {given.games} --depth {given.depth} --seed {given.seed}"
        + (f" --search {given.search}" if given.search != parser.get_default("search") else "")
        + (f" --heuristic {given.heuristic}" if given.heuristic else ""),
    }
    file = Path(z.__file__).parent / "games" / game.name / FILE
    before = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    others = [one for one in before.pop("others", ()) if one["heuristic"] != heuristic]
    whole = before | {"others": [*others, told]} if given.heuristic else told | ({"others": others} if others else {})
    file.write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(told))


if __name__ == "__main__":
    main()
