"""Confidence bands for the distribution of a policy's return, valid for any weights.

At points v fixed before the data, E[rho 1{G <= v}] = F(v) and E[rho 1{G > v}] = 1 - F(v).
Cutting weights off at c only lowers a mean, so that a lower bound for the mean of min(rho, c) 1{.}
bounds either one; c = sqrt(n) is fixed too. The bound is the empirical Bernstein one,

    mean - sqrt(2 var ln(2/d) / n) - 7 c ln(2/d) / (3 (n - 1)),      d = alpha / (2 K),

together at confidence 1 - alpha; F is monotone, so between points the nearest ones bound it.
P. S. Thomas, G. Theocharous, M. Ghavamzadeh. High-confidence off-policy evaluation. AAAI 2015 (cut
weights); A. Maurer, M. Pontil. Empirical Bernstein bounds and sample variance penalization. COLT
2009; Chandak et al. 2021 (bands, and what follows from them for risk measures).
"""

from dataclasses import dataclass

import numpy as np

from tailsafe.arrays import FloatArray, check_count
from tailsafe.errors import InvalidData
from tailsafe.estimators.weights import Weighted, episodes_of, weighted
from tailsafe.policy import Policy
from tailsafe.problem import Problem
from tailsafe.ranks import check_probability
from tailsafe.risk import RiskMeasure


@dataclass(frozen=True, slots=True, eq=False)
class Bands:
    """Bounds on F at some points; F is 0 below the first and 1 from the last on.

    Parameters
    ----------
    points
        v, ascending; the first and the last are the ends of what a return can be.
    lower, upper
        Bounds on F(v).
    """

    points: FloatArray
    lower: FloatArray
    upper: FloatArray

    def bounds(self, measure: RiskMeasure) -> tuple[float, float]:
        """Return bounds on a risk measure that grows with the return (VaR, CVaR, the mean)."""
        # F lies between its bands, and so does the quantile function between theirs: the worst law
        # puts all mass of an interval at its left end, the best at its right end.
        worst = np.diff(self.upper, prepend=0.0)
        worst_at = np.concatenate([self.points[:1], self.points[:-1]])
        best = np.diff(np.append(self.lower[:-1], 1.0), prepend=0.0)
        return measure.value(worst_at, worst), measure.value(self.points, best)


def return_bands(
    problem: Problem,
    policy: Policy,
    support: tuple[float, float],
    alpha: float = 0.05,
    n_points: int = 21,
) -> Bands:
    """Return bands for the law of a policy's return at confidence 1 - alpha.

    Parameters
    ----------
    problem
        Its behaviour policy must be the true one: an estimated one makes no promise.
    policy
        Whose return.
    support
        The least and the largest possible return.
    alpha
        Error probability of all bounds together.
    n_points
        Evenly spaced over the support.
    """
    check_probability(alpha, "alpha")
    check_count(n_points, "n_points")
    low, high = support
    if not low < high or n_points < 2:
        raise InvalidData(f"bands need a support of positive length and two points, got {support}")
    log = weighted(problem, episodes_of(problem), policy)
    returns = log.episodes.returns()
    if returns.min() < low - 1e-9 or returns.max() > high + 1e-9:
        raise InvalidData(
            f"returns go from {returns.min():.6g} to {returns.max():.6g}, outside of {support}"
        )
    points = np.linspace(low, high, n_points)
    share = alpha / (2 * max(n_points - 1, 1))
    below = np.array([_lower_mean(log, returns <= v, share) for v in points])
    above = np.array([_lower_mean(log, returns > v, share) for v in points])
    lower, upper = np.maximum.accumulate(below), 1.0 - above
    lower[-1] = upper[-1] = 1.0
    return Bands(points, lower, np.minimum.accumulate(upper[::-1])[::-1])


def _lower_mean(log: Weighted, event: FloatArray, share: float) -> float:
    """Return a lower bound for E[rho 1{event}] at confidence 1 - share, at least 0."""
    n = len(event)
    if n < 2:
        return 0.0
    cut = float(np.sqrt(n))
    x = np.minimum(log.final, cut) * event
    width = np.log(2.0 / share)
    slack = np.sqrt(2.0 * x.var(ddof=1) * width / n) + 7.0 * cut * width / (3.0 * (n - 1))
    return float(np.clip(x.mean() - slack, 0.0, 1.0))
