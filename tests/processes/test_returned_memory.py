"""Memory that a long-running process has freed is returned to the system."""

import sys
from pathlib import Path

import pytest

from zermelo.processes.memory import return_memory

PIECE, NUMBER, LIVES_ON = 2000, 20_000, 100


def megabytes():
    """The memory that this process occupies."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc is Linux's")
def test_the_pages_between_pieces_that_live_on_are_returned():
    if not return_memory():
        pytest.skip("this C library returns memory by itself")
    pieces = [bytes(PIECE) for _ in range(NUMBER)]
    kept = pieces[::LIVES_ON]
    del pieces
    before = megabytes()
    assert return_memory()
    assert before - megabytes() > 0.6 * PIECE * NUMBER / 1e6
    assert len(kept) == NUMBER // LIVES_ON
