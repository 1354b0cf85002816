"""Boards of every game that has cells: what compiled code, plain Python and a second opinion say about them."""

import functools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo as z
from conftest import dose
from zermelo.core import njit
from zermelo.games import find_game
from zermelo.position import random_playout

GAMES = [
    "connect4",
    "connect4(columns=4, rows=5)",
    "connect4(columns=8, rows=7)",
    "reversi",
    "reversi(columns=4, rows=6)",
    "reversi(columns=8, rows=7)",
    "tictactoe",
    "hex(size=4)",
    "hex(size=8)",
    "hex(size=11)",
    "hex(size=13)",
    "onitama",
]


def positions(game):
    """Any position of a game."""
    return st.builds(
        lambda seed, plies: random_playout(find_game(game).start(), seed, plies),
        st.integers(0, 2**32),
        st.integers(0, 70),
    )


def checked(test):
    """Run a test with each game and with many positions of it; the compiled and the plain version are given."""
    decorated = given(data=st.data())(settings(max_examples=dose(30, 15), deadline=None, derandomize=True)(test))
    return pytest.mark.parametrize("game", GAMES)(decorated)


def both(function, *arguments):
    """What a function gives, as plain Python; compiled code must give the same."""
    plain = function(*arguments)
    assert compiled(function)(*arguments) == plain
    return plain


@functools.cache
def compiled(function):
    return njit(function)


# ------------------------------------------------------------------------------------------ cells


def values_by_pairs(board):
    found = 0
    for row in range(board.rows):
        for column in range(board.columns):
            found = found * 3 + board[row, column] % 3 & 0xFFFFFFFFFF
    return found


def values_by_rows(board):
    found = 0
    for row in board:
        for value in row:
            found = found * 3 + value % 3 & 0xFFFFFFFFFF
    return found


def values_by_index(board):
    found = 0
    for row in range(len(board)):
        for column in range(len(board[row])):
            found = found * 3 + board[row][column] % 3 & 0xFFFFFFFFFF
    return found


def values_by_cells(board):
    found = 0
    for row, column in board.cells():
        found = found * 3 + board[row, column] % 3 & 0xFFFFFFFFFF
    return found


def values_of_grid(board):
    grid = board.grid()
    found = 0
    for row in range(grid.shape[0]):
        for column in range(grid.shape[1]):
            found = found * 3 + int(grid[row, column]) % 3 & 0xFFFFFFFFFF
    return found


@checked
def test_all_ways_to_read_the_cells_agree(game, data):
    board = data.draw(positions(game)).as_board()
    ways = values_by_pairs, values_by_rows, values_by_index, values_by_cells, values_of_grid
    assert len({both(way, board) for way in ways}) == 1
    assert board.grid().dtype == np.int8
    assert board.grid().shape == (board.rows, board.columns)


def sign_sums(board):
    mine = theirs = empty = 0
    for row, column in board.cells():
        value = board[row, column]
        mine += value > 0 and (row, column) in board.mine
        theirs += value < 0 and (row, column) in board.theirs
        empty += value == 0 and (row, column) in board.empty
    return mine, theirs, empty, len(board.mine), len(board.theirs), len(board.empty)


@checked
def test_sets_hold_the_cells_with_these_men(game, data):
    board = data.draw(positions(game)).as_board()
    mine, theirs, empty, *numbers = both(sign_sums, board)
    assert numbers == [mine, theirs, empty]
    assert mine + theirs + empty == board.rows * board.columns == len(board.cells())


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("way", [lambda board, r, c: board[r, c], lambda board, r, c: board[r][c]])
def test_an_index_outside_the_board_is_an_error(game, way):
    board = find_game(game).start().as_board()
    for row, column in ((-1, 0), (0, -1), (board.rows, 0), (0, board.columns)):
        for version in (way, compiled(way)):
            with pytest.raises(IndexError, match="outside the board"):
                version(board, row, column)


# ------------------------------------------------------------------------------------------ sets


def combined(a, b):
    return a & b, a | b, a ^ b, a - b, ~a, a == b, a != b, a <= b, a >= b, bool(a), not a, len(a)


def shifted(a, rows, columns):
    return a.shift(rows, columns), a.neighbours()


def looped(a):
    found = 0
    for row, column in a:
        found = found * 31 + 20 * row + column & 0xFFFFFFFFFF
    return found


def changed_in_place(a, b):
    c = a
    c &= ~b
    d = c
    d |= b
    d ^= a
    return c, d


def sets(board):
    """Any set of cells of a board."""
    masks = st.integers(0, 2 ** (64 * board.frame.layout.words) - 1)
    return st.one_of(masks.map(board.cells()._with), st.sampled_from([board.mine, board.theirs, board.empty]))


@checked
def test_operators_do_what_they_do_to_the_sets_of_python(game, data):
    board = data.draw(positions(game)).as_board()
    a, b = data.draw(sets(board)), data.draw(sets(board))
    mine, other, every = set(a), set(b), set(board.cells())
    results = both(combined, a, b)
    expected = (mine & other, mine | other, mine ^ other, mine - other, every - mine)
    assert [set(result) for result in results[:5]] == list(expected)
    assert results[5:] == (
        mine == other,
        mine != other,
        mine <= other,
        mine >= other,
        bool(mine),
        not mine,
        len(mine),
    )
    assert [set(result) for result in both(changed_in_place, a, b)] == [mine - other, (mine | other) ^ mine]
    both(looped, a)


@checked
def test_a_shift_moves_every_cell_and_drops_those_that_leave_the_board(game, data):
    board = data.draw(positions(game)).as_board()
    a = data.draw(sets(board))
    rows, columns = (data.draw(st.integers(-20, 20) | st.integers(-2, 2)) for _ in range(2))
    every = set(board.cells())
    moved, around = both(shifted, a, rows, columns)
    assert set(moved) == {(row + rows, column + columns) for row, column in a} & every
    steps = board.frame.layout.steps
    assert set(around) == {(row + down, column + right) for row, column in a for down, right in steps} & every


# ------------------------------------------------------------------------------------------ moves


def numbers_of_replies(board):
    found = 0
    for move in board.moves():
        after = board.play(move)
        found = found * 31 + len(after.moves()) + after.is_over & 0xFFFFFFFFFF
    return found, len(board.moves()), board.is_over


def first_and_last(board):
    moves = board.moves()
    if not moves:
        return False, False, False
    return moves[0] == moves[len(moves) - 1], moves[0] != moves[-1], board.play(moves[0]).mine == board.theirs


@checked
def test_moves_and_what_they_lead_to(game, data):
    position = data.draw(positions(game))
    board = position.as_board()
    both(numbers_of_replies, board)
    if not position.is_over:
        both(first_and_last, board)
    assert tuple(map(str, board.moves())) == position.moves
    assert board.is_over == position.is_over
    for move in board.moves():
        assert board.play(move) == position.play(str(move)).as_board()
        assert repr(move) == f"<move {move}>"


def test_only_moves_of_the_board_can_be_played():
    board = find_game("connect4").start().as_board()
    with pytest.raises(TypeError, match=r"board.play\(\) takes one of board.moves\(\)"):
        board.play(3)
    with pytest.raises(IndexError, match="not so many legal moves"):
        board.moves()[7]


# ------------------------------------------------------------------------------------------ bits


def with_bits(a):
    word = np.uint64(0xFF00FF)
    return (
        a & 1,
        a & word,
        a | 1,
        a ^ word,
        5 & a,
        a << 3,
        a >> 3,
        a << np.uint64(9),
        a >> np.uint64(1),
        a == 0,
        a != word,
    )


@checked
def test_numbers_stand_for_bits_and_keep_the_type(game, data):
    board = data.draw(positions(game)).as_board()
    a = data.draw(sets(board))
    results = both(with_bits, a)
    bits, every = int(a), int(board.cells())
    word = 0xFF00FF
    expected = bits & 1, bits & word, bits | 1, bits ^ word, 5 & bits, bits << 3, bits >> 3, bits << 9, bits >> 1
    assert [int(result) for result in results[:9]] == [number & every for number in expected]
    assert all(isinstance(result, z.CellSet) for result in results[:9])
    assert results[9:] == (bits == 0, bits != word & every)


def counted(a):
    return z.count(a), z.lowest(a), z.highest(a), z.without_lowest(a)


@checked
def test_bit_tricks_take_sets(game, data):
    a = data.draw(sets(data.draw(positions(game)).as_board()))
    if a.frame.layout.words > 1:
        assert z.count(a) == len(a)
        return
    number, lowest, highest, rest = both(counted, a)
    assert (number, lowest, highest) == (len(a), z.lowest(a.bits), z.highest(a.bits))
    assert rest.bits == z.without_lowest(a.bits)
