"""Logarithm, exponential and cosine from sums and products alone, so that loops vectorise.

Every operation is rounded as IEEE 754 says, so a number is the same bit for bit in a vector, in a
remainder and alone, and on every machine:

    log(2^k (1 + f)) = k log 2 + 2 (s + s^3 / 3 + s^5 / 5 + ...)    s = f / (2 + f), 1 + f near 1
    exp(k log 2 + r) = 2^k (1 + r + r^2 / 2! + ...)                 |r| <= log(2) / 2
    cos(2 pi t)      = sin(x) = x - x^3 / 3! + ...                  x = 2 pi (1/4 - |t|), |t| <= 1/2

Each series is cut where what is left is below half a unit in the last place. fma(x, y, z) is
x y + z rounded once, an instruction of its own.
"""

from collections.abc import Callable
from math import factorial, pi
from typing import Any, TypeAlias, cast

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import njit, types
from numba.extending import intrinsic

# 21 last bits of the high part are zero, so that k * LN2_HIGH is exact.
LN2_HIGH, LN2_LOW = float.fromhex("0x1.62e42feep-1"), float.fromhex("0x1.a39ef35793c76p-33")
LOG2_E, TWO_PI = float.fromhex("0x1.71547652b82fep+0"), 2.0 * pi
SMALLEST = -708.0
"""exp of less is 0 here: the result would not be a normal number."""

MANTISSA, ONE = np.uint64(0x000FFFFFFFFFFFFF), np.uint64(0x3FF0000000000000)
# Adding this to the bits carries into the exponent exactly if the mantissa is sqrt 2 or more.
ABOVE_ROOT_TWO = np.uint64(0x3FF0000000000000 - 0x3FE6A09E667F3BCD)
EXPONENT = np.uint64(52)
# The bits of 2^52 + n are those of 2^52, plus n: a conversion that has a vector instruction.
TWO_52, TWO_52_BITS = 2.0**52, np.uint64(0x4330000000000000)
ROUND = 1.5 * 2.0**52
"""Adding and subtracting it rounds to a whole number."""
E3, E4, E5, E6, E7, E8, E9, E10, E11, E12, E13 = (1.0 / factorial(n) for n in range(3, 14))
S3, S5, S7, S9, S11, S13, S15, S17, S19, S21 = (
    (-1.0) ** (n // 2) / factorial(n) for n in range(3, 22, 2)
)
L3, L5, L7, L9, L11, L13, L15, L17, L19, L21 = (1.0 / n for n in range(3, 22, 2))


Generated: TypeAlias = tuple[Any, Callable[..., Any]]


def _generate_cast(_context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    to = ir.DoubleType() if signature.return_type == types.float64 else ir.IntType(64)
    return builder.bitcast(arguments[0], to)


def _generate_fma(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
    return builder.fma(*arguments)


def _bits(_typing: Any, _x: Any) -> Generated:
    return types.uint64(types.float64), _generate_cast


def _number(_typing: Any, _x: Any) -> Generated:
    return types.float64(types.uint64), _generate_cast


def _fma(_typing: Any, _x: Any, _y: Any, _z: Any) -> Generated:
    return types.float64(types.float64, types.float64, types.float64), _generate_fma


bits = cast(Callable[[float], np.uint64], intrinsic(_bits))
"""The 64 bits of a number."""
number = cast(Callable[[np.uint64], float], intrinsic(_number))
"""The number that 64 bits stand for."""
fma = cast(Callable[[float, float, float], float], intrinsic(_fma))
"""x y + z, rounded once."""


@njit(nogil=True, error_model="numpy", forceinline=True)
def log(x: float) -> float:
    """Return the natural logarithm of a positive normal number."""
    raised = bits(x) + ABOVE_ROOT_TWO
    k = number((raised >> EXPONENT) + TWO_52_BITS) - (TWO_52 + 1023.0)
    f = number((raised & MANTISSA) + (ONE - ABOVE_ROOT_TWO)) - 1.0
    s = f / (2.0 + f)
    z = s * s
    high = fma(z, fma(z, fma(z, fma(z, L21, L19), L17), L15), L13)
    tail = z * fma(z, fma(z, fma(z, fma(z, fma(z, high, L11), L9), L7), L5), L3)
    return fma(k, LN2_HIGH, 2.0 * s + fma(2.0 * s, tail, k * LN2_LOW))


@njit(nogil=True, error_model="numpy", forceinline=True)
def exp(x: float) -> float:
    """Return e^x of a number that is not positive; 0 below -708."""
    clipped = max(x, SMALLEST)
    k = (clipped * LOG2_E + ROUND) - ROUND
    r = (clipped - k * LN2_HIGH) - k * LN2_LOW
    high = fma(r, fma(r, fma(r, fma(r, fma(r, E13, E12), E11), E10), E9), E8)
    middle = fma(r, fma(r, fma(r, fma(r, fma(r, high, E7), E6), E5), E4), E3)
    tail = r * r * fma(r, middle, 0.5)
    power = number((bits(k + (TWO_52 + 1023.0)) - TWO_52_BITS) << EXPONENT)
    return 0.0 if x < SMALLEST else power * (1.0 + (r + tail))


@njit(nogil=True, error_model="numpy", forceinline=True)
def cosine_of_turns(t: float) -> float:
    """Return cos(2 pi t), |t| <= 1/2."""
    x = TWO_PI * (0.25 - abs(t))
    z = x * x
    high = fma(z, fma(z, fma(z, fma(z, S21, S19), S17), S15), S13)
    tail = fma(z, fma(z, fma(z, fma(z, fma(z, high, S11), S9), S7), S5), S3)
    return fma(x * z, tail, x)
