"""Rate all puzzles anew, after the levels of a game have changed: `python tools/rate_puzzles.py`.

A rating is made of the depth at which a search finds the move, and of how often levels 2, 4 and 6 fail.
"""

import sys

from zermelo.games import find_game
from zermelo.puzzles import games_with_puzzles, puzzles_of
from zermelo.puzzles.collection import file_of
from zermelo.puzzles.making import rated


def main() -> None:
    for name in sys.argv[1:] or games_with_puzzles():
        found = sorted((rated(puzzle, 0) for puzzle in puzzles_of(name)), key=lambda puzzle: puzzle.rating)
        file_of(find_game(name)).write_text("".join(puzzle.to_json() + "\n" for puzzle in found), encoding="utf-8")
        ratings = [puzzle.rating for puzzle in found]
        quarters = [ratings[len(ratings) * part // 4] for part in (1, 2, 3)]
        print(name, len(found), "ratings", ratings[0], *quarters, ratings[-1], flush=True)


if __name__ == "__main__":
    main()
