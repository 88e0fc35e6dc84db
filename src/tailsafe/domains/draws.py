"""Uniform numbers that build seeded domains: the same for ever, on every machine.

NumPy promises that the raw words of its Philox4x64 generator never change, but not the numbers
that its `Generator` makes of them; so the words are turned into numbers here.
"""

import math

import numpy as np

from tailsafe.arrays import FloatArray
from tailsafe.keys import as_key


def uniforms(seed: int, series: int, shape: tuple[int, ...]) -> FloatArray:
    """Return numbers in [0, 1) of the given shape; each series of a seed is independent."""
    key = np.array([as_key(seed).seed, series], dtype=np.uint64)
    words = np.random.Philox(key=key).random_raw(math.prod(shape))
    return ((words >> np.uint64(11)).astype(np.float64) * 2.0**-53).reshape(shape)
