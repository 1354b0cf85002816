"""The numbers of positions with few pieces, for five given cards, and reading a table that is ordered by them.

Positions are turned so that the player to move plays up the board; the other player sees a square as 24 - square. A
position is a deal, the squares of both masters, and the students of both players:

    deal       one of 30 ways to hold the five cards, which are in order of their numbers (DEALS below)
    students   the number of two sets of squares, mine and theirs. Fewer students come first, so that the table of four
               pieces is the beginning of the table of six. Of as many students, first come those of which fewer are
               mine; then the number of the set of theirs counts, and last the number of the set of mine among the
               squares that theirs leave free
    masters    each is numbered among the squares without students

In this order the table holds a byte for each position: the plies to the end if both play best, odd if the player to
move wins, even if that player loses, DRAWN if neither can force a win, NOT_A_POSITION where both masters share a square
or the game is over. There are sets of cards with losses in more than 254 plies. Their byte is BEYOND, and a sorted
list has their places and plies.
"""

from itertools import combinations
from math import comb

import numpy as np

from zermelo.core import ONE, ZERO, bit, count, lowest, njit, without_lowest
from zermelo.core.memory import word_at
from zermelo.games.onitama.rules import BLUE, SQUARES, Onitama, card_at, is_lost
from zermelo.rules import PLY, UNKNOWN, WIN, known_score

DRAWN = 0
BEYOND, NOT_A_POSITION = 254, 255
PLIES_BITS = 16
"""An entry of the list of long endgames is place << 16 | plies."""
NO_DEAL = 255
CARDS_IN_PLAY = 5
MOST_STUDENTS = 4
"""The largest number of students in any table: six pieces."""

DEALS = [
    (mine, tuple(card for card in range(CARDS_IN_PLAY) if card not in (*mine, side)), side)
    for side in range(CARDS_IN_PLAY)
    for mine in combinations([card for card in range(CARDS_IN_PLAY) if card != side], 2)
]
"""Deal number -> the mover's two cards, the other's two, the side card; cards by their order among the five."""
DEALINGS = len(DEALS)

DEAL_OF = np.full((CARDS_IN_PLAY, CARDS_IN_PLAY, CARDS_IN_PLAY), NO_DEAL, np.uint8)
"""My two cards in order, side card -> deal number."""
for _number, (_mine, _theirs, _side) in enumerate(DEALS):
    DEAL_OF[(*_mine, _side)] = _number

# ------------------------------------------------------------------------------------------ numbers of sets

WAYS = np.array([[comb(n, k) for k in range(MOST_STUDENTS + 2)] for n in range(SQUARES + 1)], np.int64)
"""n, k -> the number of ways to choose k of n."""

FIRST_STUDENTS = np.zeros((MOST_STUDENTS + 1, MOST_STUDENTS + 1), np.int64)
"""How many are mine, how many theirs -> the first number of such students."""
NUMBERED = np.zeros(MOST_STUDENTS + 2, np.int64)
"""How many students there are -> the first number of such students; the last entry is the number of all."""
FIRST_PLACE = np.zeros(MOST_STUDENTS + 2, np.int64)
"""How many students there are -> the first place of such a position; the last entry is the number of all places."""
for _students in range(MOST_STUDENTS + 1):
    _next = int(NUMBERED[_students])
    for _my in range(_students + 1):
        FIRST_STUDENTS[_my, _students - _my] = _next
        _next += comb(SQUARES, _students - _my) * comb(SQUARES - (_students - _my), _my)
    NUMBERED[_students + 1] = _next
    FIRST_PLACE[_students + 1] = FIRST_PLACE[_students] + (_next - int(NUMBERED[_students])) * DEALINGS * (
        (SQUARES - _students) ** 2
    )


@njit
def number_among(square, others):
    """The number of a square if those of the others are left out."""
    return np.int64(square) - count(others & (bit(square) - ONE))


@njit
def set_number(squares, others):
    """The number of a set of squares among all sets of this size that avoid the others."""
    number, size = 0, 1
    while squares:
        number += WAYS[number_among(lowest(squares), others), size]
        squares = without_lowest(squares)
        size += 1
    return number


@njit
def students_number(mine, theirs):
    """The number of the students of both, given as two masks."""
    my_number, their_number = count(mine), count(theirs)
    sets_of_mine = WAYS[SQUARES - their_number, my_number]
    return FIRST_STUDENTS[my_number, their_number] + set_number(theirs, ZERO) * sets_of_mine + set_number(mine, theirs)


@njit
def first_place(students, number):
    """The first place of positions with these students, whose number is given."""
    free = SQUARES - count(students)
    return FIRST_PLACE[SQUARES - free] + (number - NUMBERED[SQUARES - free]) * DEALINGS * free * free


@njit
def place_among(first, deal, my_master, their_master, students):
    """The place of a position, if the first place of its students is known."""
    free = SQUARES - count(students)
    mine, theirs = number_among(my_master, students), number_among(their_master, students)
    return first + (np.int64(deal) * free + mine) * free + theirs


# ------------------------------------------------------------------------------------------ of a state


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
    """The index of a card among the five, packed in bytes; -1 if it is none of them."""
    for order in range(CARDS_IN_PLAY):
        if cards >> np.uint64(8 * order) & np.uint64(255) == card:
            return order
    return -1


@njit
def deal_of_state(state, cards):
    """The number of a state's deal with these five cards, in order of their numbers; -1 if it has other cards."""
    for place in range(CARDS_IN_PLAY):
        if order_of(card_at(state, place), cards) < 0:
            return np.int64(-1)
    first, second = order_of(card_at(state, 0), cards), order_of(card_at(state, 1), cards)
    return np.int64(DEAL_OF[first, second, order_of(card_at(state, 4), cards)])


@njit
def place_of_state(state, cards, most_students):
    """The place of a state in the table of these five cards; -1 if it is over, or has more students or other cards."""
    mine, theirs, masters = np.uint64(state.mine), np.uint64(state.theirs), np.uint64(state.masters)
    if count((mine | theirs) & ~masters) > most_students or is_lost(state):
        return np.int64(-1)
    deal = deal_of_state(state, cards)
    if deal < 0:
        return np.int64(-1)
    if state.player == BLUE:
        mine, theirs, masters = turned_mask(mine), turned_mask(theirs), turned_mask(masters)
    students = (mine | theirs) & ~masters
    first = first_place(students, students_number(mine & ~masters, theirs & ~masters))
    return place_among(first, deal, lowest(mine & masters), lowest(theirs & masters), students)


# ------------------------------------------------------------------------------------------ reading a table

CARDS_WORD, STUDENTS_WORD, VALUES_WORD, BEYOND_WORD, LONG_WORD, WORDS = range(6)
"""A table is known by the address of these words: the five cards, a byte each; the most students; the address of the
bytes; the address of the list of long endgames, and its length."""


def table_words(cards, most_students, values, beyond):
    """The words of a table, whose arrays must stay alive as long as they are used."""
    packed = sum(int(card) << 8 * order for order, card in enumerate(sorted(cards)))
    return np.array([packed, most_students, values.ctypes.data, beyond.ctypes.data, len(beyond)], np.uint64)


@njit
def long_plies(place, beyond, number):
    """The plies of an endgame whose byte is BEYOND, from the sorted list of this length."""
    low, high = np.int64(0), np.int64(number)
    while low < high:
        middle = (low + high) // 2
        if np.int64(word_at(beyond, middle)) >> PLIES_BITS < place:
            low = middle + 1
        else:
            high = middle
    return np.int64(word_at(beyond, low)) & ((1 << PLIES_BITS) - 1)


@njit
def look_up(state, table):
    """Plies to the end with best play, odd if the player to move wins; DRAWN; or -1 if it is not in the table.

    table: the address of its words, or 0 for a table that holds nothing.
    """
    if np.uint64(table) == ZERO:
        return np.int64(-1)
    place = place_of_state(state, word_at(table, CARDS_WORD), np.int64(word_at(table, STUDENTS_WORD)))
    if place < 0:
        return np.int64(-1)
    word = word_at(word_at(table, VALUES_WORD), place >> 3)
    value = np.int64(word >> np.uint64(8 * (place & 7)) & np.uint64(255))
    if value == BEYOND:
        return long_plies(place, word_at(table, BEYOND_WORD), word_at(table, LONG_WORD))
    return value


@known_score.of(Onitama)
def _(state, ply, tables):
    """The exact score, if a table has the position."""
    plies = look_up(state, tables)
    if plies < 0:
        return UNKNOWN
    if plies == DRAWN:
        return np.int64(0)
    score = np.int64(WIN - (ply + plies) * PLY)
    return score if plies & 1 else -score
