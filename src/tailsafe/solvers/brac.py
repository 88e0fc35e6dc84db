"""Behaviour-regularised planning with one fixed weight.

Y. Wu, G. Tucker, O. Nachum. Behavior Regularized Offline Reinforcement Learning. 2019.
https://arxiv.org/abs/1911.11361 -- Tabular, with the divergence in the value (their value penalty)
and the log as one fold: the policy of BOPAH at a weight that is given,

    V(s) = max_pi sum_a pi Q - weight KL(pi, pi_b)
"""

from dataclasses import dataclass

import numpy as np

from tailsafe.engine import Engine
from tailsafe.errors import InvalidData
from tailsafe.policy import Policy
from tailsafe.problem import Problem
from tailsafe.solvers.regularised import regularised
from tailsafe.unseen import Uniform, Unseen


@dataclass(frozen=True, slots=True)
class BRAC:
    """Pay for leaving the behaviour policy.

    Parameters
    ----------
    weight
        Of the divergence, in units of reward; 0: only the support of the behaviour counts.
    unseen
        What the model says of pairs that were never tried.
    """

    weight: float = 0.1
    unseen: Unseen = Uniform()

    def __post_init__(self) -> None:
        if not 0.0 <= self.weight < np.inf:
            raise InvalidData(f"weight must be a number of at least 0, got {self.weight}")

    @property
    def name(self) -> str:
        return f"BRAC({self.weight:g})"

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        del seed, engine
        alpha = np.full(problem.n_states, float(self.weight))
        return Policy(regularised(problem, problem.counts(), self.unseen, alpha)[0])
