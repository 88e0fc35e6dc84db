"""Machine replacement: a machine wears out; repair it in time, at the risk of a costly repair.

E. Delage, S. Mannor. Percentile Optimization for Markov Decision Processes with Parameter
Uncertainty. Operations Research 58(1), 2010, section 5; with the numbers of the table of the
craam2 library (examples/R/machine_replacement). States 0-7: wear, 8: long repair, 9: short repair.
Actions: 0 wait, 1 repair.
"""

import numpy as np

from tailsafe.arrays import FloatArray
from tailsafe.domains.domain import Domain, dense_domain, start_in
from tailsafe.task import Task

WAIT, REPAIR = range(2)
BROKEN, LONG, SHORT = 7, 8, 9


def machine_replacement() -> Domain:
    """Return the machine replacement problem, 10 states and 2 actions; rewards are costs."""
    reward = np.zeros((10, 2, 10))
    reward[..., BROKEN], reward[..., LONG], reward[..., SHORT] = -20.0, -10.0, -2.0
    task = Task(reward=reward, initial=start_in(0, 10), discount=0.9)
    source = "craam2, machine_replacement_mdp.csv (numbers only); Delage & Mannor 2010"
    return dense_domain("machine replacement", task, _transition(), source)


def _transition() -> FloatArray:
    T = np.zeros((10, 2, 10))
    for wear in range(8):
        worse = min(wear + 1, BROKEN)
        T[wear, WAIT, wear] += 0.2
        T[wear, WAIT, worse] += 0.8
        T[wear, REPAIR, [worse, SHORT, LONG]] = [0.3, 0.6, 0.1]
    T[LONG, WAIT, LONG] = 1.0
    T[LONG, REPAIR, [SHORT, LONG]] = [0.6, 0.4]
    T[SHORT, WAIT, [SHORT, 0]] = [0.2, 0.8]
    T[SHORT, REPAIR, SHORT] = 1.0
    return T
