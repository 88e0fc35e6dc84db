"""Per-decision importance sampling: a reward is weighted by what led to it only.

    PDIS = (1/n) sum_i sum_t g^t rho_{i,t} r_{i,t}
    WPDIS = sum_i sum_t g^t (rho_{i,t} / sum_j rho_{j,t}) r_{i,t}

D. Precup, R. S. Sutton, S. Singh. Eligibility traces for off-policy policy evaluation. ICML 2000.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tailsafe.arrays import FloatArray
from tailsafe.estimators.estimator import MIN_EFFECTIVE
from tailsafe.estimators.weights import Weighted, episode_sizes, estimated
from tailsafe.policy import Policy
from tailsafe.problem import Problem


@dataclass(frozen=True, slots=True)
class PDIS:
    """Weighted rewards; unbiased for the return as far as it was recorded."""

    min_effective: float = MIN_EFFECTIVE

    @property
    def name(self) -> str:
        return "PDIS"

    def score(self, problem: Problem, policies: Sequence[Policy]) -> FloatArray:
        return estimated(problem, policies, self.min_effective, per_decision)

    def effective_sizes(self, problem: Problem, policies: Sequence[Policy]) -> FloatArray:
        return episode_sizes(problem, policies)


@dataclass(frozen=True, slots=True)
class WPDIS:
    """Weighted rewards, the weights of each step summing to 1."""

    min_effective: float = MIN_EFFECTIVE

    @property
    def name(self) -> str:
        return "WPDIS"

    def score(self, problem: Problem, policies: Sequence[Policy]) -> FloatArray:
        return estimated(problem, policies, self.min_effective, self_normalised_per_decision)

    def effective_sizes(self, problem: Problem, policies: Sequence[Policy]) -> FloatArray:
        return episode_sizes(problem, policies)


def per_decision(log: Weighted) -> float:
    """Return the mean of the sums of weighted rewards."""
    episodes = log.episodes
    terms = episodes.discounts * log.cumulative * episodes.batch.reward
    return float(terms.sum() / len(episodes.starts))


def self_normalised_per_decision(log: Weighted) -> float:
    """Return the sum of rewards with weights that sum to 1 a step; NaN where all are 0."""
    if not (log.final > 0.0).any():
        return np.nan
    episodes = log.episodes
    return float((episodes.discounts * log.normalised * episodes.batch.reward).sum())
