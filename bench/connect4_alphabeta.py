"""Alpha-beta on Connect 4: positions visited per second, with an evaluation that a user writes in Python.

We and each peer search the same positions to the same depth with the same evaluation (stones in the middle column,
mine minus theirs), without move ordering and without a table. All must find the same value. A position visited is one
call of the recursive function, including the root, and each program counts its own tree. The trees differ by a few per
cent, because our search and easyAI's prefer quick wins and OpenSpiel's does not.
"""

import importlib
import importlib.metadata
from collections.abc import Sequence
from typing import Any

import numpy as np

import _openspiel
import zermelo as z
from _common import NOT_INSTALLED, Figure, Missing, Work, alone, compare, main, tell, without
from zermelo.games.connect4.rules import COLUMN, Connect4

POSITIONS = ("", "57254", "324443", "4623567663")
"""None of them is won or lost within the depths searched, so the values come from the evaluation."""

DEPTH = 8
SHALLOW = 5  # for a peer that visits only some thousand positions per second

QUOTED_CPP = 2.6  # M nodes/s of OpenSpiel's C++ alpha-beta, from issue 2

MIDDLE = np.uint64(0xFF << 3 * COLUMN)


@z.heuristic
def middle(state: Connect4) -> int:
    """Stones in the middle column, mine minus theirs."""
    theirs = state.mine ^ state.stones
    return z.count(state.mine & MIDDLE) - z.count(theirs & MIDDLE)


def searched(depth: int) -> tuple[Work, list[float]]:
    """Our search of all positions as work to measure, and the values that it finds."""
    player = z.alphabeta(middle, depth=depth)
    positions = [z.game("connect4").position(columns) for columns in POSITIONS]

    def work() -> int:
        return sum(player.search(position).nodes for position in positions)

    return work, [player.search(position).score.points for position in positions]


def check(peer: str, depth: int, ours: Sequence[float], theirs: Sequence[float]) -> None:
    """Stop if a peer finds other values, because it then searches something else."""
    if ours != theirs:
        raise SystemExit(f"depth {depth}: we find {ours}, {peer} finds {theirs}")


def against_openspiel(rounds: int) -> list[Figure]:
    """OpenSpiel's alpha-beta for Python with an evaluation in Python, and the one in C++ with an evaluation in C++."""
    name, unit = f"depth {DEPTH}", "M nodes/s"
    work, values = searched(DEPTH)
    try:
        python = _openspiel.PythonAlphaBeta()
    except Missing as missing:
        figure = alone(name, unit, work, rounds=rounds)
        cpp_figure = without(figure, "OpenSpiel, C++", missing, quoted=QUOTED_CPP)
        return [without(figure, "OpenSpiel, Python", missing), cpp_figure]
    tell("counting the positions that OpenSpiel visits")
    counts = [python.count(columns, DEPTH) for columns in POSITIONS]
    visited = sum(count for count, _ in counts)

    def python_work() -> int:
        check(python.name, DEPTH, values, [python.search(columns, DEPTH) for columns in POSITIONS])
        return visited

    first = compare(name, unit, work, python.name, python_work, rounds=rounds, floor=50)
    try:
        cpp = _openspiel.cpp()
    except Missing as missing:
        return [first, without(alone(name, unit, work, rounds=rounds), "OpenSpiel, C++", missing, quoted=QUOTED_CPP)]
    found = [cpp.search(columns, DEPTH) for columns in POSITIONS]
    if [evaluated for _, evaluated in found] != [evaluated for _, evaluated in counts]:
        raise SystemExit("OpenSpiel's Python and C++ no longer search the same tree: count the C++ nodes anew")

    def cpp_work() -> int:
        check(cpp.name, DEPTH, values, [cpp.search(columns, DEPTH)[0] for columns in POSITIONS])
        return visited

    note = "not offered to Python; called from C++ with an evaluation in C++"
    return [first, compare(name, unit, work, cpp.name, cpp_work, rounds=rounds, floor=3, note=note)]


class EasyAI:
    """easyAI's Negamax on its own Connect 4, without a table."""

    def __init__(self) -> None:
        try:
            self.module: Any = importlib.import_module("easyAI.AI.Negamax")
            self.game = importlib.import_module("easyAI.games.ConnectFour").ConnectFour
        except ImportError:
            raise Missing(NOT_INSTALLED) from None
        self.name = f"easyAI {importlib.metadata.version('easyAI')}"

    @staticmethod
    def middle(game: Any) -> int:
        if game.lose():
            return -100
        column = game.board[:, 3]
        return int(np.count_nonzero(column == game.current_player) - np.count_nonzero(column == game.opponent_index))

    def search(self, columns: str, depth: int) -> int:
        game = self.game([None, None])
        for column in columns:
            game.play_move(int(column) - 1)
        player = self.module.Negamax(depth, self.middle)
        player(game)
        return round(player.alpha)

    def count(self, columns: str, depth: int) -> int:
        """How many positions a search visits. Each visit is one call of its recursive function."""
        plain, visited = self.module.negamax, 0

        def counting(*arguments: Any) -> Any:
            nonlocal visited
            visited += 1
            return plain(*arguments)

        self.module.negamax = counting
        try:
            self.search(columns, depth)
        finally:
            self.module.negamax = plain
        return visited


def against_easyai(rounds: int) -> Figure:
    name, unit = f"depth {SHALLOW}", "M nodes/s"
    work, values = searched(SHALLOW)
    try:
        peer = EasyAI()
    except Missing as missing:
        return without(alone(name, unit, work, rounds=rounds), "easyAI", missing)
    tell("counting the positions that easyAI visits")
    visited = sum(peer.count(columns, SHALLOW) for columns in POSITIONS)

    def peer_work() -> int:
        check(peer.name, SHALLOW, values, [peer.search(columns, SHALLOW) for columns in POSITIONS])
        return visited

    return compare(name, unit, work, peer.name, peer_work, rounds=min(rounds, 3), floor=3)


def measure(rounds: int) -> list[Figure]:
    return [*against_openspiel(rounds), against_easyai(rounds)]


if __name__ == "__main__":
    title = f"Connect 4, alpha-beta with a user's evaluation: positions visited a second ({len(POSITIONS)} positions)"
    main("connect4_alphabeta", title, measure)
