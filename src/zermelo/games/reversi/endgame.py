"""The search of the endgame solver: alpha-beta to the end of the game, for the exact final score.

Near the end, the order in which squares are tried depends on parity alone: in a region (a quarter of the board) with
an odd number of empty squares, the player who moves there first also moves there last. With more empty squares the
moves are sorted (see sorting.py). Bounds on the scores of positions are kept in a table.

A node is a position that was reached by a move or a pass, down to positions with a single empty square; every
position that the short search judges is a node too.
"""

import numba
import numpy as np
from numba import int32, int64, types, uint64

from zermelo.core import ZERO, bit, count, highest, lowest, njit, without_lowest
from zermelo.games.reversi.last_squares import NO_MOVE, final_score, four_empty, one_empty, three_empty, two_empty
from zermelo.games.reversi.rules import Reversi, flips, targets
from zermelo.games.reversi.sorting import MOST_MOVES, next_move, odd_regions, sort_by_guess, sort_by_replies
from zermelo.games.reversi.stability import stable_discs
from zermelo.games.reversi.transposition import fetch_early, find, hashed, keep, lower_bound, stored_move, upper_bound

# How many empty squares a position must have ... All were chosen by timing positions with 18 to 23 empty squares.
SORTED = 6  # ... for moves to be sorted
STORED = 8  # ... for a position to be kept in the table
LOOKED_UP = 11  # ... for the positions after each move to be looked up before any is searched
STABLE = 5  # ... for stable discs to be looked at

# ------------------------------------------------------------------------------------------ memory

BITS = 22
UNLIMITED = 1 << 62
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
        ("flipped", np.uint64, 64 * MOST_MOVES),  # by a move to square s with n empty squares, at n * MOST_MOVES + s
        ("order", np.int64, 64 * MOST_MOVES),  # the moves with n empty squares from n * MOST_MOVES on
    ],
    align=True,
)


def shared_memory(bits: int) -> "np.dtype[np.void]":
    """What threads share, with room in the table for 2 to the power of `bits` entries."""
    return np.dtype(
        [
            ("table", np.uint64, 4 << bits),  # entries of four words, see transposition.find()
            ("stop", np.int64),  # set from outside to end all searches
        ],
        align=True,
    )


SHARED = shared_memory(BITS)
WORK_TYPE, SHARED_TYPE = numba.from_dtype(WORK), numba.from_dtype(SHARED)
HEURISTIC_TYPE = types.FunctionType(int32(Reversi.numba, uint64))  # type: ignore[attr-defined]

# ------------------------------------------------------------------------------------------ parts of the search


@njit
def best_possible(mine, theirs, alpha, empties, work):
    """An upper bound on the score, from their stable discs, which are counted only if it could be alpha or less."""
    if alpha < 2 * empties - 2 or 2 * count(theirs) < work.squares - alpha:
        return work.squares
    return work.squares - 2 * count(stable_discs(theirs, mine, work.board))


@njit
def list_moves(mine, theirs, moves, end, work, shared):
    """List the moves from `end` on, keep the discs that they flip, and return the new end."""
    row = end
    while moves:
        square = lowest(moves)
        moves = without_lowest(moves)
        flipped = flips(mine, theirs, square)
        work.order[end] = square
        work.flipped[row + square] = flipped
        fetch_early(theirs ^ flipped, mine | flipped | bit(square), work, shared)
        end += 1
    return end


@njit
def fetch_all(mine, theirs, start, end, work, shared):
    """Fetch what the table knows about the positions after the listed moves early: the first is soon searched."""
    for i in range(start, end):
        square = work.order[i] & 63
        flipped = work.flipped[start + square]
        fetch_early(theirs ^ flipped, mine | flipped | bit(square), work, shared)


@njit
def refuted(mine, theirs, beta, start, end, work, shared):
    """The known value of a move that is good enough without a search; NO_MOVE if there is no such move."""
    for i in range(start, end):
        square = work.order[i]
        flipped = work.flipped[start + square]
        own, other = theirs ^ flipped, mine | flipped | bit(square)
        if own == ZERO:
            return work.squares
        known = find(own, other, hashed(own, other), work, shared)
        if known and -upper_bound(known) >= beta:
            return -upper_bound(known)
    return int64(NO_MOVE)


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
    # 5. Try the move that the table knows before any other is looked at.
    best, best_move, floor = int64(NO_MOVE), int64(0), alpha
    if known_move >= 0:
        flipped = flips(mine, theirs, known_move)
        own, other = theirs ^ flipped, mine | flipped | bit(known_move)
        fetch_early(own, other, work, shared)
        best, best_move = -search(own, other, -beta, -alpha, empties - 1, evaluate, work, shared), known_move
        floor = max(alpha, best)
        moves &= ~bit(known_move)
        if work.nodes >= work.limit:
            shared.stop = 1
        if shared.stop != 0:
            return best
    # 6. List and sort the others, unless one of them decides at once.
    order = work.order
    start = end = empties * MOST_MOVES
    if best < beta and empties < LOOKED_UP:
        end = sort_by_replies(mine, theirs, moves, empty, start, empties, work)
        if empties > STORED:
            fetch_all(mine, theirs, start, end, work, shared)
    elif best < beta:
        end = list_moves(mine, theirs, moves, start, work, shared)
        bound = refuted(mine, theirs, beta, start, end, work, shared)
        if bound >= beta:
            return bound
        sort_by_guess(mine, theirs, alpha, start, end, empties, empty, evaluate, work)
    # 7. Search them, until one reaches beta.
    for i in range(start, end):
        square = next_move(order, i, end) & 63
        flipped = work.flipped[start + square]
        own, other = theirs ^ flipped, mine | flipped | bit(square)
        score, is_first = int64(0), best == NO_MOVE
        if not is_first and beta - floor > 1:
            score = -search(own, other, -floor - 1, -floor, empties - 1, evaluate, work, shared)
        if is_first or beta - floor <= 1 or floor < score < beta:
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
    # 8. Store the result.
    if empties >= STORED:
        low = max(low, best) if best > alpha else low
        high = min(high, best) if best < beta else high
        keep(mine, theirs, key, low, high, best_move, empties, work, shared)
    return best


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
