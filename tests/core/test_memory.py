"""Words by address: what compiled code writes, Python reads, and the other way round."""

import numpy as np

from zermelo.core import count, njit
from zermelo.core.memory import prefetch, word_at, write_word


@njit
def add_up(address, length, extra):
    """Adds extra to every word; counts bits, so that Numba's inliner runs, which once dropped such writes."""
    bits = 0
    for i in range(length):
        prefetch(address, i)
        write_word(address, i, word_at(address, i) + extra)
        bits += count(word_at(address, i))
    return bits


def test_words_are_read_and_written():
    words = np.arange(10, dtype=np.uint64)
    address = np.uint64(words.ctypes.data)
    assert add_up(address, 10, np.uint64(1)) == sum(i.bit_count() for i in range(1, 11))
    assert list(words) == list(range(1, 11))
    write_word(address, 3, np.uint64(2**64 - 1))
    assert words[3] == 2**64 - 1 == word_at(address, 3)
