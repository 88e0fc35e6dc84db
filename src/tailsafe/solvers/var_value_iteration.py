"""VaR value iteration: the q-quantile of the next value over the posterior, step by step.

E. A. Lobo, C. Cousins, Y. Zick, M. Petrik. Percentile Criterion Optimization in Offline
Reinforcement Learning. NeurIPS 2023. https://arxiv.org/abs/2404.05055 -- Over posterior models m,

    v(s) = max_a VaR_q(sum_t P_m(t | s, a) (R(s, a, t) + discount v(t)))

No ambiguity set and no union bound: less cautious than ``RSVF``.
"""

from dataclasses import dataclass
from functools import partial

from tailsafe.arrays import check_count
from tailsafe.engine import Engine
from tailsafe.policy import Policy
from tailsafe.problem import Problem
from tailsafe.ranks import check_probability
from tailsafe.solvers.robust import Nature, robust_values
from tailsafe.solvers.sampled_natures import quantile_weights, sampled_models, worst_mixture


@dataclass(frozen=True, slots=True)
class VaRValueIteration:
    """Nested VaR.

    Parameters
    ----------
    level
        Of the quantile, q.
    n_models
        Posterior samples.
    """

    level: float = 0.25
    n_models: int = 1_000

    def __post_init__(self) -> None:
        check_probability(self.level, "level")
        check_count(self.n_models, "n_models")

    @property
    def name(self) -> str:
        return f"VaRValueIteration({self.level:g})"

    def nature(self, problem: Problem, seed: int = 0) -> Nature:
        """Return the model of each pair that stands at the quantile."""
        models = sampled_models(problem, self.n_models, seed)
        return partial(worst_mixture, models, partial(quantile_weights, self.level), 1.0)

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        del engine
        nature = self.nature(problem, seed)
        return robust_values(problem.task, problem.posterior.table, nature).policy
