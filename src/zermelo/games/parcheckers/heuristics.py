"""The heuristics of seed 001 (Linari, 2025), and others that look at what it left out: dice, threats, walls.

Every value is mine less theirs, for the player to move. Captures and goals win 40 and 20 free squares, so much of this
game can be measured in squares; the newer heuristics take ten points for one.
"""

import numpy as np

from zermelo.core import heuristic, njit
from zermelo.games.parcheckers.rules import (
    BONUS_AT,
    CAPTURED_AT,
    DISTANCE_OF,
    GOAL,
    HOME,
    IS_SAFE,
    LAST_DISTANCE,
    RING,
    SIX,
    SQUARE_AT,
    STEPS,
    TURN_AT,
    Parcheckers,
    distance_of,
    field,
    to_move,
)

HOME_DISTANCE = 74  # what the seed counts for a piece at home, two more than for one just out of it

# What a piece adds to the counts of its owner, packed so that one sum counts them all: squares to go, then 16 bits
# further up each safe, in the goal, at home.
_COUNTS = [
    (HOME_DISTANCE if d == HOME else d) + (int(IS_SAFE[d]) << 16) + (int(d == GOAL) << 32) + (int(d == HOME) << 48)
    for d in range(128)
]
COUNTS = np.array(_COUNTS)


@njit
def counts(pieces, player):
    """Squares to go, pieces on safe squares, in the goal and at home, of one player."""
    total = np.int64(0)
    for place in range(4 * player, 4 * player + 4):
        total += COUNTS[distance_of(pieces, place)]
    return total & 0xFFFF, total >> 16 & 0xFFFF, total >> 32 & 0xFFFF, total >> 48


@njit
def captured_enemy(state):
    """1 if the move just made captured an enemy piece. Whoever captures keeps the turn, so it was the mover's."""
    captured = field(state.rest, CAPTURED_AT, 3)
    return 1 if captured > 0 and (captured - 1) >> 1 != to_move(state) else 0


# ------------------------------------------------------------------------------------------ seed 001


@heuristic(weights={"safe": 1, "goal": 5})
def test(state: Parcheckers, w):
    """The course's own: a piece on a safe square is worth 1, one in the goal 5.

    Seed 001, table 1, id 0 ("given in the assignment"); the weights stand in the course's handout.
    """
    mover = to_move(state)
    _, my_safe, my_goal, _ = counts(state.pieces, mover)
    _, their_safe, their_goal, _ = counts(state.pieces, 1 - mover)
    return w[0] * (my_safe - their_safe) + w[1] * (my_goal - their_goal)


@njit
def seed_value(state, w):
    """Both sides' points, each with what is good for it and, negative, what is bad; then mine less theirs."""
    mover = to_move(state)
    my_squares, my_safe, my_goal, my_home = counts(state.pieces, mover)
    their_squares, their_safe, their_goal, their_home = counts(state.pieces, 1 - mover)
    captured = captured_enemy(state)
    mine = w[0] * (400 - my_squares) + w[1] * my_safe + w[2] * my_goal + w[3] * captured
    mine += w[6] * their_home - w[5] * my_home
    theirs = w[0] * (400 - their_squares) + w[1] * their_safe + w[2] * their_goal - w[4] * captured
    theirs += w[6] * my_home - w[5] * their_home
    return mine - theirs


@heuristic(weights={"square": 1, "safe": 10, "goal": 20, "capture": 40, "lost": 30, "home": 30, "their_home": 20})
def h1(state: Parcheckers, w):
    """The seed's first heuristic: the terms of h2 with weights of our choice, since it does not give them.

    From the seed: the terms, safe squares counting little, a goal twice a safe square, captures and pieces at home
    much; and that before h2 the distance had counted for more, captures and pieces at home for less. Chosen here:
    safe 10 as in h2, goal 20 (twice), capture 40, lost 30, home 30 and their_home 20, all below h2's.
    """
    return seed_value(state, w)


@heuristic(weights={"square": 1, "safe": 10, "goal": 15, "capture": 60, "lost": 40, "home": 40, "their_home": 30})
def h2(state: Parcheckers, w):
    """The seed's second and best heuristic, with its weights (section 3.2).

    For each side: 100 less the squares to go, each piece; 10 a piece on a safe square; 15 in the goal; 60 if the move
    just made captured a piece of the other player and -40 if it lost one to the other; 30 for each of the other's
    pieces at home and -40 for each of its own. Then mine less theirs, so that a capture moves the difference by 100 and
    a piece at home by 70.
    """
    return seed_value(state, w)


@heuristic(weights={"square": 1, "home": 40, "their_home": 30})
def order(state: Parcheckers, w):
    """The seed's ordering heuristic: only squares to go and pieces at home, to be quick.

    The seed names the two terms and not their weights; these are h2's.
    """
    mover = to_move(state)
    my_squares, _, _, my_home = counts(state.pieces, mover)
    their_squares, _, _, their_home = counts(state.pieces, 1 - mover)
    return w[0] * (their_squares - my_squares) + (w[1] + w[2]) * (their_home - my_home)


# ------------------------------------------------------------------------------------------ beyond the seed


def _reaches(dice: int, long_six: bool) -> int:
    """The numbers of steps that these dice move a piece, as bits."""
    return sum(1 << (14 if die == SIX and long_six else int(STEPS[die])) for die in range(6) if dice >> die & 1)


REACHES = np.array([[_reaches(dice, long_six) for dice in range(64)] for long_six in (False, True)])
STEPS_LEFT = np.array([sum(int(STEPS[die]) for die in range(6) if dice >> die & 1) for dice in range(64)])
DICE_LEFT = np.array([dice.bit_count() for dice in range(64)])


@njit
def reach_of(state, colour):
    """The numbers of steps that a piece of this colour could move with one of its player's dice, as bits.

    The bonus die of the player to move counts alone: it must be spent first.
    """
    player = colour >> 1
    bonus = field(state.rest, BONUS_AT, 2)
    if bonus > 0 and player == to_move(state):
        return np.int64(1) << (20 * bonus)
    nobody_home = distance_of(state.pieces, 2 * colour) != HOME and distance_of(state.pieces, 2 * colour + 1) != HOME
    return REACHES[1 if nobody_home else 0, field(state.rest, 6 * player, 6)]


@njit
def threats_of(state, player):
    """Enemy pieces that the player's dice reach (walls between are not looked at): how many, and what they would lose.

    A piece on a safe square, in a wall or in its corridor cannot be captured. What is lost: the squares it has made.
    """
    pieces = state.pieces
    number, squares = 0, 0
    for target in range(4 * (1 - player), 4 * (1 - player) + 4):
        there = distance_of(pieces, target)
        exposed = LAST_DISTANCE <= there < HOME and not IS_SAFE[there]
        if not exposed or there == distance_of(pieces, target ^ 1):
            continue
        square = SQUARE_AT[target >> 1, there]
        for attacker in range(4 * player, 4 * player + 4):
            colour = attacker >> 1
            here = distance_of(pieces, attacker)
            steps = here - DISTANCE_OF[colour, square]
            if here < HOME and steps > 0 and reach_of(state, colour) >> steps & 1:
                number += 1
                squares += HOME_DISTANCE - there
                break
    return number, squares


@njit
def finishes_of(state, player):
    """The player's pieces that one of its dice brings exactly to the goal."""
    number = 0
    for place in range(4 * player, 4 * player + 4):
        distance = distance_of(state.pieces, place)
        if GOAL < distance < HOME and reach_of(state, place >> 1) >> min(distance, 63) & 1:
            number += 1
    return number


@njit
def walls_of(pieces, player):
    """The player's walls on the ring, and how many enemy pieces stand within 20 squares behind them."""
    walls, behind = 0, 0
    for colour in (2 * player, 2 * player + 1):
        distance = distance_of(pieces, 2 * colour)
        if distance != distance_of(pieces, 2 * colour + 1) or not LAST_DISTANCE <= distance < HOME:
            continue
        walls += 1
        for enemy in range(4 * (1 - player), 4 * (1 - player) + 4):
            there = SQUARE_AT[enemy >> 1, distance_of(pieces, enemy)]
            if there >= 0 and 0 < (SQUARE_AT[colour, distance] - there) % RING <= 20:
                behind += 1
    return walls, behind


@heuristic(weights={"square": 10, "home": 60, "goal": 60})
def race(state: Parcheckers, w):
    """Who is ahead in squares to go; pieces at home are stuck without a 5, pieces in the goal won a free 20 squares."""
    mover = to_move(state)
    my_squares, _, my_goal, my_home = counts(state.pieces, mover)
    their_squares, _, their_goal, their_home = counts(state.pieces, 1 - mover)
    return w[0] * (their_squares - my_squares) + w[1] * (their_home - my_home) + w[2] * (my_goal - their_goal)


@njit
def tempo_terms(state, player):
    """Dice left, the squares they are good for, and the six among them; the mover's bonus die counts its squares."""
    dice = field(state.rest, 6 * player, 6)
    squares = STEPS_LEFT[dice]
    if player == to_move(state):
        squares += 20 * field(state.rest, BONUS_AT, 2)
    return DICE_LEFT[dice], squares, dice >> SIX & 1


@heuristic(weights={"race": 10, "die": 5, "square": 3, "six": 20})
def tempo(state: Parcheckers, w):
    """The race, and the dice: how many are left before they all come back, their squares, and the six (plays again)."""
    mover = to_move(state)
    my_dice, my_reach, my_six = tempo_terms(state, mover)
    their_dice, their_reach, their_six = tempo_terms(state, 1 - mover)
    my_squares, their_squares = counts(state.pieces, mover)[0], counts(state.pieces, 1 - mover)[0]
    value = w[0] * (their_squares - my_squares) + w[1] * (my_dice - their_dice)
    return value + w[2] * (my_reach - their_reach) + w[3] * (my_six - their_six)


@heuristic(weights={"race": 10, "mine": 200, "theirs": 100, "loss": 4})
def threats(state: Parcheckers, w):
    """The race, and the pieces that the mover's dice, then the other's, could capture, with what these would lose."""
    mover = to_move(state)
    mine, gains = threats_of(state, mover)
    theirs, losses = threats_of(state, 1 - mover)
    my_squares, their_squares = counts(state.pieces, mover)[0], counts(state.pieces, 1 - mover)[0]
    return w[0] * (their_squares - my_squares) + w[1] * mine - w[2] * theirs + w[3] * (gains - losses)


@heuristic(weights={"race": 10, "wall": 30, "behind": 20})
def walls(state: Parcheckers, w):
    """The race, and walls on the ring: nobody passes them, and those close behind have to wait."""
    mover = to_move(state)
    mine, waiting = walls_of(state.pieces, mover)
    theirs, kept_waiting = walls_of(state.pieces, 1 - mover)
    my_squares, their_squares = counts(state.pieces, mover)[0], counts(state.pieces, 1 - mover)[0]
    return w[0] * (their_squares - my_squares) + w[1] * (mine - theirs) + w[2] * (waiting - kept_waiting)


COMBINED = {
    "square": 10,
    "home": 60,
    "goal": 60,
    "safe": 20,
    "die": 5,
    "reach": 3,
    "six": 20,
    "threat": 200,
    "gain": 4,
    "danger": 100,
    "loss": 4,
    "finish": 60,
    "their_finish": 40,
    "wall": 30,
    "behind": 10,
    "second_turn": 20,
}


@heuristic(weights=COMBINED)
def combined(state: Parcheckers, w):
    """All of the above: race, safe squares, dice, threats, walls, exact finishes, and whether a second turn follows."""
    mover = to_move(state)
    other = 1 - mover
    my_squares, my_safe, my_goal, my_home = counts(state.pieces, mover)
    their_squares, their_safe, their_goal, their_home = counts(state.pieces, other)
    value = w[0] * (their_squares - my_squares) + w[1] * (their_home - my_home)
    value += w[2] * (my_goal - their_goal) + w[3] * (my_safe - their_safe)
    my_dice, my_reach, my_six = tempo_terms(state, mover)
    their_dice, their_reach, their_six = tempo_terms(state, other)
    value += w[4] * (my_dice - their_dice) + w[5] * (my_reach - their_reach) + w[6] * (my_six - their_six)
    mine, gains = threats_of(state, mover)
    theirs, losses = threats_of(state, other)
    value += w[7] * mine + w[8] * gains - w[9] * theirs - w[10] * losses
    value += w[11] * finishes_of(state, mover) - w[12] * finishes_of(state, other)
    my_walls, waiting = walls_of(state.pieces, mover)
    their_walls, kept_waiting = walls_of(state.pieces, other)
    value += w[13] * (my_walls - their_walls) + w[14] * (waiting - kept_waiting)
    first_of_two = field(state.rest, TURN_AT, 2) & 1  # blue's turn is followed by red's, green's by yellow's
    return value + w[15] * first_of_two
