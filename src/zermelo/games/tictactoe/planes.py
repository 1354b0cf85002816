"""Tic-tac-toe as arrays: my marks and theirs; an action is a cell, row by row."""

from zermelo.evaluation.planes import Layout, action_of, put_set, write_planes
from zermelo.games.tictactoe.rules import TicTacToe
from zermelo.rules import to_move


def layout(game):
    return Layout((2, 3, 3), ("mine", "theirs"), 9)


@write_planes.of(TicTacToe)
def _(state, viewer, rows, columns, out):
    own = 0 if viewer == to_move(state) else 1
    put_set(state.mine, 3, 1, 0, rows, columns, own, out)
    put_set(state.theirs, 3, 1, 0, rows, columns, 1 - own, out)


@action_of.of(TicTacToe)
def _(state, move, rows, columns):
    return move
