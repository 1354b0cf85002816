"""Breakthrough, a game in one file: zermelo play breakthrough.py

Pawns go one row forward, straight or diagonally, and take diagonally. Whoever reaches the far row wins.
"""

import zermelo as z


class Breakthrough:
    """Reach the far row with one of your pawns, or take all pawns of the other player."""

    rows = 8
    columns = 8
    players = ("white", "black")

    def start(self):
        return """
            oooooooo
            oooooooo
            ........
            ........
            ........
            ........
            xxxxxxxx
            xxxxxxxx
        """

    def ahead(self, board):
        """The first player goes up the board, the second down."""
        return -1 if board.player == 1 else 1

    def moves(self, board):
        for row, column in board.cells():
            if board[row, column] == z.MINE:
                forward = row + self.ahead(board)
                for to in (column - 1, column, column + 1):
                    if board.is_inside(forward, to):
                        there = board[forward, to]
                        if there == z.EMPTY or (there == z.THEIRS and to != column):
                            yield (row, column), (forward, to)

    def play(self, board, move):
        here, there = move
        board[here] = z.EMPTY
        board[there] = z.MINE

    def winner(self, board):
        far = self.rows - 1 if board.player == 1 else 0
        for column in range(self.columns):
            if board[far, column] == z.THEIRS:
                return z.THEIRS
        if board.count(z.MINE) == 0:
            return z.THEIRS
        return None
