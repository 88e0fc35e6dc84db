"""How the published program estimates VaR and CVaR; ``mc2ps`` is the algorithm as printed.

Models come in blocks of 20,000 (``BLOCK``), and the most likely model counts as one more draw
(``with_nominal``). The pair (r, s) starts at the central half of the binomial and is widened by one
rank alternately below and above until its mass exceeds 1 - c (``widened_ranks``), so it is not the
shortest. The tolerance is .005 of the range. After the stop one more block is drawn and sorted in,
but r stays what it was (``estimate``): the value at "level q" then has a level of n / (n + 20,000)
of that, .12 to .17 instead of .25. CVaR is the mean up to r minus its standard error.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from tailsafe.arrays import FloatArray

BLOCK = 20_000
TOLERANCE = 0.005
MOST_MODELS = 1_000_000

Draw: TypeAlias = Callable[[int, int], FloatArray]
"""(first, last) -> performances of one policy on models first .. last - 1."""


@dataclass(frozen=True, slots=True)
class ProgramEstimate:
    """What the program says of a policy.

    Parameters
    ----------
    mean, var, cvar
        Its estimates.
    n_models
        How many models it drew, the most likely one included.
    """

    mean: float
    var: float
    cvar: float
    n_models: int


def estimate(
    draw: Draw, nominal: float, level: float, alpha: float, block: int = BLOCK
) -> ProgramEstimate:
    """Return the program's estimates for one policy.

    Parameters
    ----------
    draw
        Performances on posterior models.
    nominal
        The performance on the most likely model.
    level, alpha
        q and c.
    block
        Models a block.
    """
    n, u = 0, np.array([nominal])
    while True:
        u = np.sort(np.concatenate([u, draw(n, n + block)]))
        n += block
        r, s = widened_ranks(len(u), level, alpha)
        if u[s - 1] - u[r - 1] < TOLERANCE * (u[-1] - u[0]) or n >= MOST_MODELS:
            break
    u = np.sort(np.concatenate([u, draw(n, n + block)]))
    tail = u[:r]
    cvar = tail.mean() - tail.std() / np.sqrt(r)
    return ProgramEstimate(float(u.mean()), float(u[r - 1]), float(cvar), len(u))


def widened_ranks(n: int, level: float, alpha: float) -> tuple[int, int]:
    """Return the program's (r, s), 1-based, for n models."""
    from scipy.special import bdtr
    from scipy.stats import binom

    r, s = (int(edge) for edge in binom.interval(0.5, n, level))
    below = True
    while bdtr(s - 1, n, level) - bdtr(r - 1, n, level) <= 1.0 - alpha:
        if below:
            r = max(r - 1, 1)
        else:
            s = min(s + 1, n)
        below = not below
        if r == 1 and s == n:
            break
    return r, s
