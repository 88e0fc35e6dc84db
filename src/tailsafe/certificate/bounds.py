"""Lower bounds on a sample of fresh performances Y, and how many are needed.

    VaR    a_q >= Y_(lo(m, q, alpha)) at confidence 1 - alpha: a share 1 - q of all models is at
           least that. Y_(floor(q (m + 1))) is what one further model reaches with probability
           1 - q, over that model and the sample together.
    CVaR, mean    ``race.wealth.lower_bound``, c being the quantile of other models.

S. S. Wilks, Determination of sample sizes for setting tolerance limits (1941); V. Vovk,
A. Gammerman and G. Shafer, Algorithmic Learning in a Random World (2005), for the second.
"""

from math import ceil, log

import numpy as np

from tailsafe.arrays import FloatArray
from tailsafe.race.wealth import lower_bound, shape_of
from tailsafe.ranks import conformal_rank, lo, quantile_rank
from tailsafe.risk import Mean, RiskMeasure, VaR

LEAST_MODELS, MOST_MODELS = 4_000, 2**14
"""At q = .25 the most bring the bound of a VaR within about .03 standard deviations."""

GROWTH = 1.05


def quantile_bounds(
    fresh: FloatArray, level: float, alpha: float, lowest: float
) -> tuple[float, float]:
    """Return the tolerance bound and the marginal bound; ``lowest`` where there is no rank."""
    ordered = np.sort(fresh)
    ranks = lo(len(ordered), level, alpha), conformal_rank(len(ordered), level)
    tolerance, marginal = (float(ordered[k - 1]) if k >= 1 else lowest for k in ranks)
    return tolerance, marginal


def tail_bound(
    fresh: FloatArray, risk: RiskMeasure, alpha: float, ends: tuple[float, float], pilot: FloatArray
) -> float:
    """Return the lower bound of a CVaR, mean or mixture of performances moved between the ends.

    It is the lower end itself if the samples say no more.
    """
    shape = shape_of(risk)
    guess = np.clip(quantile(pilot, shape.level), *ends)
    return lower_bound(np.clip(fresh, *ends), shape, guess, ends, alpha)


def quantile(sample: FloatArray, level: float) -> float:
    """Return the sample quantile."""
    rank = quantile_rank(len(sample), level) - 1
    return float(np.partition(sample, rank)[rank])


def models_needed(pilot: FloatArray, risk: RiskMeasure, eps: float, alpha: float) -> int:
    """Return how many fresh models bring a bound within about eps of the estimate, or the most.

    For a VaR the smallest m, in steps of 5 %, for which the pilot's quantiles at q and at
    lo(m, q, alpha) / m are within eps. A CVaR takes as many, at least 4,000; the mean as many as
    its normal approximation asks for.
    """
    if isinstance(risk, VaR):
        return _models_for_quantile(np.sort(pilot), risk.level, eps, alpha)
    if isinstance(risk, Mean):
        wanted = 2.0 * log(1.0 / alpha) * (float(pilot.std()) / eps) ** 2
        return int(np.clip(wanted, LEAST_MODELS, MOST_MODELS))
    level = shape_of(risk).level
    return max(LEAST_MODELS, _models_for_quantile(np.sort(pilot), level, eps, alpha))


def _models_for_quantile(ordered: FloatArray, level: float, eps: float, alpha: float) -> int:
    n, m = len(ordered), 1
    estimate = ordered[quantile_rank(n, level) - 1]
    while m < MOST_MODELS:
        g = lo(m, level, alpha)
        if g >= 1 and estimate - ordered[quantile_rank(n, g / m) - 1] <= eps:
            return m
        m = ceil(m * GROWTH)
    return MOST_MODELS
