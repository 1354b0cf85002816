"""Exact endgames of Reversi: time and nodes for five classic positions with 20 to 23 empty squares, with one thread.

They are positions 40 to 44 of the FFO endgame suite (G. Andersson), whose scores are published. For positions of that
size on another machine, issue 3 quotes 7.3 s (155 M nodes) for the best engine with a trained evaluation, 9.4 s (353 M)
for a famous C engine without one, and 25.7 s (362 M) for a Numba prototype.
"""

import time
from collections.abc import Sequence
from pathlib import Path

import zermelo as z
from _common import Figure, main
from zermelo.games.reversi.solver import solve
from zermelo.position import random_playout

POSITIONS = [
    ("O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X", 38),
    ("-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X", 0),
    ("--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO-- X", 6),
    ("--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O", -12),
    ("--O-X-O---O-XO-O-OOXXXOOOOOOXXXOOOOOXX--XXOOXO----XXXX-----XXX-- O", -14),
]


GOLDEN = Path(__file__).parent.parent / "tests" / "golden" / "reversi-endgames.txt"
OWN, OWN_EMPTY = 4, 20


def golden_positions() -> list[tuple[str, int]]:
    """The positions with known scores that the tests use."""
    lines = [line.split() for line in GOLDEN.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
    return [(f"{board} {side}", int(score)) for board, side, score, *_ in lines]


def own_positions(game: z.Game) -> list[tuple[str, None]]:
    """Positions with 20 empty squares, from games of small searches against themselves after random openings."""
    player, found = z.alphabeta("reversi/report", depth=4), []
    for seed in range(OWN):
        position = random_playout(game.start(), seed, 8)
        while str(position).count("-") > OWN_EMPTY and not position.is_over:
            position = position.play(player.choose(position))
        found.append((str(position), None))
    return found


def solve_all(name: str, game: z.Game, positions: Sequence[tuple[str, int | None]]) -> list[Figure]:
    nodes, began = 0, time.process_time()
    for text, score in positions:
        found = solve(game.position(text).state)
        if score is not None and found.score != score:
            raise SystemExit(f"{text}: {found.score}, not {score}")
        nodes += found.nodes
    seconds = time.process_time() - began
    note = f"{len(positions)} positions, {nodes / 1e6:.1f} M nodes"
    return [
        Figure(f"{name}: all", "s of processor time", seconds, note=note),
        Figure(f"{name}: nodes", "M nodes/s", nodes / seconds / 1e6),
    ]


def measure(rounds: int) -> list[Figure]:
    game = z.game("reversi")
    golden = golden_positions()
    solve(game.position(golden[0][0]).state)  # compile it
    return [
        *solve_all("golden endgames", game, golden),
        *solve_all("self-play, 20 empty", game, own_positions(game)),
        *solve_all("FFO 40 to 44, 20 to 23 empty", game, POSITIONS),
    ]


if __name__ == "__main__":
    main("reversi_endgames", "Reversi: exact endgames", measure, rounds=1)
