"""The table of the Connect 4 solver: lower and upper bounds on scores, shared by a position and its mirror image.

An entry is one 64-bit word, 0 if empty:

    63 ....................... 18 17 ... 12 11 ... 6 5 .... 0
    the hash, less its top bits      work     upper    lower

The hash is the position's key times an odd number: nothing is lost, so two positions are never confused. Its top bits
choose the bucket of two entries, and need not be in the entry. The number of these bits grows with the search, since
a small table stays in the processor's cache and is quickly cleared. (With 2^22 buckets from the start, easy positions
took three times as long, and a search of 200 000 positions twice as long.)
"""

import numpy as np
from numba import int64

from zermelo.core import ONE, ZERO, as_python, highest, njit
from zermelo.core.memory import prefetch, word_at, write_word

SLOTS = 2
DATA_BITS = np.uint64(18)
DATA = (ONE << DATA_BITS) - ONE
SIX_BITS = np.uint64(63)
UPPER, WORK = np.uint64(6), np.uint64(12)
OFFSET = 32  # added to a bound, which is then between 1 and 63
ODD_NUMBER = 0x9E3779B97F4A7C15  # 2^64 divided by the golden ratio: neighbouring keys fall far apart
NEVER = 1 << 62

LEAST_BITS = 10
"""The table begins with this many bits. Boards of eight columns need 18, or the hash does not fit into the entry."""

FULL = 8
"""The table grows when the search has seen this many times as many positions as it has room for. (Entries that took
the least work are replaced first: with room for a sixteenth of the positions, a search needs only a quarter more.)"""

FIELDS = [
    ("table", np.uint64),  # the address of the words
    ("length", np.int64),  # how many there are
    ("bits", np.int64),  # how many bits of the hash choose the bucket, and so how much of the table is in use
    ("bucket_shift", np.uint64),  # 64 minus bits
    ("check_shift", np.uint64),  # how many top bits of the hash are not in the entry
    ("mirror_shift", np.uint64),
    ("multiplier", np.uint64),
    ("limit", np.int64),  # the search stops when it has looked at more positions than this
    ("grow_at", np.int64),  # the number of positions searched at which the table grows, or the limit is passed
]


def prepare(work, table, columns):
    """Fill in the fields for a table and a number of columns."""
    work.table = table.ctypes.data
    work.length = len(table)
    work.check_shift = max(0, 8 * columns - (64 - int(DATA_BITS)))
    work.mirror_shift = 64 - 8 * columns
    work.multiplier = (ODD_NUMBER << 64 - 8 * columns) % (1 << 64)
    work.limit = NEVER
    as_python(use_bits)(LEAST_BITS, work)


@njit(forceinline=True)
def mirrored(board, shift):
    """The board seen from behind. Columns are bytes: their order is reversed, and the shift moves them back."""
    bytes_, pairs = np.uint64(0x00FF00FF00FF00FF), np.uint64(0x0000FFFF0000FFFF)
    board = ((board >> np.uint64(8)) & bytes_) | ((board & bytes_) << np.uint64(8))
    board = ((board >> np.uint64(16)) & pairs) | ((board & pairs) << np.uint64(16))
    return ((board >> np.uint64(32)) | (board << np.uint64(32))) >> shift


@njit(forceinline=True)
def hash_of(mine, theirs, work):
    """A hash of 64 bits: different for different positions, but the same for a position and its mirror image."""
    key = mine + (mine | theirs) + work.bottom
    return min(key, mirrored(key, work.mirror_shift)) * work.multiplier


@njit(forceinline=True)
def call_for(hashed, work):
    """Start to fetch the position's bucket from memory."""
    prefetch(work.table, int64(hashed >> work.bucket_shift) * SLOTS)


@njit(forceinline=True)
def find(hashed, work):
    """The place of a position in the table, or -1."""
    first = int64(hashed >> work.bucket_shift) * SLOTS
    check = hashed << work.check_shift
    for place in range(first, first + SLOTS):
        entry = word_at(work.table, place)
        if (entry ^ check) >> DATA_BITS == ZERO and entry != ZERO:
            return place
    return -1


@njit(forceinline=True)
def bounds_at(place, work):
    """The lower and the upper bound on the score of the position at this place."""
    entry = word_at(work.table, place)
    return int64(entry & SIX_BITS) - OFFSET, int64((entry >> UPPER) & SIX_BITS) - OFFSET


@njit(forceinline=True)
def effort_at(place, work):
    """The logarithm of the work that the entry took; 0 if the place is empty."""
    return (word_at(work.table, place) >> WORK) & SIX_BITS


@njit(forceinline=True)
def store(hashed, lower, upper, searched, work):
    """Store bounds found by searching this many positions, in the position's own place or that of least work."""
    place = find(hashed, work)
    if place < 0:
        place = int64(hashed >> work.bucket_shift) * SLOTS
        if effort_at(place, work) > effort_at(place + 1, work):
            place += 1
    effort = np.uint64(highest(np.uint64(searched)) + 1)
    data = np.uint64(lower + OFFSET) | (np.uint64(upper + OFFSET) << UPPER) | (effort << WORK)
    write_word(work.table, place, ((hashed << work.check_shift) & ~DATA) | data)


@njit
def clear(work):
    """Forget everything, and begin again with a small table."""
    for place in range(SLOTS << work.bits):
        write_word(work.table, place, ZERO)
    use_bits(LEAST_BITS, work)


@njit
def use_bits(bits, work):
    """Choose buckets by this many bits, or as many as are needed, and set when the table should grow, if it can."""
    bits = max(bits, int64(work.check_shift))
    work.bits = bits
    work.bucket_shift = np.uint64(64 - bits)
    work.grow_at = work.searched + (FULL * SLOTS << bits)
    if SLOTS << (bits + 2) > work.length:
        work.grow_at = NEVER
    work.grow_at = min(work.grow_at, work.limit + 1)


@njit
def grow(work):
    """Use four times as much of the table, and move what is in it to its new places."""
    old = work.bits
    use_bits(old + 2, work)
    # A bucket becomes four, further on. Going from the last to the first, no bucket is written before it is read.
    for bucket in range((1 << old) - 1, -1, -1):
        spread(bucket, np.uint64(old) - work.check_shift, work)


@njit
def spread(bucket, known, work):
    """Move the entries of an old bucket to the four that it becomes; known: how many bits of the entry chose it."""
    entries = word_at(work.table, SLOTS * bucket), word_at(work.table, SLOTS * bucket + 1)
    start = 4 * SLOTS * bucket
    for place in range(start, start + 4 * SLOTS):
        write_word(work.table, place, ZERO)
    for entry in entries:
        if entry:
            place = start + SLOTS * int64((entry << known) >> np.uint64(62))
            if word_at(work.table, place):
                place += 1
            write_word(work.table, place, entry)
