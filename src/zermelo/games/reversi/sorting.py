"""The order in which the endgame solver tries the moves, and the short search that judges them.

The moves that leave the other player the fewest replies come first ("fastest first"), with parity and safe corners.
With many empty squares a short search judges them, by the learned heuristic if there is one for the board.
"""

import numpy as np
from numba import int64

from zermelo.core import ONE, ZERO, bit, count, lowest, njit, without_lowest
from zermelo.core.numbers import POINT
from zermelo.games.reversi.last_squares import final_score
from zermelo.games.reversi.rules import FIRST_COLUMN, FIRST_ROW, ROW, Reversi, flips, targets

# How many empty squares a position must have ... All were chosen by timing positions with 18 to 24 empty squares.
LEARNED = 14  # ... for the short search to use the learned heuristic
GUESSED = 13  # ... for moves to be judged by a short search, one ply deeper for every two more squares
SAFE = 10  # ... for safe corners to count in the order

DEEPEST_GUESS = 3
SORTED_GUESS = 2  # from this depth on, the short search sorts its moves
NEXT = 2  # the number of further squares for which the short search goes one ply deeper

A_ROW = np.uint64(ROW)
QUARTERS = tuple(
    np.uint64(sum(1 << ROW * (row + r) + column + c for r in range(4) for c in range(4)))
    for row in (0, 4)
    for column in (0, 4)
)

# The terms by which moves are sorted; one reply less for the other player is worth 64.
REPLY = 64
ODD_REGION = 16
SAFE_CORNER = 16  # for each disc of mine in a corner, or on the edge beside such a disc
# The same terms in the short search's evaluation. They were fitted by least squares to the final scores of 3242
# positions of self-play with 14 or 15 empty squares (having one move more than the other player was worth 2.4 discs,
# standard error 13.7).
JUDGED_MOVE, JUDGED_CORNER_MOVE, JUDGED_SAFE_CORNER = 64, 184, 121
DISC = 27  # what a disc is worth in these terms
DOUBTFUL = 5 * DISC  # a move that is worse than the best by more than this need not be judged exactly
HOPELESS = 6  # discs: if the heuristic is so far below the window, no move is likely to reach it, whatever their order

MOST_MOVES = 64  # room for the moves of each position on the path: those with n empty squares from n * MOST_MOVES on
LOUD = int64(1 << 40)


@njit
def odd_regions(empty):
    """The quarters of the board with an odd number of empty squares."""
    regions = ZERO
    for quarter in QUARTERS:
        if count(empty & quarter) & 1:
            regions |= quarter
    return regions


@njit
def safe_corners(discs, work):
    """How many of these discs are in a corner, or on the edge right beside such a disc."""
    held = discs & work.corners
    left, upper = held & FIRST_COLUMN, held & FIRST_ROW
    beside = (left << ONE) | ((held ^ left) >> ONE) | (upper << A_ROW) | ((held ^ upper) >> A_ROW)
    return count(held | (beside & discs))


@njit
def judged(mine, theirs, evaluate, work):
    """An estimate of the final score for the player to move, DISC for each disc."""
    work.nodes += 1
    if work.judges != 0:
        return int64(evaluate(Reversi(mine, theirs, np.uint8(0)), work.weights)) * DISC // POINT
    my_moves, their_moves = targets(mine, theirs) & work.board, targets(theirs, mine) & work.board
    value = JUDGED_MOVE * (count(my_moves) - count(their_moves))
    value += JUDGED_CORNER_MOVE * (count(my_moves & work.corners) - count(their_moves & work.corners))
    return value + JUDGED_SAFE_CORNER * (safe_corners(mine, work) - safe_corners(theirs, work))


@njit
def promise(mine, theirs, square, odd, work):
    """How promising a move is: greater values are tried earlier. The boards are those after the move, as the other
    player sees them: mine are the discs of the player who replies."""
    replies = targets(mine, theirs) & work.board
    value = int64((odd >> np.uint64(square)) & ONE) * ODD_REGION
    return value - REPLY * (count(replies) + count(replies & work.corners))


@njit
def next_move(order, start, end):
    """Bring the best of order[start:end] to the front."""
    best, place = order[start], start
    for i in range(start + 1, end):
        if order[i] > best:
            best, place = order[i], i
    order[place] = order[start]
    order[start] = best
    return best


@njit
def sort_by_replies(mine, theirs, moves, empty, end, empties, work):
    """List the moves from `end` on, with how promising they are, keep what they flip, and return the new end."""
    odd, row = odd_regions(empty), empties * MOST_MOVES
    while moves:
        square = lowest(moves)
        moves = without_lowest(moves)
        flipped = flips(mine, theirs, square)
        own, other = theirs ^ flipped, mine | flipped | bit(square)
        value = promise(own, other, square, odd, work)
        if empties >= SAFE:
            value += SAFE_CORNER * safe_corners(other, work)
        work.flipped[row + square] = flipped
        work.order[end] = (value << 6) + square
        end += 1
    return end


@njit
def guess(mine, theirs, alpha, beta, depth, empties, evaluate, work):
    """Alpha-beta to this depth, with judged() as the evaluation; away from the horizon, the moves are sorted."""
    if depth == 0:
        return judged(mine, theirs, evaluate, work)
    empty = work.board & ~(mine | theirs)
    moves = targets(mine, theirs) & empty
    if moves == ZERO:
        if targets(theirs, mine) & empty == ZERO:
            return (REPLY << 8) * final_score(mine, theirs, work.squares)
        return -guess(theirs, mine, -beta, -alpha, depth - 1, empties, evaluate, work)
    best = alpha
    if depth >= SORTED_GUESS:
        start = empties * MOST_MOVES
        end = sort_by_replies(mine, theirs, moves, empty, start, empties, work)
        for i in range(start, end):
            square = next_move(work.order, i, end) & 63
            flipped = work.flipped[start + square]
            own, other = theirs ^ flipped, mine | flipped | bit(square)
            best = max(best, -guess(own, other, -beta, -best, depth - 1, empties - 1, evaluate, work))
            if best >= beta:
                break
        return best
    while moves and best < beta:
        square = lowest(moves)
        moves = without_lowest(moves)
        flipped = flips(mine, theirs, square)
        own, other = theirs ^ flipped, mine | flipped | bit(square)
        best = max(best, -guess(own, other, -beta, -best, depth - 1, empties - 1, evaluate, work))
    return best


@njit
def sort_by_guess(mine, theirs, alpha, start, end, empties, empty, evaluate, work):
    """Rate the listed moves by the replies that they leave and then, with many empty squares, by a short search."""
    order = work.order
    odd = odd_regions(empty)
    for i in range(start, end):
        square = order[i]
        flipped = work.flipped[empties * MOST_MOVES + square]
        own, other = theirs ^ flipped, mine | flipped | bit(square)
        value = promise(own, other, square, odd, work)
        value += SAFE_CORNER * safe_corners(other, work)
        order[i] = (value << 6) + square
    if empties < GUESSED:
        return
    depth = int64(min((empties - GUESSED) // NEXT + 1, DEEPEST_GUESS))
    work.judges = int64(work.learned != 0 and empties >= LEARNED)
    if depth > 1 and judged(mine, theirs, evaluate, work) < (alpha - HOPELESS) * DISC:
        depth -= 1
    floor = -LOUD
    for i in range(start, end):
        square = next_move(order, i, end) & 63
        flipped = work.flipped[empties * MOST_MOVES + square]
        own, other = theirs ^ flipped, mine | flipped | bit(square)
        value = -guess(own, other, -LOUD, -floor, depth, empties - 1, evaluate, work)
        floor = max(floor, value - DOUBTFUL)
        value -= REPLY * count(targets(own, other) & work.board)
        order[i] = (value << 6) + square


@njit
def estimate(mine, theirs, depth, evaluate, work):
    """An estimate of the final score for the player to move, by a short search: an even number of discs."""
    work.judges = work.learned
    empties = int64(count(work.board & ~(mine | theirs)))
    found = guess(mine, theirs, -LOUD, LOUD, depth, empties, evaluate, work)
    half = work.squares // 2
    return 2 * min(max((found + DISC) // (2 * DISC), -half), half)
