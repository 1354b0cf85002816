"""The functions of C's mathematical library, for modules: a module has no such library.

Those that a search of ours uses are in core/functions.py, and native code uses the same. For the rest, and for what a
user's heuristic calls, native code has the C library, whose last bits may differ from these.
"""

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import float32, float64

from zermelo.core import functions
from zermelo.core.functions import exp, log, tanh
from zermelo.core.numba_private import bare_njit, texts_of

_LN2, _LN10 = math.log(2), math.log(10)
_PI_HALF_HIGH, _PI_HALF_LOW = 1.57079632673412561417, 6.07710050650619224932e-11
_TWO_OVER_PI = 0.6366197723675814


def _power(x, y):
    if y == 0.0 or x == 1.0:
        return 1.0
    is_whole = y == math.floor(y)
    if is_whole and abs(y) <= 1024.0:
        result, factor, left = 1.0, x, np.int64(abs(y))
        while left:
            if left & 1:
                result *= factor
            factor *= factor
            left >>= 1
        return result if y > 0.0 else 1.0 / result
    if x < 0.0:
        if not is_whole:
            return math.nan
        value = functions.exp(y * functions.log(-x))
        return -value if math.floor(y / 2.0) * 2.0 != y else value
    return functions.exp(y * functions.log(x)) if x > 0.0 else (0.0 if y > 0.0 else math.inf)


def _sine_at(x, quarter):
    """sin(x + quarter * pi / 2), by series in the nearest quarter turn."""
    turns = math.floor(x * _TWO_OVER_PI + 0.5)
    r = (x - turns * _PI_HALF_HIGH) - turns * _PI_HALF_LOW
    z = r * r
    place = (np.int64(turns) + quarter) & 3
    if place & 1:
        term = value = 1.0
        for n in range(1, 10):
            term *= -z / ((2 * n - 1) * (2 * n))
            value += term
    else:
        term = value = r
        for n in range(1, 10):
            term *= -z / ((2 * n) * (2 * n + 1))
            value += term
    return -value if place & 2 else value


def _log1p(x):
    u = 1.0 + x
    return x if u == 1.0 else functions.log(u) * x / (u - 1.0)


def _expm1(x):
    u = functions.exp(x)
    if u == 1.0:
        return x
    return u - 1.0 if u - 1.0 == -1.0 or abs(x) > 1.0 else (u - 1.0) * x / functions.log(u)


def _arctangent(x):
    size = abs(x)
    y = 1.0 / size if size > 1.0 else size
    for _ in range(2):  # atan(y) is twice atan of a number half as large
        y = y / (1.0 + math.sqrt(1.0 + y * y))
    z, value, term = y * y, 0.0, y
    for n in range(16):
        value += term / (2 * n + 1)
        term *= -z
    value *= 4.0
    if size > 1.0:
        value = math.pi / 2 - value
    return value if x >= 0.0 else -value


def _functions() -> dict[str, tuple[int, Callable[..., Any]]]:
    """The functions by their names in C, with the number of their arguments."""
    from zermelo.core import njit

    sine, power = njit(_sine_at), njit(_power)
    log1p, expm1, arctangent = njit(_log1p), njit(_expm1), njit(_arctangent)
    return {
        "exp": (1, lambda x: exp(x)),
        "exp2": (1, lambda x: power(2.0, x)),
        "log": (1, lambda x: log(x)),
        "log2": (1, lambda x: log(x) / _LN2),
        "log10": (1, lambda x: log(x) / _LN10),
        "log1p": (1, lambda x: log1p(x)),
        "expm1": (1, lambda x: expm1(x)),
        "tanh": (1, lambda x: tanh(x)),
        "sinh": (1, lambda x: 0.5 * (expm1(x) - expm1(-x))),
        "cosh": (1, lambda x: 0.5 * (exp(x) + exp(-x))),
        "sin": (1, lambda x: sine(x, 0)),
        "cos": (1, lambda x: sine(x, 1)),
        "tan": (1, lambda x: sine(x, 0) / sine(x, 1)),
        "atan": (1, lambda x: arctangent(x)),
        "pow": (2, lambda x, y: power(x, y)),
        "hypot": (2, lambda x, y: math.sqrt(x * x + y * y)),
    }


NAMES = "exp|exp2|log|log2|log10|log1p|expm1|tanh|sinh|cosh|sin|cos|tan|atan|pow|hypot"
CALLED = re.compile(rf'@"?(?:numba_)?(?:({NAMES})(f?)|llvm\.({NAMES})\.f(32|64))"?(?=\()')
"""How assembly names these functions: as C does, or as intrinsics of LLVM, for 64 or for 32 bits."""


def renamed(text: str) -> str:
    """A piece of assembly that calls our functions. (LLVM presumes to know what `exp` is.)"""

    def ours(found: re.Match[str]) -> str:
        plain, short, intrinsic, bits = found.groups()
        return f'@"zermelo_math_{plain or intrinsic}_{32 if short or bits == "32" else 64}"'

    return CALLED.sub(ours, text)


def library(missing: list[str]) -> list[str]:
    """The assembly of those of our functions that are missing in a module."""
    texts, known = [], _functions()
    for name in missing:
        found = re.fullmatch(r"zermelo_math_(\w+)_(32|64)", name)
        if found is None:
            continue
        number, function = known[found[1]]
        wide = found[2] == "64"
        kind, word = (float64, "double") if wide else (float32, "float")
        inner = function if wide else _narrowed(function, number)
        dispatcher = bare_njit(inner)
        arguments = (kind,) * number
        dispatcher.compile(arguments)
        symbol, needed = texts_of(dispatcher, arguments)
        taken = ", ".join(f"{word} %x{i}" for i in range(number))
        shell = f"""
declare i32 @"{symbol}"(ptr, ptr{f", {word}" * number})
define {word} @{name}({taken}) {{
  %result = alloca {word}
  %exception = alloca ptr
  %status = call i32 @"{symbol}"(ptr %result, ptr %exception, {taken})
  %value = load {word}, ptr %result
  ret {word} %value
}}
"""
        texts += [shell, *needed]
    return texts


def _narrowed(function: Callable[..., Any], number: int) -> Callable[..., Any]:
    """The same function of 32-bit numbers, computed with 64 bits."""
    from zermelo.core import njit

    inner = njit(function)
    if number == 1:
        return lambda x: float32(inner(float64(x)))
    return lambda x, y: float32(inner(float64(x), float64(y)))
