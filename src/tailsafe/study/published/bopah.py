"""How the published program runs BOPAH; ``solvers.BOPAH`` is the method.

Pairs without data lead to the last state, whatever that is; and with fewer trajectories than folds
the first folds are empty: something is learnt from no data at all, instead of refusing.
"""

import numpy as np

from tailsafe.arrays import FloatArray
from tailsafe.policy import Policy
from tailsafe.problem import Problem
from tailsafe.solvers.bopah import BOPAH, fold_counts, learnt_policy
from tailsafe.unseen import Absorb

FOLDS, CLASSES = 2, 20


def program_bopah(problem: Problem) -> Policy:
    """Return the program's policy."""
    method = BOPAH(CLASSES, FOLDS, Absorb(problem.n_states - 1))
    return learnt_policy(method, problem, program_folds(problem))


def program_folds(problem: Problem) -> FloatArray:
    """Return N[f, e]: one trajectory makes an empty fold and a full one."""
    if problem.batch.n_episodes >= FOLDS:
        return fold_counts(problem, FOLDS)
    counts = problem.counts()
    return np.stack([np.zeros_like(counts), counts])
