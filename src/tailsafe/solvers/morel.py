"""Model-based offline RL: where the models of an ensemble disagree too much, the process halts.

R. Kidambi, A. Rajeswaran, P. Netrapalli, T. Joachims. MOReL: Model-Based Offline Reinforcement
Learning. NeurIPS 2020. https://arxiv.org/abs/2005.05951 -- Tabular: the optimal policy of the
posterior mean, in which a pair with e(s, a) above a quantile leads to HALT, where each step pays
-kappa (their Definition 2):

    Q(s, a) = r(s, a) - discount kappa / (1 - discount)
"""

from dataclasses import dataclass

import numpy as np

from tailsafe.arrays import BoolArray, check_count
from tailsafe.engine import Engine
from tailsafe.errors import InvalidData
from tailsafe.policy import Policy
from tailsafe.problem import Problem
from tailsafe.solvers.altered import altered, best_policy, forever, reward_range
from tailsafe.solvers.bcr import used_pairs
from tailsafe.solvers.disagreement import disagreement
from tailsafe.solvers.model import Model


@dataclass(frozen=True, slots=True)
class MOReL:
    """Stay where the models agree.

    Parameters
    ----------
    quantile
        The share of pairs that count as known, in (0, 1].
    kappa
        What HALT costs a step; the negative of the smallest reward by default.
    n_models
        Posterior samples that stand for the ensemble.
    """

    quantile: float = 0.75
    kappa: float | None = None
    n_models: int = 1_000

    def __post_init__(self) -> None:
        check_count(self.n_models, "n_models")
        if not 0.0 < self.quantile <= 1.0:
            raise InvalidData(f"quantile must be in (0, 1], got {self.quantile}")
        if self.kappa is not None and not np.isfinite(self.kappa):
            raise InvalidData(f"kappa must be a finite number, got {self.kappa}")

    @property
    def name(self) -> str:
        part = "" if self.kappa is None else f", kappa {self.kappa:g}"
        return f"MOReL({self.quantile:g}{part})"

    def unknown(self, problem: Problem, seed: int = 0) -> BoolArray:
        """Return mask[s, a] of the pairs about which the models disagree too much."""
        error = disagreement(problem, self.n_models, seed)
        used = used_pairs(problem)
        threshold = np.quantile(error[used], self.quantile) if used.any() else np.inf
        return used & (error > threshold)

    def model(self, problem: Problem, seed: int = 0) -> Model:
        """Return the posterior mean that halts at unknown pairs."""
        mean, discount = problem.mean(), problem.task.discount
        cost = -reward_range(problem)[0] if self.kappa is None else self.kappa
        halt = discount * forever(-cost, discount)
        unknown = self.unknown(problem, seed)
        reward = mean.task.expected_reward(mean.table, mean.probability)
        return altered(mean, np.where(unknown, reward + halt, reward), unknown)

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        del engine
        return best_policy(self.model(problem, seed))
