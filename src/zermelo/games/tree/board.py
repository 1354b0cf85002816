"""A node of a game tree as a board without rows and columns: its children, its depth below, and its score."""

from typing import ClassVar

import numpy as np

from zermelo.boards import BoardWithoutCells, Layout, attribute, method
from zermelo.games.tree import rules
from zermelo.games.tree.rules import CHILDREN
from zermelo.rules import margin


class Tree(BoardWithoutCells):
    """A node of a game tree, seen by the player to move. There are no rows and columns.

        board.children          the number of its children
        board.child(0)          the board of its first child, seen by the player who moves there
        board.score             the score of a leaf for the player to move; 0 at other nodes
        board.is_max            is MAX to move?
        board.node              the number of the node; the root is 0

    Besides: `board.moves()`, `board.play(move)`, `board.is_over` and `board.state`, as on all boards.
    """

    layouts: ClassVar = {rules.Tree: Layout.without_cells()}

    @attribute
    def children(board):
        """The number of children; a leaf has none."""
        return np.int64(board.state.nodes[board.state.node, CHILDREN])

    @method
    def child(board, number):
        """The board of a child, counted from 0 (or from the end: -1 is the last)."""
        return board.play(board.moves()[number])

    @attribute
    def score(board):
        """The score of a leaf for the player to move; 0 at other nodes."""
        return np.int64(margin(board.state)) if board.is_over else np.int64(0)

    @attribute
    def is_max(board):
        """Is MAX to move?"""
        return bool(board.state.player == 0)

    @attribute
    def node(board):
        """The number of the node; the root is 0."""
        return np.int64(board.state.node)
