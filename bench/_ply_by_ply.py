"""What the two measurements of exact Connect 4 scores share: positions of every ply, and moves shared among workers."""

import argparse
import random

from zermelo.position import Game, Position
from zermelo.solving.registry import own_solution

CELLS, BOOK = 42, 8
HARD = range(6, 13)
"""The numbers of stones with which the scores of all moves take longest."""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--positions", type=int, default=5, help="number of positions for each ply")
    parser.add_argument("--near", type=int, default=30, help="the same for 6 to 12 stones, where it takes longest")
    parser.add_argument("--plies", type=int, nargs=2, default=(0, CELLS), help="first ply, and the one behind the last")


def good_moves(position: Position) -> list[int]:
    """The moves whose exact scores are at most two stones worse than the best."""
    solved = own_solution(position, all_moves=True)
    assert solved is not None
    return [move for move, score in solved.scores.items() if score >= solved.score - 2]


def positions_at(game: Game, ply: int, number: int, chance: random.Random) -> list[Position]:
    """Unfinished positions after so many plies. Half of them begin with good moves, the others are random."""
    found: list[Position] = []
    while len(found) < number:
        position, is_good = game.start(), len(found) % 2 == 0
        while not position.is_over and len(position.path) <= ply:
            knows = is_good and len(position.path) <= BOOK
            position = position.play_code(chance.choice(good_moves(position) if knows else list(position.codes)))
        if not position.is_over:
            found.append(position)
    return found


def with_workers(times: list[float], workers: int) -> float:
    """How long several workers take for moves of these times, each taking the next move when it is free."""
    free = [0.0] * workers
    for time in times:
        free.sort()
        free[0] += time
    return max(free)
