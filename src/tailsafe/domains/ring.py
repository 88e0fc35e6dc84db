"""Ring: five states in a loop; the aim is to hold state 3, from which the agent drifts.

The text and the numbers of the paper (section 5, "Ring", and Table 2) do not come from the same
problem; both are here. Actions: 0 (the paper's a) left, 1 (b) stay, 2 (c) right.
"""

from typing import Literal

import numpy as np

from tailsafe.arrays import FloatArray
from tailsafe.domains.domain import Domain, dense_domain, start_in
from tailsafe.errors import InvalidData
from tailsafe.task import Task

LEFT, STAY, RIGHT = range(3)
DRIFTING = (0, 1, 3)
"""Where b drifts; in the other two states a and c work only half of the time."""


def ring(b_in_24: Literal["stay", "move"] = "stay") -> Domain:
    """Return Ring as the text of the paper defines it.

    Parameters
    ----------
    b_in_24
        How to read "b will move with probability 1 in states 2 and 4": the agent stays (as the
        published program has it), or moves to either neighbour with probability 1/2.
    """
    if b_in_24 not in ("stay", "move"):
        raise InvalidData(f"b_in_24 must be 'stay' or 'move', got {b_in_24!r}")
    reward = np.zeros((5, 3, 5))
    reward[[2, 4], :, 3] = 0.5
    reward[3, :, 3] = 1.0
    name = "ring" if b_in_24 == "stay" else "ring, b moves in 2 and 4"
    source = "the paper's text, section 5"
    return _ring(name, reward, _transition(moving=b_in_24 == "move"), source)


def ring_published() -> Domain:
    """Return Ring as the published program has it, on which the paper's tables rest."""
    reward = np.full((5, 3, 5), 0.1)
    reward[2, LEFT, [1, 2]] = reward[2, STAY, 2] = reward[2, RIGHT, 2] = 0.0
    reward[2, RIGHT, 3] = reward[4, LEFT, 3] = 0.5
    reward[3, [STAY, RIGHT], 3] = 1.0
    reward[4, LEFT, 4] = 0.0
    reward[4, RIGHT, [0, 4]] = 0.0
    source = "the paper's published program (numbers only)"
    return _ring("ring (published)", reward, _transition(moving=False), source)


def _ring(name: str, reward: FloatArray, transition: FloatArray, source: str) -> Domain:
    task = Task(reward=reward, initial=start_in(0, 5), discount=0.9)
    return dense_domain(name, task, transition, source)


def _transition(*, moving: bool) -> FloatArray:
    T = np.zeros((5, 3, 5))
    for s in range(5):
        left, right = (s - 1) % 5, (s + 1) % 5
        if s in DRIFTING:
            T[s, LEFT, left] = 1.0
            T[s, STAY, [left, s, right]] = [0.1, 0.8, 0.1]
            T[s, RIGHT, [s, right]] = [0.1, 0.9]
        else:
            T[s, LEFT, [left, s]] = 0.5
            T[s, STAY, [left, right] if moving else s] = 0.5 if moving else 1.0
            T[s, RIGHT, [s, right]] = 0.5
    return T
