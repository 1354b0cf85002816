"""What virtual connections prove about a position in the middle of a search, on boards of up to 13x13.

They are looked for after dead and captured cells have been filled in (inferior.py).
"""

import numpy as np

from zermelo.core import njit
from zermelo.core.scratch import scratch, scratch_record
from zermelo.games.hex.boards import BLACK, CELLS, MOST_SIZE, both, cell_count, has_cell, part_of, without, words_for
from zermelo.games.hex.connections import connect_across, fields, must_play
from zermelo.games.hex.distances import free_cells
from zermelo.games.hex.inferior import CAPTURED, FREE, is_vulnerable, write_filled
from zermelo.games.hex.random_games import ROOM as ROOM_OF_COLOURS
from zermelo.games.hex.random_games import place_of
from zermelo.games.hex.rules import STATES
from zermelo.rules import known_moves

MOST_WORDS = 3
ROOM, QUEUE = 8, 2048


@njit
def judge(state, moves, number, losing, work):
    """The answer to known_moves, found with the workspace of connections.py."""
    size, player = np.int64(state.size), np.int64(state.player)
    left = cell_count(free_cells(state))
    most_lost = left - left % 2  # the opponent's last move
    if state.swap and player == 1:
        for i in range(number):
            losing[i] = 0
        return 0
    colours, kinds = scratch(ROOM_OF_COLOURS, np.int8), scratch(ROOM_OF_COLOURS, np.int8)
    black, white = write_filled(state, colours, kinds)
    mine, theirs = (black, white) if player == BLACK else (white, black)
    found, _ = connect_across(work, mine, theirs, player, size)
    if found or work.across_number > 0:
        return left - 1 + left % 2
    found, _ = connect_across(work, theirs, mine, 1 - player, size)
    if found:
        return -most_lost
    is_threatened = work.across_number > 0
    region, _ = must_play(work, without(part_of(CELLS, size, mine), both(mine, theirs)))
    is_one_open = is_threatened  # without a threat, moves are left out only beside one that is tried
    for i in range(number):
        losing[i] = about(colours, kinds, player, region, is_threatened, np.int64(moves[i]), size) * most_lost
        is_one_open |= losing[i] == 0
    if not is_one_open:  # never seen so far, in 426,674 random positions with two to nine empty cells
        for i in range(number):
            losing[i] = 0
    return 0


@njit
def about(colours, kinds, player, region, is_threatened, cell, size):
    """What is known about a move: 1 if it loses, -1 if it need not be tried, 0 if it is open.

    A move to a cell that is dead, or captured by the mover, changes nothing; so it loses if the opponent would win by
    moving. If the opponent has captured the cell, the answer to the move makes it as if both had passed. And a
    vulnerable cell is no better than a pass (proof.py). So if such a move wins, another one wins, too.
    """
    place = place_of(cell, size)
    kind = kinds[place]
    if kind == CAPTURED + 1 - player:
        return -1
    if kind != FREE:
        return 1 if is_threatened else -1
    if not has_cell(region, cell):
        return 1
    return -1 if is_vulnerable(colours, place, player) else 0


def _define_known_moves(cls, words):
    largest = max(size for size in range(2, MOST_SIZE + 1) if words_for(size) == words)
    record = np.dtype(fields(words, largest * largest, ROOM, QUEUE), align=True)

    @known_moves.of(cls)
    def _(state, moves, number, losing):
        return judge(state, moves, number, losing, scratch_record(record))


for _words in range(1, MOST_WORDS + 1):
    _define_known_moves(STATES[_words - 1], _words)
