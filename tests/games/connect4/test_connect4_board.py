"""The board of Connect 4, compared with the printed position."""

import numpy as np
import pytest

import zermelo as z
from zermelo.core import njit
from zermelo.games import find_game
from zermelo.position import random_playout


@pytest.mark.parametrize("game", ["connect4", "connect4(columns=5, rows=4)", "connect4(columns=8, rows=7)"])
def test_the_board_is_the_printed_position(game):
    for seed in range(40):
        position = random_playout(find_game(game).start(), seed, seed)
        board = position.as_board()
        lines = [line.split() for line in position.board().splitlines()]
        printed = [line for line in lines if set(line) <= {".", "x", "o", "X", "O"}]
        assert (board.rows, board.columns) == (len(printed), len(printed[0]))
        mover, other = "xo" if position.to_move == 1 else "ox"
        marks = {z.MINE: mover, z.THEIRS: other, z.EMPTY: "."}
        assert [[marks[value] for value in row] for row in board] == [[mark.lower() for mark in row] for row in printed]


def names(board):
    return board.mine & z.cells("d1"), board.theirs & z.cells("d2"), z.cells("a1-g1") & board.stones, board.landing


def test_cells_are_named_by_column_and_height():
    board = find_game("connect4").position("4453").as_board()
    for first, second, bottom, landing in (names(board), njit(names)(board)):
        assert (set(first), set(second)) == ({(5, 3)}, {(4, 3)})
        assert set(bottom) == {(5, 2), (5, 3), (5, 4)}
        assert set(landing) == {(5, 0), (5, 1), (4, 2), (3, 3), (4, 4), (5, 5), (5, 6)}
    assert board.stones.bits == board.state.stones


def test_a_full_column_has_no_landing_cell():
    board = find_game("connect4").position("444444").as_board()
    assert 3 not in {column for _row, column in board.landing}
    assert "4" not in map(str, board.moves())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("i1", "there is no cell i1: the cells are a1 to h7"),
        ("a8", "there is no cell a8"),
        ("d", "'d' is not a cell such as b3, nor a range such as b3-b6"),
        ("a1-b3", "'a1-b3' is not a row, a column or a diagonal"),
        ("a1-a2-a3", "'a1-a2-a3' is not a cell"),
    ],
)
def test_names_that_are_no_cells_are_refused(text, said):
    board = find_game("connect4").start().as_board()
    with pytest.raises(ValueError, match=said):
        _ = board.mine & z.cells(text)


def test_a_range_may_be_a_diagonal_and_a_smaller_board_has_fewer_cells():
    full = find_game("connect4").start().as_board()
    assert list(full.empty & z.cells("a1-c3")) == [(5, 0), (4, 1), (3, 2)]
    assert set(full.empty & z.cells("c3-a1, a1")) == {(5, 0), (4, 1), (3, 2)}
    small = find_game("connect4(columns=4, rows=4)").start().as_board()
    assert len(small.empty & z.cells("d1-d6")) == 4


def test_boards_sets_and_moves_print_themselves():
    board = find_game("connect4(columns=4, rows=4)").position("213").as_board()
    assert repr(board).splitlines() == [
        "Connect4 board, x: mine, o: theirs",
        "   0 1 2 3",
        "0  . . . .",
        "1  . . . .",
        "2  . . . .",
        "3  x o o .",
    ]
    assert repr(board.theirs).splitlines()[0] == "a set of 2 cells"
    assert repr(board.moves()) == "<moves 1 2 3 4>"
    assert repr(z.cells("a1 b2")) == "cells('a1 b2')"
    assert repr(board[3]) == "[1, -1, -1, 0]"


def test_arithmetic_on_sets_is_refused_in_words():
    board = find_game("connect4").start().as_board()
    for wrong in (lambda cells: cells - 1, lambda cells: cells + cells, lambda cells: 2 * cells, lambda cells: -cells):
        with pytest.raises(TypeError, match=r"write .bits for their bits"):
            wrong(board.mine)
    assert board.mine.bits - np.uint64(0) == 0
