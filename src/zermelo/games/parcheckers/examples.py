"""What a new heuristic for Parcheckers begins with in the workshop."""

HEURISTIC = '''\
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
'''
