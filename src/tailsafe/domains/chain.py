"""Chain: five states in a row, a big reward at the far end, slips back to the origin.

M. Strens. A Bayesian Framework for Reinforcement Learning. ICML 2000; adapted by the paper
(section 5, "Chain"). Actions: 0 (the paper's a) right, 1 (b) back to the origin.
"""

import numpy as np

from tailsafe.arrays import FloatArray
from tailsafe.domains.domain import Domain, dense_domain, start_in
from tailsafe.task import Task

ONWARD, BACK = range(2)
END = 4


def chain() -> Domain:
    """Return Chain as the text of the paper defines it: every way to the origin pays 2."""
    reward = np.zeros((5, 2, 5))
    reward[:, :, 0] = 2.0
    reward[END, ONWARD, END] = 10.0
    return _chain("chain", reward, "the paper's text, section 5")


def chain_published() -> Domain:
    """Return Chain as the published program has it: b always pays 2, slips of a nothing.

    Taking b for ever is worth 20 under every model: a policy without risk.
    """
    reward = np.zeros((5, 2, 5))
    reward[:, BACK, :] = 2.0
    reward[END, ONWARD, END] = 10.0
    return _chain("chain (published)", reward, "the paper's published program (numbers only)")


def _chain(name: str, reward: FloatArray, source: str) -> Domain:
    T = np.zeros((5, 2, 5))
    T[:, ONWARD, 0], T[:, BACK, 0] = 0.2, 0.8
    for s in range(5):
        onward = min(s + 1, END)
        T[s, ONWARD, onward], T[s, BACK, onward] = 0.8, 0.2
    task = Task(reward=reward, initial=start_in(0, 5), discount=0.9)
    return dense_domain(name, task, T, source)
