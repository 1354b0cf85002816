"""Solve all openings of Hex and draw which of them win: `python tools/swap_map.py 5 6 7 --out docs/images`.

A dot marks an opening with which Black wins; a second player who may swap should do so. All other openings lose. 5x5
and 6x6 take a moment, 7x7 takes about a minute. Prints the map, the number of nodes and the processor time for each
board.
"""

import argparse
import time
from pathlib import Path

from zermelo.games import find_game
from zermelo.games.hex.solver import solve

DOT = "●"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sizes", type=int, nargs="+", help="board sizes, up to 8")
    parser.add_argument("--out", type=Path, default=Path("docs/images"), help="folder for the pictures")
    options = parser.parse_args()
    for size in options.sizes:
        start = find_game("hex", size=size).start()
        solve(start.state, nodes=1)  # compiles
        began = time.process_time()
        solution = solve(start.state, all_moves=True)
        taken = time.process_time() - began
        winning = set(solution.moves)
        for row in range(size):
            print("".join("B" if row * size + column in winning else "W" for column in range(size)))
        print(f"{size}x{size}: {len(winning)} openings win, {solution.nodes} nodes, {taken:.2f} s of processor time")
        marks = {start.game.move_text(start.state, move): DOT for move in winning}
        (options.out / f"hex-openings-{size}x{size}.svg").write_text(start.game.svg(start, marks), encoding="utf-8")


if __name__ == "__main__":
    main()
