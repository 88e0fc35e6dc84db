"""Importance weights of a log: how much more probable a policy makes what happened.

    rho_t = prod_{k <= t} pi(a_k | s_k) / pi_b(a_k | s_k)        effective size (sum w)^2 / sum w^2

pi_b is the problem's behaviour policy, given or estimated. Episodes may have any length: past its
last step an episode keeps its weight and earns nothing.
D. Precup, R. S. Sutton, S. Singh. Eligibility traces for off-policy policy evaluation. ICML 2000;
L. Kish. Survey Sampling. Wiley, 1965 (the effective size).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from tailsafe.arrays import FloatArray, IntArray, first_index
from tailsafe.batch import Batch
from tailsafe.errors import InvalidData
from tailsafe.estimators.estimator import checked
from tailsafe.policy import Policy
from tailsafe.problem import Problem


@dataclass(frozen=True, slots=True, eq=False)
class Episodes:
    """The episodes of a log.

    Parameters
    ----------
    batch
        The log.
    discount
        Of the task.
    starts, lengths
        First transition and number of transitions of each episode.
    step
        t, the place of each transition in its episode.
    """

    batch: Batch
    discount: float
    starts: IntArray
    lengths: IntArray
    step: IntArray

    @property
    def discounts(self) -> FloatArray:
        """The discount to the power of the step, of each transition."""
        powers: FloatArray = self.discount ** self.step.astype(np.float64)
        return powers

    def sums(self, values: FloatArray) -> FloatArray:
        """Return the sum over each episode of a value per transition."""
        total: FloatArray = np.add.reduceat(values, self.starts)
        return total

    def returns(self) -> FloatArray:
        """Return the discounted return of each episode, as far as it was recorded."""
        return self.sums(self.discounts * self.batch.reward)


@dataclass(frozen=True, slots=True, eq=False)
class Weighted:
    """A log as one policy would have it.

    Parameters
    ----------
    episodes
        The log.
    policy
        Whose log it would be.
    cumulative
        rho_t of each transition.
    """

    episodes: Episodes
    policy: Policy
    cumulative: FloatArray

    @property
    def final(self) -> FloatArray:
        """The weight of each whole episode."""
        last: FloatArray = self.cumulative[self.episodes.starts + self.episodes.lengths - 1]
        return last

    @property
    def normalised(self) -> FloatArray:
        """rho_t of each transition divided by the sum over all episodes at the same step."""
        starts, lengths = self.episodes.starts, self.episodes.lengths
        total = np.array(
            [
                self.cumulative[starts + np.minimum(t, lengths - 1)].sum()
                for t in range(int(lengths.max()))
            ]
        )
        at = total[self.episodes.step]
        shares: FloatArray = np.divide(self.cumulative, at, out=np.zeros_like(at), where=at > 0.0)
        return shares


def episodes_of(problem: Problem) -> Episodes:
    """Return the episodes of a problem's log."""
    batch = problem.batch
    if len(batch) == 0:
        raise InvalidData("the log is empty: an estimator needs at least one episode")
    lengths = np.diff(np.append(batch.starts, len(batch)))
    step = np.arange(len(batch)) - np.repeat(batch.starts, lengths)
    return Episodes(batch, problem.task.discount, batch.starts, lengths, step)


def weighted(problem: Problem, episodes: Episodes, policy: Policy) -> Weighted:
    """Return the log with the importance weights of a policy."""
    batch = episodes.batch
    taken = problem.behaviour.probs[batch.state, batch.action]
    if (taken == 0.0).any():
        i = first_index(taken == 0.0)[0]
        raise InvalidData(
            f"transition {i} takes action {batch.action[i]} in state {batch.state[i]}, which the "
            f"behaviour policy never does ({int((taken == 0.0).sum())} such transitions)"
        )
    rho = policy.probs[batch.state, batch.action] / taken
    for t in range(1, int(episodes.lengths.max())):
        at = episodes.starts[episodes.lengths > t] + t
        rho[at] *= rho[at - 1]
    return Weighted(episodes, policy, rho)


def effective_size(weights: FloatArray) -> float:
    """Return (sum w)^2 / sum w^2, 0 where all weights are 0."""
    largest = float(weights.max(initial=0.0))
    if largest == 0.0:
        return 0.0
    scaled = weights / largest
    return float(scaled.sum() ** 2 / (scaled**2).sum())


def estimated(
    problem: Problem,
    policies: Sequence[Policy],
    min_effective: float,
    value: Callable[[Weighted], float],
) -> FloatArray:
    """Return the estimate of each policy; NaN below the effective size."""
    episodes = episodes_of(problem)
    scores = np.full(len(policies), np.nan)
    for p, policy in enumerate(checked(problem, policies)):
        log = weighted(problem, episodes, policy)
        if effective_size(log.final) >= min_effective:
            scores[p] = value(log)
    return scores


def episode_sizes(problem: Problem, policies: Sequence[Policy]) -> FloatArray:
    """Return the effective number of episodes of each policy."""
    episodes = episodes_of(problem)
    logs = (weighted(problem, episodes, policy) for policy in checked(problem, policies))
    return np.array([effective_size(log.final) for log in logs], np.float64)
