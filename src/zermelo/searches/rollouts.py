"""What a leaf of the Monte Carlo tree is worth: random games to the end, a heuristic's value, or a mixture of both.

`work` is the record of a search, described in mcts.py. Values are those of the first player, from -1 to 1.
"""

from numba import int64

from zermelo.core import njit
from zermelo.core.chance import chosen_below, next_chance
from zermelo.core.functions import tanh
from zermelo.rules import (
    MOST_PLIES,
    PLY,
    PROVEN,
    end_score,
    is_over,
    legal_moves,
    play,
    random_game,
    to_move,
    wins_at_once,
)

# ------------------------------------------------------------------------------------------ chance


@njit
def random_below(work, number):
    """Return a random integer from 0 to number - 1."""
    work.random = next_chance(work.random)
    return chosen_below(work.random, number)


# ------------------------------------------------------------------------------------------ values


@njit
def sign_of(mover):
    """Return the factor, 1 or -1, that turns a value for the mover into one for the first player."""
    return 1 - 2 * int64(mover)


@njit
def worth(score, scale):
    """Return a score as a value from -1 to 1: a win is 1, a loss is -1, and points are squashed by tanh."""
    if score > PROVEN:
        return 1.0
    if score < -PROVEN:
        return -1.0
    if score == 0:
        return 0.0
    return tanh(score / scale)


@njit
def one_ply_away(score):
    """Return the score for the position one ply earlier: the same, but a win or loss is one ply further away."""
    if score > PROVEN:
        return max(score - PLY, PROVEN + PLY)
    if score < -PROVEN:
        return min(score + PLY, -PROVEN - PLY)
    return score


@njit
def judged(state, evaluate, work):
    """Return the heuristic's value for the first player, squashed by tanh."""
    value = tanh(evaluate(state, work.weights) / work.scale)
    return sign_of(to_move(state)) * value


@njit
def ended(state):
    """Return the score of a finished game for the first player."""
    return sign_of(to_move(state)) * int64(end_score(state, 0))


@njit
def winning_or(place, state, number, work):
    """Return the index in work.moves of the first move that wins immediately, or `place` if no move does."""
    sign = sign_of(to_move(state))
    for i in range(number):
        child = play(state, int64(work.moves[i]))
        if is_over(child) and sign * ended(child) > PROVEN:
            return int64(i)
    return place


@njit
def rollout(state, evaluate, work):
    """Play random moves to the end of the game and return its value; in one go, where the game knows how.

    A game that is not over after rollout_plies has the value that the heuristic gives, or counts as a draw without one.
    """
    work.played = work.depth
    if work.decisive == 0 and work.rollout_plies == MOST_PLIES:
        last = int64(work.moves_played[work.depth - 1]) if work.depth > 0 else int64(-1)
        end, winner, chance = random_game(state, last, work.random, work.moves_played, work.movers, work.depth)
        if end >= 0:
            work.played, work.random = end, chance
            return 0.0 if winner > 1 else float(sign_of(winner))
    for _ in range(work.rollout_plies):
        number = legal_moves(state, work.moves, 0)
        if number == 0:
            return worth(ended(state), work.points)
        place = random_below(work, number)
        if work.decisive != 0 and wins_at_once(state):
            place = winning_or(place, state, number, work)
        move = int64(work.moves[place])
        if work.rave > 0:
            work.moves_played[work.played] = move
            work.movers[work.played] = to_move(state)
            work.played += 1
        state = play(state, move)
    if is_over(state):
        return worth(ended(state), work.points)
    return judged(state, evaluate, work) if work.has_heuristic != 0 else 0.0


@njit
def leaf_value(state, evaluate, work):
    """Return the value of a game that is not over: from rollouts, from the heuristic, or a mixture of both."""
    value = 0.0
    if work.mix < 1:
        for _ in range(work.rollouts):
            value += rollout(state, evaluate, work)
        value /= work.rollouts
    if work.mix > 0:
        value = work.mix * judged(state, evaluate, work) + (1 - work.mix) * value
    return value
