"""A search and heuristics as users write them, one for each game, to be published and compared with native play."""

import math

import zermelo as z


@z.search
def my_alphabeta(node, depth, alpha, beta):
    if node.is_over or depth == 0:
        return node.value
    for child in backwards(node):
        alpha = max(alpha, -my_alphabeta(child, depth - 1, -beta, -alpha))
        if alpha >= beta:
            break
    return alpha


def backwards(node):
    found = []
    for child in node.children():
        found.append(child)  # a list that grows is what a student writes, and what a module must have
    found.reverse()
    return found


@z.heuristic(weights={"middle": 3.5})
def connect4(board: z.Connect4, w):
    score = 0.0
    for row in range(board.rows):
        for column in range(board.columns):
            if board[row, column] == z.MINE:
                score += w.middle - math.exp(abs(column - 3) / 3)
            elif board[row, column] == z.THEIRS:
                score -= w.middle - math.exp(abs(column - 3) / 3)
    return score


@z.heuristic(weights={"corner": 7.5})
def reversi(board: z.Reversi, w):
    corners = z.cells("a1 h1 a8 h8")
    discs = len(board.mine) - len(board.theirs)
    return w.corner * (len(board.mine & corners) - len(board.theirs & corners)) + math.tanh(discs / 10)


@z.heuristic
def hex_(board: z.Hex):
    return math.log(1 + board.distance(z.THEIRS)) - math.log(1 + board.distance(z.MINE))


@z.heuristic
def onitama(board: z.Onitama):
    return 3 * (len(board.mine) - len(board.theirs)) + math.sqrt(len(board.targets(z.MINE)))


@z.heuristic
def parcheckers(board: z.Parcheckers):
    score = 0.0
    for piece in board.pieces(z.MINE):
        score -= math.sqrt(piece.distance)
    for piece in board.pieces(z.THEIRS):
        score += math.sqrt(piece.distance)
    return score


@z.heuristic
def tictactoe(board: z.TicTacToe):
    edges = z.cells("b1 a2 c2 b3")
    return len(board.theirs & edges) - len(board.mine & edges) + math.sin(len(board.mine))
