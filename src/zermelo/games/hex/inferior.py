"""Cells that need not be tried, on boards of every size: dead, captured and vulnerable ones (see dead.py, proof.py).

The board is written as an array of colours (random_games.py), in which dead and captured cells are filled in; that does
not change who wins.
"""

import numpy as np

from zermelo.core import njit
from zermelo.core.scratch import scratch
from zermelo.games.hex.boards import BLACK, WHITE, with_cell
from zermelo.games.hex.dead import IS_DEAD, KILLERS
from zermelo.games.hex.random_games import AROUND, ROOM, cell_at, write_colours
from zermelo.games.hex.rules import NOBODY, board_of

FREE, DEAD, CAPTURED = 0, 1, 2
"""What a cell is: neither, dead, or captured by a player: CAPTURED + player."""
BLACK_KILLS, WHITE_KILLS = 1, 64


@njit
def killers_of(colours, place):
    """The entry of KILLERS for the ring around a place."""
    ring = 0
    for way in range(6):
        colour = colours[place + AROUND[way]]
        ring |= (colour == BLACK) << way | (colour == WHITE) << (6 + way)
    return KILLERS[ring]


@njit
def capture(colours, place, killers, kinds):
    """Fill in this place and a neighbour if one player can kill either by a stone on the other; were they captured?"""
    for way in range(6):
        other = place + AROUND[way]
        if (killers >> way | killers >> (6 + way)) & 1:
            both_ways = killers >> way & killers_of(colours, other) >> (way + 3) % 6
            if both_ways & (BLACK_KILLS | WHITE_KILLS):
                player = BLACK if both_ways & BLACK_KILLS else WHITE
                colours[place] = colours[other] = player
                kinds[place] = kinds[other] = CAPTURED + player
                return True
    return False


@njit
def fill_in(colours, empty, number, kinds):
    """Fill in dead and captured cells until nothing changes, and write what each empty place is."""
    for i in range(number):
        kinds[empty[i]] = FREE
    changed = True
    while changed:
        changed = False
        for i in range(number):
            place = empty[i]
            if colours[place] != NOBODY:
                continue
            killers = killers_of(colours, place)
            if killers & IS_DEAD:
                colours[place] = BLACK
                kinds[place] = DEAD
                changed = True
            elif killers:
                changed |= capture(colours, place, killers, kinds)


@njit
def is_vulnerable(colours, place, player):
    """Can the opponent kill a stone of the player here by one stone next to it?"""
    return killers_of(colours, place) >> (6 if player == BLACK else 0) & 63 != 0


@njit
def write_filled(state, colours, kinds):
    """Write the colours with dead and captured cells filled in, and what each empty cell is. Return both boards."""
    size = np.int64(state.size)
    empty = scratch(ROOM, np.int32)
    number = write_colours(state, size, colours, empty)
    fill_in(colours, empty, number, kinds)
    black, white = board_of(state, BLACK), board_of(state, WHITE)
    for i in range(number):
        cell = np.int64(cell_at(empty[i], size))
        if colours[empty[i]] == BLACK:
            black = with_cell(black, cell)
        elif colours[empty[i]] == WHITE:
            white = with_cell(white, cell)
    return black, white
