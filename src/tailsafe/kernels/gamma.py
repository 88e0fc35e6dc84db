"""Compiled draws of the rows of a posterior, many models side by side.

Philox4x32-10 (see ``philox``); a block of four words makes two uniforms u, u'. For the entry at
column c of a row, with concentration a,

    first uniform    u or u' (even or odd c) of the block at (model, row, c // 2, attempt 0)
    a = 1            -log of the first uniform
    a = 2, 3, 4      -log of a product: the block (model, row, c, 1), and for 3 and 4 (.., 2)
    other a > 1      G. Marsaglia and W. W. Tsang, A simple method for generating gamma variables
                     (2000), attempts 1, 2, ...: a normal from u and the third word (G. E. P. Box
                     and M. E. Muller, 1958), acceptance by the fourth word
    a < 1            gamma(a + 1) * (first uniform)^(1 / a), in logarithms: nothing underflows

and the row is these numbers divided by their sum.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
from numba import njit

from tailsafe.arrays import BoolArray, FloatArray, IntArray
from tailsafe.kernels import philox
from tailsafe.kernels.elementary import TWO_52_BITS, cosine_of_turns, exp, log, number

M0, M1 = (np.uint64(m) for m in philox.MULTIPLIERS)
W0, W1 = (np.uint64(w) for w in philox.WEYL)
LOW, HALF, DROPPED = np.uint64(philox.LOW), np.uint64(32), np.uint64(12)

Block: TypeAlias = tuple[np.uint64, np.uint64, np.uint64, np.uint64]


class Law(NamedTuple):
    """The arrays of a ``RowsLaw`` that a draw needs."""

    indptr: IntArray
    concentration: FloatArray
    known: BoolArray


class Place(NamedTuple):
    """A row of some models: all of an address but the column and the attempt."""

    models: IntArray
    row: int
    key: tuple[int, int]


@njit(nogil=True, error_model="numpy", forceinline=True)
def block(place: Place, lane: int, column: int, attempt: int) -> Block:
    """Return the four words of an address."""
    a, b = np.uint64(place.models[lane]) & LOW, np.uint64(place.row)
    c, d = np.uint64(column), np.uint64(attempt)
    k0, k1 = np.uint64(place.key[0]), np.uint64(place.key[1])
    for _ in range(philox.ROUNDS):
        p, q = M0 * a, M1 * c
        a, b, c, d = (q >> HALF) ^ b ^ k0, q & LOW, (p >> HALF) ^ d ^ k1, p & LOW
        k0, k1 = (k0 + W0) & LOW, (k1 + W1) & LOW
    return a, b, c, d


@njit(nogil=True, error_model="numpy", forceinline=True)
def uniform(low: np.uint64, high: np.uint64) -> float:
    """Return the number in (0, 1) that two words make."""
    # (2 k + 1) / 2^53 of the upper 52 bits k: a mantissa read in [2^52, 2^53) is 2^52 + k.
    k = (low | (high << HALF)) >> DROPPED
    return ((number(k + TWO_52_BITS) - 2.0**52) + 0.5) * 2.0**-52


@njit(nogil=True, error_model="numpy", forceinline=True)
def fraction(word: np.uint64) -> float:
    """Return the number in (0, 1) that one word makes."""
    return ((number(word + TWO_52_BITS) - 2.0**52) + 0.5) * 2.0**-32


@njit(nogil=True, error_model="numpy", forceinline=True)
def proposed(words: Block, a: float) -> tuple[float, bool]:
    """Return Marsaglia and Tsang's gamma(a), a >= 1, of one attempt, and whether it is accepted."""
    d = a - 1.0 / 3.0
    radius = np.sqrt(-2.0 * log(uniform(words[0], words[1])))
    x = radius * cosine_of_turns(fraction(words[2]) - 0.5)
    root = 1.0 + x / np.sqrt(9.0 * d)
    v = root * root * root
    bound = 0.5 * x * x + d * (1.0 - v + log(v))
    return d * v, (root > 0.0) & (log(fraction(words[3])) < bound)


@njit(nogil=True, cache=True, error_model="numpy")
def retried(place: Place, lane: int, column: int, a: float) -> float:
    """Return the first gamma(a) that is accepted after attempt 1."""
    attempt, value, accepted = 1, 0.0, False
    while not accepted:
        attempt += 1
        value, accepted = proposed(block(place, lane, column, attempt), a)
    return value


@njit(nogil=True, cache=True, error_model="numpy")
def first_uniforms(even: FloatArray, odd: FloatArray, place: Place, pair: int) -> None:
    """Fill the two columns 2 pair and 2 pair + 1, [lane], with their first uniforms."""
    for lane in range(len(even)):
        a, b, c, d = block(place, lane, pair, 0)
        even[lane], odd[lane] = uniform(a, b), uniform(c, d)


@njit(nogil=True, cache=True, error_model="numpy")
def products(out: FloatArray, place: Place, column: int, factors: float) -> None:
    """Fill out[lane] with gamma(2), gamma(3) or gamma(4)."""
    for lane in range(len(out)):
        a, b, c, d = block(place, lane, column, 1)
        out[lane] = uniform(a, b) * uniform(c, d)
    if factors > 2.0:
        for lane in range(len(out)):
            a, b, c, d = block(place, lane, column, 2)
            out[lane] *= uniform(a, b) * (uniform(c, d) if factors > 3.0 else 1.0)
    for lane in range(len(out)):
        out[lane] = -log(out[lane])


@njit(nogil=True, cache=True, error_model="numpy")
def rejections(out: FloatArray, place: Place, column: int, a: float) -> None:
    """Fill out[lane] with gamma(a), a >= 1."""
    for lane in range(len(out)):
        value, accepted = proposed(block(place, lane, column, 1), a)
        out[lane] = value if accepted else -1.0
    for lane in range(len(out)):
        if out[lane] < 0.0:
            out[lane] = retried(place, lane, column, a)


@njit(nogil=True, cache=True, error_model="numpy")
def from_logarithms(out: FloatArray) -> None:
    """Turn out[column, lane] from logarithms into numbers, scaled to have the maximum 1."""
    for lane in range(out.shape[1]):
        largest = out[0, lane]
        for column in range(1, len(out)):
            largest = max(largest, out[column, lane])
        for column in range(len(out)):
            out[column, lane] = exp(out[column, lane] - largest)


@njit(nogil=True, cache=True, error_model="numpy")
def normalise(out: FloatArray) -> None:
    """Divide out[column, lane] by the sum over columns."""
    total = np.zeros(out.shape[1])
    for column in range(len(out)):
        for lane in range(out.shape[1]):
            total[lane] += out[column, lane]
    for lane in range(out.shape[1]):
        total[lane] = 1.0 / total[lane]
    for column in range(len(out)):
        for lane in range(out.shape[1]):
            out[column, lane] *= total[lane]


@njit(nogil=True, cache=True, error_model="numpy")
def variates(out: FloatArray, place: Place, column: int, a: float, spare: FloatArray) -> None:
    """Fill out[lane] with gamma(a), its logarithm for a < 1; it holds the first uniforms."""
    if a == 1.0:
        for lane in range(len(out)):
            out[lane] = -log(out[lane])
    elif a == 2.0 or a == 3.0 or a == 4.0:
        products(out, place, column, a)
    elif a > 1.0:
        rejections(out, place, column, a)
    else:
        rejections(spare, place, column, a + 1.0)
        for lane in range(len(out)):
            out[lane] = log(spare[lane]) + log(out[lane]) / a


@njit(nogil=True, cache=True, error_model="numpy")
def draw_row(out: FloatArray, concentration: FloatArray, place: Place, spare: FloatArray) -> None:
    """Fill out[column, lane] with a Dirichlet row; spare has room for one column."""
    n, small = len(concentration), False
    for column in range(0, n, 2):
        odd = min(column + 1, n - 1)
        least = min(concentration[column], concentration[odd])
        if least <= 1.0:
            first_uniforms(out[column], out[odd] if odd > column else spare, place, column // 2)
        small |= least < 1.0
    for column in range(n):
        variates(out[column], place, column, concentration[column], spare)
        if small and concentration[column] >= 1.0:
            for lane in range(out.shape[1]):
                out[column, lane] = log(out[column, lane])
    if small:
        from_logarithms(out)
    normalise(out)


@njit(nogil=True, cache=True, error_model="numpy")
def fill(tile: FloatArray, law: Law, wanted: IntArray, first: int, key: tuple[int, int]) -> None:
    """Fill tile[entry, lane] with the wanted rows of the models from first on."""
    lanes, at = tile.shape[1], 0
    models, spare = np.empty(lanes, np.int64), np.empty(lanes)
    for lane in range(lanes):
        models[lane] = first + lane
    for row in wanted:
        start, stop = law.indptr[row], law.indptr[row + 1]
        n = stop - start
        # A row of one entry has it for certain, whatever the rounding of a division.
        if law.known[row] or n == 1:
            for i in range(n):
                certain = law.concentration[start + i] if law.known[row] else 1.0
                for lane in range(lanes):
                    tile[at + i, lane] = certain
        elif n > 1:
            place = Place(models, row, key)
            draw_row(tile[at : at + n], law.concentration[start:stop], place, spare)
        at += n
