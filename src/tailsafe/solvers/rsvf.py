"""Sensible value functions: robust against what the value at hand makes of the posterior.

M. Petrik, R. H. Russel. Beyond Confidence Regions: Tight Bayesian Ambiguity Sets for Robust MDPs.
NeurIPS 2019. https://arxiv.org/abs/1902.07605 -- For one value function v the smallest ambiguity
set of a pair is a half-space that ends at a quantile over the posterior's models, so that with
z_m = sum_t P_m(t | s, a) (R(s, a, t) + discount v(t)) and n pairs in use (union bound)

    v(s) = max_a VaR_d(z_m),    d = (1 - confidence) / n

This is that VaR form, which needs no set for several value functions at once.
"""

from dataclasses import dataclass
from functools import partial

from tailsafe.arrays import check_count
from tailsafe.engine import Engine
from tailsafe.policy import Policy
from tailsafe.problem import Problem
from tailsafe.ranks import check_probability
from tailsafe.solvers.bcr import used_pairs
from tailsafe.solvers.robust import Nature, robust_values
from tailsafe.solvers.sampled_natures import quantile_weights, sampled_models, worst_mixture


@dataclass(frozen=True, slots=True)
class RSVF:
    """Nested VaR at a level that holds for all pairs together.

    Parameters
    ----------
    confidence
        That no pair is worse than assumed: 1 - q at risk level q.
    n_models
        Posterior samples.
    """

    confidence: float = 0.75
    n_models: int = 1_000

    def __post_init__(self) -> None:
        check_probability(self.confidence, "confidence")
        check_count(self.n_models, "n_models")

    @property
    def name(self) -> str:
        return f"RSVF({self.confidence:g})"

    def nature(self, problem: Problem, seed: int = 0) -> Nature:
        """Return the model of each pair that stands at the quantile."""
        models = sampled_models(problem, self.n_models, seed)
        level = (1.0 - self.confidence) / max(int(used_pairs(problem).sum()), 1)
        return partial(worst_mixture, models, partial(quantile_weights, level), 1.0)

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        del engine
        nature = self.nature(problem, seed)
        return robust_values(problem.task, problem.posterior.table, nature).policy
