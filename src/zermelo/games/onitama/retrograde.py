"""Every position of up to four pieces, for five given cards, solved from the end backwards.

Positions are turned so that the player to move plays up the board; the other player sees a square as 24 - square. One
number names a position:

    place = ((deal * 25 + my master) * 25 + their master) * STUDENTS + students

`deal` is one of 30 ways to hold the five cards, which are in order of their numbers (DEALS below). `students` is one
of 1276 ways to have up to two students:

    0 .. 675       one each or none: 26 * mine + theirs, 25 for none
    676 .. 975     two of mine on a < b: 676 + b (b - 1) / 2 + a
    976 .. 1275    two of theirs, in the same way

The table holds 16 bits for each place: the plies to the end if both play best, odd if the player to move wins, even if
that player loses, DRAWN if neither can force a win, NOT_A_POSITION where pieces share a square or the game is over. (A
byte is not enough: there are sets of cards with losses in more than 254 plies.)
"""

from itertools import combinations

import numpy as np

from zermelo.core import ZERO, bit, count, highest, lowest, njit, without_lowest
from zermelo.games.onitama.rules import ARCH, BLUE, RED, SQUARES, TARGETS, arch_of, card_at, is_lost

NONE = SQUARES
TWO_MINE = (SQUARES + 1) ** 2
PAIRS = SQUARES * (SQUARES - 1) // 2
TWO_THEIRS = TWO_MINE + PAIRS
STUDENTS = TWO_THEIRS + PAIRS
MOST_STUDENTS = 2
BOARDS = SQUARES * SQUARES * STUDENTS

DRAWN = 0
NOT_A_POSITION = (1 << 16) - 1
NO_CARD = NO_DEAL = 255
BLOCKED = 128
CARDS_IN_PLAY = 5

DEALS = [
    (mine, tuple(card for card in range(CARDS_IN_PLAY) if card not in (*mine, side)), side)
    for side in range(CARDS_IN_PLAY)
    for mine in combinations([card for card in range(CARDS_IN_PLAY) if card != side], 2)
]
"""Deal number -> the mover's two cards, the other's two, the side card; cards by their order among the five."""

PLACES = len(DEALS) * BOARDS


def _deal_number(mine, side):
    return next(n for n, (held, _, beside) in enumerate(DEALS) if set(held) == set(mine) and beside == side)


def _after(deal, used):
    """The deal after the player to move has used the first (0) or second (1) card, seen by the other player."""
    mine, theirs, _ = DEALS[deal]
    return _deal_number(theirs, mine[used])


def _before(deal, taken):
    """The deals that lead to this one, if the player who has just moved took the first (0) or second (1) card."""
    _, theirs, side = DEALS[deal]
    return _deal_number((theirs[1 - taken], side), theirs[taken])


MY_CARDS = np.array([mine for mine, _, _ in DEALS], np.uint8)
SIDE_CARD = np.array([side for _, _, side in DEALS], np.uint8)
AFTER = np.array([[_after(deal, used) for used in (0, 1)] for deal in range(len(DEALS))], np.uint8)
BEFORE = np.array([[_before(deal, taken) for taken in (0, 1)] for deal in range(len(DEALS))], np.uint8)
DEAL_OF = np.full((CARDS_IN_PLAY, CARDS_IN_PLAY, CARDS_IN_PLAY), NO_DEAL, np.uint8)
"""My two cards in order, side card -> deal number."""
for _number, (_mine, _, _side) in enumerate(DEALS):
    DEAL_OF[(*_mine, _side)] = _number


# ------------------------------------------------------------------------------------------ students


@njit
def students_number(mine, theirs):
    """The number of a way to have up to two students, from two masks."""
    if count(mine) == 2:
        return TWO_MINE + highest(mine) * (highest(mine) - 1) // 2 + lowest(mine)
    if count(theirs) == 2:
        return TWO_THEIRS + highest(theirs) * (highest(theirs) - 1) // 2 + lowest(theirs)
    return min(lowest(mine), NONE) * (NONE + 1) + min(lowest(theirs), NONE)


def _all_students():
    """Number -> mine and theirs, as masks (the same square twice: no position)."""
    alone = [1 << square for square in range(SQUARES)] + [0]
    pairs = [1 << a | 1 << b for b in range(SQUARES) for a in range(b)]
    return [(m, t) for m in alone for t in alone] + [(pair, 0) for pair in pairs] + [(0, pair) for pair in pairs]


def _turned(mask):
    return sum(1 << SQUARES - 1 - square for square in range(SQUARES) if mask >> square & 1)


MINE = np.array([mine for mine, _ in _all_students()], np.uint64)
THEIRS = np.array([theirs for _, theirs in _all_students()], np.uint64)
_NUMBER = {students: number for number, students in enumerate(_all_students())}
TURNED = np.array([_NUMBER[_turned(theirs), _turned(mine)] for mine, theirs in _all_students()], np.int64)
"""Number -> the number of the same students as the other player sees them."""


@njit
def place_of(deal, my_master, their_master, students):
    return ((np.int64(deal) * SQUARES + my_master) * SQUARES + their_master) * STUDENTS + students


@njit
def seen_by_the_other(deal, my_master, their_master, students):
    """The place of the same position, as the other player sees it when it is that player's turn."""
    return place_of(deal, SQUARES - 1 - their_master, SQUARES - 1 - my_master, TURNED[students])


# ------------------------------------------------------------------------------------------ forwards


@njit
def wins_at_once(first, second, my_master, their_master, mine):
    """Can the player to move take the master or enter the arch, with these two cards?"""
    reach = TARGETS[RED, first, my_master] | TARGETS[RED, second, my_master]
    if reach & ~mine & arch_of(BLUE):
        return True
    men = mine
    while men:
        man = lowest(men)
        reach |= TARGETS[RED, first, man] | TARGETS[RED, second, man]
        men = without_lowest(men)
    return reach & bit(their_master) != ZERO


@njit
def mark_wins_at_once(deal, cards, table):
    """Write 1 for every position of this deal that is won by a single move, DRAWN for the others; count both."""
    first, second = cards[MY_CARDS[deal, 0]], cards[MY_CARDS[deal, 1]]
    won, others = 0, 0
    for my_master in range(SQUARES):
        for their_master in range(SQUARES):
            decided = my_master == ARCH[BLUE] or their_master == ARCH[RED] or my_master == their_master
            masters = bit(my_master) | bit(their_master)
            start = place_of(deal, my_master, their_master, 0)
            for students in range(STUDENTS):
                mine, theirs = MINE[students], THEIRS[students]
                if decided or mine & theirs or (mine | theirs) & masters:
                    table[start + students] = NOT_A_POSITION
                elif wins_at_once(first, second, my_master, their_master, mine):
                    table[start + students] = 1
                    won += 1
                else:
                    table[start + students] = DRAWN
                    others += 1
    return won, others


@njit
def open_moves(deal, cards, my_master, their_master, students, table):
    """How many moves do not let the other player win at once, and how many moves there are."""
    mine, theirs = MINE[students], THEIRS[students]
    own = mine | bit(my_master)
    number, moves = 0, 0
    for used in range(2):
        card, after = cards[MY_CARDS[deal, used]], AFTER[deal, used]
        men = own
        while men:
            man = lowest(men)
            men = without_lowest(men)
            squares = TARGETS[RED, card, man] & ~own
            while squares:
                target = lowest(squares)
                squares = without_lowest(squares)
                moves += 1
                if man == my_master:
                    left = students if not theirs & bit(target) else students_number(mine, theirs & ~bit(target))
                    place = seen_by_the_other(after, target, their_master, left)
                else:
                    left = students_number(mine ^ bit(man) ^ bit(target), theirs & ~bit(target))
                    place = seen_by_the_other(after, my_master, their_master, left)
                if table[place] != 1:
                    number += 1
    return number, moves


@njit
def count_open_moves(deal, cards, table, unsettled, queue, end):
    """Write to unsettled how many moves of each position are still open (and BLOCKED if no piece can move).

    Positions without open moves are lost in two plies, and are appended to the queue. Return its new end.
    """
    for my_master in range(SQUARES):
        for their_master in range(SQUARES):
            start = place_of(deal, my_master, their_master, 0)
            for students in range(STUDENTS):
                if table[start + students] != DRAWN:
                    continue
                number, moves = open_moves(deal, cards, my_master, their_master, students, table)
                if moves == 0:
                    for used in range(2):
                        if table[seen_by_the_other(AFTER[deal, used], my_master, their_master, students)] != 1:
                            number += 1
                unsettled[start + students] = number if moves > 0 else number | BLOCKED
                if number == 0:
                    table[start + students] = 2
                    queue[end] = start + students
                    end += 1
    return end


# ------------------------------------------------------------------------------------------ backwards


@njit
def settle(place, plies, table, unsettled, queue, end):
    """Settle this position if possible, now that one of its moves leads to a position settled in this many plies.

    Levels come in order, so the first lost successor gives the shortest win, and the last won one the longest loss.
    """
    if table[place] != DRAWN:
        return end
    if plies & 1:
        unsettled[place] -= 1
        if unsettled[place] & ~BLOCKED:
            return end
    table[place] = plies + 1
    queue[end] = place
    return end + 1


@njit
def settle_predecessors(place, plies, cards, table, unsettled, queue, end):
    """Settle all positions that lead to this one, in which the player to move wins or loses in this many plies.

    Pieces are named as the player who has just moved sees them. That player used the card that now lies at the side,
    and took one of the two now in hand, so each way back comes with two deals. The piece that moved may have taken a
    student.
    """
    deal = place // BOARDS
    students = TURNED[place % STUDENTS]
    mine, theirs = MINE[students], THEIRS[students]
    my_master = SQUARES - 1 - place // STUDENTS % SQUARES
    their_master = SQUARES - 1 - place // (STUDENTS * SQUARES) % SQUARES
    men = mine | bit(my_master)
    free = ~(men | theirs | bit(their_master))
    card = cards[SIDE_CARD[deal]]
    captures = 2 if count(mine | theirs) < MOST_STUDENTS else 1
    while men:
        man = lowest(men)
        men = without_lowest(men)
        origins = TARGETS[BLUE, card, man] & free
        if man == my_master:
            origins &= ~arch_of(BLUE)
        while origins:
            origin = lowest(origins)
            origins = without_lowest(origins)
            for captured in range(captures):
                others = theirs | bit(man) if captured else theirs
                if man == my_master:
                    master, number = origin, students_number(mine, others)
                else:
                    master, number = my_master, students_number(mine ^ bit(man) ^ bit(origin), others)
                for taken in range(2):
                    before = place_of(BEFORE[deal, taken], master, their_master, number)
                    end = settle(before, plies, table, unsettled, queue, end)
    for taken in range(2):  # or no piece could move, and only a card was exchanged
        before = place_of(BEFORE[deal, taken], my_master, their_master, students)
        if unsettled[before] & BLOCKED:
            end = settle(before, plies, table, unsettled, queue, end)
    return end


@njit
def settle_level(plies, cards, table, unsettled, queue, start, end):
    """Settle the predecessors of the positions in queue[start:end], settled in this many plies; return the new end."""
    new_end = end
    for at in range(start, end):
        new_end = settle_predecessors(queue[at], plies, cards, table, unsettled, queue, new_end)
    return new_end


def build(cards, progress=None):
    """The table for five card numbers, in order; progress(done, total) is told how many positions are settled."""
    cards = np.array(sorted(cards), np.uint8)
    table = np.empty(PLACES, np.uint16)
    won = others = 0
    for deal in range(len(DEALS)):
        more_won, more_others = mark_wins_at_once(deal, cards, table)
        won, others = won + more_won, others + more_others
        tell(progress, won, (won + others) * len(DEALS) // (deal + 1))
    unsettled, queue = np.zeros(PLACES, np.uint8), np.empty(others, np.int32)
    end = 0
    for deal in range(len(DEALS)):
        end = count_open_moves(deal, cards, table, unsettled, queue, end)
        tell(progress, won + end, won + others)
    start, plies = 0, 2
    while start < end:
        assert plies + 1 < NOT_A_POSITION
        start, end = end, settle_level(plies, cards, table, unsettled, queue, start, end)
        plies += 1
        tell(progress, won + end, won + others)
    tell(progress, won + others, won + others)
    return table


def tell(progress, done, total):
    if progress is not None:
        progress(int(done), int(total))


# ------------------------------------------------------------------------------------------ reading it


@njit
def turned_mask(men):
    """The same few pieces on a board turned round."""
    result = ZERO
    while men:
        result |= bit(SQUARES - 1 - lowest(men))
        men = without_lowest(men)
    return result


@njit
def order_of(card, cards):
    """The index of a card among the five; -1 if it is none of them."""
    for order in range(CARDS_IN_PLAY):
        if cards[order] == card:
            return order
    return -1


@njit
def deal_of_state(state, cards):
    """The number of a state's deal with these five cards, in order of their numbers; -1 if it has other cards."""
    for place in range(CARDS_IN_PLAY):
        if order_of(card_at(state, place), cards) < 0:
            return -1
    first, second = order_of(card_at(state, 0), cards), order_of(card_at(state, 1), cards)
    return np.int64(DEAL_OF[first, second, order_of(card_at(state, 4), cards)])


@njit
def place_of_state(state, cards):
    """The place of a state in the table of these five cards; -1 if it has other cards, too many pieces, or is over."""
    mine, theirs, masters = np.uint64(state.mine), np.uint64(state.theirs), np.uint64(state.masters)
    deal = deal_of_state(state, cards)
    if deal < 0 or count((mine | theirs) & ~masters) > MOST_STUDENTS or is_lost(state):
        return -1
    if state.player == BLUE:
        mine, theirs, masters = turned_mask(mine), turned_mask(theirs), turned_mask(masters)
    students = students_number(mine & ~masters, theirs & ~masters)
    return place_of(deal, lowest(mine & masters), lowest(theirs & masters), students)


@njit
def look_up(state, cards, table):
    """Plies to the end with best play, odd if the player to move wins; DRAWN; or -1 if it is not in the table."""
    place = place_of_state(state, cards)
    return np.int64(table[place]) if place >= 0 else -1
