"""exp, log and tanh in compiled code of our own, the same to the last bit on every machine and in WebAssembly.

The C libraries of different systems differ in the last bit, and so may a search that compares such numbers. These are
exact to about one unit in the last place. Coefficients of exp and log: FDLIBM (Sun Microsystems, 1993).
"""

import math
from typing import Any

import numpy as np

from zermelo.core.compiling import njit

_LN2_HIGH, _LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
_INVERSE_LN2 = 1.44269504088896338700
_MOST, _LEAST = 709.782712893384, -745.1332191019411
_EXPONENT_BITS, _BIAS = 52, 1023
_SQRT_HALF = 0.7071067811865476
_LEAST_NORMAL, _LIFT_BITS, _LIFT = 2.2250738585072014e-308, 54, 18014398509481984.0


@njit
def _power_of_two(exponent: Any) -> Any:
    """2 to this power, which is between -1022 and 1023."""
    bits = np.int64((exponent + _BIAS) << _EXPONENT_BITS)
    return bits.view(np.float64)


@njit
def exp(x: Any) -> Any:
    """e to the power of x."""
    x = np.float64(x)
    if x != x:
        return x
    if x > _MOST:
        return np.float64(math.inf)
    if x < _LEAST:
        return np.float64(0.0)
    whole = np.int64(math.floor(x * _INVERSE_LN2 + 0.5))
    high, low = x - whole * _LN2_HIGH, whole * _LN2_LOW
    r = high - low
    t = r * r
    c = r - t * (
        1.66666666666666019037e-01
        + t
        * (
            -2.77777777770155933842e-03
            + t * (6.61375632143793436117e-05 + t * (-1.65339022054652515390e-06 + t * 4.13813679705723846039e-08))
        )
    )
    y = 1.0 - ((low - (r * c) / (2.0 - c)) - high)
    half = whole // 2  # in two steps, since the power itself may be too large or too small for a number
    return y * _power_of_two(half) * _power_of_two(whole - half)


@njit
def log(x: Any) -> Any:
    """The natural logarithm."""
    given = np.float64(x)
    if given != given or given == math.inf:
        return given
    if given < 0.0:
        return np.float64(math.nan)
    if given == 0.0:
        return np.float64(-math.inf)
    is_tiny = given < _LEAST_NORMAL  # a number with fewer bits than usual
    scaled = np.float64(given * _LIFT if is_tiny else given)
    bits = scaled.view(np.int64)
    exponent = (bits >> _EXPONENT_BITS) - (_BIAS - 1) - (_LIFT_BITS if is_tiny else 0)
    fraction = np.int64((bits & ((1 << _EXPONENT_BITS) - 1)) | ((_BIAS - 1) << _EXPONENT_BITS))
    mantissa = fraction.view(np.float64)
    if mantissa < _SQRT_HALF:
        mantissa *= 2.0
        exponent -= 1
    f = mantissa - 1.0
    s = f / (2.0 + f)
    z = s * s
    w = z * z
    even = w * (3.999999999940941908e-01 + w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01))
    odd = z * (
        6.666666666666735130e-01
        + w * (2.857142874366239149e-01 + w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01))
    )
    square = 0.5 * f * f
    return exponent * _LN2_HIGH - ((square - (s * (square + (even + odd)) + exponent * _LN2_LOW)) - f)


@njit
def tanh(x: Any) -> Any:
    """The hyperbolic tangent, by Lambert's continued fraction near 0."""
    size = np.float64(abs(x))
    if size != size:
        return size
    if size > 20.0:
        value = np.float64(1.0)
    elif size > 0.3:
        value = 1.0 - 2.0 / (exp(2.0 * size) + 1.0)
    else:
        t = size * size
        value = size / (1.0 + t / (3.0 + t / (5.0 + t / (7.0 + t / (9.0 + t / (11.0 + t / 13.0))))))
    return value if x > 0.0 else -value
