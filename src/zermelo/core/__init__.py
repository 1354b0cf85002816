"""States, generic functions, heuristics and bit tricks. Only numba_private.py uses Numba's private parts."""

from zermelo.core.bits import ALL, ONE, ZERO, bit, count, highest, lowest, mix, without_lowest
from zermelo.core.cache import announcing, cache_folder, save
from zermelo.core.compiling import JIT, compiled, njit
from zermelo.core.generic import Generic, generic
from zermelo.core.heuristic import Heuristic, heuristic
from zermelo.core.plain import NotCompiled, as_python, compiled_at_once, only_cached, plain_first, take_compiled
from zermelo.core.state import ArrayOf, StateMeta, class_of, state

__all__ = [
    "ALL",
    "JIT",
    "ONE",
    "ZERO",
    "ArrayOf",
    "Generic",
    "Heuristic",
    "NotCompiled",
    "StateMeta",
    "announcing",
    "as_python",
    "bit",
    "cache_folder",
    "class_of",
    "compiled",
    "compiled_at_once",
    "count",
    "generic",
    "heuristic",
    "highest",
    "lowest",
    "mix",
    "njit",
    "only_cached",
    "plain_first",
    "save",
    "state",
    "take_compiled",
    "without_lowest",
]
