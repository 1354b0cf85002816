"""Every position of few pieces solved backwards from the end: one algorithm, and so one long module.

Many positions are solved at once: those that differ only in where the other player's master stands are the bits of one
word, and those that differ in my master as well are a block of 25 words. My moves do not move that master. So a move of
a student leads from all positions of a block to those of another block, and the words of two blocks are combined at
once; a move of my master leads from one word to another.

    undecided[block]   positions with the player to move not yet known to win or lose. A row for each square of my
                       master, a bit for each square of theirs
    won[block]         positions after my move, as I see them: those in which the other player, who is to move, wins.
                       Bits that are no positions are set, so that they count for nothing where all moves must lose
    lost[block]        the same for those in which that player loses

A block is students * 30 + deal; endgame_index.py has the numbers. After an odd number of plies, an undecided position
is won if one of its moves leads to a lost one; after an even number it is lost if all of its moves lead to won ones.
Only blocks are looked at which can reach a block that changed one ply earlier (`fresh`).
"""

from typing import Any, NamedTuple

import numpy as np

from zermelo.core import ZERO, bit, count, lowest, njit, without_lowest
from zermelo.games.onitama.endgame_index import (
    BEYOND,
    CARDS_IN_PLAY,
    DEALINGS,
    DEALS,
    DRAWN,
    FIRST_PLACE,
    FIRST_STUDENTS,
    NOT_A_POSITION,
    NUMBERED,
    PLIES_BITS,
    WAYS,
    first_place,
    place_among,
    students_number,
    turned_mask,
)
from zermelo.games.onitama.rules import ARCH, BLUE, RED, SQUARES, TARGETS, arch_of

EVERYWHERE = (1 << SQUARES) - 1
MOST_STEPS = 64
"""More than the moves that all students of a player have with one card."""
CHUNK = 4096
"""The number of sets of students between two reports of progress, or looks at Ctrl-C."""


def _deal_number(mine, side):
    return next(n for n, (held, _, beside) in enumerate(DEALS) if set(held) == set(mine) and beside == side)


MY_CARDS = np.array([mine for mine, _, _ in DEALS], np.int64)
AFTER = np.array([[_deal_number(theirs, card) for card in mine] for mine, theirs, _ in DEALS], np.int64)
"""Deal, 0 or 1 -> the deal after the player to move has used the first or second card, seen by the other player."""


class Work(NamedTuple):
    """What is known so far. The first three have a row for each block; see above."""

    undecided: Any
    won: Any
    lost: Any
    live: Any  # students -> the deals with undecided positions, as a mask
    fresh: Any  # students -> the deals of which won or lost changed one ply ago
    changed: Any  # the same for this ply
    mine: Any  # number of students -> my squares, as a mask
    theirs: Any
    cards: Any  # the numbers of the five cards
    values: Any  # the table
    beyond: Any  # places and plies of endgames that are longer than a byte can say, as many as there is room for
    counters: Any  # POSITIONS, SETTLED, LONG


POSITIONS, SETTLED, LONG = range(3)


class Steps(NamedTuple):
    """Where the students of one set can go, for each of the five cards."""

    number: Any  # card -> the number of moves
    after: Any  # card, move -> the number of the students after it
    reach: Any  # card -> all squares that they reach
    captures: Any  # square -> the number of the students after my master has captured one there
    row: Any  # the candidates of a block


def new_steps() -> Steps:
    number, after = np.zeros(CARDS_IN_PLAY, np.int64), np.zeros((CARDS_IN_PLAY, MOST_STEPS), np.int64)
    reach, row = np.zeros(CARDS_IN_PLAY, np.uint64), np.zeros(SQUARES, np.uint32)
    return Steps(number, after, reach, np.zeros(SQUARES, np.int64), row)


# ------------------------------------------------------------------------------------------ the beginning


@njit
def next_set(squares):
    """The next set of as many squares, in the order of set_number."""
    low = bit(lowest(squares))
    up = squares + low
    return up | ((squares ^ up) >> np.uint64(2)) // low


@njit
def spread(squares, others):
    """A set of squares that were numbered without the others."""
    result, free = ZERO, ~others
    square = 0
    while squares:
        at = lowest(free)
        if squares & bit(square):
            result |= bit(at)
            squares &= ~bit(square)
        free = without_lowest(free)
        square += 1
    return result


@njit
def list_students(most_students, mine, theirs):
    """Write the masks of all students, in the order of their numbers."""
    for students in range(most_students + 1):
        for mine_of_them in range(students + 1):
            number = FIRST_STUDENTS[mine_of_them, students - mine_of_them]
            their_set = bit(students - mine_of_them) - bit(0)
            for _ in range(WAYS[SQUARES, students - mine_of_them]):
                my_set = bit(mine_of_them) - bit(0)
                for _ in range(WAYS[SQUARES - students + mine_of_them, mine_of_them]):
                    mine[number], theirs[number] = spread(my_set, their_set), their_set
                    number += 1
                    if my_set:
                        my_set = next_set(my_set)
                if their_set:
                    their_set = next_set(their_set)


@njit
def positions_of(my_master, students):
    """The squares where their master may stand; none if mine may not stand where it does."""
    if my_master == ARCH[BLUE] or students & bit(my_master):
        return ZERO
    return np.uint64(EVERYWHERE) & ~(students | bit(my_master) | arch_of(RED))


@njit
def begin(start, end, plies, work, steps):
    """Nothing is decided yet."""
    for number in range(start, end):
        students = work.mine[number] | work.theirs[number]
        work.live[number] = (1 << DEALINGS) - 1
        for my_master in range(SQUARES):
            squares = positions_of(my_master, students)
            work.counters[POSITIONS] += DEALINGS * count(squares)
            for deal in range(DEALINGS):
                block = number * DEALINGS + deal
                work.undecided[block, my_master] = squares
                work.won[block, my_master] = np.uint64(EVERYWHERE) & ~squares
                work.lost[block, my_master] = 0


@njit
def win_at_once(start, end, plies, work, steps):
    """Find all wins in one ply with students from start to end."""
    for number in range(start, end):
        mine = work.mine[number]
        for deal in range(DEALINGS):
            first, second = work.cards[MY_CARDS[deal, 0]], work.cards[MY_CARDS[deal, 1]]
            reach, men = ZERO, mine
            while men:
                man = lowest(men)
                men = without_lowest(men)
                reach |= np.uint64(TARGETS[RED, first, man] | TARGETS[RED, second, man])
            for my_master in range(SQUARES):
                by_master = np.uint64(TARGETS[RED, first, my_master] | TARGETS[RED, second, my_master])
                wins = np.uint64(EVERYWHERE) if by_master & ~mine & arch_of(BLUE) else reach | by_master
                steps.row[my_master] = work.undecided[number * DEALINGS + deal, my_master] & wins
            settle(number, deal, plies, work, steps)


# ------------------------------------------------------------------------------------------ a ply


@njit
def settle(number, deal, plies, work, steps):
    """The positions in steps.row are won (if plies is odd) or lost in this many plies."""
    found = 0
    for my_master in range(SQUARES):
        found += count(steps.row[my_master])
    if found == 0:
        return
    block = number * DEALINGS + deal
    mine, theirs = work.mine[number], work.theirs[number]
    students = mine | theirs
    first = first_place(students, number)
    turned = students_number(turned_mask(theirs), turned_mask(mine))
    others = work.won if plies & 1 else work.lost
    left = ZERO
    for my_master in range(SQUARES):
        squares = np.uint64(steps.row[my_master])
        work.undecided[block, my_master] ^= steps.row[my_master]
        left |= np.uint64(work.undecided[block, my_master])
        while squares:
            their_master = lowest(squares)
            squares = without_lowest(squares)
            place = place_among(first, deal, my_master, their_master, students)
            work.values[place] = min(plies, BEYOND)
            if plies >= BEYOND:
                if work.counters[LONG] < len(work.beyond):
                    work.beyond[work.counters[LONG]] = place << PLIES_BITS | plies
                work.counters[LONG] += 1
            others[turned * DEALINGS + deal, SQUARES - 1 - their_master] |= np.uint32(bit(SQUARES - 1 - my_master))
    if left == ZERO:
        work.live[number] &= ~np.uint32(bit(deal))
    work.changed[turned] |= np.uint32(bit(deal))
    work.counters[SETTLED] += found


@njit
def list_steps(number, work, steps):
    """Write where the students of this number, and captures by their master, lead."""
    mine, theirs = work.mine[number], work.theirs[number]
    for order in range(CARDS_IN_PLAY):
        steps.number[order], steps.reach[order] = 0, ZERO
        men = mine
        while men:
            man = lowest(men)
            men = without_lowest(men)
            squares = np.uint64(TARGETS[RED, work.cards[order], man]) & ~mine
            steps.reach[order] |= squares
            while squares:
                target = bit(lowest(squares))
                squares = without_lowest(squares)
                after = students_number(mine ^ bit(man) ^ target, theirs & ~target)
                steps.after[order, steps.number[order]] = after
                steps.number[order] += 1
    for square in range(SQUARES):
        steps.captures[square] = students_number(mine, theirs & ~bit(square)) if theirs & bit(square) else number


@njit
def fresh_deals(number, work, steps):
    """The deals of which a position with these students can reach one that changed one ply ago, as a mask."""
    by_master = work.fresh[number]
    theirs = work.theirs[number]
    while theirs:
        by_master |= work.fresh[steps.captures[lowest(theirs)]]
        theirs = without_lowest(theirs)
    deals = np.uint32(0)
    for order in range(CARDS_IN_PLAY):
        reached = by_master
        for step in range(steps.number[order]):
            reached |= work.fresh[steps.after[order, step]]
        for deal in range(DEALINGS):
            for used in range(2):
                if MY_CARDS[deal, used] == order and np.uint64(reached) & bit(AFTER[deal, used]):
                    deals |= np.uint32(bit(deal))
    return deals


@njit
def is_blocked(deal, my_master, mine, work, steps):
    """Can none of my pieces move, so that only cards are exchanged?"""
    first, second = MY_CARDS[deal, 0], MY_CARDS[deal, 1]
    if (steps.reach[first] | steps.reach[second]) & ~bit(my_master):
        return False
    by_master = TARGETS[RED, work.cards[first], my_master] | TARGETS[RED, work.cards[second], my_master]
    return np.uint64(by_master) & ~mine == ZERO


@njit
def find_wins(number, deal, work, steps):
    """Write to steps.row which undecided positions of a block have a move to a lost position."""
    mine = work.mine[number]
    row, undecided = steps.row, work.undecided[number * DEALINGS + deal]
    row[:] = 0
    for used in range(2):
        order, after = MY_CARDS[deal, used], AFTER[deal, used]
        for step in range(steps.number[order]):
            students = steps.after[order, step]
            if np.uint64(work.fresh[students]) & bit(after):
                lost = work.lost[students * DEALINGS + after]
                for my_master in range(SQUARES):
                    row[my_master] |= lost[my_master]
    for my_master in range(SQUARES):
        if undecided[my_master] == 0:
            row[my_master] = 0
            continue
        blocked = is_blocked(deal, my_master, mine, work, steps)
        for used in range(2):
            order, after = MY_CARDS[deal, used], AFTER[deal, used]
            squares = np.uint64(TARGETS[RED, work.cards[order], my_master]) & ~mine
            while squares:
                target = lowest(squares)
                squares = without_lowest(squares)
                row[my_master] |= work.lost[steps.captures[target] * DEALINGS + after, target]
            if blocked:
                row[my_master] |= work.lost[number * DEALINGS + after, my_master]
        row[my_master] &= undecided[my_master]


@njit
def find_losses(number, deal, work, steps):
    """Write to steps.row the undecided positions of a block of which all moves lead to won positions."""
    mine = work.mine[number]
    row, undecided = steps.row, work.undecided[number * DEALINGS + deal]
    row[:] = undecided
    for used in range(2):
        order, after = MY_CARDS[deal, used], AFTER[deal, used]
        for step in range(steps.number[order]):
            won = work.won[steps.after[order, step] * DEALINGS + after]
            left = np.uint32(0)
            for my_master in range(SQUARES):
                row[my_master] &= won[my_master]
                left |= row[my_master]
            if left == 0:
                return
    for my_master in range(SQUARES):
        if row[my_master] == 0:
            continue
        blocked = is_blocked(deal, my_master, mine, work, steps)
        for used in range(2):
            order, after = MY_CARDS[deal, used], AFTER[deal, used]
            squares = np.uint64(TARGETS[RED, work.cards[order], my_master]) & ~mine
            while squares:
                target = lowest(squares)
                squares = without_lowest(squares)
                row[my_master] &= work.won[steps.captures[target] * DEALINGS + after, target]
            if blocked:
                row[my_master] &= work.won[number * DEALINGS + after, my_master]


@njit
def go_back(start, end, plies, work, steps):
    """Find what is won (if plies is odd) or lost in this many plies, with students from start to end."""
    for number in range(start, end):
        if work.live[number] == 0:
            continue
        list_steps(number, work, steps)
        deals = np.uint64(work.live[number] & fresh_deals(number, work, steps))
        while deals:
            deal = lowest(deals)
            deals = without_lowest(deals)
            if plies & 1:
                find_wins(number, deal, work, steps)
            else:
                find_losses(number, deal, work, steps)
            settle(number, deal, plies, work, steps)


@njit
def end_with_draws(start, end, plies, work, steps):
    """What is still undecided is drawn."""
    for number in range(start, end):
        students = work.mine[number] | work.theirs[number]
        first = first_place(students, number)
        for deal in range(DEALINGS):
            for my_master in range(SQUARES):
                squares = np.uint64(work.undecided[number * DEALINGS + deal, my_master])
                while squares:
                    work.values[place_among(first, deal, my_master, lowest(squares), students)] = DRAWN
                    squares = without_lowest(squares)


# ------------------------------------------------------------------------------------------ all plies


def places_of(most_students) -> int:
    """The number of bytes of a table: its places, and a few more that make up whole words."""
    return (int(FIRST_PLACE[most_students + 1]) + 7) // 8 * 8


def new_work(cards, most_students) -> Work:
    sets = int(NUMBERED[most_students + 1])
    blocks = sets * DEALINGS
    mine, theirs = np.empty(sets, np.uint64), np.empty(sets, np.uint64)
    list_students(most_students, mine, theirs)
    undecided, won, lost = (np.empty((blocks, SQUARES), np.uint32) for _ in range(3))
    live, fresh, changed = (np.zeros(sets, np.uint32) for _ in range(3))
    values = np.full(places_of(most_students), NOT_A_POSITION, np.uint8)
    numbers, beyond, counters = np.array(sorted(cards), np.int64), np.empty(0, np.int64), np.zeros(3, np.int64)
    return Work(undecided, won, lost, live, fresh, changed, mine, theirs, numbers, values, beyond, counters)


def build(cards, most_students, progress=None):
    """The table of five card numbers for up to so many students: its bytes, and its list of long endgames.

    progress(done, total) is told how many positions are settled.
    """
    work, steps = new_work(cards, most_students), new_steps()
    counters = work.counters

    def all_students(kernel: Any, plies: int = 0) -> None:
        for start in range(0, len(work.mine), CHUNK):
            kernel(start, min(start + CHUNK, len(work.mine)), plies, work, steps)
            if progress is not None and plies:
                progress(int(counters[SETTLED]), int(counters[POSITIONS]))

    all_students(begin)
    plies, before = 1, 0
    all_students(win_at_once, plies)
    while counters[SETTLED] > before:
        before, plies = int(counters[SETTLED]), plies + 1
        work = work._replace(fresh=work.changed, changed=work.fresh)
        work.changed[:] = 0
        if plies == BEYOND:
            work = work._replace(beyond=np.empty(int(counters[POSITIONS] - before), np.int64))
        assert plies < 1 << PLIES_BITS
        all_students(go_back, plies)
    all_students(end_with_draws)
    if progress is not None:
        progress(int(counters[POSITIONS]), int(counters[POSITIONS]))
    return work.values, np.sort(work.beyond[: counters[LONG]])
