"""Onitama: five pieces each on 5x5 squares, five cards, two ways to win. Bit numbers, seen from red's side:

    5  20 21 22 23 24      blue's arch: c5, bit 22
    4  15 16 17 18 19
    3  10 11 12 13 14
    2   5  6  7  8  9
    1   0  1  2  3  4      red's arch: c1, bit 2
        a  b  c  d  e

A move code:  card << 10 | from << 5 | to.  From and to are equal (0) when cards are exchanged and nobody moves.
"""

from typing import NamedTuple

import numpy as np

from zermelo.core import ZERO, bit, lowest, mix, njit, state, without_lowest
from zermelo.games.onitama.cards import CARDS
from zermelo.rules import (
    can_repeat,
    is_noisy,
    is_over,
    key,
    legal_moves,
    move_hint,
    outcome,
    play,
    table_key,
    to_move,
    wins_at_once,
)

RED, BLUE = 0, 1
SIZE = 5
SQUARES = SIZE * SIZE
HOME = (0b11111, 0b11111 << 20)  # the pieces of red and of blue at the start
ARCH = np.array([2, 22], np.uint8)  # of red, of blue
CARD_BITS = 6
CARD = (1 << CARD_BITS) - 1


def targets_of(moves: tuple[tuple[int, int], ...], square: int, direction: int) -> int:
    """The squares that a card reaches from this one, as a mask; direction: 1 for red, -1 for blue."""
    mask = 0
    for right, forward in moves:
        column, row = square % SIZE + direction * right, square // SIZE + direction * forward
        if 0 <= column < SIZE and 0 <= row < SIZE:
            mask |= 1 << row * SIZE + column
    return mask


TARGETS = np.array(
    [[[targets_of(card.moves, s, way) for s in range(SQUARES)] for card in CARDS] for way in (1, -1)], np.uint32
)
"""Player, card, square -> the squares reached from there. Where a player *comes from* is the other player's entry."""


def packed_cards(mine, theirs, side) -> int:
    """The field `cards` of a state."""
    return sum(number << CARD_BITS * place for place, number in enumerate([*sorted(mine), *sorted(theirs), side]))


@state
class Onitama(NamedTuple):
    """A position, seen by the player to move, but never turned round: red always plays up the board.

    cards, bits   29..24   23..18   17..12   11..6   5..0
                   side    theirs   theirs    mine   mine      of two cards, the lower number in the lower bits
    """

    mine: np.uint32  # all pieces of the player to move
    theirs: np.uint32
    masters: np.uint32  # of both; a captured one is gone
    cards: np.uint32
    player: np.uint8


def make_state(men, masters, hands, side, player):
    """A state from what belongs to red and to blue: pieces are two masks, hands two pairs of card numbers."""
    cards = packed_cards(hands[player], hands[1 - player], side)
    return Onitama(men[player], men[1 - player], masters, cards, player)


@njit
def card_at(state, place):
    """The number of a card: 0 and 1 are mine, 2 and 3 theirs, 4 lies at the side."""
    return np.uint64(state.cards) >> np.uint64(CARD_BITS * place) & np.uint64(CARD)


@njit
def arch_of(player):
    """The arch of a player, as a mask."""
    return bit(ARCH[player])


@njit
def reached(player, card, men):
    """The squares that any of these pieces reaches by this card."""
    squares = ZERO
    men = np.uint64(men)
    while men:
        squares |= np.uint64(TARGETS[player, card, lowest(men)])
        men = without_lowest(men)
    return squares


@njit
def is_lost(state):
    """Is my master captured, or is their master on my arch?"""
    return state.masters & state.mine == ZERO or state.masters & state.theirs & arch_of(state.player) != ZERO


@legal_moves.of(Onitama)
def _(state, out, start):
    if is_lost(state):
        return start
    end = start
    for place in range(2):
        card = card_at(state, place)
        men = np.uint64(state.mine)
        while men:
            man = np.uint64(lowest(men))
            men = without_lowest(men)
            squares = np.uint64(TARGETS[state.player, card, man] & ~state.mine)
            while squares:
                out[end] = card << np.uint64(10) | man << np.uint64(5) | np.uint64(lowest(squares))
                end += 1
                squares = without_lowest(squares)
    if end == start:  # no piece can move, but a card is exchanged all the same
        for place in range(2):
            out[end] = card_at(state, place) << np.uint64(10)
            end += 1
    return end


@play.of(Onitama)
def _(state, move):
    move = np.uint64(move)
    card = move >> np.uint64(10)
    origin, target = bit(move >> np.uint64(5) & np.uint64(31)), bit(move & np.uint64(31))
    arrival = target & ~origin  # no square, if only cards are exchanged
    mine = state.mine ^ origin ^ target
    theirs = state.theirs & ~arrival
    masters = state.masters & ~arrival
    if state.masters & origin:
        masters ^= origin ^ target
    # The card I keep and the one I take from the side, in order; then it is the other player's turn.
    kept, taken = card_at(state, 0) ^ card_at(state, 1) ^ card, card_at(state, 4)
    first, second = min(kept, taken), max(kept, taken)
    cards = np.uint64(state.cards) >> np.uint64(2 * CARD_BITS) & np.uint64((1 << 2 * CARD_BITS) - 1)
    cards |= first << np.uint64(2 * CARD_BITS) | second << np.uint64(3 * CARD_BITS) | card << np.uint64(4 * CARD_BITS)
    return Onitama(theirs, mine, masters, cards, 1 - state.player)


@is_over.of(Onitama)
def _(state):
    return is_lost(state)


@outcome.of(Onitama)
def _(state):
    return -1 if is_lost(state) else 0


@to_move.of(Onitama)
def _(state):
    return np.int64(state.player)


@key.of(Onitama)
def _(state):
    boards = np.uint64(state.mine) | np.uint64(state.theirs) << np.uint64(25) | np.uint64(state.player) << np.uint64(50)
    return mix(boards ^ mix(np.uint64(state.masters) | np.uint64(state.cards) << np.uint64(25)))


EDGE_COLUMN = np.uint64(sum(1 << SIZE * row for row in range(SIZE)))
NO_MIRROR = len(CARDS)


def mirror_of(card: int) -> int:
    """The card whose moves are this one's with left and right exchanged (often itself), or NO_MIRROR."""
    wanted = sorted((-right, forward) for right, forward in CARDS[card].moves)
    return next((n for n, other in enumerate(CARDS) if sorted(other.moves) == wanted), NO_MIRROR)


MIRROR_OF = np.array([mirror_of(card) for card in range(len(CARDS))], np.uint64)


@njit
def mirrored(board):
    """A board with left and right exchanged."""
    board = np.uint64(board)
    outer = (board & EDGE_COLUMN) << np.uint64(4) | board >> np.uint64(4) & EDGE_COLUMN
    inner = (board >> np.uint64(1) & EDGE_COLUMN) << np.uint64(3) | (board >> np.uint64(3) & EDGE_COLUMN) << np.uint64(
        1
    )
    return outer | inner | board & (EDGE_COLUMN << np.uint64(2))


@njit
def mirrored_cards(state):
    """The field `cards` of the mirrored position; ZERO if the five cards in play are not their own mirror image."""
    in_play = ZERO
    for place in range(5):
        in_play |= bit(card_at(state, place))
    for place in range(5):
        mirror = MIRROR_OF[card_at(state, place)]
        if mirror == np.uint64(NO_MIRROR) or in_play & bit(mirror) == ZERO:
            return ZERO
    a, b = MIRROR_OF[card_at(state, 0)], MIRROR_OF[card_at(state, 1)]
    c, d = MIRROR_OF[card_at(state, 2)], MIRROR_OF[card_at(state, 3)]
    step = np.uint64(CARD_BITS)
    hands = min(a, b) | max(a, b) << step | min(c, d) << step * np.uint64(2) | max(c, d) << step * np.uint64(3)
    return hands | MIRROR_OF[card_at(state, 4)] << step * np.uint64(4)


@table_key.of(Onitama)
def _(state):
    """Where the cards allow it, the same for a position and its mirror image."""
    cards = mirrored_cards(state)
    if cards == ZERO:
        return key(state)
    image = Onitama(mirrored(state.mine), mirrored(state.theirs), mirrored(state.masters), cards, state.player)
    return min(key(state), key(image))


@can_repeat.of(Onitama)
def _(state):
    return True


@wins_at_once.of(Onitama)
def _(state):
    """Can a piece take the master, or my master enter the arch?"""
    first, second = card_at(state, 0), card_at(state, 1)
    master = state.mine & state.masters
    goals = reached(state.player, first, master) | reached(state.player, second, master)
    if goals & ~np.uint64(state.mine) & arch_of(1 - state.player):
        return True
    reach = reached(state.player, first, state.mine) | reached(state.player, second, state.mine)
    return reach & np.uint64(state.theirs & state.masters) != ZERO


@njit
def threatens_arch(state, card, square):
    """After moving to this square with this card, could my master reach their arch with the cards that I then hold?"""
    kept, taken = card_at(state, 0) ^ card_at(state, 1) ^ card, card_at(state, 4)
    next_squares = TARGETS[state.player, kept, square] | TARGETS[state.player, taken, square]
    return next_squares & ~state.mine & arch_of(1 - state.player) != ZERO


@njit
def steps_forward(player, origin, square):
    """By how many rows a move brings a piece closer to the other side."""
    rows = np.int64(square) // SIZE - np.int64(origin) // SIZE
    return rows if player == RED else -rows


@is_noisy.of(Onitama)
def _(state, move):
    """True for captures, the master's step onto the arch, and its advance to a square from which it threatens that.

    Only advances count, so that a line of noisy moves always ends: captures and rows run out.
    """
    move = np.uint64(move)
    card, origin, square = move >> np.uint64(10), move >> np.uint64(5) & np.uint64(31), move & np.uint64(31)
    if origin == square:
        return False
    if state.theirs & bit(square):
        return True
    if not state.masters & bit(origin):
        return False
    if bit(square) == arch_of(1 - state.player):
        return True
    return steps_forward(state.player, origin, square) > 0 and threatens_arch(state, card, square)


@move_hint.of(Onitama)
def _(state, move):
    """A win comes first, then captures (a student's before the master's, who is safer at home), then advances."""
    move = np.uint64(move)
    origin, square = move >> np.uint64(5) & np.uint64(31), move & np.uint64(31)
    if origin == square:
        return 0
    is_master = state.masters & bit(origin) != ZERO
    if state.masters & bit(square) or (is_master and bit(square) == arch_of(1 - state.player)):
        return 1000
    capture = 100 if state.theirs & bit(square) else 0
    return capture + steps_forward(state.player, origin, square) - (10 if is_master else 0)
