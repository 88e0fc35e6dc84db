"""The fitted value minus its standard error.

    FQE - weight * se,      se^2 = sum_sa d(s, a)^2 Var(r + g V(t) | s, a) / N(s, a)

C.-H. H. Yang, Z. Qi, Y. Cui, P.-Y. Chen. Pessimistic model selection for offline deep reinforcement
learning. 2021. https://arxiv.org/abs/2111.14346. On a table the asymptotic variance of the fitted
value is explicit (d: discounted visits in the model of frequencies).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tailsafe.arrays import FloatArray
from tailsafe.errors import InvalidData
from tailsafe.estimators.fitted_q import Fitted, fitted_scores, fitted_sizes
from tailsafe.policy import Policy
from tailsafe.problem import Problem


@dataclass(frozen=True, slots=True)
class PessimisticFQE:
    """Mean minus error of the fitted value.

    Parameters
    ----------
    weight
        How many standard errors are taken off.
    min_effective
        In visits of the pairs that the policy uses; a pair tried once shows no spread.
    """

    weight: float = 1.0
    min_effective: float = 2.0

    def __post_init__(self) -> None:
        if not 0.0 <= self.weight < np.inf:
            raise InvalidData(f"weight must be at least 0, got {self.weight}")

    @property
    def name(self) -> str:
        return f"FQE - {self.weight:g} se"

    def score(self, problem: Problem, policies: Sequence[Policy]) -> FloatArray:
        def value(fit: Fitted) -> float:
            return float(fit.start @ fit.V) - self.weight * standard_error(problem, fit)

        return fitted_scores(problem, policies, self.min_effective, value)

    def effective_sizes(self, problem: Problem, policies: Sequence[Policy]) -> FloatArray:
        return fitted_sizes(problem, policies)


def standard_error(problem: Problem, fit: Fitted) -> float:
    """Return the standard error of the fitted value."""
    batch, shape = problem.batch, fit.Q.shape
    later = np.where(batch.terminated, 0.0, fit.V[batch.next_state])
    error = batch.reward + problem.task.discount * later - fit.Q[batch.state, batch.action]
    squares = np.bincount(batch.row, error**2, fit.Q.size).reshape(shape)
    # Var / N with the unbiased variance; a pair tried once counts as if tried twice.
    per_visit = squares / (np.maximum(fit.visits, 1.0) * np.maximum(fit.visits - 1.0, 1.0))
    return float(np.sqrt((fit.visited**2 * per_visit).sum()))
