"""The paper's printed rule on one sample, with its ranks computed once: thousands of samples.

``mc2ps.PrintedRule`` is the same rule; a test compares them.
"""

from collections.abc import Callable
from functools import cache

import numpy as np

from tailsafe.ranks import printed_interval

LEVEL, ALPHA, TOLERANCE = 0.25, 0.01, 0.01
HURRY = 0.02
"""Of n: the step of a hurried count."""


def of_the_range(seen: np.ndarray) -> float:
    """Return the printed tolerance, a share of the range of the sample."""
    return TOLERANCE * float(np.ptp(seen))


def printed_stop(
    x: np.ndarray,
    block: int,
    tolerance: Callable[[np.ndarray], float] = of_the_range,
    *,
    hurried: bool = False,
) -> tuple[int, float]:
    """Return after how many models the rule stops, and its estimate u_g of the VaR.

    Parameters
    ----------
    x
        The sample, as long as the budget.
    block
        k, after how many models it looks.
    tolerance
        What the interval must be narrower than, given what was seen.
    hurried
        Look less often: the count is then the first that it may have been, too low by 2 %.
    """
    n, before = block, 0
    while True:
        g, h = _ranks(n) or (0, 0)
        seen = np.partition(x[:n], (max(g, 1) - 1, max(h, 1) - 1))
        value, width, wanted = seen[g - 1], seen[h - 1] - seen[g - 1], tolerance(seen)
        if g > 0 and (width < wanted or np.ptp(seen) == 0.0):
            return before + block, float(value)
        if n == len(x):
            return n, float(value)
        before = n
        if hurried and g > 0:
            # Widths shrink like the root of n; none falls by a fifth before its time.
            before = max(n, int(n * min((0.8 * width / wanted) ** 2, 50.0)) // block * block)
        step = int(HURRY * before) // block * block if hurried else block
        before = min(before, len(x) - 1)
        n = min(before + max(step, block), len(x))


@cache
def _ranks(n: int) -> tuple[int, int] | None:
    return printed_interval(n, LEVEL, ALPHA)
