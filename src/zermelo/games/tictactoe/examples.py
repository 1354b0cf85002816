"""What a new heuristic for tic-tac-toe begins with in the workshop."""

HEURISTIC = '''\
import zermelo as z
from zermelo.games.tictactoe import TicTacToe

MIDDLE = z.bit(4)


@z.heuristic
def mine(state: TicTacToe):
    """The middle cell, mine or theirs."""
    return z.count(state.mine & MIDDLE) - z.count(state.theirs & MIDDLE)
'''
