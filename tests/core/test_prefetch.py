"""Prefetching changes no result, and no memory."""

import numpy as np

from zermelo.core import njit
from zermelo.core.prefetch import prefetch


def test_prefetching_changes_nothing():
    def total(table):
        found = 0
        for i in range(len(table)):
            prefetch(table, (i + 3) % len(table))
            found += table[i]
        return found

    for run in (total, njit(total)):
        table = np.arange(100)
        assert run(table) == 4950
        assert (table == np.arange(100)).all()
