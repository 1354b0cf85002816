"""Onitama as a board: row 0 is the row that players call 5, at the top, and column 0 is a. Red plays up the board."""

from typing import ClassVar

import numpy as np
from numba.extending import overload

from zermelo.boards import MINE, Board, Layout, attribute, method, shift_in_one_word
from zermelo.core import ZERO, bit, njit
from zermelo.games.onitama import notation, rules
from zermelo.games.onitama.cards import CARDS
from zermelo.games.onitama.rules import SIZE, SQUARES, arch_of, card_at, reached

EVERYWHERE = np.uint64((1 << SQUARES) - 1)


def cells(grid):
    return (EVERYWHERE,)


@njit
def place(grid, row, column):
    return SIZE * (SIZE - 1 - row) + column


def value(state, row, column):
    """1 for a student and 2 for a master of the player to move, -1 and -2 for the other player's."""
    here = bit(place((), row, column))
    if state.mine & here != ZERO:
        return 2 if state.masters & here != ZERO else 1
    if state.theirs & here != ZERO:
        return -2 if state.masters & here != ZERO else -1
    return 0


@njit
def player_of(board, whose):
    """The number of the player to move, or of the other one."""
    mover = np.int64(board.state.player)
    return mover if whose == MINE else 1 - mover


class CardNumber(int):
    """The number of a card, which prints as the card's name. In compiled code it is a plain number."""

    def __repr__(self) -> str:
        return CARDS[self].name

    __str__ = __repr__


def numbered(number):
    return CardNumber(number)


@overload(numbered)
def _(number):
    return lambda number: np.int64(number)


class Onitama(Board):
    """An Onitama position, seen by the player to move. Row 0 is the row that players call 5, and column 0 is a.

    A student is 1, a master 2; those of the other player are -1 and -2. Besides what all boards have:

        board.masters                              the cells of both masters
        board.forward                              the step in rows that leads forward: -1 for red, 1 for blue
        board.arch(z.MINE), board.arch(z.THEIRS)   a player's own arch, as a set of one cell
        board.cards(z.MINE), board.cards(z.THEIRS) a player's two cards
        board.side_card                            the card at the side
        board.targets(z.MINE)                      the cells that a player's pieces can move to with these two cards
        board.reach(z.MINE, card)                  the same with one card, which need not be the player's

    A card is a number that prints as the card's name. To compare it with a card that you know, write
    `from zermelo.games.onitama.cards import NUMBER`, and `TIGER = NUMBER["tiger"]` at the top of the file.
    """

    layouts: ClassVar = {
        rules.Onitama: Layout(
            grid=lambda state: (),
            rows=lambda grid: SIZE,
            columns=lambda grid: SIZE,
            cells=cells,
            mine=lambda state: (np.uint64(state.mine),),
            theirs=lambda state: (np.uint64(state.theirs),),
            value=value,
            place=place,
            cell=lambda grid, place: (SIZE - 1 - place // SIZE, place % SIZE),
            shift=shift_in_one_word(cells, SIZE, SIZE, down=-SIZE, right=1, first=SIZE * (SIZE - 1)),
            named_place=lambda grid, x, y: SIZE * y + x,
            sets={"masters": lambda state: (np.uint64(state.masters),)},
        )
    }

    def move_text(self, code: int) -> str:
        return notation.move_text(code)

    @attribute
    def forward(board):
        """The step in rows that leads forward for the player to move: -1 for red, 1 for blue."""
        return 2 * np.int64(board.state.player) - 1

    @attribute
    def side_card(board):
        """The card at the side: a number that prints as the card's name."""
        return numbered(card_at(board.state, 4))

    @method
    def cards(board, whose):
        """A player's two cards: numbers that print as the cards' names."""
        first = 0 if whose == MINE else 2
        return numbered(card_at(board.state, first)), numbered(card_at(board.state, first + 1))

    @method
    def arch(board, whose):
        """A player's own arch, which the other player's master tries to reach."""
        return board.cells() & arch_of(player_of(board, whose))

    @method
    def reach(board, whose, card):
        """The cells that a player's pieces could move to with this card: all but those with pieces of the player."""
        men = board.mine if whose == MINE else board.theirs
        return (board.cells() & reached(player_of(board, whose), card, men.bits)) - men

    @method
    def targets(board, whose):
        """The cells that a player's pieces can move to with the player's two cards."""
        first, second = board.cards(whose)
        return board.reach(whose, first) | board.reach(whose, second)
