"""The heuristics of the Parcheckers report (Linari, 2025), and others for what it left out: dice, threats, walls.

Every value is mine minus theirs, for the player to move. Captures and goals win 40 and 20 free squares, so much of this
game can be measured in squares; the newer heuristics count ten points for a square.
"""

import numpy as np

from zermelo.core import heuristic, njit
from zermelo.games.parcheckers.rules import (
    BONUS_AT,
    CAPTURED_AT,
    DISTANCE_OF,
    FIVE,
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
)
from zermelo.rules import to_move

HOME_DISTANCE = 74  # what the report counts for a piece at home, two more than for one just out of it

# What a piece adds to the counts of its owner, packed so that one sum counts them all: squares to go, then, each 16
# bits further up, whether it is safe, in the goal, at home.
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


# ------------------------------------------------------------------------------------------ the Parcheckers report


@heuristic(weights={"safe": 1, "goal": 5})
def test(state: Parcheckers, w):
    """The course's own heuristic: a piece on a safe square is worth 1, a piece in the goal 5.

    Table 1 of the report, id 0 ("given in the assignment"); the weights stand in the course's handout.
    """
    mover = to_move(state)
    _, my_safe, my_goal, _ = counts(state.pieces, mover)
    _, their_safe, their_goal, _ = counts(state.pieces, 1 - mover)
    return w[0] * (my_safe - their_safe) + w[1] * (my_goal - their_goal)


@njit
def report_value(state, w):
    """My points minus theirs; each side's points add what is good for it, and subtract what is bad."""
    mover = to_move(state)
    my_squares, my_safe, my_goal, my_home = counts(state.pieces, mover)
    their_squares, their_safe, their_goal, their_home = counts(state.pieces, 1 - mover)
    captured = captured_enemy(state)
    mine = w[0] * (400 - my_squares) + w[1] * my_safe + w[2] * my_goal + w[3] * captured
    mine += w[6] * their_home - w[5] * my_home
    theirs = w[0] * (400 - their_squares) + w[1] * their_safe + w[2] * their_goal - w[4] * captured
    theirs += w[6] * my_home - w[5] * their_home
    return mine - theirs


@heuristic(weights={"square": 2, "safe": 10, "goal": 20, "capture": 30, "lost": 20, "home": 20, "their_home": 15})
def h1(state: Parcheckers, w):
    """The terms of h2 with other weights.

    From the report: the terms; that safe squares count little, a goal twice as much, captures and pieces at home a lot;
    and that before it arrived at h2 the distance had counted for more, and captures and pieces at home for less.
    Chosen here: square 2 (h2: 1), safe 10, goal 20, and half of h2's numbers for captures and pieces at home.
    """
    return report_value(state, w)


@heuristic(weights={"square": 1, "safe": 10, "goal": 15, "capture": 60, "lost": 40, "home": 40, "their_home": 30})
def h2(state: Parcheckers, w):
    """Squares to go, safe squares, goals, captures and pieces at home, weighted: the best of the Parcheckers report.

    A side gets 100 minus the squares to go for each piece, 10 for each piece on a safe square and 15 for each in the
    goal; 60 if the move just made captured a piece of the other player and -40 if it lost one; 30 for each of the other
    player's pieces at home and -40 for each of its own. The value is mine minus theirs, so a capture changes it by 100,
    and a piece at home by 70.
    """
    return report_value(state, w)


@heuristic(weights={"square": 1, "home": 40, "their_home": 30})
def order(state: Parcheckers, w):
    """Only the squares still to go and the pieces at home: fast enough to sort moves by.

    The report names the two terms and not their weights; these are h2's.
    """
    mover = to_move(state)
    my_squares, _, _, my_home = counts(state.pieces, mover)
    their_squares, _, _, their_home = counts(state.pieces, 1 - mover)
    return w[0] * (their_squares - my_squares) + (w[1] + w[2]) * (their_home - my_home)


# ------------------------------------------------------------------------------------------ beyond the report


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
def can_be_captured(pieces, place):
    """Does this piece stand on the ring, but not on a safe square and not in a wall?"""
    distance = distance_of(pieces, place)
    on_ring = LAST_DISTANCE <= distance < HOME
    return on_ring and not IS_SAFE[distance] and distance != distance_of(pieces, place ^ 1)


@njit
def attacks_of(state, player):
    """Enemy pieces that the player's dice reach, the squares that they would lose, and how often one is close ahead.

    Close means within 14 squares, whatever the dice. Walls in between are ignored.
    """
    pieces = state.pieces
    reaches = reach_of(state, 2 * player), reach_of(state, 2 * player + 1)
    number, squares, close = 0, 0, 0
    for target in range(4 * (1 - player), 4 * (1 - player) + 4):
        if not can_be_captured(pieces, target):
            continue
        there = distance_of(pieces, target)
        square = SQUARE_AT[target >> 1, there]
        reached = np.int64(0)
        for attacker in range(4 * player, 4 * player + 4):
            here = distance_of(pieces, attacker)
            steps = here - DISTANCE_OF[attacker >> 1, square]
            if here < HOME and steps > 0:
                reached |= reaches[attacker >> 1 & 1] >> min(steps, 63) & 1
                close += steps <= 14
        number += reached
        squares += reached * (HOME_DISTANCE - there)
    return number, squares, close


@njit
def finishes_of(state, player):
    """The player's pieces that one of its dice brings exactly to the goal."""
    number = 0
    for place in range(4 * player, 4 * player + 4):
        distance = distance_of(state.pieces, place)
        if GOAL < distance <= 40 and reach_of(state, place >> 1) >> distance & 1:
            number += 1
    return number


@njit
def corridor_of(pieces, player):
    """The player's pieces in their corridor."""
    number = 0
    for place in range(4 * player, 4 * player + 4):
        if GOAL < distance_of(pieces, place) < LAST_DISTANCE:
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


RACE = {"square": 10, "home": 400, "goal": 180}


@njit
def race_value(pieces, mover, w):
    my_squares, _, my_goal, my_home = counts(pieces, mover)
    their_squares, _, their_goal, their_home = counts(pieces, 1 - mover)
    return w[0] * (their_squares - my_squares) + w[1] * (their_home - my_home) + w[2] * (my_goal - their_goal)


@heuristic(weights=RACE)
def race(state: Parcheckers, w):
    """Who is ahead in squares to go. Pieces at home wait for a 5, and shorten every 6 of their colour."""
    return race_value(state.pieces, to_move(state), w)


@njit
def tempo_terms(state, player):
    """How many dice are left, how many squares they move in total, and whether the six is among them."""
    dice = field(state.rest, 6 * player, 6)
    return DICE_LEFT[dice], STEPS_LEFT[dice], dice >> SIX & 1


@njit
def has_second_turn(state):
    """1 if the mover's next turn follows this one: red's comes after blue's, yellow's after green's."""
    return field(state.rest, TURN_AT, 2) & 1


@heuristic(weights=RACE | {"die": -110, "step": 6, "six": 400, "second_turn": 320})
def tempo(state: Parcheckers, w):
    """The race, and the time for it: dice left, their squares, the six, and whether a second turn follows this one.

    A die left is a burden, a six a treasure: it plays again, and comes back only when all the others are spent.
    """
    mover = to_move(state)
    my_dice, my_steps, my_six = tempo_terms(state, mover)
    their_dice, their_steps, their_six = tempo_terms(state, 1 - mover)
    value = race_value(state.pieces, mover, w) + w[3] * (my_dice - their_dice)
    value += w[4] * (my_steps - their_steps) + w[5] * (my_six - their_six)
    return value + w[6] * has_second_turn(state)


@heuristic(weights=RACE | {"threat": 130, "gain": 25, "danger": 45, "close": 55})
def threats(state: Parcheckers, w):
    """The race and possible captures: what each player's dice can reach, and who is close behind."""
    mover = to_move(state)
    mine, gains, close = attacks_of(state, mover)
    theirs, _, close_behind = attacks_of(state, 1 - mover)
    value = race_value(state.pieces, mover, w) + w[3] * mine + w[4] * gains - w[5] * theirs
    return value + w[6] * (close - close_behind)


@heuristic(weights=RACE | {"wall": 30, "behind": 20})
def walls(state: Parcheckers, w):
    """The race, and walls on the ring, which nobody can pass: pieces close behind them have to wait."""
    mover = to_move(state)
    mine, waiting = walls_of(state.pieces, mover)
    theirs, kept_waiting = walls_of(state.pieces, 1 - mover)
    value = race_value(state.pieces, mover, w)
    return value + w[3] * (mine - theirs) + w[4] * (waiting - kept_waiting)


COMBINED = RACE | {
    "safe": 80,
    "corridor": 90,
    "die_1": -150,
    "die_2": -50,
    "die_4": -80,
    "die_5": 5,
    "die_6": 365,
    "special": -85,
    "exit": 115,
    "threat": 130,
    "gain": 25,
    "danger": 45,
    "close": 55,
    "finish": 230,
    "their_finish": 175,
    "second_turn": 320,
}


@heuristic(weights=COMBINED)
def combined(state: Parcheckers, w):
    """Race, dice, threats and what they miss: safe squares, corridors, exact finishes, the 5 for pieces at home.

    Every die has a worth of its own. Walls are left out: in games they earned nothing.
    docs/games/parcheckers.md tells where the weights come from.
    """
    mover = to_move(state)
    other = 1 - mover
    pieces = state.pieces
    _, my_safe, _, my_home = counts(pieces, mover)
    _, their_safe, _, their_home = counts(pieces, other)
    value = race_value(pieces, mover, w) + w[3] * (my_safe - their_safe)
    value += w[4] * (corridor_of(pieces, mover) - corridor_of(pieces, other))
    my_dice, their_dice = field(state.rest, 6 * mover, 6), field(state.rest, 6 * other, 6)
    for die in range(6):
        value += w[5 + die] * ((my_dice >> die & 1) - (their_dice >> die & 1))
    value += w[11] * ((my_dice >> FIVE & 1) * my_home - (their_dice >> FIVE & 1) * their_home)
    mine, gains, close = attacks_of(state, mover)
    theirs, _, close_behind = attacks_of(state, other)
    value += w[12] * mine + w[13] * gains - w[14] * theirs + w[15] * (close - close_behind)
    value += w[16] * finishes_of(state, mover) - w[17] * finishes_of(state, other)
    return value + w[18] * has_second_turn(state)
