"""How much the posterior's models disagree about a pair: the tabular shadow of an ensemble.

e(s, a) = E_w TV(P_w(. | s, a), P_bar(. | s, a)) = E_w |P_w - P_bar|_1 / 2
"""

import numpy as np

from tailsafe.arrays import FloatArray
from tailsafe.problem import Problem
from tailsafe.solvers.bcr import distances


def disagreement(problem: Problem, n_models: int, seed: int) -> FloatArray:
    """Return the mean total variation from the posterior mean, e[s, a]."""
    far = distances(problem, n_models, seed)
    mean: FloatArray = np.tensordot(problem.weights(n_models), far, axes=1) / 2.0
    return mean
