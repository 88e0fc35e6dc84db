"""Wet chicken: paddle as close to the waterfall as you dare, on a river that pulls and churns.

V. Tresp. The wet game of chicken. Siemens AG, 1994; discrete version of A. Hans, S. Udluft.
Efficient Uncertainty Propagation for Reinforcement Learning with Limited Data. ICANN 2009, as used
by P. Scholl et al. Safe Policy Improvement Approaches on Discrete Markov Decision Processes. 2022.

State 5 x + y: x along the river (the waterfall is past 4), y across it. The current v = 3 y / 5
grows with y, the turbulence tau = 3.5 - v shrinks. With the paddler's (dx, dy), the next x is
x + dx + v + tau U(-1, 1), rounded, at least 0; past 4 it starts again at (0, 0). Reward: next x.
"""

import numpy as np

from tailsafe.arrays import FloatArray
from tailsafe.domains.domain import Domain, dense_domain, start_in
from tailsafe.task import Task

SIZE = 5
MAX_CURRENT, MAX_TURBULENCE = 3.0, 3.5
MOVES = ((0, 0), (-1, 0), (-2, 0), (0, -1), (0, 1))
"""(dx, dy) of drift, hold, paddle back, left, right."""


def wet_chicken() -> Domain:
    """Return the wet chicken benchmark, 25 states and 5 actions, started at (0, 0)."""
    n_states, n_actions = SIZE * SIZE, len(MOVES)
    T = np.zeros((n_states, n_actions, n_states))
    for state in range(n_states):
        x, y = divmod(state, SIZE)
        for action, (dx, dy) in enumerate(MOVES):
            across = min(max(y + dy, 0), SIZE - 1)
            *along, fall = _where(x + dx, y)
            T[state, action, np.arange(SIZE) * SIZE + across] = along
            T[state, action, 0] += fall
    reward = np.broadcast_to(np.arange(n_states) // SIZE * 1.0, T.shape)
    task = Task(reward=reward, initial=start_in(0, n_states), discount=0.95)
    source = "Hans & Udluft 2009; Scholl et al. 2022"
    return dense_domain("wet chicken", task, T, source)


def _where(x: int, y: int) -> FloatArray:
    """Return the probabilities of x = 0 .. 4 and of the waterfall."""
    current = MAX_CURRENT * y / SIZE
    turbulence = MAX_TURBULENCE - current
    edges = np.arange(SIZE) + 0.5
    below = np.clip((edges - x - current + turbulence) / (2.0 * turbulence), 0.0, 1.0)
    return np.diff(below, prepend=0.0, append=1.0)
