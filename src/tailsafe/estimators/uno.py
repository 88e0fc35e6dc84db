"""Universal off-policy evaluation: the whole distribution of a policy's return, from the log.

    F(v) = (1/n) sum_i rho_i 1{G_i <= v}             (self-normalised: divided by sum_i rho_i)
    VaR = min {v : F(v) >= q}     CVaR = (1/q) int_0^q F^-1     mean = int v dF

It speaks of the return of an episode under one world, chance included, not of the performance over
the worlds that the log allows; and a deterministic policy on long episodes has weights that are all
0: then F never reaches q, the effective size is 0, and the score is NaN.
Y. Chandak, S. Niekum, B. Castro da Silva, E. Learned-Miller, E. Brunskill, P. S. Thomas. Universal
off-policy evaluation. NeurIPS 2021. https://arxiv.org/abs/2104.12820
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tailsafe.arrays import FloatArray
from tailsafe.errors import NotSupported
from tailsafe.estimators.estimator import MIN_EFFECTIVE
from tailsafe.estimators.weights import Weighted, episode_sizes, episodes_of, estimated, weighted
from tailsafe.policy import Policy
from tailsafe.problem import Problem
from tailsafe.risk import CVaR, Mean, RiskMeasure, VaR

SAME = 12
"""Returns that agree to this many decimals are one value."""

REACHED = 1e-12
"""A mass this close to a level has reached it."""


@dataclass(frozen=True, slots=True)
class UnO:
    """A risk measure of the importance-sampled distribution of returns.

    Parameters
    ----------
    risk
        VaR, CVaR or the mean.
    min_effective
        In episodes.
    """

    risk: RiskMeasure = CVaR(0.25)
    min_effective: float = MIN_EFFECTIVE

    def __post_init__(self) -> None:
        check_risk(self.risk)

    @property
    def name(self) -> str:
        return f"UnO {self.risk.name}"

    def score(self, problem: Problem, policies: Sequence[Policy]) -> FloatArray:
        def value(log: Weighted) -> float:
            return return_law(log, len(log.final)).risk(self.risk)

        return estimated(problem, policies, self.min_effective, value)

    def effective_sizes(self, problem: Problem, policies: Sequence[Policy]) -> FloatArray:
        return episode_sizes(problem, policies)

    def law(self, problem: Problem, policy: Policy) -> "ReturnLaw":
        """Return the estimated distribution of the policy's return."""
        log = weighted(problem, episodes_of(problem), policy)
        return return_law(log, len(log.final))


@dataclass(frozen=True, slots=True)
class SelfNormalisedUnO:
    """The same with weights that sum to 1.

    Parameters
    ----------
    risk
        VaR, CVaR or the mean.
    min_effective
        In episodes.
    """

    risk: RiskMeasure = CVaR(0.25)
    min_effective: float = MIN_EFFECTIVE

    def __post_init__(self) -> None:
        check_risk(self.risk)

    @property
    def name(self) -> str:
        return f"self-normalised UnO {self.risk.name}"

    def score(self, problem: Problem, policies: Sequence[Policy]) -> FloatArray:
        def value(log: Weighted) -> float:
            return return_law(log, float(log.final.sum())).risk(self.risk)

        return estimated(problem, policies, self.min_effective, value)

    def effective_sizes(self, problem: Problem, policies: Sequence[Policy]) -> FloatArray:
        return episode_sizes(problem, policies)

    def law(self, problem: Problem, policy: Policy) -> "ReturnLaw":
        """Return the estimated distribution of the policy's return."""
        log = weighted(problem, episodes_of(problem), policy)
        return return_law(log, float(log.final.sum()))


@dataclass(frozen=True, slots=True, eq=False)
class ReturnLaw:
    """An estimated distribution; its total mass need not be 1.

    Parameters
    ----------
    values
        Distinct returns, ascending.
    mass
        Of each; NaN where there are no weights to normalise by.
    """

    values: FloatArray
    mass: FloatArray

    @property
    def cumulative(self) -> FloatArray:
        """F at each value."""
        F: FloatArray = np.cumsum(self.mass)
        return F

    def risk(self, measure: RiskMeasure) -> float:
        """Return VaR, CVaR or the mean; NaN where F does not reach the level."""
        if isinstance(measure, Mean):
            return float(self.values @ self.mass)
        assert isinstance(measure, VaR | CVaR)
        q, F = measure.level, self.cumulative
        # NaN compares as not reached.
        reached = q - REACHED <= F
        if not reached.any():
            return np.nan
        at = int(np.argmax(reached))
        if isinstance(measure, VaR):
            return float(self.values[at])
        below = F[at - 1] if at else 0.0
        return float((self.values[:at] @ self.mass[:at] + self.values[at] * (q - below)) / q)


def return_law(log: Weighted, total: float) -> ReturnLaw:
    """Return the distribution of returns with each episode's weight divided by ``total``."""
    values, place = np.unique(np.round(log.episodes.returns(), SAME), return_inverse=True)
    mass = np.bincount(place, log.final, len(values))
    return ReturnLaw(values, mass / total if total > 0.0 else np.full(len(values), np.nan))


def check_risk(risk: RiskMeasure) -> None:
    """Raise NotSupported unless the measure is VaR, CVaR or the mean."""
    if not isinstance(risk, VaR | CVaR | Mean):
        raise NotSupported(f"UnO scores VaR, CVaR and the mean, not {risk!r}")
