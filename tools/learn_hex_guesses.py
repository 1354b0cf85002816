"""Learn what Monte Carlo tree search expects of moves in Hex (games/hex/guesses.py): games with itself, then a fit.

python tools/learn_hex_guesses.py games 9 --games 500 --simulations 1000 --seed 1 --out nine.npz
python tools/learn_hex_guesses.py fit nine.npz --large eleven.npz --out src/zermelo/games/hex/weights/guesses.npz
"""

import argparse
import random
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.core import class_of, njit
from zermelo.games import find_game
from zermelo.games.hex.distances import MOST_CELLS
from zermelo.games.hex.move_patterns import EACH, SIZE, write_entries
from zermelo.players.common import resolved
from zermelo.rules import is_over, moves_of, play
from zermelo.searches.mcts_run import Mcts

TOP = 6
"""How many of the most visited moves are written down for each position."""
UNIT = 1000
"""Points are written down in thousandths."""
PASSES, LATE_PASSES = 3, 3
RATE, LATE_RATE, SHRINK = 0.3, 0.1, 1e-5


def opening(size: int, chance: random.Random) -> tuple[Any, list[int]]:
    """One to three random stones, most often one."""
    state, moves = find_game("hex", size=size).start().state, []
    for _ in range(chance.choice((1, 1, 2, 3))):
        moves.append(chance.choice(moves_of(state)))
        state = play(state, moves[-1])
    return state, moves


def one_game(size: int, simulations: int, chance: random.Random) -> tuple[list[int], list[list[int]]]:
    """The moves of a game until it is proven who wins, and for each position after the opening what the search found.

    Of the first eight moves, some are chosen by chance among the four most visited ones.
    """
    game = find_game("hex", size=size)
    state, moves = opening(size, chance)
    options: Any = {name: value for name, value in game.engine_options.items() if name != "search"}
    judge = resolved(None, game, class_of(state))
    tree, begun = Mcts(state, heuristic=judge, seed=chance.randrange(1 << 30), **options), len(moves)
    found: list[list[int]] = []
    while True:
        tree.grow(simulations)
        root = tree.tree[0]
        children = tree.tree[root.first : root.first + root.children]
        open_ones = children[children.solved == 0]
        visits = dict(zip(open_ones.move.tolist(), open_ones.visits.tolist(), strict=True))
        if root.solved or not any(visits.values()):
            return moves, found
        best = sorted(visits, key=lambda move: -visits[move])[:TOP]
        padding = [-1] * (TOP - len(best))
        found.append([len(moves), *best, *padding, *(visits[move] for move in best), *padding])
        by_chance = len(moves) < begun + 8 and chance.random() < 0.15
        moves.append(chance.choice(best[:4]) if by_chance else best[0])
        state = play(state, moves[-1])
        if is_over(state):
            return moves, found
        tree.advance(moves[-1])


def play_games(size: int, games: int, simulations: int, seed: int, out: Path) -> None:
    chance, played = random.Random(seed), []
    for _ in range(games):
        played.append(one_game(size, simulations, chance))
    moves = np.full((games, size * size), -1, np.int16)
    for row, (line, _) in zip(moves, played, strict=True):
        row[: len(line)] = line
    found = [[number, *row] for number, (_, rows) in enumerate(played) for row in rows]
    np.savez_compressed(out, size=size, moves=moves, found=np.array(found, np.int32))
    print(f"{games} games, {len(found)} positions")


def read_games(path: Path) -> list[tuple[bool, Any, Any]]:
    """For each position: whether it is held out (every tenth game), the entries of all moves, and their shares."""
    read = []
    with np.load(path) as file:
        size, moves, found = int(file["size"]), file["moves"], file["found"]
    start = find_game("hex", size=size).start().state
    entries = np.empty(MOST_CELLS * EACH, np.int32)
    before, state, plies = -1, start, 0
    for number, ply, *rest in found.tolist():
        if number != before:
            before, state, plies = number, start, 0
        for move in moves[number, plies:ply].tolist():
            state = play(state, move)
        plies = ply
        legal = np.array(moves_of(state), np.int32)
        write_entries(state, legal, len(legal), entries)
        visits = dict(zip(rest[:TOP], rest[TOP:], strict=True))
        shares = np.array([max(visits.get(move, 0), 0) for move in legal.tolist()], np.float64)
        each = entries[: len(legal) * EACH].reshape(-1, EACH).copy()
        read.append((number % 10 == 0, each, shares / shares.sum()))
    return read


@njit
def learn(entries: Any, shares: Any, starts: Any, order: Any, points: Any, slopes: Any, rate: float) -> float:
    """Go through the positions in this order and return their mean loss; with a rate, change the points."""
    loss = 0.0
    expected = np.empty(MOST_CELLS)
    for position in order:
        first, end = starts[position], starts[position + 1]
        most, total = -np.inf, 0.0
        for i in range(first, end):
            expected[i - first] = 0.0
            for j in range(EACH):
                expected[i - first] += points[entries[i, j]]
            most = max(most, expected[i - first])
        for i in range(end - first):
            expected[i] = np.exp(expected[i] - most)
            total += expected[i]
        for i in range(first, end):
            share = expected[i - first] / total
            if shares[i] > 0:
                loss -= shares[i] * np.log(max(share, 1e-12))
            if rate > 0:
                for j in range(EACH):
                    entry = entries[i, j]
                    slope = share - shares[i] + SHRINK * points[entry]
                    slopes[entry] += slope * slope
                    points[entry] -= rate * slope / np.sqrt(slopes[entry] + 1.0)
    return loss / len(order)


def fit(paths: list[Path], seed: int) -> Any:
    """Learn from nine games of ten, and say how well the others are guessed: cross-entropy in nats, and best moves."""
    read = [position for path in paths for position in read_games(path)]
    entries = np.concatenate([each for _, each, _ in read])
    shares = np.concatenate([share for _, _, share in read])
    starts = np.cumsum([0] + [len(share) for _, _, share in read])
    held_out = np.array([i for i, (out_of, _, _) in enumerate(read) if out_of])
    order = np.array([i for i, (out_of, _, _) in enumerate(read) if not out_of])
    points, slopes, chance = np.zeros(SIZE), np.zeros(SIZE), np.random.default_rng(seed)
    for number in range(PASSES + LATE_PASSES):
        chance.shuffle(order)
        rate = RATE if number < PASSES else LATE_RATE
        learned = learn(entries, shares, starts, order, points, slopes, rate)
        tested = learn(entries, shares, starts, held_out, points, slopes, 0.0)
        print(f"pass {number + 1}: {learned:.4f}, held out {tested:.4f}")
    best = [shares[a:b][points[entries[a:b]].sum(1).argmax()] == shares[a:b].max()
            for a, b in zip(starts[held_out], starts[held_out + 1], strict=True)]  # fmt: skip
    print(f"{len(read)} positions; the move with most visits has most points in {np.mean(best):.1%} of {len(best)}")
    return np.rint(points * UNIT).astype(np.int16)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    games = commands.add_parser("games", help="play games and write down what the search found")
    games.add_argument("size", type=int)
    games.add_argument("--games", type=int, default=500)
    games.add_argument("--simulations", type=int, default=1000)
    fitting = commands.add_parser("fit", help="learn from such games")
    fitting.add_argument("files", type=Path, nargs="+", help="games on small boards")
    fitting.add_argument("--large", type=Path, nargs="+", required=True, help="games on larger boards")
    for command in (games, fitting):
        command.add_argument("--seed", type=int, default=1)
        command.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    if given.command == "games":
        play_games(given.size, given.games, given.simulations, given.seed, given.out)
    else:
        points = np.stack([fit(files, given.seed) for files in (given.files, given.large)])
        np.savez_compressed(given.out, points=points, unit=UNIT)


if __name__ == "__main__":
    main()
