"""How far a pair's estimates may be off, from how often it was tried: bounds for all pairs at once.

With n = N(s, a), K pairs that a policy may use, and a failure probability d shared among them:

    hoeffding   sqrt(2 ln(2 K / d) / n)            of a mean within [-1, 1]
    weissman    sqrt(2 ln(2 K (2^k - 2) / d) / n)  of a distribution over k states, in L1

T. Weissman, E. Ordentlich, G. Seroussi, S. Verdu, M. Weinberger. Inequalities for the L1 Deviation
of the Empirical Distribution. HP Laboratories, 2003. The 2 before K leaves half of d to the
rewards, as A. L. Strehl and M. L. Littman do (2008).
"""

import numpy as np

from tailsafe.arrays import FloatArray
from tailsafe.errors import InvalidData
from tailsafe.problem import Problem
from tailsafe.solvers.bcr import used_pairs


def hoeffding(problem: Problem, delta: float) -> FloatArray:
    """Return the error of the value of each pair, in units of its range, e[s, a]."""
    pairs = int(used_pairs(problem).sum())
    error: FloatArray = np.sqrt(2.0 * np.log(2.0 * max(pairs, 1) / delta)) * per_root(problem)
    return error


def weissman(problem: Problem, delta: float) -> FloatArray:
    """Return the L1 error of the next-state distribution of each pair, e[s, a], at most 2."""
    pairs = int(used_pairs(problem).sum())
    k = problem.posterior.table.lengths.reshape(problem.n_states, problem.n_actions)
    many = np.maximum(k, 2)
    # ln(2^k - 2): the power itself would overflow.
    subsets = many * np.log(2.0) + np.log1p(-(2.0 ** (1.0 - many)))
    error = np.sqrt(2.0 * (np.log(2.0 * max(pairs, 1) / delta) + subsets)) * per_root(problem)
    return np.where(k < 2, 0.0, np.minimum(error, 2.0))


def per_root(problem: Problem) -> FloatArray:
    """Return 1 / sqrt(N(s, a)), infinite for pairs that were never tried."""
    with np.errstate(divide="ignore"):
        inverse: FloatArray = 1.0 / np.sqrt(problem.visits())
    return inverse


def check_delta(delta: float) -> None:
    """Raise InvalidData unless the failure probability is in (0, 1]."""
    if not 0.0 < delta <= 1.0:
        raise InvalidData(f"delta must be in (0, 1], got {delta}")
