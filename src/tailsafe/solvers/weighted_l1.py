"""Robust against credible regions in a norm that looks at what the next states are worth.

B. Behzadian, R. H. Russel, M. Petrik, C. P. Ho. Optimizing Percentile Criterion using Robust MDPs.
AISTATS 2021. https://arxiv.org/abs/1910.10786 -- Around the posterior mean c of each pair,

    sum_t w(t) |p(t) - c(t)| <= psi(s, a),    w(t) = |z(t) - middle of z|,

where z = R + discount V of the optimal values of the mean model (the weights that make the bound
on the loss smallest), and psi is the 1 - delta / n quantile of that distance over the posterior's
models for n pairs in use.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np

from tailsafe.arrays import FloatArray, check_count
from tailsafe.engine import Engine
from tailsafe.policy import Policy
from tailsafe.problem import Problem
from tailsafe.ranks import check_probability
from tailsafe.solvers.bcr import quantile_over_models, used_pairs
from tailsafe.solvers.natures import lowest, worst_weighted_l1
from tailsafe.solvers.planning import solve
from tailsafe.solvers.robust import Nature, robust_values

LEAST_WEIGHT = 1e-2
"""Weights of a norm are at least this share of the largest of their row."""


@dataclass(frozen=True, slots=True)
class RobustWeightedL1:
    """Robust against a weighted L1 ball of the posterior's size.

    Parameters
    ----------
    delta
        The probability that some pair lies outside.
    n_models
        Posterior samples that estimate the size.
    """

    delta: float = 0.1
    n_models: int = 1_000

    def __post_init__(self) -> None:
        check_probability(self.delta, "delta")
        check_count(self.n_models, "n_models")

    @property
    def name(self) -> str:
        return f"RobustWeightedL1({self.delta:g})"

    def nature(self, problem: Problem, seed: int = 0) -> Nature:
        """Return the worst case in the regions."""
        table, mean = problem.posterior.table, problem.posterior.mean()
        weight = value_weights(problem)
        models = problem.models(self.n_models, seed)
        distance = np.stack([table.sum_rows(weight * np.abs(one - mean)) for one in models])
        level = 1.0 - self.delta / max(int(used_pairs(problem).sum()), 1)
        budget = quantile_over_models(distance, level, problem.weights(self.n_models))
        return partial(worst_weighted_l1, table, mean, weight, budget.ravel())

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        del engine
        nature = self.nature(problem, seed)
        return robust_values(problem.task, problem.posterior.table, nature).policy


def value_weights(problem: Problem) -> FloatArray:
    """Return w[e] = |z - middle of z|, in each row divided by its largest; equal where z is."""
    mdp = problem.mean()
    table, task = mdp.table, mdp.task
    z = task.entry_reward(table) + task.discount * solve(mdp)[1][table.successor]
    row = table.row_of_entry
    low, high = lowest(table, z)[row], -lowest(table, -z)[row]
    half = (high - low) / 2.0
    relative = np.divide(
        np.abs(z - (low + high) / 2.0), half, out=np.ones_like(z), where=half > 0.0
    )
    return np.maximum(relative, LEAST_WEIGHT)
