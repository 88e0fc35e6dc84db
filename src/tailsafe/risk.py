"""Risk measures of a performance distribution; larger performance is better.

A risk measure is a frozen dataclass with one verb, ``value``. Most are a distortion of the
distribution: with F_k the probability at or below the k-th smallest value,

    rho(X) = sum_k x_(k) (g(F_k) - g(F_(k-1))),    g(0) = 0, g(1) = 1, g not falling.

VaR: g jumps from 0 to 1 at q. CVaR: g(t) = min(t / q, 1), which is the Rockafellar-Uryasev value
max_c {c - E(c - X)^+ / q} and splits an atom at the quantile. A concave g dislikes risk.
Values are exact on a finite sample and on a weighted list of models.

R. T. Rockafellar and S. Uryasev, Conditional value-at-risk for general loss distributions (2002);
C. Acerbi, Spectral measures of risk (2002).
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np

from tailsafe.arrays import FloatArray
from tailsafe.errors import InvalidData
from tailsafe.ranks import WHOLE, check_probability

CUMULATED = 1e-12
"""Sums of weights this close to a level have reached it."""


class RiskMeasure(Protocol):
    """A functional of the distribution of a policy's performance, to be maximised."""

    @property
    def name(self) -> str:
        """How tables and sentences call it."""

    def value(self, sorted_values: FloatArray, weights: FloatArray | None = None) -> float:
        """Return the measure of an ascending sample, equally likely or weighted."""


@dataclass(frozen=True, slots=True)
class VaR:
    """Value at Risk a_q = min {a : P(u <= a) >= q} (Def. 8)."""

    level: float

    def __post_init__(self) -> None:
        check_probability(self.level, "the level of VaR")

    @property
    def name(self) -> str:
        """How tables and sentences call it."""
        return f"VaR({self.level:g})"

    def value(self, sorted_values: FloatArray, weights: FloatArray | None = None) -> float:
        """Return the smallest value with a mass of at least q at or below it."""
        mass = cumulative(sorted_values, weights)
        # Exact ranks: whether q * n is whole must not depend on how q or a sum was rounded.
        slack = WHOLE / len(mass) if weights is None else CUMULATED
        at = np.searchsorted(mass, self.level - slack, side="left")
        return float(sorted_values[min(int(at), len(mass) - 1)])


@dataclass(frozen=True, slots=True)
class CVaR:
    """Conditional Value at Risk max_c {c - E(c - u)^+ / q}: the mean of the worst share q.

    Equal to the paper's (Def. 9) when the quantile is no atom; the whole tail, q = 1, is
    ``Mean``.
    """

    level: float

    def __post_init__(self) -> None:
        if self.level == 1.0:
            raise InvalidData("CVaR at level 1 is the mean: use Mean()")
        check_probability(self.level, "the level of CVaR")

    @property
    def name(self) -> str:
        """How tables and sentences call it."""
        return f"CVaR({self.level:g})"

    def value(self, sorted_values: FloatArray, weights: FloatArray | None = None) -> float:
        """Return the mean of the lowest mass q, with the fraction of the value at its edge."""
        mass = np.minimum(cumulative(sorted_values, weights), self.level)
        return _integral(sorted_values, mass / self.level)


@dataclass(frozen=True, slots=True)
class TailMean:
    """The paper's CVaR (Def. 9, Alg. 1): the mean of all values up to the VaR, atoms whole."""

    level: float

    def __post_init__(self) -> None:
        check_probability(self.level, "the level of the tail mean")

    @property
    def name(self) -> str:
        """How tables and sentences call it."""
        return f"tail mean({self.level:g})"

    def value(self, sorted_values: FloatArray, weights: FloatArray | None = None) -> float:
        """Return the mean of the values at or below the VaR."""
        quantile = VaR(self.level).value(sorted_values, weights)
        end = int(np.searchsorted(sorted_values, quantile, side="right"))
        part = None if weights is None else weights[:end]
        return float(np.average(sorted_values[:end], weights=part))


@dataclass(frozen=True, slots=True)
class Mean:
    """The expected performance."""

    @property
    def name(self) -> str:
        """How tables and sentences call it."""
        return "mean"

    def value(self, sorted_values: FloatArray, weights: FloatArray | None = None) -> float:
        """Return the mean."""
        return float(np.average(sorted_values, weights=weights))


@dataclass(frozen=True, slots=True)
class Optimistic:
    """The mean of the best share q: for explorers, and to show what caution costs."""

    level: float

    def __post_init__(self) -> None:
        check_probability(self.level, "the level of the optimistic mean")

    @property
    def name(self) -> str:
        """How tables and sentences call it."""
        return f"optimistic({self.level:g})"

    def value(self, sorted_values: FloatArray, weights: FloatArray | None = None) -> float:
        """Return the mean of the highest mass q."""
        mass = cumulative(sorted_values, weights)
        return _integral(sorted_values, np.maximum(mass - (1.0 - self.level), 0.0) / self.level)


@dataclass(frozen=True, slots=True)
class MeanDeviation:
    """Mean minus ``weight`` standard deviations; not monotone, a better law may score less."""

    weight: float

    def __post_init__(self) -> None:
        if not 0.0 <= self.weight < np.inf:
            raise InvalidData(f"the weight of the deviation must be >= 0, got {self.weight}")

    @property
    def name(self) -> str:
        """How tables and sentences call it."""
        return f"mean - {self.weight:g} sd"

    def value(self, sorted_values: FloatArray, weights: FloatArray | None = None) -> float:
        """Return the mean minus the weighted standard deviation (of the law, not unbiased)."""
        mean = np.average(sorted_values, weights=weights)
        variance = np.average((sorted_values - mean) ** 2, weights=weights)
        return float(mean - self.weight * np.sqrt(variance))


@dataclass(frozen=True, slots=True)
class Mixture:
    """A weighted sum of measures: the soft-robust (1 - w) Mean + w CVaR, for one.

    Parameters
    ----------
    parts
        (weight, measure) pairs; weights are positive and sum to 1.
    """

    parts: tuple[tuple[float, RiskMeasure], ...]

    def __post_init__(self) -> None:
        weights = [weight for weight, _ in self.parts]
        if not weights or min(weights) <= 0.0 or abs(sum(weights) - 1.0) > WHOLE:
            raise InvalidData(f"weights of a mixture must be positive and sum to 1, got {weights}")

    @property
    def name(self) -> str:
        """How tables and sentences call it."""
        return " + ".join(f"{weight:g} {measure.name}" for weight, measure in self.parts)

    def value(self, sorted_values: FloatArray, weights: FloatArray | None = None) -> float:
        """Return the weighted sum of the parts."""
        return sum(share * measure.value(sorted_values, weights) for share, measure in self.parts)


def soft_robust(level: float, weight: float) -> Mixture:
    """Return (1 - weight) Mean + weight CVaR(level) (Lobo, Ghavamzadeh, Petrik 2021)."""
    check_probability(weight, "the weight of CVaR")
    return Mixture(((1.0 - weight, Mean()), (weight, CVaR(level))))


@dataclass(frozen=True, slots=True)
class Spectral:
    """A distortion measure whose g is piecewise linear through the given points.

    Parameters
    ----------
    masses, shares
        g(masses[k]) = shares[k], from (0, 0) to (1, 1), neither falling. CVaR(q) is
        ``Spectral((0, q, 1), (0, 1, 1))``.
    """

    masses: tuple[float, ...]
    shares: tuple[float, ...]

    def __post_init__(self) -> None:
        for name, points in (("masses", self.masses), ("shares", self.shares)):
            if len(points) < 2 or points[0] != 0.0 or points[-1] != 1.0:
                raise InvalidData(f"{name} of a spectral measure must go from 0 to 1: {points}")
            if any(b < a for a, b in pairwise(points)):
                raise InvalidData(f"{name} of a spectral measure must not fall: {points}")
        if len(self.masses) != len(self.shares):
            raise InvalidData(f"{len(self.masses)} masses but {len(self.shares)} shares")
        if any(b == a for a, b in pairwise(self.masses)):
            raise InvalidData(f"masses of a spectral measure must not repeat: {self.masses}")

    @property
    def name(self) -> str:
        """How tables and sentences call it."""
        points = ", ".join(f"{m:g}:{s:g}" for m, s in zip(self.masses, self.shares, strict=True))
        return f"spectral({points})"

    def value(self, sorted_values: FloatArray, weights: FloatArray | None = None) -> float:
        """Return the weighted sum of the order statistics."""
        mass = cumulative(sorted_values, weights)
        return _integral(sorted_values, np.interp(mass, self.masses, self.shares))


def cumulative(sorted_values: FloatArray, weights: FloatArray | None) -> FloatArray:
    """Return the probability at or below each value of an ascending sample; it ends at 1."""
    n = len(sorted_values)
    if n == 0:
        raise InvalidData("a risk measure needs at least one value")
    if weights is None:
        return np.arange(1, n + 1) / n
    total = np.cumsum(weights)
    mass: FloatArray = total / total[-1]
    return mass


def _integral(sorted_values: FloatArray, distorted: FloatArray) -> float:
    # Differences from the lowest value keep a constant exactly what it is.
    lowest = sorted_values[0]
    return float(lowest + np.diff(distorted, prepend=0.0) @ (sorted_values - lowest))
