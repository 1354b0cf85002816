"""The numbers that the patterns of Reversi read from a board, compared with a plain count."""

import numpy as np
import pytest

from conftest import dose
from zermelo.evaluation.tables import MOST_ENTRIES, table_entries
from zermelo.games import find_game
from zermelo.games.reversi.patterns import FIRSTS, NUMBER, PATTERNS, PHASES, SIZE, TUPLES, images, phase_of, squares
from zermelo.position import random_playout

GAME = find_game("reversi")


def test_the_patterns_are_those_of_the_field():
    """Four edges, four corners of 3x3, eight of 2x5, three kinds of rows and columns, diagonals of 4 to 8 squares."""
    assert [len(images(cells)) for cells in PATTERNS] == [4, 4, 8, 4, 4, 4, 2, 4, 4, 4, 4]
    assert squares("a1 h8 b1") == (0, 63, 1)


@pytest.mark.parametrize("seed", range(dose(60, 3)))
def test_every_number_is_read_cell_by_cell(seed):
    position = random_playout(GAME.start(), seed, seed)
    state = position.state
    entries = np.zeros(MOST_ENTRIES, np.int32)
    assert table_entries(state, entries) == NUMBER + 3
    phase = max(min((int(state.mine | state.theirs).bit_count() - 4) // 4, PHASES - 1), 0)
    for cells, first, entry in zip(TUPLES.tuples, FIRSTS, entries, strict=False):
        number = 0
        for place, cell in enumerate(cells):
            number += 3**place * (int(state.mine) >> cell & 1) + 2 * 3**place * (int(state.theirs) >> cell & 1)
        assert entry == phase * SIZE + first + number


def test_there_are_fifteen_phases_of_four_moves():
    assert [int(phase_of(discs)) for discs in (4, 7, 8, 30, 59, 60, 63, 64)] == [0, 0, 1, 6, 13, 14, 14, 14]
