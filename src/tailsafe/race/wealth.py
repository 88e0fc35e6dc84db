"""Mixtures of mean and CVaR as means of bounded variables, and a lower bound for them.

With 0 <= w <= 1 and h_c(x) = (1 - w) x - w (c - x)^+ / q, the measure (1 - w) Mean + w CVaR(q) is

    phi = max_c {w c + E h_c(X)},    attained at c = a_q (Rockafellar and Uryasev 2002),

so that E[w c + h_c(X)] <= phi for any c, also one that was chosen on earlier samples. Betting that
the mean of these exceeds m (``kernels.eprocess``) gives a bound that is valid at any time:

    phi >= sup {m : wealth of the gains (w c_t + h_(c_t)(X_t) - m) / scale_t >= 1 / alpha}.

I. Waudby-Smith and A. Ramdas, Estimating means of bounded random variables by betting (2024).
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from math import floor, log

import numpy as np

from tailsafe.arrays import FloatArray
from tailsafe.errors import NotSupported
from tailsafe.ranks import WHOLE, quantile_rank
from tailsafe.risk import CVaR, Mean, Mixture, RiskMeasure

HALVINGS = 40
CLOSE = 1e-6


@dataclass(frozen=True, slots=True)
class Shape:
    """The measure (1 - tail) Mean + tail CVaR(level)."""

    tail: float
    level: float

    def value(self, S: FloatArray) -> FloatArray:
        """Return the measure of each ascending row S[i, m]."""
        n, lowest = S.shape[1], S[:, 0]
        mass = self.level * n
        whole = floor(mass + WHOLE)
        # Differences from the lowest value keep a constant exactly what it is.
        above = S - S[:, :1] if self.tail < 1.0 else S[:, : whole + 1] - S[:, :1]
        edge = max(mass - whole, 0.0) * above[:, min(whole, n - 1)]
        worst = (above[:, :whole].sum(axis=1) + edge) / mass
        value: FloatArray = lowest + self.tail * worst
        return value if self.tail == 1.0 else value + (1.0 - self.tail) * above.mean(axis=1)

    def h(self, x: FloatArray | float, c: FloatArray | float) -> FloatArray:
        """Return (1 - w) x - w (c - x)^+ / q."""
        linear, slope = 1.0 - self.tail, self.tail / self.level
        shaped: FloatArray = linear * np.asarray(x) - slope * np.maximum(c - np.asarray(x), 0.0)
        return shaped

    def spread(self, c: FloatArray | float, worst: float, best: float) -> FloatArray:
        """Return how far h_c may fall below its greatest possible value."""
        spread: FloatArray = (1.0 - self.tail) * best - self.h(worst, c)
        return spread


def shape_of(risk: RiskMeasure) -> Shape:
    """Return the shape of Mean, CVaR or a mixture of both; anything else is not supported."""
    if isinstance(risk, Mean):
        return Shape(0.0, 0.5)
    if isinstance(risk, CVaR):
        return Shape(1.0, risk.level)
    if isinstance(risk, Mixture):
        tails = {part.level for _, part in risk.parts if isinstance(part, CVaR)}
        if len(tails) <= 1 and all(isinstance(part, Mean | CVaR) for _, part in risk.parts):
            tail = sum(weight for weight, part in risk.parts if isinstance(part, CVaR))
            return Shape(tail, tails.pop() if tails else 0.5)
    raise NotSupported(
        f"{risk.name} has no race on random models: use VaR, CVaR, Mean, or a mixture of the mean "
        "and one CVaR (soft_robust); on a Samples posterior every measure is exact"
    )


def predictable_levels(
    x: FloatArray, level: float, start: float, sizes: tuple[int, ...]
) -> FloatArray:
    """Return c[t]: the q-quantile of the samples up to the look before t, at first ``start``."""
    c = np.full(len(x), start)
    looks = [n for n in sizes if n < len(x)]
    for n, last in pairwise([*looks, len(x)]):
        rank = quantile_rank(n, level) - 1
        c[n:last] = np.partition(x[:n], rank)[rank]
    return c


def lower_bound(
    x: FloatArray,
    shape: Shape,
    c: FloatArray | float,
    ends: tuple[float, float],
    alpha: float,
    close: float | None = None,
) -> float:
    """Return what the measure of x is at least, at confidence 1 - alpha.

    Parameters
    ----------
    x
        Independent samples.
    shape
        The measure.
    c
        A level for each sample, chosen before it was seen; a guess of the quantile is best.
    ends
        The least and the greatest possible value of x.
    alpha
        Error probability, over all times together.
    close
        How near to the best bound of this kind; by default a millionth of the range.
    """
    from tailsafe.kernels.eprocess import outgrows

    worst, best = ends
    if worst >= best:
        return worst
    levels = np.broadcast_to(np.asarray(c, np.float64), x.shape)
    means = shape.tail * levels + shape.h(x, levels)
    tops = shape.tail * levels + (1.0 - shape.tail) * best
    # A level below the least value makes the mean certain: any positive scale will do.
    bets = 1.0 / np.maximum(shape.spread(levels, worst, best), 1e-9 * (best - worst))
    means *= bets
    threshold = log(1.0 / alpha)

    def excluded(m: float) -> bool:
        return bool(outgrows(means - np.minimum(m, tops) * bets, threshold))

    most = float(tops.max(initial=worst))
    return largest_below(excluded, worst, most, CLOSE * (best - worst) if close is None else close)


def largest_below(
    holds: Callable[[float], bool], low: float, high: float, close: float = 0.0
) -> float:
    """Return, up to ``close``, the largest value in [low, high] up to which it holds, as at low."""
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        if high - low <= close or middle in (low, high):
            break
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low
