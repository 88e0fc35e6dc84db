"""Doubly robust estimates: a model's value, corrected by the weighted surprises of the log.

    DR = mean_i V(s_{i,0}) + (1/n) sum_i sum_t g^t rho_{i,t} (r + g V(s') - Q(s, a))

and WDR with rho_{i,t} / n replaced by rho_{i,t} / sum_j rho_{j,t}. V(s') is 0 past an end; where an
episode was only cut, the model completes it. Q and V are those of ``FQE``.
N. Jiang, L. Li. Doubly robust off-policy value evaluation for reinforcement learning. ICML 2016;
P. S. Thomas, E. Brunskill. Data-efficient off-policy policy evaluation. ICML 2016.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tailsafe.arrays import FloatArray
from tailsafe.estimators.estimator import MIN_EFFECTIVE
from tailsafe.estimators.fitted_q import fitted
from tailsafe.estimators.weights import Weighted, episode_sizes, estimated
from tailsafe.policy import Policy
from tailsafe.problem import Problem


@dataclass(frozen=True, slots=True)
class DR:
    """The doubly robust estimate."""

    min_effective: float = MIN_EFFECTIVE

    @property
    def name(self) -> str:
        return "DR"

    def score(self, problem: Problem, policies: Sequence[Policy]) -> FloatArray:
        def value(log: Weighted) -> float:
            return corrected(control(problem, log), log.cumulative / n_episodes(log))

        return estimated(problem, policies, self.min_effective, value)

    def effective_sizes(self, problem: Problem, policies: Sequence[Policy]) -> FloatArray:
        return episode_sizes(problem, policies)


@dataclass(frozen=True, slots=True)
class WDR:
    """The doubly robust estimate with weights that sum to 1 at each step."""

    min_effective: float = MIN_EFFECTIVE

    @property
    def name(self) -> str:
        return "WDR"

    def score(self, problem: Problem, policies: Sequence[Policy]) -> FloatArray:
        def value(log: Weighted) -> float:
            return corrected(control(problem, log), log.normalised)

        return estimated(problem, policies, self.min_effective, value)

    def effective_sizes(self, problem: Problem, policies: Sequence[Policy]) -> FloatArray:
        return episode_sizes(problem, policies)


@dataclass(frozen=True, slots=True, eq=False)
class Control:
    """A model's values where the log has been.

    Parameters
    ----------
    start
        V of the first state of each episode.
    surprise
        g^t (r + g V(s') - Q(s, a)) of each transition.
    """

    start: FloatArray
    surprise: FloatArray


def control(problem: Problem, log: Weighted) -> Control:
    """Return the fitted values of the policy where the log has been."""
    fit = fitted(problem, log.policy)
    return control_of(log, fit.Q, fit.V)


def control_of(log: Weighted, Q: FloatArray, V: FloatArray) -> Control:
    """Return what the values Q[s, a] and V[s] say where the log has been."""
    episodes, batch = log.episodes, log.episodes.batch
    later = np.where(batch.terminated, 0.0, V[batch.next_state])
    surprise = batch.reward + episodes.discount * later - Q[batch.state, batch.action]
    return Control(V[batch.state[episodes.starts]], episodes.discounts * surprise)


def corrected(model: Control, weights: FloatArray) -> float:
    """Return the model's value, corrected with these weights of the transitions."""
    return float(model.start.mean() + weights @ model.surprise)


def n_episodes(log: Weighted) -> int:
    """Return the number of episodes."""
    return len(log.episodes.starts)
