"""The search of the endgame solver: alpha-beta to the end of the game, for the exact final score.

Near the end, the order in which squares are tried depends on parity alone: in a region (a quarter of the board) with
an odd number of empty squares, the player who moves there first also moves there last. With more empty squares the
moves are sorted, and those that leave the other player the fewest replies come first ("fastest first"); with many
empty squares, a short search judges the moves, by the learned heuristic if there is one for the board. Bounds on the
scores of positions are kept in a table.

A node is a position that was reached by a move or a pass, down to positions with a single empty square; every
position that the short search judges is a node too.
"""

import numba
import numpy as np
from numba import int32, int64, types, uint64

from zermelo.core import ONE, ZERO, bit, count, highest, lowest, njit, without_lowest
from zermelo.core.numbers import POINT
from zermelo.games.reversi.last_squares import NO_MOVE, final_score, four_empty, one_empty, three_empty, two_empty
from zermelo.games.reversi.rules import FIRST_COLUMN, FIRST_ROW, ROW, Reversi, flips, targets
from zermelo.games.reversi.stability import stable_discs
from zermelo.games.reversi.transposition import find, hashed, keep, lower_bound, stored_move, upper_bound

# How many empty squares a position must have ... All were chosen by timing positions with 18 to 23 empty squares.
SORTED = 6  # ... for moves to be sorted
STORED = 8  # ... for a position to be kept in the table
LOOKED_UP = 11  # ... for the positions after each move to be looked up before any is searched
LEARNED = 14  # ... for the short search to use the learned heuristic
GUESSED = 13  # ... for moves to be judged by a short search, one ply deeper for every two more squares
SAFE = 10  # ... for safe corners to count in the order
STABLE = 5  # ... for stable discs to be looked at

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

# ------------------------------------------------------------------------------------------ memory

BITS = 22
MOST_MOVES = 64
WORK = np.dtype(
    [
        ("nodes", np.int64),
        ("limit", np.int64),  # of nodes; the search stops once it is reached, after the few nodes of the last squares
        ("squares", np.int64),  # on the whole board
        ("board", np.uint64),
        ("corners", np.uint64),
        ("learned", np.int64),  # is the heuristic that the search is given a learned one, in discs, for this board?
        ("judges", np.int64),  # is it asked in this short search?
        ("weights", np.uint64),  # the address of its weights
        ("shift", np.uint64),  # turns a hash into a place in the table, of which only as much as needed is used
        ("flipped", np.uint64, 64 * MOST_MOVES),
        ("order", np.int64, 64 * MOST_MOVES),  # the moves with n empty squares from n * MOST_MOVES on
    ],
    align=True,
)
SHARED = np.dtype(
    [
        ("table", np.uint64, 4 << BITS),  # entries of four words, see transposition.find()
        ("stop", np.int64),  # set from outside to end all searches
    ],
    align=True,
)
WORK_TYPE, SHARED_TYPE = numba.from_dtype(WORK), numba.from_dtype(SHARED)
HEURISTIC_TYPE = types.FunctionType(int32(Reversi.numba, uint64))  # type: ignore[attr-defined]

# ------------------------------------------------------------------------------------------ parts of the search


@njit
def odd_regions(empty):
    """The quarters of the board with an odd number of empty squares."""
    regions = ZERO
    for quarter in QUARTERS:
        if count(empty & quarter) & 1:
            regions |= quarter
    return regions


@njit
def best_possible(mine, theirs, alpha, empties, work):
    """An upper bound on the score, from their stable discs, which are counted only if it could be alpha or less."""
    if alpha < 2 * empties - 2 or 2 * count(theirs) < work.squares - alpha:
        return work.squares
    return work.squares - 2 * count(stable_discs(theirs, mine, work.board))


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


LOUD = int64(1 << 40)


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
    """List the moves from `end` on, with how promising they are, and return the new end."""
    odd = odd_regions(empty)
    while moves:
        square = lowest(moves)
        moves = without_lowest(moves)
        flipped = flips(mine, theirs, square)
        own, other = theirs ^ flipped, mine | flipped | bit(square)
        value = promise(own, other, square, odd, work)
        if empties >= SAFE:
            value += SAFE_CORNER * safe_corners(other, work)
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
            flipped = flips(mine, theirs, square)
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
def list_moves(mine, theirs, moves, end, work):
    """List the moves and the discs that they flip from `end` on, and return the new end."""
    while moves:
        square = lowest(moves)
        moves = without_lowest(moves)
        flipped = flips(mine, theirs, square)
        work.order[end] = square
        work.flipped[end] = flipped
        end += 1
    return end


@njit
def refuted(mine, theirs, beta, start, end, work, shared):
    """The known value of a move that is good enough without a search; NO_MOVE if there is no such move."""
    for i in range(start, end):
        flipped = work.flipped[i]
        own, other = theirs ^ flipped, mine | flipped | bit(work.order[i])
        if own == ZERO:
            return work.squares
        known = find(own, other, hashed(own, other), work, shared)
        if known and -upper_bound(known) >= beta:
            return -upper_bound(known)
    return int64(NO_MOVE)


@njit
def sort_by_guess(mine, theirs, start, end, empties, empty, evaluate, work):
    """Rate the listed moves by the replies that they leave or, with many empty squares, by a short search."""
    order = work.order
    if empties < GUESSED:
        odd = odd_regions(empty)
        for i in range(start, end):
            square, flipped = order[i], work.flipped[i]
            own, other = theirs ^ flipped, mine | flipped | bit(square)
            value = promise(own, other, square, odd, work)
            value += SAFE_CORNER * safe_corners(other, work)
            order[i] = (value << 6) + square
    else:
        depth = int64(min((empties - GUESSED) // NEXT + 1, DEEPEST_GUESS))
        work.judges = int64(work.learned != 0 and empties >= LEARNED)
        for i in range(start, end):
            square, flipped = order[i], work.flipped[i]
            own, other = theirs ^ flipped, mine | flipped | bit(square)
            value = -guess(own, other, -LOUD, LOUD, depth, empties - 1, evaluate, work)
            value -= REPLY * count(targets(own, other) & work.board)
            order[i] = (value << 6) + square


# ------------------------------------------------------------------------------------------ the search


@njit
def five_empty(mine, theirs, alpha, beta, work):
    """The score with five empty squares; squares in odd regions are tried first."""
    work.nodes += 1
    empty = work.board & ~(mine | theirs)
    moves = targets(mine, theirs) & empty
    if moves == ZERO:
        return NO_MOVE
    best = int64(NO_MOVE)
    odd = odd_regions(empty)
    for part in (moves & odd, moves & ~odd):
        while part:
            square = lowest(part)
            part = without_lowest(part)
            flipped = flips(mine, theirs, square)
            best = max(best, -four(theirs ^ flipped, mine | flipped | bit(square), -beta, -max(alpha, best), work))
            if best >= beta:
                return best
    return best


@njit
def four(mine, theirs, alpha, beta, work):
    """The score with four empty squares; squares in odd regions are tried first."""
    empty = work.board & ~(mine | theirs)
    odd = empty & odd_regions(empty)
    return four_empty(mine, theirs, alpha, beta, odd, empty ^ odd, work)


@njit
def search(mine, theirs, alpha, beta, empties, evaluate, work, shared):
    """The final score for the player to move, with at least five empty squares, to within the window alpha < beta.

    With s the exact score, the result r obeys
        r <= alpha         s <= r
        alpha < r < beta   s == r
        r >= beta          r <= s
    Once shared.stop is set, the result means nothing.
    """
    # 1. Their stable discs may already decide.
    if empties >= STABLE:
        bound = best_possible(mine, theirs, alpha, empties, work)
        if bound <= alpha:
            work.nodes += 1
            return bound
    # 2. With few squares left, parity alone decides the order.
    if empties < SORTED:
        best = five_empty(mine, theirs, alpha, beta, work)
        if best == NO_MOVE:
            best = -five_empty(theirs, mine, -beta, -alpha, work)
            if best == -NO_MOVE:
                return int64(final_score(mine, theirs, work.squares))
        return best
    work.nodes += 1
    empty = work.board & ~(mine | theirs)
    moves = targets(mine, theirs) & empty
    # 3. Without a move, pass or end the game.
    if moves == ZERO:
        if targets(theirs, mine) & empty == ZERO:
            return int64(final_score(mine, theirs, work.squares))
        return -search(theirs, mine, -beta, -alpha, empties, evaluate, work, shared)
    # 4. Use what the table knows.
    low, high, known_move = int64(-work.squares), int64(work.squares), int64(-1)
    key = ZERO
    if empties >= STORED:
        key = hashed(mine, theirs)
        known = find(mine, theirs, key, work, shared)
        if known:
            low, high = lower_bound(known), upper_bound(known)
            if low >= beta or low == high:
                return low
            if high <= alpha:
                return high
            known_move = stored_move(known)
    # 5. List and sort the moves, unless one of them decides at once.
    order = work.order
    start = empties * MOST_MOVES
    if empties < LOOKED_UP:
        end = sort_by_replies(mine, theirs, moves, empty, start, empties, work)
    else:
        end = list_moves(mine, theirs, moves, start, work)
        bound = refuted(mine, theirs, beta, start, end, work, shared)
        if bound >= beta:
            return bound
        sort_by_guess(mine, theirs, start, end, empties, empty, evaluate, work)
    if known_move >= 0:
        for i in range(start, end):
            if order[i] & 63 == known_move:
                order[i] = (LOUD << 6) + known_move
    # 6. Search every move, until one reaches beta.
    best, best_move = int64(NO_MOVE), int64(0)
    floor = alpha
    for i in range(start, end):
        square = next_move(order, i, end) & 63
        flipped = flips(mine, theirs, square)
        own, other = theirs ^ flipped, mine | flipped | bit(square)
        score = int64(0)
        if i > start and beta - floor > 1:
            score = -search(own, other, -floor - 1, -floor, empties - 1, evaluate, work, shared)
        if i == start or beta - floor <= 1 or floor < score < beta:
            score = -search(own, other, -beta, -floor, empties - 1, evaluate, work, shared)
        if work.nodes >= work.limit:
            shared.stop = 1
        if shared.stop != 0:
            return best
        if score > best:
            best, best_move = score, square
            floor = max(floor, best)
            if best >= beta:
                break
    # 7. Store the result.
    if empties >= STORED:
        low = max(low, best) if best > alpha else low
        high = min(high, best) if best < beta else high
        keep(mine, theirs, key, low, high, best_move, empties, work, shared)
    return best


@njit
def estimate(mine, theirs, depth, evaluate, work):
    """An estimate of the final score for the player to move, by a short search: an even number of discs."""
    work.judges = work.learned
    empties = int64(count(work.board & ~(mine | theirs)))
    found = guess(mine, theirs, -LOUD, LOUD, depth, empties, evaluate, work)
    half = work.squares // 2
    return 2 * min(max((found + DISC) // (2 * DISC), -half), half)


@njit
def value(mine, theirs, alpha, beta, evaluate, work, shared):
    """The result of search(), but for any number of empty squares."""
    empty = work.board & ~(mine | theirs)
    empties = count(empty)
    if empties >= 5:
        return search(mine, theirs, alpha, beta, empties, evaluate, work, shared)
    if empties == 4:
        return four(mine, theirs, alpha, beta, work)
    if empties == 3:
        middle = lowest(without_lowest(empty))
        return three_empty(mine, theirs, alpha, beta, lowest(empty), middle, highest(empty), work)
    if empties == 2:
        return two_empty(mine, theirs, alpha, beta, lowest(empty), highest(empty), work)
    if empties == 1:
        return one_empty(mine, theirs, lowest(empty), work.squares)
    return final_score(mine, theirs, work.squares)
