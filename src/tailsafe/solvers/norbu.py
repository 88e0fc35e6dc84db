"""Soft-robust value iteration: part mean, part bad tail of the posterior's models, pair by pair.

E. A. Lobo, M. Ghavamzadeh, M. Petrik. Soft-Robust Algorithms for Batch Reinforcement Learning.
2021. https://arxiv.org/abs/2011.14495 -- Over posterior models m, with
z_m = sum_t P_m(t | s, a) (R(s, a, t) + discount v(t)),

    v(s) = max_a (1 - w) mean_m z_m + w CVaR_alpha(z_m)      (or VaR_alpha, the ceil(alpha M)-th)

Each pair has its own tail, so the risk is nested, not that of the return.
"""

from dataclasses import dataclass
from functools import partial

from tailsafe.arrays import check_count
from tailsafe.engine import Engine
from tailsafe.errors import InvalidData
from tailsafe.policy import Policy
from tailsafe.problem import Problem
from tailsafe.ranks import check_probability
from tailsafe.solvers.robust import Nature, robust_values
from tailsafe.solvers.sampled_natures import (
    quantile_weights,
    sampled_models,
    tail_weights,
    worst_mixture,
)


@dataclass(frozen=True, slots=True)
class NORBU:
    """Soft-robust with CVaR.

    Parameters
    ----------
    level
        The share of bad models looked at, alpha = q.
    weight
        Of the tail; the rest goes to the mean.
    n_models
        Posterior samples.
    """

    level: float = 0.25
    weight: float = 0.5
    n_models: int = 1_000

    def __post_init__(self) -> None:
        _check(self.level, self.weight, self.n_models)

    @property
    def name(self) -> str:
        return f"NORBU({self.level:g}, weight {self.weight:g})"

    def nature(self, problem: Problem, seed: int = 0) -> Nature:
        """Return the mixture of the mean and the tail of the models."""
        models = sampled_models(problem, self.n_models, seed)
        return partial(worst_mixture, models, partial(tail_weights, self.level), self.weight)

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        del engine
        nature = self.nature(problem, seed)
        return robust_values(problem.task, problem.posterior.table, nature).policy


@dataclass(frozen=True, slots=True)
class NORBUVaR:
    """Soft-robust with VaR.

    Parameters
    ----------
    level
        Of the quantile, alpha = q.
    weight
        Of the quantile; the rest goes to the mean.
    n_models
        Posterior samples.
    """

    level: float = 0.25
    weight: float = 0.5
    n_models: int = 1_000

    def __post_init__(self) -> None:
        _check(self.level, self.weight, self.n_models)

    @property
    def name(self) -> str:
        return f"NORBUVaR({self.level:g}, weight {self.weight:g})"

    def nature(self, problem: Problem, seed: int = 0) -> Nature:
        """Return the mixture of the mean and one model a pair."""
        models = sampled_models(problem, self.n_models, seed)
        return partial(worst_mixture, models, partial(quantile_weights, self.level), self.weight)

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        del engine
        nature = self.nature(problem, seed)
        return robust_values(problem.task, problem.posterior.table, nature).policy


def _check(level: float, weight: float, n_models: int) -> None:
    check_probability(level, "level")
    check_count(n_models, "n_models")
    if not 0.0 <= weight <= 1.0:
        raise InvalidData(f"weight must be in [0, 1], got {weight}")
