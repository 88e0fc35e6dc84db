"""Fitted Q evaluation on a table: the fixed point of regressing r + g V(t) on the tried pairs.

    Q(s, a) = mean over the log's (s, a) of  r + g sum_b pi(b | t) Q(t, b),      0 if never tried

H. Le, C. Voloshin, Y. Yue. Batch policy learning under constraints. ICML 2019. Without function
approximation this is the value of the policy in the model of frequencies that ends where there is
no data, with the rewards of the log.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from tailsafe.arrays import FloatArray
from tailsafe.errors import NotSupported
from tailsafe.estimators.estimator import checked
from tailsafe.policy import Policy
from tailsafe.problem import Problem
from tailsafe.unseen import Zero
from tailsafe.values import solved_values

ROUNDING = 1e-12
"""Pairs that the policy comes to less often than this, relative to the others, are not used."""


@dataclass(frozen=True, slots=True)
class FQE:
    """The value that was fitted to the log; refuses where the policy leaves what was tried.

    Parameters
    ----------
    min_effective
        In visits of the pairs that the policy uses; 1 asks only that each was tried.
    """

    min_effective: float = 1.0

    @property
    def name(self) -> str:
        return "FQE"

    def score(self, problem: Problem, policies: Sequence[Policy]) -> FloatArray:
        return fitted_scores(
            problem, policies, self.min_effective, lambda fit: float(fit.start @ fit.V)
        )

    def effective_sizes(self, problem: Problem, policies: Sequence[Policy]) -> FloatArray:
        return fitted_sizes(problem, policies)


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """Values of a policy fitted to a log.

    Parameters
    ----------
    Q, V
        Q[s, a] and V[s].
    visited
        d[s, a]: how often, discounted, the policy comes to each pair in the model of frequencies.
    visits
        N[s, a] of the log.
    start
        mu[s].
    """

    Q: FloatArray
    V: FloatArray
    visited: FloatArray
    visits: FloatArray
    start: FloatArray

    def effective_visits(self) -> float:
        """Return the mean of N(s, a) over what the policy comes to, harmonic; 0 off the log.

        With equal spreads the variance of the value is proportional to d / N, summed over pairs.
        """
        used = self.visited > ROUNDING * self.visited.max(initial=0.0)
        if (self.visits[used] == 0.0).any() or not used.any():
            return 0.0
        d = self.visited[used]
        return float(d.sum() / (d / self.visits[used]).sum())


def fitted(problem: Problem, policy: Policy) -> Fitted:
    """Return the values that fit the log under a policy."""
    task = problem.task
    visits = problem.batch.visits().astype(np.float64)
    mdp, rewards = problem.nominal(Zero()), mean_rewards(problem)
    table = mdp.table
    try:
        V = solved_values(mdp, policy.probs, rewards)
        d = _occupancy(problem, policy, mdp.probability)
    except np.linalg.LinAlgError:
        raise NotSupported(
            "the policy may never end in the log's model: use a discount below 1"
        ) from None
    V = np.where(task.terminal, 0.0, V)
    expected = table.sum_rows(mdp.probability * V[table.successor])
    Q = rewards + task.discount * expected
    return Fitted(Q, V, d, visits, task.initial)


def mean_rewards(problem: Problem) -> FloatArray:
    """Return the mean reward that the log shows for each pair, r[s, a]; 0 where it shows none."""
    task, batch = problem.task, problem.batch
    shape = (task.n_states, task.n_actions)
    total = np.bincount(batch.row, weights=batch.reward, minlength=shape[0] * shape[1])
    rewards: FloatArray = total.reshape(shape) / np.maximum(batch.visits(), 1)
    rewards[task.terminal] = 0.0
    return rewards


def fitted_scores(
    problem: Problem,
    policies: Sequence[Policy],
    min_effective: float,
    value: Callable[[Fitted], float],
) -> FloatArray:
    """Return value(fit) of each policy; NaN where too few visits carry it."""
    scores = np.full(len(policies), np.nan)
    for p, policy in enumerate(checked(problem, policies)):
        fit = fitted(problem, policy)
        if fit.effective_visits() >= min_effective:
            scores[p] = value(fit)
    return scores


def fitted_sizes(problem: Problem, policies: Sequence[Policy]) -> FloatArray:
    """Return the effective number of visits that carries each policy's value."""
    fits = (fitted(problem, policy) for policy in checked(problem, policies))
    return np.array([fit.effective_visits() for fit in fits], np.float64)


def _occupancy(problem: Problem, policy: Policy, probability: FloatArray) -> FloatArray:
    """Return how often, discounted, each pair is come to from the start, d[s, a]."""
    task, table = problem.task, problem.posterior.table
    n, rows = table.n_states, table.row_of_entry
    alive = ~task.terminal
    weight = policy.probs.ravel()[rows] * probability * alive[rows // table.n_actions]
    flow = np.bincount(rows // table.n_actions * n + table.successor, weight, n * n).reshape(n, n)
    visited = np.linalg.solve(np.eye(n) - task.discount * flow.T, task.initial)
    return np.where(alive[:, None], visited[:, None] * policy.probs, 0.0)
