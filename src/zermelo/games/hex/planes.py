"""Hex as arrays: stones, who joins which edges, and the swap; an action is a cell, row by row, or the last one, swap.

The board is never turned: the third channel says whether I am Black, who joins the top to the bottom.
"""

from zermelo.evaluation.planes import Layout, action_of, fill, write_planes
from zermelo.games.hex.boards import BLACK, WHITE, has_cell
from zermelo.games.hex.rules import STATES, SWAP, board_of

CHANNELS = ("mine", "theirs", "I join the top to the bottom", "White may answer with swap")


def layout(game):
    return Layout((len(CHANNELS), game.size, game.size), CHANNELS, game.size * game.size + 1)


@write_planes.of(*STATES)
def _(state, viewer, rows, columns, out):
    cells = rows * columns
    mine, theirs = board_of(state, viewer), board_of(state, 1 - viewer)
    for cell in range(cells):
        if has_cell(mine, cell):
            out[cell] = 1.0
        elif has_cell(theirs, cell):
            out[cells + cell] = 1.0
    fill(1.0 if viewer == BLACK else 0.0, rows, columns, 2, out)
    fill(1.0 if state.swap != 0 and state.player == WHITE else 0.0, rows, columns, 3, out)


@action_of.of(*STATES)
def _(state, move, rows, columns):
    return rows * columns if move == SWAP else move
