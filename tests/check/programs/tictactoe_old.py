# Tic-tac-toe: the state class of version 0.1, with bits.
# outcome: compiles
import zermelo as z
from zermelo.games.tictactoe.rules import TicTacToe

MIDDLE = z.bit(4)


@z.heuristic
def middle(state: TicTacToe):
    return z.count(state.mine & MIDDLE) - z.count(state.theirs & MIDDLE)
