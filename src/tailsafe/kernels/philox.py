"""The words of Philox4x32-10, the counter-based generator behind every random model (numpy).

J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw. Parallel random numbers: as easy as 1, 2, 3.
SC 2011. A block of four words is a function of a counter and a key:

    counter = (model, row, column, attempt)        key = (seed, stream)

Two words make a uniform: their upper 52 bits k give (2 k + 1) / 2^53, which is in (0, 1), never
0 or 1, and exact in floating point.
"""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from tailsafe.arrays import FloatArray

Words: TypeAlias = npt.NDArray[np.uint64]
Block: TypeAlias = tuple[Words, Words, Words, Words]

ROUNDS = 10
MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
WEYL = (0x9E3779B9, 0xBB67AE85)
LOW = 0xFFFFFFFF


def words(counter: tuple[npt.ArrayLike, ...], key: tuple[int, int]) -> Block:
    """Return the four words of each counter (four arrays that broadcast), as uint64 below 2^32."""
    a, b, c, d = np.broadcast_arrays(*(np.asarray(word, np.uint64) for word in counter))
    low, shift = np.uint64(LOW), np.uint64(32)
    m0, m1 = (np.uint64(m) for m in MULTIPLIERS)
    for i in range(ROUNDS):
        k0, k1 = (np.uint64((k + i * w) & LOW) for k, w in zip(key, WEYL, strict=True))
        p, q = m0 * a, m1 * c
        a, b, c, d = (q >> shift) ^ b ^ k0, q & low, (p >> shift) ^ d ^ k1, p & low
    return a, b, c, d


def uniform(low: Words, high: Words) -> FloatArray:
    """Return the number in (0, 1) that two words make."""
    k = (low | (high << np.uint64(32))) >> np.uint64(12)
    uniforms: FloatArray = (2.0 * k.astype(np.float64) + 1.0) * 2.0**-53
    return uniforms
