"""Heuristics for Onitama: the Onitama report's, and four ideas on top of it, alone and together.

The weights were chosen in matches of alpha-beta players, see docs/games/onitama.md.
"""

import numpy as np

from zermelo.core import ZERO, count, heuristic, lowest, njit, without_lowest
from zermelo.games.onitama.rules import ARCH, RED, SIZE, SQUARES, TARGETS, Onitama, arch_of, card_at

FARTHEST = SIZE - 1
DISTANCE = np.array(
    [[max(abs(s % SIZE - int(a) % SIZE), abs(s // SIZE - int(a) // SIZE)) for s in range(SQUARES)] for a in ARCH],
    np.int64,
)
"""Player, square -> a king's steps from there to the player's arch."""

COLUMN = sum(1 << SIZE * row for row in range(SIZE))
INNER_COLUMNS, MIDDLE_COLUMN = (np.uint64(sum(COLUMN << c for c in columns)) for columns in ((1, 2, 3), (2,)))
ROWS = np.array([0b11111 << SIZE * row for row in range(SIZE)], np.uint64)


@njit
def student_difference(state):
    return count(state.mine & ~state.masters) - count(state.theirs & ~state.masters)


@heuristic(weights={"master": 100, "student": 10})
def material(state: Onitama, w):
    """100 for the master and 10 for each student, minus the same for the opponent."""
    my_master = 1 if state.mine & state.masters != ZERO else 0
    their_master = 1 if state.theirs & state.masters != ZERO else 0
    return w[0] * (my_master - their_master) + w[1] * student_difference(state)


# ------------------------------------------------------------------------------------------ mobility


@njit
def scope(player, own, first, second):
    """How many moves a player with these pieces and cards has, and all squares reached, also those of own pieces."""
    number, squares = 0, ZERO
    men = np.uint64(own)
    while men:
        man = lowest(men)
        by_first, by_second = TARGETS[player, first, man], TARGETS[player, second, man]
        number += count(by_first & ~own) + count(by_second & ~own)
        squares |= np.uint64(by_first | by_second)
        men = without_lowest(men)
    return number, squares


@njit
def both_scopes(state):
    """My scope, then the opponent's."""
    mine = scope(state.player, state.mine, card_at(state, 0), card_at(state, 1))
    return mine, scope(1 - state.player, state.theirs, card_at(state, 2), card_at(state, 3))


@heuristic(weights={"student": 100, "move": 6})
def mobility(state: Onitama, w):
    """Students, and the number of moves that each player has with the cards in hand."""
    mine, theirs = both_scopes(state)
    return w[0] * student_difference(state) + w[1] * (mine[0] - theirs[0])


# ------------------------------------------------------------------------------------------ the way of the stream


@njit
def distance_to_arch(player, masters):
    """Steps from this player's master to the other's arch; the greatest distance if the master is captured."""
    return DISTANCE[1 - player, lowest(masters)] if masters else FARTHEST


@njit
def distance_difference(state):
    """How many steps closer my master is to the opponent's arch than theirs is to mine."""
    mine = distance_to_arch(state.player, np.uint64(state.mine & state.masters))
    return distance_to_arch(1 - state.player, np.uint64(state.theirs & state.masters)) - mine


@heuristic(weights={"student": 100, "step": 20})
def master_distance(state: Onitama, w):
    """Students, and how many steps closer my master is to the opponent's arch than theirs is to mine."""
    return w[0] * student_difference(state) + w[1] * distance_difference(state)


@njit
def gateways(player, first, second, side):
    """The squares from which the other master can enter this player's arch with one of these cards.

    The squares from which one player reaches the arch with a card are those that the opponent reaches from the arch.
    """
    arch = ARCH[player]
    return TARGETS[player, first, arch] | TARGETS[player, second, arch] | TARGETS[player, side, arch]


@njit
def guard_difference(state, my_squares, their_squares):
    """Squares from which a master could enter an arch and which the arch's owner attacks, mine minus the opponent's.

    They depend on the cards: the two in the other player's hand, and the one that player takes next.
    """
    mine = gateways(state.player, card_at(state, 2), card_at(state, 3), card_at(state, 4))
    theirs = gateways(1 - state.player, card_at(state, 0), card_at(state, 1), card_at(state, 4))
    return count(mine & my_squares) - count(theirs & their_squares)


@njit
def enters_arch(player, own, masters, first, second):
    """1 if this player's master could enter the other's arch if it were this player's turn; else 0."""
    masters = np.uint64(own & masters)
    if not masters:
        return 0
    squares = TARGETS[player, first, lowest(masters)] | TARGETS[player, second, lowest(masters)]
    return 1 if squares & ~own & arch_of(1 - player) != ZERO else 0


@njit
def threat_difference(state):
    mine = enters_arch(state.player, state.mine, state.masters, card_at(state, 0), card_at(state, 1))
    return mine - enters_arch(1 - state.player, state.theirs, state.masters, card_at(state, 2), card_at(state, 3))


@heuristic(weights={"student": 100, "guarded": 6, "threat": 150})
def arch_control(state: Onitama, w):
    """Students, guarded gateways (squares from which a master could enter an arch), and threats to enter."""
    mine, theirs = both_scopes(state)
    guards = guard_difference(state, mine[1], theirs[1])
    return w[0] * student_difference(state) + w[1] * guards + w[2] * threat_difference(state)


# ------------------------------------------------------------------------------------------ piece-square tables


@njit
def rows_advanced(player, men):
    """The number of rows that these pieces have advanced, summed over all of them."""
    up = count(men & ROWS[1]) + 2 * count(men & ROWS[2]) + 3 * count(men & ROWS[3]) + 4 * count(men & ROWS[4])
    return up if player == RED else FARTHEST * count(men) - up


@njit
def centrality(men):
    """How far these pieces are from the edge, summed: twice the columns plus the rows."""
    columns = count(men & INNER_COLUMNS) + count(men & MIDDLE_COLUMN)
    return 2 * columns + count(men & ROWS[1]) + 2 * count(men & ROWS[2]) + count(men & ROWS[3])


@njit
def square_value(player, own, masters, w, first):
    """The value of the squares on which a player's pieces stand; the four weights begin at w[first]."""
    students, master = np.uint64(own & ~masters), np.uint64(own & masters)
    value = w[first] * rows_advanced(player, students) + w[first + 1] * centrality(students)
    return value + w[first + 2] * rows_advanced(player, master) + w[first + 3] * centrality(master)


@njit
def square_difference(state, w, first):
    mine = square_value(state.player, state.mine, state.masters, w, first)
    return mine - square_value(1 - state.player, state.theirs, state.masters, w, first)


SQUARE_WEIGHTS = {"student_row": 4, "student_centre": 4, "master_row": 4, "master_centre": 2}


@heuristic(weights={"student": 100} | SQUARE_WEIGHTS)
def piece_square(state: Onitama, w):
    """Students, and where the pieces stand: how many rows they have advanced and how far from the edge they are."""
    return w[0] * student_difference(state) + square_difference(state, w, 1)


# ------------------------------------------------------------------------------------------ all together


COMBINED_WEIGHTS = {"student": 100, "move": 3, "step": 6, "guarded": 3, "threat": 150}
COMBINED_WEIGHTS |= {"student_row": 4, "student_centre": 9, "master_row": 8, "master_centre": 0}


@heuristic(weights=COMBINED_WEIGHTS)
def combined(state: Onitama, w):
    """All of these together: students, mobility, the master's distance, guarded gateways, threats, squares."""
    mine, theirs = both_scopes(state)
    value = w[0] * student_difference(state) + w[1] * (mine[0] - theirs[0]) + w[2] * distance_difference(state)
    value += w[3] * guard_difference(state, mine[1], theirs[1]) + w[4] * threat_difference(state)
    return value + square_difference(state, w, 5)
