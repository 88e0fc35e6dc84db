"""The direct method: the exact value of a policy in the most likely model.

    DM = mu' V of the policy in P_hat, untried pairs by a named convention

It is what ``Nominal`` trusts, so it cannot tell a good plan from a lucky one; a baseline.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tailsafe.arrays import FloatArray
from tailsafe.estimators.estimator import checked
from tailsafe.estimators.fitted_q import fitted_sizes
from tailsafe.policy import Policy
from tailsafe.problem import Problem
from tailsafe.unseen import Uniform, Unseen
from tailsafe.values import performance


@dataclass(frozen=True, slots=True)
class DirectMethod:
    """The value in the most likely model; never refuses unless told to.

    Parameters
    ----------
    unseen
        What the model says of pairs that were never tried.
    min_effective
        In visits of the pairs that the policy uses.
    """

    unseen: Unseen = Uniform()
    min_effective: float = 0.0

    @property
    def name(self) -> str:
        return "DM" if self.unseen == Uniform() else f"DM(unseen {self.unseen})"

    def score(self, problem: Problem, policies: Sequence[Policy]) -> FloatArray:
        model = problem.nominal(self.unseen)
        values = [performance(model, policy) for policy in checked(problem, policies)]
        scores = np.array(values, np.float64)
        if self.min_effective > 0.0:
            scores[self.effective_sizes(problem, policies) < self.min_effective] = np.nan
        return scores

    def effective_sizes(self, problem: Problem, policies: Sequence[Policy]) -> FloatArray:
        return fitted_sizes(problem, policies)
