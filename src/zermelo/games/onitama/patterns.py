"""What a learned table looks at: windows of 2x3 squares, every square with who attacks it, masters, moves and cards.

The cards count by themselves, as the pair in a hand, and for the square of each master: which cards it must fear, and
which it may use, depends on where it stands.

The board is seen from the side of the player to move. Left and right are equally good, so mirror images share their
entries (the cards make them differ, but no card does so more often than its mirror image).
"""

import numpy as np

from zermelo.core import ONE, ZERO, count, lowest, njit, without_lowest
from zermelo.core.lanes import lanes, lanes_at, set_lanes
from zermelo.core.scratch import scratch
from zermelo.evaluation.tables import CellTuples, table_entries, table_size
from zermelo.games.onitama.cards import CARDS
from zermelo.games.onitama.rules import RED, SIZE, SQUARES, TARGETS, Onitama, card_at

CONTENTS = 5  # of a square. 0: empty, 1: my student, 2: my master, 3: their student, 4: their master


def mirror(square: int) -> int:
    return square // SIZE * SIZE + SIZE - 1 - square % SIZE


def windows(columns: int, rows: int) -> list[list[tuple[int, ...]]]:
    """All windows of this size, each with its mirror image."""
    groups: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
    for row in range(SIZE - rows + 1):
        for column in range(SIZE - columns + 1):
            cells = tuple((row + y) * SIZE + column + x for y in range(rows) for x in range(columns))
            image = tuple(mirror(cell) for cell in cells)
            if tuple(sorted(image)) not in groups:
                groups[cells] = [cells] if set(image) == set(cells) else [cells, image]
    return list(groups.values())


GROUPS = [*windows(3, 2), *windows(2, 3)]
TURNED = [[tuple(SQUARES - 1 - cell for cell in cells) for cells in group] for group in GROUPS]
TUPLES = CellTuples(GROUPS, CONTENTS), CellTuples(TURNED, CONTENTS)  # as red and as blue sees the board
FIRSTS, RED_STEPS, BLUE_STEPS = TUPLES[0].firsts, TUPLES[0].packed(8), TUPLES[1].packed(8)
BYTES = 4  # of a board
WINDOWS = TUPLES[0].size

STRIKES = 3  # nobody, one, more
THREE = np.uint64(3)
HALF = np.array([min(square, mirror(square)) for square in range(SQUARES)])
SQUARE_ENTRIES = SQUARES * CONTENTS * STRIKES * STRIKES
MASTER_ENTRIES = SQUARES * SQUARES
MOST_MOVES = 23
MOVE_ENTRIES = (MOST_MOVES + 1) ** 2
HOLDERS = 3  # a card is mine, theirs, or at the side
NUMBER_OF_CARDS = len(CARDS)
"""For compiled code: for a length alone, it would take over all texts in CARDS, which took a second."""
CARD_ENTRIES = HOLDERS * NUMBER_OF_CARDS
PAIR_ENTRIES = 2 * NUMBER_OF_CARDS**2
MASTER_CARD_ENTRIES = 2 * SQUARES * CARD_ENTRIES
MOST_STUDENTS = 4
NUMBER_ENTRIES = (MOST_STUDENTS + 1) ** 2

SQUARES_FROM = WINDOWS
MASTERS_FROM = SQUARES_FROM + SQUARE_ENTRIES
SQUARE_FROM = SQUARES_FROM + CONTENTS * STRIKES * STRIKES * np.array([HALF, HALF[::-1]])
"""Player, square -> the first entry of this square, as the player sees it."""
MOVES_FROM = MASTERS_FROM + MASTER_ENTRIES
CARDS_FROM = MOVES_FROM + MOVE_ENTRIES
PAIRS_FROM = CARDS_FROM + CARD_ENTRIES
MASTER_CARDS_FROM = PAIRS_FROM + PAIR_ENTRIES
NUMBERS_FROM = MASTER_CARDS_FROM + MASTER_CARD_ENTRIES
TOTAL = NUMBERS_FROM + NUMBER_ENTRIES


@njit
def strikes(player, own, first, second):
    """The squares that a player with these pieces and cards reaches, those reached twice, and the number of moves."""
    once, twice, moves = ZERO, ZERO, 0
    men = np.uint64(own)
    while men:
        man = lowest(men)
        men = without_lowest(men)
        for card in (first, second):
            squares = np.uint64(TARGETS[player, card, man])
            moves += count(squares & ~np.uint64(own))
            twice |= once & squares
            once |= squares
    return once, twice, moves


@njit
def seen(player, square):
    """A square as this player sees it."""
    return square if player == RED else SQUARES - 1 - square


@njit
def write_windows(state, out):
    """Write the contents of all windows. A content is a number of three bits, so three boards are added."""
    steps = RED_STEPS if state.player == RED else BLUE_STEPS
    mine, theirs, masters = np.uint64(state.mine), np.uint64(state.theirs), np.uint64(state.masters)
    students = (mine | theirs) & ~masters
    boards = students, mine & masters | theirs & students, theirs & masters
    a, b = lanes(0, 0, 0, 0), lanes(0, 0, 0, 0)
    for i in range(2, -1, -1):
        a, b = a + a, b + b
        for byte in range(BYTES):
            row = 2 * (256 * byte + np.int64(boards[i] >> np.uint64(8 * byte) & np.uint64(0xFF)))
            a, b = a + lanes_at(steps, row), b + lanes_at(steps, row + 1)
    numbers = scratch(32, np.uint16)
    set_lanes(numbers, 0, a)
    set_lanes(numbers, 1, b)
    for i in range(len(FIRSTS)):
        out[i] = np.int32(numbers[i]) + FIRSTS[i]
    return len(FIRSTS)


@njit
def write_squares(state, mine, theirs, out, number):
    """Write every square that holds a piece or is attacked: its contents, and who attacks it."""
    my_men, their_men, masters = np.uint64(state.mine), np.uint64(state.theirs), np.uint64(state.masters)
    squares = my_men | their_men | mine[0] | theirs[0]
    while squares:
        at = np.uint64(lowest(squares))
        squares = without_lowest(squares)
        # Without branches, which would seldom be predicted (with write_windows, 3.7 instead of 3.2 M nodes/s).
        content = (my_men >> at & ONE) + THREE * (their_men >> at & ONE) + (masters >> at & ONE)
        by_me, by_them = (
            (mine[0] >> at & ONE) + (mine[1] >> at & ONE),
            (theirs[0] >> at & ONE) + (theirs[1] >> at & ONE),
        )
        out[number] = SQUARE_FROM[state.player, at] + np.int64((content * THREE + by_me) * THREE + by_them)
        number += 1
    return number


@njit
def write_cards(state, my_master, their_master, out, number):
    """Write each card with its holder, alone and with the square of each master (as I see it), and both hands."""
    for place in range(5):
        card = place // 2 * NUMBER_OF_CARDS + np.int64(card_at(state, place))
        out[number] = CARDS_FROM + card
        out[number + 1] = MASTER_CARDS_FROM + my_master * CARD_ENTRIES + card
        out[number + 2] = MASTER_CARDS_FROM + (SQUARES + their_master) * CARD_ENTRIES + card
        number += 3
    for hand in range(2):
        first, second = np.int64(card_at(state, 2 * hand)), np.int64(card_at(state, 2 * hand + 1))
        out[number] = PAIRS_FROM + (hand * NUMBER_OF_CARDS + first) * NUMBER_OF_CARDS + second
        number += 1
    return number


@table_entries.of(Onitama)
def _(state, out):
    mine, theirs, masters = np.uint64(state.mine), np.uint64(state.theirs), np.uint64(state.masters)
    number = write_windows(state, out)
    my_scope = strikes(state.player, state.mine, card_at(state, 0), card_at(state, 1))
    their_scope = strikes(1 - state.player, state.theirs, card_at(state, 2), card_at(state, 3))
    number = write_squares(state, my_scope, their_scope, out, number)
    if mine & masters and theirs & masters:
        my_master = seen(state.player, lowest(mine & masters))
        their_master = seen(state.player, lowest(theirs & masters))
        out[number] = MASTERS_FROM + my_master * SQUARES + their_master
        number = write_cards(state, my_master, their_master, out, number + 1)
    out[number] = MOVES_FROM + min(my_scope[2], MOST_MOVES) * (MOST_MOVES + 1) + min(their_scope[2], MOST_MOVES)
    my_students, their_students = count(mine & ~masters), count(theirs & ~masters)
    out[number + 1] = (
        NUMBERS_FROM + min(my_students, MOST_STUDENTS) * (MOST_STUDENTS + 1) + min(their_students, MOST_STUDENTS)
    )
    return number + 2


@table_size.of(Onitama)
def _(state):
    return TOTAL
