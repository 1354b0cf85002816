"""Perft of Connect 4: leaves per second at depth 8, compared with OpenSpiel's rules of the game.

There are two ways of counting, which must not be mixed. Either every leaf is visited (its position is made, and it is
asked whether the game has ended, as in a search), or the last ply is counted in bulk (the moves that lead to the leaves
are listed but not played).
"""

from typing import Any

import numpy as np
from numba import int64

import _openspiel
from _common import Figure, Missing, Work, alone, compare, main, tell, without
from zermelo.core import compiled, njit
from zermelo.games.connect4.rules import Connect4
from zermelo.rules import is_over, legal_moves, play
from zermelo.searches.perft import PERFT_WORK, PERFT_WORK_TYPE, perft

DEPTH, LEAVES = 8, 5_673_234  # from two independent programs
SHALLOW, SHALLOW_LEAVES = 6, 117_649  # for a loop in Python
UNIT = "M leaves/s"

QUOTED_CPP = 4.7  # M leaves/s of OpenSpiel's C++, from issue 2; our measurements suggest that it visits every leaf

ENDED = 1 << 40  # larger than any number of leaves


@njit
def visit_leaves(state, depth, work, base):
    """The number of leaves, plus ENDED for each leaf in which the game has ended.

    One number holds both, because an array as an argument costs time: its users are counted at each node.
    """
    if depth == 0:
        return int64(1) + (int64(ENDED) if is_over(state) else int64(0))
    total = int64(0)
    end = legal_moves(state, work.moves, base)
    for i in range(base, end):
        total += visit_leaves(play(state, work.moves[i]), depth - 1, work, end)
    return total


def require(name: str, found: object, expected: object) -> None:
    """Stop if a number is wrong, because the rules are then not those of Connect 4."""
    if found != expected:
        raise SystemExit(f"perft of {name}: {found}, not {expected}")


class Ours:
    """Our two ways of counting."""

    def __init__(self) -> None:
        tell("compiling perft")
        states: Any = Connect4
        self.start, self.work = Connect4(), np.zeros(1, PERFT_WORK).view(np.recarray)[0]
        self.run = compiled(visit_leaves, states.numba, int64, PERFT_WORK_TYPE, int64)

    def visit_leaves(self, depth: int) -> tuple[int, int]:
        """The number of leaves from the start, and the number of those in which the game has ended."""
        ended, leaves = divmod(int(self.run(self.start, depth, self.work, 0)), ENDED)
        return leaves, ended

    def visiting(self) -> int:
        leaves, _ = self.visit_leaves(DEPTH)
        require("ours", leaves, LEAVES)
        return leaves

    def in_bulk(self) -> int:
        leaves = perft(self.start, DEPTH)
        require("ours", leaves, LEAVES)
        return leaves


def against_cpp(ours: Ours, rounds: int) -> list[Figure]:
    """Compare with loops in C++ over OpenSpiel's states, which count in the same two ways."""
    visiting, in_bulk = "every leaf visited", "last ply in bulk"
    try:
        peer = _openspiel.cpp()
    except Missing as missing:
        name = "OpenSpiel, C++"
        first = without(alone(visiting, UNIT, ours.visiting, rounds=rounds), name, missing, quoted=QUOTED_CPP)
        return [first, without(alone(in_bulk, UNIT, ours.in_bulk, rounds=rounds), name, missing)]
    expected = ours.visit_leaves(DEPTH)

    def their_visiting() -> int:
        require(peer.name, peer.visit_leaves(DEPTH), expected)
        return LEAVES

    def their_bulk() -> int:
        require(peer.name, peer.perft(DEPTH), LEAVES)
        return LEAVES

    return [
        compare(visiting, UNIT, ours.visiting, peer.name, their_visiting, rounds=rounds, floor=8),
        compare(in_bulk, UNIT, ours.in_bulk, peer.name, their_bulk, rounds=rounds, floor=8),
    ]


def against_python(ours: Ours, rounds: int) -> Figure:
    """Compare with a loop in Python over the same states: slower than C++, but all that Python can call."""
    name = "every leaf visited"
    work: Work = ours.visiting
    try:
        start = _openspiel.state_after("")
    except Missing as missing:
        return without(alone(name, UNIT, work, rounds=rounds), "OpenSpiel, Python", missing)
    peer, expected = f"OpenSpiel {_openspiel.version()}, Python", ours.visit_leaves(SHALLOW)
    require("ours", expected[0], SHALLOW_LEAVES)

    def theirs() -> int:
        require(peer, _openspiel.visit_leaves(start, SHALLOW), expected)
        return SHALLOW_LEAVES

    note = f"its states are C++, the loop over them Python; at depth {SHALLOW}"
    return compare(name, UNIT, work, peer, theirs, rounds=rounds, note=note)


def measure(rounds: int) -> list[Figure]:
    ours = Ours()
    return [*against_cpp(ours, rounds), against_python(ours, rounds)]


if __name__ == "__main__":
    main("connect4_perft", f"Connect 4, perft {DEPTH} = {LEAVES:,}: leaves a second", measure)
