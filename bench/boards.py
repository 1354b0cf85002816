"""Boards: what sets of cells cost compared with bits, and what loops over cells gain by being compiled."""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

import zermelo as z
from _common import Figure, Work, compare, main
from zermelo.core import njit
from zermelo.core.shells import itself, remember, remembered
from zermelo.games.connect4.rules import Connect4
from zermelo.games.hex.boards import CELLS, beside, cell_count, common, part_of, without
from zermelo.games.hex.boards import both as hex_both
from zermelo.games.hex.rules import Hex2, board_of
from zermelo.games.onitama.rules import Onitama
from zermelo.games.parcheckers.rules import IS_SAFE, Parcheckers, distance_of
from zermelo.games.reversi.rules import Reversi
from zermelo.games.tictactoe.rules import TicTacToe
from zermelo.position import random_playout
from zermelo.rules import to_move

POSITIONS = 1024
SETS, LOOP = 0.9, 200  # what must be reached: sets of cells compared with bits, compiled loops with plain Python
PIECES = 0.5  # pieces of Parcheckers compared with bits
FRACTIONS = np.round(np.random.default_rng(1).normal(0, 3, (8, 8)), 2)
WHOLE = np.round(FRACTIONS).astype(np.int64)
WIDE = np.round(np.random.default_rng(2).normal(0, 3, (11, 11))).astype(np.int64)
STATE_WORDS = 16
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


# ------------------------------------------------------------------------------------------ several words, two kinds


def hex_sets(board: Any) -> Any:
    mine, theirs = board.mine, board.theirs
    value = len(mine & mine.neighbours()) - len(theirs & theirs.neighbours())
    return value + 3 * len(mine & theirs.neighbours()) - len(board.empty - mine.neighbours())


def hex_bits(state: Any) -> Any:
    size, player = np.int64(state.size), np.int64(state.player)
    mine, theirs = board_of(state, player), board_of(state, 1 - player)
    near, far = beside(mine, size), beside(theirs, size)
    value = cell_count(common(mine, near)) - cell_count(common(theirs, far)) + 3 * cell_count(common(mine, far))
    return value - cell_count(without(part_of(CELLS, size, mine), hex_both(hex_both(mine, theirs), near)))


def hex_loop(state: Any) -> Any:
    size, player = np.int64(state.size), np.int64(state.player)
    score = 0
    for sign, stones in ((1, board_of(state, player)), (-1, board_of(state, 1 - player))):
        for i in range(len(stones)):
            left = stones[i]
            while left:
                cell = 64 * i + z.lowest(left)
                score += sign * WIDE[cell // size, cell % size]
                left = z.without_lowest(left)
    return score


def onitama_sets(board: Any) -> Any:
    students, value = board.mine - board.masters, 10 * (len(board.mine) - len(board.theirs))
    return value + len(students.neighbours() & board.empty) - len(board.theirs & z.cells("b2-d2 b3-d3 b4-d4"))


NOT_FIRST, NOT_LAST = (np.uint64(sum(0b11111 >> 1 << 5 * row + step for row in range(5))) for step in (1, 0))
EVERYWHERE, MIDDLE = np.uint64((1 << 25) - 1), np.uint64(0b01110_01110_01110_00000)


def onitama_bits(state: Any) -> Any:
    mine, theirs = np.uint64(state.mine), np.uint64(state.theirs)
    students = mine & ~np.uint64(state.masters)
    sides = students << np.uint64(1) & NOT_FIRST | students >> np.uint64(1) & NOT_LAST
    across = sides | students
    around = (sides | across << np.uint64(5) | across >> np.uint64(5)) & EVERYWHERE
    value = 10 * (z.count(mine) - z.count(theirs))
    return value + z.count(around & ~(mine | theirs)) - z.count(theirs & MIDDLE)


def onitama_loop(state: Any) -> Any:
    masters, score = np.uint64(state.masters), 0
    for sign, men in ((1, np.uint64(state.mine)), (-1, np.uint64(state.theirs))):
        left = men & ~masters  # the loop over cells looks for z.MINE and z.THEIRS, which are students
        while left:
            cell = z.lowest(left)
            score += sign * WHOLE[4 - cell // 5, cell % 5]
            left = z.without_lowest(left)
    return score


def parcheckers_pieces(board: Any) -> Any:
    value = 0
    for piece in board.pieces(z.MINE):
        value += 10 * piece.is_safe - piece.distance
    for piece in board.pieces(z.THEIRS):
        value += piece.distance - 10 * piece.is_safe
    return value


def parcheckers_bits(state: Any) -> Any:
    mover, value = to_move(state), 0
    for place in range(8):
        distance = distance_of(state.pieces, place)
        worth = 10 * IS_SAFE[distance] - distance
        value += worth if place >> 2 == mover else -worth
    return value


def parcheckers_figures(rounds: int) -> list[Figure]:
    """There are no cells: pieces compared with the bits of the state, and with plain Python."""
    states = states_of("parcheckers")
    ours = compiled_work(parcheckers_pieces, Parcheckers, states, z.Parcheckers.numba(Parcheckers).around)
    bits = compiled_work(parcheckers_bits, Parcheckers, states, itself)
    slow = plain_work(parcheckers_pieces, z.Parcheckers, states)
    same(ours, bits)
    same(ours, slow)
    return [
        compare("Parcheckers: pieces", "M/s", ours, "bits", bits, rounds=rounds, floor=PIECES),
        compare("Parcheckers: pieces, compiled", "M/s", ours, "plain Python", slow, rounds=rounds),
    ]


# ------------------------------------------------------------------------------------------ measuring


def states_of(game: str) -> list[Any]:
    """Positions of all stages of the game."""
    start = z.game(game).start()
    return [random_playout(start, seed, seed % 50).state for seed in range(POSITIONS)]


def compiled_work(function: Any, cls: Any, states: list[Any], given: Any) -> Work:
    """Evaluate all states in compiled code; given: what the function is given for a state."""
    like, judge, number = states[0], njit(function), len(states)
    room = np.zeros((number, STATE_WORDS), np.uint64)
    assert 8 * len(cls._fields) <= room[0].nbytes

    @njit
    def put(state: Any, place: Any) -> Any:
        remember(state, place)  # type: ignore[call-arg]

    for state, place in zip(states, room, strict=True):
        put(state, np.uint64(place.ctypes.data))

    @njit(boundscheck=False)
    def evaluate(like: Any, room: Any) -> Any:
        total, place = 0.0, np.uint64(room.ctypes.data)
        for _ in range(number):
            total += judge(given(remembered(like, place)))  # type: ignore[call-arg]
            place += np.uint64(8 * STATE_WORDS)
        return total

    def work() -> int:
        for _ in range(100):
            evaluate(like, room)
        return 100 * number

    work.total = evaluate(like, room)  # type: ignore[attr-defined]
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
    game: str, board_class: Any, cls: Any, sets: Any, bits: Any, loop_bits: Any, rounds: int, weights: Any = WHOLE
) -> list[Figure]:
    """The ratios of one game. weights: whole ones; the fractional ones are a little larger."""
    states = states_of(game)
    around = board_class.numba(cls).around
    measure = functools.partial(compare, rounds=rounds)
    ours, theirs = compiled_work(sets, cls, states, around), compiled_work(bits, cls, states, itself)
    same(ours, theirs)
    title = z.game(game).title
    found = [measure(f"{title}: sets of cells", "M/s", ours, "bits", theirs, floor=SETS)]
    whole, fractions = with_weights(weights), with_weights(FRACTIONS if weights is WHOLE else weights + 0.37)
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
        *figures_of("hex", z.Hex, Hex2, hex_sets, hex_bits, hex_loop, rounds, WIDE),
        *figures_of("onitama", z.Onitama, Onitama, onitama_sets, onitama_bits, onitama_loop, rounds),
        *parcheckers_figures(rounds),
    ]


if __name__ == "__main__":
    main("boards", "Boards: evaluations per second of processor time", measure)
