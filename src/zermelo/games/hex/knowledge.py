"""What virtual connections prove about a position in the middle of a search, on boards of up to 13x13."""

import numpy as np

from zermelo.core import njit
from zermelo.core.scratch import scratch_record
from zermelo.games.hex.boards import MOST_SIZE, cell_count, has_cell, words_for
from zermelo.games.hex.connections import connect_across, fields, must_play
from zermelo.games.hex.distances import free_cells
from zermelo.games.hex.rules import STATES, board_of
from zermelo.rules import known_moves

MOST_WORDS = 3
ROOM, QUEUE = 8, 2048


@njit
def judge(state, moves, number, losing, work):
    """The answer to known_moves, found with the workspace of connections.py."""
    size, player = np.int64(state.size), np.int64(state.player)
    mine, theirs = board_of(state, player), board_of(state, 1 - player)
    free = free_cells(state)
    left = cell_count(free)
    most_lost = left - left % 2  # the opponent's last move
    if state.swap and player == 1:
        region = free
    else:
        found, _ = connect_across(work, mine, theirs, player, size)
        if found or work.across_number > 0:
            return left - 1 + left % 2
        found, _ = connect_across(work, theirs, mine, 1 - player, size)
        if found:
            return -most_lost
        region, _ = must_play(work, free)
    for i in range(number):
        losing[i] = 0 if moves[i] >= size * size or has_cell(region, moves[i]) else most_lost
    return 0


def _define_known_moves(cls, words):
    largest = max(size for size in range(2, MOST_SIZE + 1) if words_for(size) == words)
    record = np.dtype(fields(words, largest * largest, ROOM, QUEUE), align=True)

    @known_moves.of(cls)
    def _(state, moves, number, losing):
        return judge(state, moves, number, losing, scratch_record(record))


for _words in range(1, MOST_WORDS + 1):
    _define_known_moves(STATES[_words - 1], _words)
