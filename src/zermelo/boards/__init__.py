"""What a person sees of a state: boards, cells, sets of cells and moves, the same in Python and in compiled code.

How a game gets a board
-----------------------

A game's `board.py` defines one class, named as the game's players call it. It says how the cells lie in the words of
each class of states (`Layout`), and how a move is written:

    class Connect4(Board):
        layouts = {rules.Connect4: Layout(grid=..., rows=..., columns=..., ...)}

        def move_text(self, code):
            return str(code + 1)

        @attribute
        def landing(board):              # board.landing, in Python and in compiled code
            ...

        @method
        def pieces(board, whose):        # board.pieces(z.MINE)
            ...

The functions of a layout and those under `@attribute` and `@method` are compiled when compiled code uses them, and run
as they are in plain Python. In compiled code everything happens by the types of compiled.py: a function annotated
with the class (`z.Connect4`) is given a board around the state, and no Python object is made.
"""

from zermelo.boards.board import (
    EMPTY,
    MINE,
    THEIRS,
    Board,
    BoardWithoutCells,
    Move,
    Moves,
    Row,
    attribute,
    board_class_of,
    board_classes,
    method,
)
from zermelo.boards.cell_sets import AllCells, CellSet, NamedCells, cells
from zermelo.boards.layout import EIGHT, Layout, shift_in_one_word
from zermelo.core import JIT

if JIT:
    from zermelo.boards import compiled_boards, compiled_sets  # noqa: F401 - what compiled code does with boards

__all__ = [
    "EIGHT",
    "EMPTY",
    "MINE",
    "THEIRS",
    "AllCells",
    "Board",
    "BoardWithoutCells",
    "CellSet",
    "Layout",
    "Move",
    "Moves",
    "NamedCells",
    "Row",
    "attribute",
    "board_class_of",
    "board_classes",
    "cells",
    "method",
    "shift_in_one_word",
]
