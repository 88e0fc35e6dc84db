"""Bayesian credible regions: plan for the worst model in an L1 ball around the posterior mean.

M. Petrik, R. H. Russel. Beyond Confidence Regions: Tight Bayesian Ambiguity Sets for Robust MDPs.
NeurIPS 2019. https://arxiv.org/abs/1902.07605 -- With the confidence c and the distances
l_m(s, a) = |P_m(. | s, a) - P_bar(. | s, a)|_1 of posterior models, the budget of a pair is

    global:  max of l_m(s, a) over the ceil(c M) models whose largest l_m is smallest
    local:   the quantile of l_1(s, a) .. l_M(s, a) at 1 - (1 - c) / (number of pairs)

times a weight. All next states of the posterior's table are within nature's reach.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np

from tailsafe.arrays import BoolArray, FloatArray, check_count
from tailsafe.engine import Engine
from tailsafe.errors import InvalidData
from tailsafe.policy import Policy
from tailsafe.problem import Problem
from tailsafe.ranks import check_probability, quantile_rank
from tailsafe.risk import CUMULATED
from tailsafe.solvers.natures import worst_l1
from tailsafe.solvers.robust import Nature, robust_values

ENTRIES_AT_ONCE = 2_000_000
"""Distances of models are computed in chunks of about this many transitions."""


@dataclass(frozen=True, slots=True)
class BCR:
    """Robust against one credible region for the whole model.

    Parameters
    ----------
    confidence
        The posterior probability of the region: 1 - q at risk level q.
    weight
        Scales the region; 1 is the method, less is bolder.
    n_models
        Posterior samples that estimate the region.
    """

    confidence: float = 0.75
    weight: float = 1.0
    n_models: int = 1_000

    def __post_init__(self) -> None:
        _check(self.confidence, self.weight, self.n_models)

    @property
    def name(self) -> str:
        return f"BCR({_parameters(self.confidence, self.weight)})"

    def budgets(self, problem: Problem, seed: int = 0) -> FloatArray:
        """Return the L1 radius of each pair, psi[s, a]."""
        distance = distances(problem, self.n_models, seed)
        farthest = np.where(used_pairs(problem), distance, 0.0).max(axis=(1, 2))
        order = np.argsort(farthest, kind="stable")
        weights = problem.weights(self.n_models)
        kept = order[: _reached(self.confidence, weights[order])]
        radius: FloatArray = self.weight * distance[kept].max(axis=0)
        return radius

    def nature(self, problem: Problem, seed: int = 0) -> Nature:
        """Return the worst case in the region."""
        return _ball(problem, self.budgets(problem, seed))

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        del engine
        nature = self.nature(problem, seed)
        return robust_values(problem.task, problem.posterior.table, nature).policy


@dataclass(frozen=True, slots=True)
class BCRLocal:
    """Robust against one credible region for each pair, together of the same confidence.

    Parameters
    ----------
    confidence
        That all pairs are inside their regions, by the union bound.
    weight
        Scales the regions; 1 is the method, less is bolder.
    n_models
        Posterior samples that estimate the regions.
    """

    confidence: float = 0.75
    weight: float = 1.0
    n_models: int = 1_000

    def __post_init__(self) -> None:
        _check(self.confidence, self.weight, self.n_models)

    @property
    def name(self) -> str:
        return f"BCRLocal({_parameters(self.confidence, self.weight)})"

    def budgets(self, problem: Problem, seed: int = 0) -> FloatArray:
        """Return the L1 radius of each pair, psi[s, a]; only pairs that can be used count."""
        level = 1.0 - (1.0 - self.confidence) / max(int(used_pairs(problem).sum()), 1)
        distance = distances(problem, self.n_models, seed)
        return self.weight * quantile_over_models(distance, level, problem.weights(self.n_models))

    def nature(self, problem: Problem, seed: int = 0) -> Nature:
        """Return the worst case in the regions."""
        return _ball(problem, self.budgets(problem, seed))

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        del engine
        nature = self.nature(problem, seed)
        return robust_values(problem.task, problem.posterior.table, nature).policy


def distances(problem: Problem, n_models: int, seed: int) -> FloatArray:
    """Return the L1 distance of posterior models from the posterior mean, l[m, s, a]."""
    table, mean = problem.posterior.table, problem.posterior.mean()
    P = problem.models(n_models, seed)
    step = max(1, ENTRIES_AT_ONCE // max(table.n_entries, 1))
    parts = [
        table.sum_rows(np.abs(P[first : first + step] - mean)) for first in range(0, len(P), step)
    ]
    return np.concatenate(parts)


def used_pairs(problem: Problem) -> BoolArray:
    """Return mask[s, a] of the pairs that some policy may use."""
    return problem.task.admissible & ~problem.task.terminal[:, None]


def _ball(problem: Problem, budgets: FloatArray) -> Nature:
    return partial(worst_l1, problem.posterior.table, problem.posterior.mean(), budgets.ravel())


def quantile_over_models(values: FloatArray, level: float, weights: FloatArray) -> FloatArray:
    """Return a quantile of values[m, ...] over models: R's type 7; of weighted ones, type 1."""
    if (weights == weights[0]).all():
        return np.asarray(np.quantile(values, level, axis=0), np.float64)
    quantile = np.quantile(values, level, axis=0, weights=weights, method="inverted_cdf")
    return np.asarray(quantile, np.float64)


def _reached(level: float, weights: FloatArray) -> int:
    """Return how many of the models, in this order, it takes to hold a probability."""
    # Equal weights have exact ranks; sums of weights have not.
    if (weights == weights[0]).all():
        return quantile_rank(len(weights), level)
    return min(int(np.searchsorted(np.cumsum(weights), level - CUMULATED)) + 1, len(weights))


def _check(confidence: float, weight: float, n_models: int) -> None:
    check_probability(confidence, "confidence")
    check_count(n_models, "n_models")
    if not 0.0 < weight < np.inf:
        raise InvalidData(f"weight must be positive, got {weight}")


def _parameters(confidence: float, weight: float) -> str:
    return f"{confidence:g}" if weight == 1.0 else f"{confidence:g}, weight {weight:g}"
