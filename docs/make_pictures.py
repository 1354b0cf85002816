"""Draw the pictures of the README and the docs again: python docs/make_pictures.py"""

from pathlib import Path

import zermelo as z
from zermelo.position import random_playout

IMAGES = Path(__file__).parent / "images"


def pictures() -> dict[str, str]:
    """File name -> SVG."""
    connect4 = z.game("connect4").position("44444132")
    marks = {move.move: f"{move.score.points:+g}" for move in z.analyse(connect4, depth=6).moves}
    trace = z.trace(z.game("tree/course").start(), z.alphabeta(depth=4))
    drawn = {"connect4.svg": connect4.svg(marks), "trace.svg": trace.svg()} | traces()
    drawn["tictactoe.svg"] = z.game("tictactoe").position("X../.O./... x").svg()
    drawn["tree.svg"] = z.game("tree/course").start().svg()
    for name, plies in (("reversi", 20), ("hex(size=7)", 12), ("onitama", 6), ("parcheckers", 9)):
        position = random_playout(z.game(name).start(), 3, plies)
        drawn[f"{name.split('(')[0]}.svg"] = position.svg()
    return drawn


def traces() -> dict[str, str]:
    """The searches of docs/explanation/searches.md, drawn."""
    lecture, board = z.game("tree/theory").start(), z.game("tictactoe").position("X../.O./... x")
    return {
        "minimax.svg": z.trace(lecture, z.minimax(depth=4)).svg(),
        "alphabeta.svg": z.trace(lecture, z.alphabeta(depth=4)).svg(),
        "tolerance.svg": z.trace(lecture, z.alphabeta(depth=4, tolerance=3)).svg(),
        "beam.svg": z.trace(board, z.alphabeta(depth=2, top_moves=3)).svg(),
    }


def main() -> None:
    for name, text in pictures().items():
        (IMAGES / name).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
