"""Reversi as arrays: my discs and theirs; an action is a square, row by row, and the last one is the pass."""

from zermelo.evaluation.planes import Layout, action_of, put_set, write_planes
from zermelo.games.reversi.rules import PASS, ROW, Reversi, ReversiBoard
from zermelo.rules import to_move


def layout(game):
    columns, rows = game.size
    return Layout((2, rows, columns), ("mine", "theirs"), rows * columns + 1)


@write_planes.of(Reversi, ReversiBoard)
def _(state, viewer, rows, columns, out):
    own = 0 if viewer == to_move(state) else 1
    put_set(state.mine, ROW, 1, 0, rows, columns, own, out)
    put_set(state.theirs, ROW, 1, 0, rows, columns, 1 - own, out)


@action_of.of(Reversi, ReversiBoard)
def _(state, move, rows, columns):
    return rows * columns if move == PASS else (move // ROW) * columns + move % ROW
