"""Connect 4 as arrays: my stones and theirs; an action is a column, counted from 0."""

from zermelo.evaluation.planes import Layout, action_of, put_set, write_planes
from zermelo.games.connect4.rules import COLUMN, Connect4
from zermelo.rules import to_move


def layout(game):
    columns, rows = game.size
    return Layout((2, rows, columns), ("mine", "theirs"), columns)


@write_planes.of(Connect4)
def _(state, viewer, rows, columns, out):
    own = 0 if viewer == to_move(state) else 1
    put_set(state.mine, -1, COLUMN, rows - 1, rows, columns, own, out)
    put_set(state.mine ^ state.stones, -1, COLUMN, rows - 1, rows, columns, 1 - own, out)


@action_of.of(Connect4)
def _(state, move, rows, columns):
    return move
