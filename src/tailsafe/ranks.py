"""Ranks of order statistics: the few lines that every bound on a quantile rests on.

The number of samples at or below the quantile a_q is Binomial(n, q) for a continuous law; with
an atom at a_q, #{X < a_q} lies below and #{X <= a_q} above it, so closed intervals stay valid:

    lo(n, q, alpha) = max{g : P(B <= g - 1) <= alpha}     X_(lo) <= a_q  with prob. >= 1 - alpha
    hi(n, q, alpha) = min{h : P(B >= h) <= alpha}         X_(hi) >= a_q  with prob. >= 1 - alpha

S. S. Wilks, Determination of sample sizes for setting tolerance limits (1941); C. J. Clopper and
E. S. Pearson, The use of confidence or fiducial limits (1934).
"""

from functools import lru_cache
from math import ceil, floor, sqrt

import numpy as np

from tailsafe.arrays import BoolArray, FloatArray, IntArray, check_count
from tailsafe.errors import InvalidData

WHOLE = 1e-9
"""A product level * n this close to a whole number is that number: .07 * 100 is 7, not 8."""


def check_probability(value: float, name: str) -> None:
    """Raise InvalidData unless the value lies strictly between 0 and 1."""
    if not 0.0 < value < 1.0:
        raise InvalidData(f"{name} must be in (0, 1), got {value}")


def quantile_rank(n: int, level: float) -> int:
    """Return the 1-based rank of the sample quantile, ceil(level * n), at least 1."""
    return max(1, ceil(level * n - WHOLE))


def conformal_rank(n: int, level: float) -> int:
    """Return floor(level * (n + 1)): a further draw is below that rank with prob. <= level."""
    return floor(level * (n + 1) + WHOLE)


@lru_cache(maxsize=65_536)
def lo(n: int, level: float, alpha: float) -> int:
    """Return the largest rank g with X_(g) <= a_q at confidence 1 - alpha; 0 if there is none."""
    below, above = 0, n + 1  # P(B <= below - 1) <= alpha < P(B <= above - 1)
    while above - below > 1:
        middle = (below + above) // 2
        if _binomial_cdf(middle - 1, n, level) <= alpha:
            below = middle
        else:
            above = middle
    return below


@lru_cache(maxsize=65_536)
def hi(n: int, level: float, alpha: float) -> int:
    """Return the smallest rank h with X_(h) >= a_q at confidence 1 - alpha; n + 1 if none."""
    below, above = 0, n + 1  # P(B >= above) <= alpha < P(B >= below)
    while above - below > 1:
        middle = (below + above) // 2
        if _binomial_tail(middle, n, level) <= alpha:
            above = middle
        else:
            below = middle
    return above


def _binomial_cdf(k: int, n: int, level: float) -> float:
    from scipy.special import bdtr

    return 0.0 if k < 0 else float(bdtr(k, n, level))


def _binomial_tail(k: int, n: int, level: float) -> float:
    # The survival function itself: 1 - cdf has no digits left where it matters.
    from scipy.special import bdtrc

    return 1.0 if k <= 0 else float(bdtrc(k - 1, n, level))


def checkpoints(last: int, first: int = 64, growth: float = 1.5) -> tuple[int, ...]:
    """Return the sample sizes at which a race looks: n, ceil(1.5 n), ... up to ``last``."""
    check_count(last, "the largest number of models")
    sizes = [min(first, last)]
    while sizes[-1] < last:
        sizes.append(min(last, ceil(growth * sizes[-1])))
    return tuple(sizes)


@lru_cache(maxsize=64)
def sign_test_table(size: int, alpha: float) -> IntArray:
    """Return k*[m] = min{k : P(Binomial(m, 1/2) >= k) <= alpha} for m = 0 .. size.

    k*[m] > m where no outcome of m signs is rare enough.
    """
    from scipy.special import ndtri

    m = np.arange(size + 1)
    k = np.ceil(0.5 * m - 0.5 * ndtri(alpha) * np.sqrt(m) + 0.5).astype(np.int64)
    k = np.clip(k, 1, m + 1)
    common = np.nonzero(~_rare(k, m, alpha))[0]
    while len(common):
        k[common] += 1
        common = common[~_rare(k[common], m[common], alpha)]
    lower = np.nonzero((k > 1) & _rare(k - 1, m, alpha))[0]
    while len(lower):
        k[lower] -= 1
        lower = lower[(k[lower] > 1) & _rare(k[lower] - 1, m[lower], alpha)]
    table: IntArray = k
    table.flags.writeable = False
    return table


def _rare(k: IntArray, m: IntArray, alpha: float) -> BoolArray:
    from scipy.special import bdtrc

    tail: FloatArray = bdtrc(np.maximum(k - 1.0, 0.0), m, 0.5)
    # bdtrc(0, m) is P(B >= 1); k = 0 is certain and k > m impossible.
    rare: BoolArray = np.where(k > m, 0.0, np.where(k <= 0, 1.0, tail)) <= alpha
    return rare


def printed_interval(n: int, level: float, alpha: float) -> tuple[int, int] | None:
    """Return the paper's (g, h), or None while n is too small (Alg. 1, lines 19-22).

    1-based ranks with P(g <= B <= h - 1) > 1 - alpha, h - g minimal, then g smallest. The paper
    reads it as X_(g) <= a_q < X_(h), which holds without an atom at a_q and for a fixed n only.
    """
    return _shortest_window(n, level, alpha, 1, n)


def open_interval(n: int, level: float, alpha: float) -> tuple[int, int] | None:
    """Return the same with g = 0 and h = n + 1 allowed, the ends of the support."""
    return _shortest_window(n, level, alpha, 0, n + 1)


def _shortest_window(
    n: int, level: float, alpha: float, first: int, last: int
) -> tuple[int, int] | None:
    from scipy.special import bdtr

    # All but an unrepresentable part of the mass is within 40 deviations of the mean.
    reach = 40.0 * sqrt(n * level * (1.0 - level)) + 40.0
    start = max(first, floor(n * level - reach))
    stop = min(last, ceil(n * level + reach))
    ranks = np.arange(start, stop + 1)
    below = np.where(ranks > 0, bdtr(np.maximum(ranks - 1.0, 0.0), n, level), 0.0)
    # h is the first rank with below[h] > below[g] + 1 - alpha; strict, as printed.
    h = np.searchsorted(below, below + (1.0 - alpha), side="right")
    found = h < len(ranks)
    if not found.any():
        return None
    lengths = np.where(found, h - np.arange(len(ranks)), len(ranks) + 1)
    best = int(np.argmin(lengths))
    return int(ranks[best]), int(ranks[h[best]])


def fixed_precision_size(level: float, tolerance: float, alpha: float) -> int:
    """Return the n whose rank interval is [level - tolerance, level + tolerance].

    Without looking at the data: n = z^2 q (1 - q) / tolerance^2 at confidence 1 - alpha.
    """
    from scipy.special import ndtri

    check_probability(level, "the level")
    check_probability(alpha, "alpha")
    check_probability(tolerance, "the tolerance")
    z = float(ndtri(1.0 - alpha / 2.0))
    return ceil(z * z * level * (1.0 - level) / tolerance**2)
