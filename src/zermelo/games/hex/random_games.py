"""Random games for Monte Carlo tree search, played to the end in one go: the board is filled, then the winner is read.

One player always wins on a full board, and stones that are added later change nothing, so nobody needs to look for a
winner before. The board is an array of colours with a margin of one cell, which has the colours of the edges. If the
opponent moves into a bridge, the other cell of the bridge is the answer; all other moves are random.
"""

import numpy as np

from zermelo.core import lowest, njit, without_lowest
from zermelo.core.chance import chosen_below, next_chance
from zermelo.core.scratch import scratch
from zermelo.games.hex.boards import BLACK, CELLS, MOST_SIZE, WHITE, WORD
from zermelo.games.hex.rules import NOBODY, STATES, SWAP, board_of
from zermelo.rules import random_game

WIDE = MOST_SIZE + 2  # a row with its margin
ROOM = WIDE * WIDE
AROUND = np.array([1, WIDE, WIDE - 1, -1, -WIDE, 1 - WIDE])  # the steps to the neighbours, clockwise
NORTH_EAST = 5


@njit
def place_of(cell, size):
    """A cell's place in the array of colours."""
    return (cell // size + 1) * WIDE + cell % size + 1


@njit
def cell_at(place, size):
    return (place // WIDE - 1) * size + place % WIDE - 1


@njit
def write_colours(state, size, colours, empty):
    """Write the colours of all cells and of the margin, and the places of the empty cells; return their number."""
    for i in range(size + 2):
        colours[i] = colours[(size + 1) * WIDE + i] = BLACK
    for row in range(1, size + 1):
        colours[row * WIDE] = colours[row * WIDE + size + 1] = WHITE
    black, white = board_of(state, BLACK), board_of(state, WHITE)
    number = 0
    for i in range(len(black)):
        rest = CELLS[size, i]
        while rest:
            stone = rest & ~without_lowest(rest)
            place = place_of(WORD * i + lowest(rest), size)
            if black[i] & stone:
                colours[place] = BLACK
            elif white[i] & stone:
                colours[place] = WHITE
            else:
                colours[place] = NOBODY
                empty[number] = place
                number += 1
            rest = without_lowest(rest)
    return number


@njit
def saving_place(colours, place, mine, chance):
    """The empty place that saves a bridge of mine after the opponent's stone at this place, or 0 if there is none.

    It has a stone or an edge of mine on either side. If there are several, chance chooses the first direction.
    """
    my_ring = empty_ring = 0
    for way in range(6):
        colour = colours[place + AROUND[way]]
        my_ring |= (colour == mine) << way
        empty_ring |= (colour == NOBODY) << way
    saving = empty_ring & (my_ring << 1 | my_ring >> 5) & (my_ring >> 1 | my_ring << 5)
    if saving == 0:
        return 0
    way = chosen_below(chance, 6)
    while not saving >> way & 1:
        way = (way + 1) % 6
    return place + AROUND[way]


@njit
def winner_of(colours, size):
    """Who has joined the edges on a full board: the border between the colours is followed from the top left corner.

    It runs between a white cell and the black one in direction `way` from it, first the edges themselves. The third
    cell that touches the border's end belongs to one side or the other, and moves that side on. If that cell is
    the bottom edge, black cells lead there from the top; if it is the right edge, white cells lead there from the left.
    """
    white, way = WIDE, NORTH_EAST
    while True:
        next_way = way + 1 if way < 5 else 0
        third = white + AROUND[next_way]
        if colours[third] == BLACK:
            way = next_way
            if third >= (size + 1) * WIDE:
                return BLACK
        else:
            white = third
            way = way - 1 if way > 0 else 5
            if third % WIDE == size + 1:
                return WHITE


@random_game.of(*STATES)
def _(state, last, chance, moves, movers, end):
    size, player = np.int64(state.size), np.int64(state.player)
    colours, empty = scratch(ROOM, np.int8), scratch(ROOM, np.int32)
    left = write_colours(state, size, colours, empty)
    before = place_of(last, size) if 0 <= last < SWAP else np.int64(0)
    while True:
        chance = next_chance(chance)
        place = saving_place(colours, before, player, chance) if before > 0 else np.int64(0)
        while place == 0 and left > 0:
            at = chosen_below(chance, left)
            left -= 1
            if colours[empty[at]] == NOBODY:  # it may have saved a bridge
                place = np.int64(empty[at])
            empty[at] = empty[left]
            if place == 0:
                chance = next_chance(chance)
        if place == 0:
            return end, winner_of(colours, size), chance
        colours[place] = player
        moves[end] = cell_at(place, size)
        movers[end] = player
        end += 1
        before, player = place, 1 - player
