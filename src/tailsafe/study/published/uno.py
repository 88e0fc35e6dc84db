"""How the published program reads UnO; ``estimators.UnO`` is the method.

Weights (``program_weights``): the ratio of a deterministic action is |S|, not |A|, a step; a
stochastic one is scaled alike. Law (``program_law``): returns are sorted and the weights are not,
so a return meets the weight of another episode; F at a value is the sum of its block alone, not of
all up to it, divided by the number of returns so far (at the last value: before it). VaR: the first
value whose F reaches q, the largest return if none does. CVaR: sum of v dF up to there over q.
"""

from dataclasses import dataclass

import numpy as np

from tailsafe.arrays import FloatArray
from tailsafe.estimators.weights import episodes_of, weighted
from tailsafe.policy import Policy
from tailsafe.problem import Problem

SAME = 12
"""Returns that agree to this many decimals are one value."""


@dataclass(frozen=True, slots=True, eq=False)
class ProgramLaw:
    """What the program takes for the distribution of returns.

    Parameters
    ----------
    values
        Distinct returns, ascending.
    F
        What it takes for the distribution function; it may fall.
    """

    values: FloatArray
    F: FloatArray

    def value_at_risk(self, level: float) -> float:
        """Return the first value whose F reaches the level, else the largest."""
        reached = np.nonzero(level <= self.F)[0]
        return float(self.values[reached[0] if len(reached) else -1])

    def tail_mean(self, level: float) -> float:
        """Return the sum of v dF up to that value, over the level."""
        tail = self.values <= self.value_at_risk(level)
        steps = np.diff(self.F, prepend=0.0)
        return float((self.values * steps)[tail].sum() / level)


def program_weights(problem: Problem, policy: Policy) -> FloatArray:
    """Return the weight of each episode, |S|^n / |A|^n times the importance weight."""
    log = weighted(problem, episodes_of(problem), policy)
    excess = problem.n_states / problem.n_actions
    weights: FloatArray = log.final * excess ** log.episodes.lengths.astype(np.float64)
    return weights


def program_law(problem: Problem, policy: Policy) -> ProgramLaw:
    """Return what the program takes for the law of a policy's return."""
    weights = program_weights(problem, policy)
    returns = np.sort(episodes_of(problem).returns()).round(SAME)
    values, first, counts = np.unique(returns, return_index=True, return_counts=True)
    so_far = np.cumsum(counts)
    so_far[-1] = so_far[-2] if len(so_far) > 1 else 1
    return ProgramLaw(values, np.add.reduceat(weights, first) / so_far)
