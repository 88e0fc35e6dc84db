"""Importance sampling of whole episodes: unbiased, and self-normalised.

    IS = (1/n) sum_i rho_i G_i          WIS = sum_i rho_i G_i / sum_i rho_i

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
class IS:
    """The mean of the weighted returns; unbiased for the return as far as it was recorded."""

    min_effective: float = MIN_EFFECTIVE

    @property
    def name(self) -> str:
        return "IS"

    def score(self, problem: Problem, policies: Sequence[Policy]) -> FloatArray:
        return estimated(problem, policies, self.min_effective, weighted_mean)

    def effective_sizes(self, problem: Problem, policies: Sequence[Policy]) -> FloatArray:
        return episode_sizes(problem, policies)


@dataclass(frozen=True, slots=True)
class WIS:
    """The weighted mean of the returns: biased, never outside what was seen."""

    min_effective: float = MIN_EFFECTIVE

    @property
    def name(self) -> str:
        return "WIS"

    def score(self, problem: Problem, policies: Sequence[Policy]) -> FloatArray:
        return estimated(problem, policies, self.min_effective, self_normalised_mean)

    def effective_sizes(self, problem: Problem, policies: Sequence[Policy]) -> FloatArray:
        return episode_sizes(problem, policies)


def weighted_mean(log: Weighted) -> float:
    """Return (1/n) sum_i rho_i G_i."""
    return float(np.mean(log.final * log.episodes.returns()))


def self_normalised_mean(log: Weighted) -> float:
    """Return sum_i rho_i G_i / sum_i rho_i; NaN where all weights are 0."""
    total = log.final.sum()
    return float(log.final @ log.episodes.returns() / total) if total > 0.0 else np.nan
