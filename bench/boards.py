"""Boards: what sets of cells cost compared with bits, and what loops over cells gain by being compiled."""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

import zermelo as z
from _common import Figure, Work, compare, main
from zermelo.core import njit
from zermelo.core.shells import itself
from zermelo.games.connect4.rules import Connect4
from zermelo.games.reversi.rules import Reversi
from zermelo.games.tictactoe.rules import TicTacToe
from zermelo.position import random_playout

POSITIONS = 1024
SETS, LOOP = 0.9, 200  # what must be reached: sets of cells compared with bits, compiled loops with plain Python
FRACTIONS = np.round(np.random.default_rng(1).normal(0, 3, (8, 8)), 2)
WHOLE = np.round(FRACTIONS).astype(np.int64)
FLAT_WHOLE = WHOLE.ravel()  # by the bit numbers of Reversi
FLAT_WHOLE_OF_COLUMNS = np.zeros(64, np.int64)  # by those of Connect 4: eight bits for a column, from the bottom
FLAT_WHOLE_OF_THREE = WHOLE[:3, :3].ravel()  # by those of tic-tac-toe
for _row in range(6):
    for _column in range(7):
        FLAT_WHOLE_OF_COLUMNS[8 * _column + 5 - _row] = WHOLE[_row, _column]


# ------------------------------------------------------------------------------------------ sets of cells, and bits


def connect4_sets(board: Any) -> Any:
    value = 3 * (len(board.mine & z.cells("d1-d6")) - len(board.theirs & z.cells("d1-d6")))
    for rows, columns in ((1, 0), (0, 1)):
        value += len(board.mine & board.mine.shift(rows, columns))
        value -= len(board.theirs & board.theirs.shift(rows, columns))
    return value + len(board.mine.neighbours() & board.empty)


def connect4_bits(state: Any) -> Any:
    mine, theirs = state.mine, state.mine ^ state.stones
    middle = np.uint64(0x3F) << np.uint64(24)
    value = 3 * (z.count(mine & middle) - z.count(theirs & middle))
    for step in (1, 8):
        value += z.count(mine & mine >> np.uint64(step)) - z.count(theirs & theirs >> np.uint64(step))
    sides = mine << np.uint64(8) | mine >> np.uint64(8)
    across = sides | mine
    around = sides | across << np.uint64(1) | across >> np.uint64(1)
    return value + z.count(around & state.board & ~state.stones)


def reversi_sets(board: Any) -> Any:
    corners = z.cells("a1 h1 a8 h8")
    value = 20 * (len(board.mine & corners) - len(board.theirs & corners))
    open_mine, open_theirs = board.mine & board.empty.neighbours(), board.theirs & board.empty.neighbours()
    return value + len(board.mine) - len(board.theirs) - 2 * (len(open_mine) - len(open_theirs))


LEFT = np.uint64(0xFEFEFEFEFEFEFEFE)
RIGHT = np.uint64(0x7F7F7F7F7F7F7F7F)


def reversi_bits(state: Any) -> Any:
    corners = np.uint64(0x8100000000000081)
    value = 20 * (z.count(state.mine & corners) - z.count(state.theirs & corners))
    empty = ~(state.mine | state.theirs)
    sides = empty << np.uint64(1) & LEFT | empty >> np.uint64(1) & RIGHT
    across = sides | empty
    around = sides | across << np.uint64(8) | across >> np.uint64(8)
    open_mine, open_theirs = state.mine & around, state.theirs & around
    return value + z.count(state.mine) - z.count(state.theirs) - 2 * (z.count(open_mine) - z.count(open_theirs))


def tictactoe_sets(board: Any) -> Any:
    middle = len(board.mine & z.cells("b2")) - len(board.theirs & z.cells("b2"))
    return 3 * middle + len(board.mine & z.cells("a1 c1 a3 c3")) - len(board.theirs & z.cells("a1 c1 a3 c3"))


def tictactoe_bits(state: Any) -> Any:
    middle = z.count(state.mine & z.bit(4)) - z.count(state.theirs & z.bit(4))
    corners = np.uint64(0b101000101)
    return 3 * middle + z.count(state.mine & corners) - z.count(state.theirs & corners)


# ------------------------------------------------------------------------------------------ a loop over cells, and bits


def with_weights(weights: Any) -> Callable[[Any], Any]:
    """The loop that a student writes: the weights of my cells less those of theirs."""

    def loop(board: Any) -> Any:
        score = 0 * weights[0, 0]
        for row in range(board.rows):
            for column in range(board.columns):
                if board[row, column] == z.MINE:
                    score += weights[row, column]
                elif board[row, column] == z.THEIRS:
                    score -= weights[row, column]
        return score

    return loop


def bits_with_weights(theirs_of: Any, weights: Any) -> Callable[[Any], Any]:
    """The same with bits: one bit after the other."""

    def loop(state: Any) -> Any:
        score = 0
        left = state.mine
        while left:
            score += weights[z.lowest(left)]
            left = z.without_lowest(left)
        left = theirs_of(state)
        while left:
            score -= weights[z.lowest(left)]
            left = z.without_lowest(left)
        return score

    return loop


# ------------------------------------------------------------------------------------------ measuring


def states_of(game: str) -> list[Any]:
    """Positions of all stages of the game."""
    start = z.game(game).start()
    return [random_playout(start, seed, seed % 50).state for seed in range(POSITIONS)]


def compiled_work(function: Any, cls: Any, states: list[Any], given: Any) -> Work:
    """Evaluate all states in compiled code; given: what the function is given for a state."""
    fields = np.array([[int(part) for part in state] for state in states], np.uint64)
    judge, number = njit(function), len(cls._fields)

    @njit(boundscheck=False)
    def evaluate(fields: Any) -> Any:
        total = 0.0
        for i in range(len(fields)):
            if number == 2:
                total += judge(given(cls(fields[i, 0], fields[i, 1])))
            else:
                total += judge(given(cls(fields[i, 0], fields[i, 1], fields[i, 2])))
        return total

    def work() -> int:
        for _ in range(100):
            evaluate(fields)
        return 100 * len(states)

    work.total = evaluate(fields)  # type: ignore[attr-defined]
    return work


def plain_work(function: Any, board_class: Any, states: list[Any]) -> Work:
    """Evaluate all states as plain Python."""

    def work() -> int:
        for state in states[::4]:
            function(board_class(state))
        return len(states[::4])

    work.total = sum(float(function(board_class(state))) for state in states)  # type: ignore[attr-defined]
    return work


def same(ours: Any, theirs: Any) -> None:
    assert abs(ours.total - theirs.total) < 1e-6, (ours.total, theirs.total)


def figures_of(
    game: str, board_class: Any, cls: Any, sets: Any, bits: Any, loop_bits: Any, rounds: int
) -> list[Figure]:
    """The ratios of one game."""
    states = states_of(game)
    around = board_class.numba(cls).around
    measure = functools.partial(compare, rounds=rounds)
    ours, theirs = compiled_work(sets, cls, states, around), compiled_work(bits, cls, states, itself)
    same(ours, theirs)
    title = z.game(game).title
    found = [measure(f"{title}: sets of cells", "M/s", ours, "bits", theirs, floor=SETS)]
    whole, fractions = with_weights(WHOLE), with_weights(FRACTIONS)
    looped, by_bits = compiled_work(whole, cls, states, around), compiled_work(loop_bits, cls, states, itself)
    same(looped, by_bits)
    found.append(measure(f"{title}: loop over cells", "M/s", looped, "bit by bit", by_bits))
    floor = LOOP if game == "reversi" else None
    for kind, function in (("whole", whole), ("fractional", fractions)):
        fast, slow = compiled_work(function, cls, states, around), plain_work(function, board_class, states)
        same(fast, slow)
        name = f"{title}: loop, {kind} weights"
        found.append(measure(name, "M/s", fast, "plain Python", slow, floor=floor))
    return found


def measure(rounds: int) -> list[Figure]:
    return [
        *figures_of(
            "connect4",
            z.Connect4,
            Connect4,
            connect4_sets,
            connect4_bits,
            bits_with_weights(njit(lambda state: state.mine ^ state.stones), FLAT_WHOLE_OF_COLUMNS),
            rounds,
        ),
        *figures_of(
            "reversi",
            z.Reversi,
            Reversi,
            reversi_sets,
            reversi_bits,
            bits_with_weights(njit(lambda state: state.theirs), FLAT_WHOLE),
            rounds,
        ),
        *figures_of(
            "tictactoe",
            z.TicTacToe,
            TicTacToe,
            tictactoe_sets,
            tictactoe_bits,
            bits_with_weights(njit(lambda state: state.theirs), FLAT_WHOLE_OF_THREE),
            rounds,
        ),
    ]


if __name__ == "__main__":
    main("boards", "Boards: evaluations per second of processor time", measure)
