"""Natures that pick, for every pair on its own, among models drawn from the posterior.

With z_m(s, a) = sum_t P_m(t | s, a) z(s, a, t) on model m, nature answers with the mixture of
models that a risk measure of z_1 .. z_M puts its weight on: (1 - w) mean + w CVaR or w VaR.

E. A. Lobo, M. Ghavamzadeh, M. Petrik. Soft-Robust Algorithms for Batch Reinforcement Learning.
2021. https://arxiv.org/abs/2011.14495 (equations 3-5).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from tailsafe.arrays import FloatArray
from tailsafe.problem import Problem
from tailsafe.ranks import quantile_rank
from tailsafe.risk import CUMULATED
from tailsafe.table import Table

RankWeights: TypeAlias = Callable[[FloatArray], FloatArray]
"""From the weights of models in ascending order of value, w[row, m], to those of the measure."""


@dataclass(frozen=True, slots=True, eq=False)
class Sampled:
    """Models to choose from.

    Parameters
    ----------
    table
        The transitions that the models speak of.
    probability
        Of each, P[m, e].
    weights
        How likely each model is, w[m].
    mean
        Their weighted mean, P[e].
    """

    table: Table
    probability: FloatArray
    weights: FloatArray
    mean: FloatArray


def sampled_models(problem: Problem, n_models: int, seed: int) -> Sampled:
    """Return models drawn to propose policies with; of an explicit list, all of it."""
    probability = problem.models(n_models, seed)
    weights = problem.weights(n_models)
    return Sampled(problem.posterior.table, probability, weights, weights @ probability)


def worst_mixture(
    sampled: Sampled, measure: RankWeights, share: float, z: FloatArray
) -> FloatArray:
    """Return p[e] = (1 - share) times the mean model plus share times the measure's mixture."""
    from tailsafe.kernels.tails import mixed_rows, row_expectations

    P, indptr = sampled.probability, sampled.table.indptr
    Z = row_expectations(P, indptr, z)
    order = np.argsort(Z, axis=1, kind="stable")
    weights = np.empty_like(Z)
    np.put_along_axis(weights, order, measure(sampled.weights[order]), axis=1)
    return share * mixed_rows(P, indptr, weights) + (1.0 - share) * sampled.mean


def tail_weights(level: float, weights: FloatArray) -> FloatArray:
    """Return what CVaR puts on ascending values: the lowest mass ``level``, split at its edge."""
    mass = np.minimum(np.cumsum(weights, axis=1), level)
    return np.diff(mass, axis=1, prepend=0.0) / level


def quantile_weights(level: float, weights: FloatArray) -> FloatArray:
    """Return what VaR at a level puts on ascending values: all on one order statistic."""
    chosen = np.zeros_like(weights)
    if (weights == weights[:, :1]).all():
        chosen[:, quantile_rank(weights.shape[1], level) - 1] = 1.0
        return chosen
    reached = np.cumsum(weights, axis=1) >= level - CUMULATED
    # Without a value that reaches the level (rounding of the sum), the last one.
    at = np.where(reached.any(axis=1), reached.argmax(axis=1), weights.shape[1] - 1)
    chosen[np.arange(len(chosen)), at] = 1.0
    return chosen
