"""The last four empty squares of a Reversi game, without any list of moves.

Each function returns the exact final score for the player to move, within the window alpha < beta (as `search` in
`endgame.py` does). The empty squares are given by their numbers, in the order in which they are to be tried.
"""

import numpy as np

from zermelo.core import ZERO, bit, count, highest, lowest, njit, without_lowest
from zermelo.games.reversi.rules import FIRST_COLUMN, FIRST_ROW, MOST, flips, ray

NO_MOVE = -1000
"""Less than every score; it means that no move was possible."""


def enclosed(place: int, own: int) -> int:
    """How many squares lie between a place on a line of eight and the nearest of these on either side of it."""
    right = next((n for n in range(MOST - 1 - place) if own >> place + 1 + n & 1), 0)
    left = next((n for n in range(place) if own >> place - 1 - n & 1), 0)
    return right + left


def diagonals(square: int) -> tuple[int, int]:
    """The squares on the two diagonals through a square, with it."""
    down_right = ray(square, 1, 1) | ray(square, -1, -1) | 1 << square
    return down_right, ray(square, -1, 1) | ray(square, 1, -1) | 1 << square


ENCLOSED = np.array([[enclosed(place, own) for own in range(256)] for place in range(MOST)], np.uint8).reshape(-1)
DIAGONALS = np.array([diagonals(square) for square in range(64)], np.uint64)
TO_ROW = np.uint64(sum(1 << 7 * n for n in range(1, MOST + 1)))  # brings the first column to the last row, a1 first
LAST_ROW = np.uint64(56)
COLUMN, ROW_START = np.uint64(7), np.uint64(56)
EIGHT = np.uint64(8)


@njit
def final_score(mine, theirs, squares):
    """My discs minus theirs at the end of a game on a board of this many squares; the winner gets the empty ones."""
    my_discs, their_discs = count(mine), count(theirs)
    if my_discs > their_discs:
        return squares - 2 * their_discs
    if my_discs < their_discs:
        return 2 * my_discs - squares
    return 0


@njit
def last_flips(own, square):
    """The number of discs that are flipped on the last empty square by the player who has these discs.

    All other squares of its four lines are the other player's (or beyond the board), so each line's discs are read as
    a number that says how many are flipped. That is quicker than finding the flipped discs.
    """
    square = np.uint64(square)
    column, row = square & COLUMN, square >> np.uint64(3)
    by_column, by_row = column << EIGHT, row << EIGHT
    first, second = DIAGONALS[square, 0], DIAGONALS[square, 1]
    found = np.int64(ENCLOSED[by_column + ((own >> (square & ROW_START)) & FIRST_ROW)])
    found += ENCLOSED[by_row + ((((own >> column) & FIRST_COLUMN) * TO_ROW) >> LAST_ROW)]
    found += ENCLOSED[by_column + (((own & first) * FIRST_COLUMN) >> LAST_ROW)]
    return found + ENCLOSED[by_column + (((own & second) * FIRST_COLUMN) >> LAST_ROW)]


@njit
def one_empty(mine, theirs, square, squares):
    """The final score with one empty square."""
    my_discs = count(mine)
    flipped = last_flips(mine, square)
    if flipped:
        return 2 * (my_discs + flipped + 1) - squares
    flipped = last_flips(theirs, square)
    if flipped:
        return 2 * (my_discs - flipped) - squares
    return final_score(mine, theirs, squares)


@njit(forceinline=True)
def move_with_two(mine, theirs, beta, first, second, work):
    """The score of my best move with two empty squares; NO_MOVE if there is none."""
    work.nodes += 1
    best = NO_MOVE
    flipped, others = flips(mine, theirs, first), flips(mine, theirs, second)  # together: neither waits for the other
    if flipped:
        work.nodes += 1
        best = -one_empty(theirs ^ flipped, mine | flipped | bit(first), second, work.squares)
        if best >= beta:
            return best
    if others:
        work.nodes += 1
        best = max(best, -one_empty(theirs ^ others, mine | others | bit(second), first, work.squares))
    return best


@njit
def pass_with_two(mine, theirs, beta, first, second, work):
    """The final score with two empty squares, if the other player could not move."""
    best = move_with_two(mine, theirs, beta, first, second, work)
    return -final_score(theirs, mine, work.squares) if best == NO_MOVE else best


@njit
def two_empty(mine, theirs, alpha, beta, first, second, work):
    """The final score with two empty squares."""
    best = move_with_two(mine, theirs, beta, first, second, work)
    if best == NO_MOVE:
        return -pass_with_two(theirs, mine, -alpha, first, second, work)
    return best


@njit(forceinline=True)
def move_with_three(mine, theirs, alpha, beta, first, second, third, work):
    """The score of my best move with three empty squares; NO_MOVE if there is none."""
    work.nodes += 1
    best = NO_MOVE
    flipped, others = flips(mine, theirs, first), flips(mine, theirs, second)
    if flipped:
        best = -two_empty(theirs ^ flipped, mine | flipped | bit(first), -beta, -alpha, second, third, work)
        if best >= beta:
            return best
        alpha = max(alpha, best)
    flipped = flips(mine, theirs, third)
    if others:
        score = -two_empty(theirs ^ others, mine | others | bit(second), -beta, -alpha, first, third, work)
        if score >= beta:
            return score
        best, alpha = max(best, score), max(alpha, score)
    if flipped:
        score = -two_empty(theirs ^ flipped, mine | flipped | bit(third), -beta, -alpha, first, second, work)
        best = max(best, score)
    return best


@njit
def pass_with_three(mine, theirs, alpha, beta, first, second, third, work):
    """The final score with three empty squares, if the other player could not move."""
    best = move_with_three(mine, theirs, alpha, beta, first, second, third, work)
    return -final_score(theirs, mine, work.squares) if best == NO_MOVE else best


@njit
def three_empty(mine, theirs, alpha, beta, first, second, third, work):
    """The final score with three empty squares."""
    best = move_with_three(mine, theirs, alpha, beta, first, second, third, work)
    if best == NO_MOVE:
        return -pass_with_three(theirs, mine, -beta, -alpha, first, second, third, work)
    return best


@njit
def move_with_four(mine, theirs, alpha, beta, first, second, third, fourth, work):
    """The score of my best move with four empty squares; NO_MOVE if there is none.

    Where possible, the squares come in pairs from one region: after a move to one of a pair, the other is tried first.
    """
    work.nodes += 1
    best = NO_MOVE
    flipped = flips(mine, theirs, first)
    if flipped:
        best = -three_empty(theirs ^ flipped, mine | flipped | bit(first), -beta, -alpha, second, third, fourth, work)
        if best >= beta:
            return best
        alpha = max(alpha, best)
    flipped = flips(mine, theirs, second)
    if flipped:
        score = -three_empty(theirs ^ flipped, mine | flipped | bit(second), -beta, -alpha, first, third, fourth, work)
        if score >= beta:
            return score
        best, alpha = max(best, score), max(alpha, score)
    flipped = flips(mine, theirs, third)
    if flipped:
        score = -three_empty(theirs ^ flipped, mine | flipped | bit(third), -beta, -alpha, fourth, first, second, work)
        if score >= beta:
            return score
        best, alpha = max(best, score), max(alpha, score)
    flipped = flips(mine, theirs, fourth)
    if flipped:
        score = -three_empty(theirs ^ flipped, mine | flipped | bit(fourth), -beta, -alpha, third, first, second, work)
        best = max(best, score)
    return best


@njit
def four_empty(mine, theirs, alpha, beta, odd, even, work):
    """The final score with four empty squares: odd are those in regions with an odd number of them, even the others."""
    if odd == ZERO or even == ZERO:
        rest = odd | even
        first, rest = lowest(rest), without_lowest(rest)
        second, rest = lowest(rest), without_lowest(rest)
        third, fourth = lowest(rest), highest(rest)
    else:
        first, second, third, fourth = lowest(odd), highest(odd), lowest(even), highest(even)
    best = move_with_four(mine, theirs, alpha, beta, first, second, third, fourth, work)
    if best == NO_MOVE:
        best = -move_with_four(theirs, mine, -beta, -alpha, first, second, third, fourth, work)
        if best == -NO_MOVE:
            return final_score(mine, theirs, work.squares)
    return best
