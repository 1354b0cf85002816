"""What a new file of the workshop begins with: a heuristic that plays, to be changed."""

from zermelo.position import Game

STARTERS = {
    "connect4": '''\
import numpy as np
import zermelo as z
from zermelo.games.connect4 import Connect4

# Column 1 is bits 0 to 5, column 2 bits 8 to 13, ...
MIDDLE = np.uint64(sum(1 << 8 * 3 + row for row in range(6)))
INNER = np.uint64(sum(1 << 8 * column + row for column in (2, 3, 4) for row in range(6)))


@z.heuristic(weights={"middle": 3, "inner": 1})
def mine(state: Connect4, w):
    """Stones in the middle, mine less theirs."""
    theirs = state.mine ^ state.stones
    middle = z.count(state.mine & MIDDLE) - z.count(theirs & MIDDLE)
    inner = z.count(state.mine & INNER) - z.count(theirs & INNER)
    return w[0] * middle + w[1] * inner
''',
    "reversi": '''\
import numpy as np
import zermelo as z
from zermelo.games.reversi import Reversi

CORNERS = z.bit(0) | z.bit(7) | z.bit(56) | z.bit(63)


@z.heuristic(weights={"corner": 20, "disc": -1})
def mine(state: Reversi, w):
    """Corners are good, discs rather bad, until late."""
    corners = z.count(state.mine & CORNERS) - z.count(state.theirs & CORNERS)
    discs = z.count(state.mine) - z.count(state.theirs)
    return w[0] * corners + w[1] * discs
''',
    "hex": '''\
import numpy as np
import zermelo as z
from zermelo.games.hex import Hex
from zermelo.games.hex.distances import shortest_distance


@z.heuristic(weights={"cell": 100})
def mine(state: Hex, w):
    """Cells still to fill on the shortest way across, theirs less mine."""
    mover = np.int64(state.turn)
    return w[0] * (shortest_distance(state, 1 - mover) - shortest_distance(state, mover))
''',
    "onitama": '''\
import zermelo as z
from zermelo.games.onitama import Onitama


@z.heuristic(weights={"man": 10})
def mine(state: Onitama, w):
    """Men, mine less theirs."""
    return w[0] * (z.count(state.mine) - z.count(state.theirs))
''',
    "parcheckers": '''\
import zermelo as z
from zermelo.games.parcheckers import Parcheckers
from zermelo.games.parcheckers.heuristics import counts
from zermelo.rules import to_move


@z.heuristic(weights={"square": 1, "safe": 10, "goal": 20})
def mine(state: Parcheckers, w):
    """Squares to go, safe pieces and pieces in the goal, mine against theirs."""
    mover = to_move(state)
    my_squares, my_safe, my_goal, _ = counts(state.pieces, mover)
    their_squares, their_safe, their_goal, _ = counts(state.pieces, 1 - mover)
    return w[0] * (their_squares - my_squares) + w[1] * (my_safe - their_safe) + w[2] * (my_goal - their_goal)
''',
    "tictactoe": '''\
import zermelo as z
from zermelo.games.tictactoe import TicTacToe

MIDDLE = z.bit(4)


@z.heuristic
def mine(state: TicTacToe):
    """The middle cell, mine or theirs."""
    return z.count(state.mine & MIDDLE) - z.count(state.theirs & MIDDLE)
''',
}

ANY_GAME = '''\
import zermelo as z
from {package} import {cls}

# A state holds: {fields}


@z.heuristic
def mine(state: {cls}):
    """What a position is worth for the player to move."""
    return 0
'''


def starter(game: Game) -> str:
    """A first heuristic for a game."""
    cls = type(game.start_state())
    package = type(game).__module__
    general = ANY_GAME.format(package=package, cls=cls.__name__, fields=", ".join(cls._fields))
    return STARTERS.get(game.name, general)
