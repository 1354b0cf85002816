"""The board of tic-tac-toe, compared with the position's own text."""

import zermelo as z
from zermelo.games import find_game
from zermelo.position import random_playout


def test_the_board_is_the_position_as_it_is_written():
    for seed in range(60):
        position = random_playout(find_game("tictactoe").start(), seed, seed % 10)
        board = position.as_board()
        rows, side = str(position).split()
        marks = {z.MINE: side.upper(), z.THEIRS: "XO".replace(side.upper(), ""), z.EMPTY: "."}
        assert "/".join("".join(marks[value] for value in row) for row in board) == rows


def test_names_of_cells():
    board = find_game("tictactoe").position("b2").as_board()
    assert set(board.theirs & z.cells("b2")) == {(1, 1)} == set(board.theirs)
    assert set(board.empty & z.cells("a1-c3")) == {(0, 0), (2, 2)}
    assert board.empty == board.theirs.neighbours()
