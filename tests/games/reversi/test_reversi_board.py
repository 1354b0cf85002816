"""The board of Reversi, compared with the position's own text and with its rules."""

import pytest

import zermelo as z
from zermelo.core import njit
from zermelo.games import find_game
from zermelo.position import random_playout

GAMES = ["reversi", "reversi(columns=4, rows=6)", "reversi(columns=8, rows=5)"]


def positions(game):
    return [random_playout(find_game(game).start(), seed, 2 * seed) for seed in range(35)]


@pytest.mark.parametrize("game", GAMES)
def test_the_board_is_the_position_as_it_is_written(game):
    for position in positions(game):
        board = position.as_board()
        cells, side = str(position).split()
        marks = {z.MINE: side, z.THEIRS: "XO".replace(side, ""), z.EMPTY: "-"}
        assert "".join(marks[value] for row in board for value in row) == cells
        assert (board.columns, board.rows) == position.game.size


def targets(board):
    return board.targets(z.MINE), board.targets(z.THEIRS), len(board.targets(z.MINE))


@pytest.mark.parametrize("game", GAMES)
def test_targets_are_the_cells_of_the_moves(game):
    for position in positions(game):
        board = position.as_board()
        assert njit(targets)(board) == targets(board)
        names = [move for move in position.moves if move != "pass"]
        assert board.targets(z.MINE) == (board.empty & z.cells(" ".join(names)) if names else 0)
        if position.moves == ("pass",):
            assert board.play(board.moves()[0]).targets(z.MINE) == board.targets(z.THEIRS)


def test_names_of_cells():
    board = find_game("reversi").start().as_board()
    assert set(board.empty & z.cells("a1 h1 a8 h8")) == {(0, 0), (0, 7), (7, 0), (7, 7)}
    assert set(board.mine) == set(board.mine & z.cells("e4 d5"))
