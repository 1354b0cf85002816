"""Exact endgames of Reversi: time and nodes of five classic positions with 20 to 23 empty squares, one thread.

Positions 40 to 44 of the FFO endgame suite (G. Andersson), whose scores are published. Issue 3 quotes for positions of
that size, elsewhere: the best engine with a trained evaluation 7.3 s (155 M nodes), a famous C engine without one 9.4 s
(353 M), a Numba prototype 25.7 s (362 M).
"""

import time

import zermelo as z
from _common import Figure, main
from zermelo.games.reversi.solver import solve

POSITIONS = [
    ("O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X", 38),
    ("-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X", 0),
    ("--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO-- X", 6),
    ("--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O", -12),
    ("--O-X-O---O-XO-O-OOXXXOOOOOOXXXOOOOOXX--XXOOXO----XXXX-----XXX-- O", -14),
]


def measure(rounds: int) -> list[Figure]:
    game = z.game("reversi")
    solve(game.position("XXXXXXXXXXXXXXXXXXXOXXXXXXOXXXXXXOXXXXXXOOOOOXXX-OOO--XXOOOO---X X").state)  # compiles
    nodes, began = 0, time.process_time()
    for text, score in POSITIONS:
        found = solve(game.position(text).state)
        if found.score != score:
            raise SystemExit(f"{text}: {found.score}, not {score}")
        nodes += found.nodes
    seconds = time.process_time() - began
    return [
        Figure("five classic positions", "s of processor time", seconds),
        Figure("nodes", "M", nodes / 1e6),
        Figure("nodes a second", "M nodes/s", nodes / seconds / 1e6),
    ]


if __name__ == "__main__":
    main("reversi_endgames", "Reversi: exact endgames", measure, rounds=1)
