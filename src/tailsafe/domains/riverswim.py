"""RiverSwim-20: swim up a river against the current for a prize, or drift down for a little.

The variant of the craam2 library (examples/domains/riverswim.R), used by E. Lobo, M. Ghavamzadeh,
M. Petrik. Soft-Robust Algorithms for Batch Reinforcement Learning. 2021. Swimming is uncertain but
the same everywhere: all its rows are one distribution (left, stay, right), cut at the ends.
"""

import numpy as np
import numpy.typing as npt

from tailsafe.arrays import FloatArray, as_distributions, check_shape, frozen_floats
from tailsafe.domains.domain import Domain, dense_domain
from tailsafe.task import Task

N_STATES = 20
DRIFT, SWIM = range(2)
DRIFT_REWARD, PRIZE = 5.0, 100.0


def riverswim(swim: npt.ArrayLike = (0.2, 0.3, 0.5)) -> Domain:
    """Return RiverSwim with 20 states, started anywhere with equal probability.

    Parameters
    ----------
    swim
        Probabilities that a swimmer is carried left, stays, gets on to the right; other values
        than the default give the other models that tied rows allow.
    """
    carried, _ = as_distributions(frozen_floats(swim, "swim"), "swim")
    check_shape(carried, (3,), "swim")
    top = N_STATES - 1
    reward = np.zeros((N_STATES, 2, N_STATES))
    reward[:, DRIFT, :] = DRIFT_REWARD
    reward[top, SWIM, top] = PRIZE
    task = Task(reward=reward, initial=np.full(N_STATES, 1 / N_STATES), discount=0.9)
    source = "craam2, examples/domains/riverswim.R (numbers only); Lobo et al. 2021"
    return dense_domain("riverswim", task, _transition(carried), source)


def _transition(carried: FloatArray) -> FloatArray:
    T = np.zeros((N_STATES, 2, N_STATES))
    for s in range(N_STATES):
        left, right = max(s - 1, 0), min(s + 1, N_STATES - 1)
        T[s, DRIFT, left] = 1.0
        # At the ends two of the three moves lead to the same state.
        np.add.at(T[s, SWIM], [left, s, right], carried)
    return T
