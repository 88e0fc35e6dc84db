"""Batch value-function tournament: whose action values fit Bellman's equation on pairwise cells?

For Q_i, Q_j and a resolution e, cells hold the pairs with equal (floor(Q_i / e), floor(Q_j / e)).
With the projection of the empirical backup of Q_i on functions constant in each cell,

    loss(i, j, e) = || Q_i - projection of (r + g max_b Q_i(t, b)) ||,  in the L2 norm of the log
    score(i) = - min_e max_j loss(i, j, e)

T. Xie, N. Jiang. Batch value-function approximation with only realizability. ICML 2021; S. Zhang,
N. Jiang. Towards hyperparameter-free policy selection for offline RL. NeurIPS 2021. The Q_i are
the fitted values (``FQE``) of the policies, so the score says how near a policy is to an optimal
one; it is not a value. The work grows with the square of the number of policies.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tailsafe.arrays import FloatArray, IntArray
from tailsafe.errors import InvalidData
from tailsafe.estimators.estimator import checked
from tailsafe.estimators.fitted_q import fitted, fitted_sizes, mean_rewards
from tailsafe.policy import Policy
from tailsafe.problem import Problem
from tailsafe.unseen import Zero
from tailsafe.values import action_values


@dataclass(frozen=True, slots=True)
class BVFT:
    """Minus the worst pairwise Bellman error.

    Parameters
    ----------
    cells
        Numbers of cells that the range of all values is cut into; the best resolution counts.
    min_effective
        In visits of the pairs that the policy uses.
    """

    cells: tuple[int, ...] = (2, 4, 8, 16, 64)
    min_effective: float = 0.0

    def __post_init__(self) -> None:
        if not self.cells or min(self.cells) < 1:
            raise InvalidData(f"cells must be positive whole numbers, got {self.cells}")

    @property
    def name(self) -> str:
        return "BVFT"

    def score(self, problem: Problem, policies: Sequence[Policy]) -> FloatArray:
        if not policies:
            return np.empty(0)
        tried = problem.batch.visits() > 0
        weight = problem.batch.visits()[tried] / len(problem.batch)
        fits = [fitted(problem, policy) for policy in checked(problem, policies)]
        Q = np.stack([fit.Q[tried] for fit in fits])
        targets = np.stack([_backup(problem, fit.Q)[tried] for fit in fits])
        losses = np.stack([_losses(_cut(Q, n), Q, targets, weight) for n in self.cells])
        scores = -losses.max(axis=2).min(axis=0)
        if self.min_effective > 0.0:
            scores[self.effective_sizes(problem, policies) < self.min_effective] = np.nan
        return np.asarray(scores, np.float64)

    def effective_sizes(self, problem: Problem, policies: Sequence[Policy]) -> FloatArray:
        return fitted_sizes(problem, policies)


def _backup(problem: Problem, Q: FloatArray) -> FloatArray:
    """Return the empirical optimality backup of Q[s, a]."""
    task = problem.task
    best = np.where(task.admissible, Q, -np.inf).max(axis=1, initial=-np.inf)
    best = np.where(task.terminal, 0.0, best)
    mdp = problem.nominal(Zero())
    # Logged rewards instead of the task's: what happened is all that this method believes.
    expected = action_values(mdp, best) - task.expected_reward(mdp.table, mdp.probability)
    return mean_rewards(problem) + expected


def _cut(Q: FloatArray, n: int) -> IntArray:
    """Return the cell of each value when the range of all is cut into n."""
    span = float(np.ptp(Q))
    if span == 0.0:
        return np.zeros(Q.shape, np.int64)
    cells: IntArray = np.floor((Q - Q.min()) / span * n).astype(np.int64)
    return np.minimum(cells, n - 1)


def _losses(cells: IntArray, Q: FloatArray, targets: FloatArray, weight: FloatArray) -> FloatArray:
    """Return loss[i, j] of all pairs of action values Q[i, row]."""
    n, width = len(Q), int(cells.max()) + 1
    losses = np.empty((n, n))
    for i in range(n):
        for j in range(n):
            _, cell = np.unique(cells[i] * width + cells[j], return_inverse=True)
            mass = np.bincount(cell, weight)
            projected = np.bincount(cell, weight * targets[i]) / mass
            losses[i, j] = np.sqrt(weight @ (Q[i] - projected[cell]) ** 2)
    return losses
