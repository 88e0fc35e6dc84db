"""The paper's printed rule on one long sample: the same stops as ``mc2ps.PrintedRule``, sooner.

Its two order statistics lie near the quantile, so all that is far from it is only counted; a test
compares the two.
"""

from collections.abc import Callable
from functools import cache

import numpy as np

from tailsafe.ranks import printed_interval

LEVEL, ALPHA, TOLERANCE = 0.25, 0.01, 0.01
NEAR = 0.03
"""Levels on either side of the quantile that are looked at closely."""
SMOOTH = 0.7
"""Patience for a law without atoms: widths shrink like the root of n, and do not fall by more."""


def of_the_range(spread: float) -> float:
    """Return the printed tolerance, a share of the range of the sample."""
    return TOLERANCE * spread


def printed_stop(
    x: np.ndarray,
    block: int,
    tolerance: Callable[[float], float] = of_the_range,
    patience: float = 0.0,
) -> tuple[int, float]:
    """Return after how many models the rule stops, and its estimate u_g of the VaR.

    Parameters
    ----------
    x
        The sample, as long as the budget.
    block
        k, after how many models it looks.
    tolerance
        What the interval must be narrower than, given the range of what was seen.
    patience
        Blocks are passed over until the width, by the root of n, has come down to this share.
    """
    spread = np.maximum.accumulate(x) - np.minimum.accumulate(x)
    first, last = np.quantile(x, (LEVEL - NEAR, LEVEL + NEAR))
    below, close = np.cumsum(x < first), np.nonzero((x >= first) & (x <= last))[0]
    n = block
    while True:
        g, h = _ranks(n) or (1, n)
        near = x[close[: np.searchsorted(close, n)]]
        low, high = _two_ranks(x[:n], near, int(below[n - 1]), (g, h))
        wanted = tolerance(float(spread[n - 1]))
        if n == len(x) or (_ranks(n) and (high - low < wanted or spread[n - 1] == 0.0)):
            return n, low
        ahead = n * min((patience * (high - low) / max(wanted, 1e-300)) ** 2, 50.0)
        n = min(max(n, int(ahead) // block * block) + block, len(x))


def _two_ranks(
    seen: np.ndarray, near: np.ndarray, below: int, ranks: tuple[int, int]
) -> tuple[float, float]:
    """Return two order statistics of a sample, from its part around them if they lie in it."""
    places = ranks[0] - 1 - below, ranks[1] - 1 - below
    if places[0] < 0 or places[1] >= len(near):
        near, places = seen, (ranks[0] - 1, ranks[1] - 1)
    ordered = np.partition(near, places)
    return float(ordered[places[0]]), float(ordered[places[1]])


@cache
def _ranks(n: int) -> tuple[int, int] | None:
    return printed_interval(n, LEVEL, ALPHA)
