"""Hex, from 2x2 to 19x19. How cells become bits is drawn in boards.py.

Black (player 0) joins the top to the bottom, and White (player 1) the left to the right. A state has one to six words
for each set of cells; there is one class per number of words, and the rules are written once for all of them. To show
at once who has won, a state also holds the stones that are joined to the edge where their colour begins (Black's to
the top, White's to the left): a new stone changes this set only if it touches one of those stones, or that edge.
"""

from typing import NamedTuple

import numpy as np

from zermelo.core import ONE, ZERO, bit, generic, lowest, mix, njit, state, without_lowest
from zermelo.core.words import replaced
from zermelo.games.hex.boards import (
    BLACK,
    CELLS,
    GOAL,
    MOST_SIZE,
    MOST_WORDS,
    WHITE,
    WORD,
    both,
    common,
    flooded,
    grown,
    has_cell,
    part_of,
    touches,
    with_cell,
    without,
    words_for,
)
from zermelo.rules import is_over, key, legal_moves, move_hint, outcome, play, to_move

SWAP = MOST_SIZE * MOST_SIZE
"""The code of the move `swap`; every other move is its cell."""

HEAD = ("size", "player", "swap")
BOARDS = ("black", "white", "joined")
FIRST_WORD = len(HEAD)
NOBODY = 2
AROUND_X, AROUND_Y = (1, 0, -1, -1, 0, 1), (0, 1, 1, 0, -1, -1)  # the steps to the neighbours, clockwise
JOINED = 2  # its place in BOARDS; those of the stones are BLACK and WHITE

_DOC = """A position on boards of {words} words: up to {cells} cells.

    size     cells on a side            black0...   Black's stones
    player   0: Black moves, 1: White   white0...   White's stones
    swap     1 while White may still    joined0...  stones joined to the edge where their colour begins
             answer the first stone by taking it over
    All fields are uint64, so that compiled code can take the i-th one.
    """


def _state_class(words):
    fields = [*HEAD, *(f"{board}{i}" for board in BOARDS for i in range(words))]
    made = NamedTuple(f"Hex{words}", [(field, np.uint64) for field in fields])
    made.__module__ = __name__
    made.__doc__ = _DOC.format(words=words, cells=words * WORD)
    return state(made)


STATES = Hex1, Hex2, Hex3, Hex4, Hex5, Hex6 = tuple(_state_class(words) for words in range(1, MOST_WORDS + 1))
Hex = Hex1 | Hex2 | Hex3 | Hex4 | Hex5 | Hex6
"""Any of the state classes; heuristics take this type."""


@generic
def no_cells(state):
    """The empty set of cells, as a tuple of as many words as the state's boards have."""


def _define_no_cells(cls, words):
    empty = (ZERO,) * words

    @no_cells.of(cls)
    def _(state):
        return empty


for _words, _cls in enumerate(STATES, 1):
    _define_no_cells(_cls, _words)


@njit
def words_of(state):
    return len(no_cells(state))


@njit
def board_of(state, place):
    """One of the state's sets of cells: BLACK, WHITE or JOINED."""
    board = no_cells(state)
    first = FIRST_WORD + place * len(board)
    for i in range(len(board)):
        board = replaced(board, i, state[first + i])
    return board


@njit
def with_board(state, place, board):
    """The state with another set of cells at this place."""
    first = FIRST_WORD + place * len(board)
    for i in range(len(board)):
        state = replaced(state, first + i, board[i])
    return state


@njit
def stones_of(state):
    """The cells that are taken."""
    return both(board_of(state, BLACK), board_of(state, WHITE))


@njit
def has_joined(state, player):
    """Has this player joined its two edges?"""
    stones = common(board_of(state, player), board_of(state, JOINED))
    return touches(stones, part_of(GOAL[player], np.int64(state.size), stones))


@njit
def with_stone(state, player, cell):
    """The state with another stone of this player; whose turn it is stays as it was."""
    size = np.int64(state.size)
    stones = with_cell(board_of(state, player), cell)
    joined = board_of(state, JOINED)
    stone = with_cell(no_cells(state), cell)
    begins = cell < size if player == BLACK else cell % size == 0
    if begins or touches(grown(stone, stones, size), joined):
        fresh = flooded(stone, without(stones, joined), size)  # each stone is flooded only once in a game
        state = with_board(state, JOINED, both(joined, fresh))
    return with_board(state, player, stones)


@njit
def after_swap(state):
    """White takes over Black's only stone, mirrored on the long diagonal."""
    size = np.int64(state.size)
    black = board_of(state, BLACK)
    cell = 0
    while not has_cell(black, cell):
        cell += 1
    nothing = no_cells(state)
    cleared = with_board(with_board(state, BLACK, nothing), JOINED, nothing)
    return with_stone(cleared, WHITE, cell % size * size + cell // size)


@legal_moves.of(*STATES)
def _(state, out, start):
    if is_over(state):
        return start
    taken = stones_of(state)
    end = np.uint64(start)  # unsigned, so that no write has to check for negative indices
    for i in range(len(taken)):
        free = CELLS[np.int64(state.size), i] & ~taken[i]
        while free:
            out[end] = WORD * i + lowest(free)
            end += ONE
            free = without_lowest(free)
    start = np.int64(end)
    if state.swap == ONE and state.player == ONE:
        out[start] = SWAP
        start += 1
    return start


@play.of(*STATES)
def _(state, move):
    swap = state.swap & ~state.player
    after = after_swap(state) if move == SWAP else with_stone(state, np.int64(state.player), move)
    return replaced(replaced(after, 1, state.player ^ ONE), 2, swap)


@is_over.of(*STATES)
def _(state):
    return has_joined(state, 1 - np.int64(state.player))


@outcome.of(*STATES)
def _(state):
    return -1


@to_move.of(*STATES)
def _(state):
    return np.int64(state.player)


@njit
def colour_at(state, x, y):
    """The owner of the stone there: BLACK, WHITE or NOBODY; outside the board, the owner of that edge."""
    size = np.int64(state.size)
    if y < 0 or y >= size:
        return BLACK
    if x < 0 or x >= size:
        return WHITE
    word, cell = FIRST_WORD + (y * size + x) // WORD, bit((y * size + x) % WORD)
    if state[word] & cell:
        return BLACK
    return WHITE if state[word + words_of(state)] & cell else NOBODY


@move_hint.of(*STATES)
def _(state, move):
    """Saving a bridge comes first, then cutting one, then the middle of the board.

    An empty cell is surrounded by six others. If three of them in a row are mine, theirs, mine, the opponent has just
    moved into a bridge of mine, and this cell saves it (strong programs use this one pattern even in random games).
    """
    if move == SWAP:
        return 0
    size, mine = np.int64(state.size), np.int64(state.player)
    x, y = move % size, move // size
    before = colour_at(state, x + AROUND_X[4], y + AROUND_Y[4])
    here = colour_at(state, x + AROUND_X[5], y + AROUND_Y[5])
    saves, cuts = 0, 0
    for i in range(6):
        after = colour_at(state, x + AROUND_X[i], y + AROUND_Y[i])
        saves += before == mine and here == 1 - mine and after == mine
        cuts += before == 1 - mine and here == NOBODY and after == 1 - mine
        before, here = here, after
    off_centre = abs(2 * x - size + 1) + abs(2 * y - size + 1)
    return 1000 * saves + 100 * cuts - off_centre


_KEYS = np.array([mix(np.uint64(number + 1)) for number in range(2 * MOST_WORDS + 1)], np.uint64)


@key.of(*STATES)
def _(state):
    black, white = board_of(state, BLACK), board_of(state, WHITE)
    result = mix((state.player << ONE | state.swap) ^ _KEYS[2 * MOST_WORDS])
    for i in range(len(black)):
        result ^= mix(black[i] ^ _KEYS[2 * i]) ^ mix(white[i] ^ _KEYS[2 * i + 1])
    return result


def set_up(size: int, black: list[int], white: list[int], player: int, swap: bool):
    """The state with these stones, given by their cells, and this player to move."""
    made = STATES[words_for(size) - 1]
    made = made(size, player, swap, *[0] * (len(made._fields) - FIRST_WORD))
    for colour, cells in ((BLACK, black), (WHITE, white)):
        for cell in cells:
            made = with_stone(made, colour, cell)
    return made
