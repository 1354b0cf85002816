"""Random numbers in compiled code: xorshift64 (Marsaglia 2003). The state of the generator is a number other than 0."""

import numpy as np
from numba import int64

from zermelo.core.compiling import njit


@njit
def next_chance(chance):
    """Return the generator's next state."""
    chance ^= chance << np.uint64(13)
    chance ^= chance >> np.uint64(7)
    chance ^= chance << np.uint64(17)
    return chance


@njit
def chosen_below(chance, number):
    """Return the integer from 0 to number - 1 that this state of the generator stands for: its upper half, scaled."""
    return int64((chance >> np.uint64(32)) * np.uint64(number) >> np.uint64(32))
