"""Reward-adjusted MDP: a penalty for every pair, the larger the rarer it was tried.

M. Petrik, M. Ghavamzadeh, Y. Chow. Safe Policy Improvement by Minimizing Robust Baseline Regret.
NeurIPS 2016, section 5. https://arxiv.org/abs/1607.03842 -- The optimal policy of the most likely
model with the reward

    r(s, a) - kappa / sqrt(N(s, a) + offset)
"""

from dataclasses import dataclass

import numpy as np

from tailsafe.engine import Engine
from tailsafe.errors import InvalidData
from tailsafe.policy import Policy
from tailsafe.problem import Problem
from tailsafe.solvers.altered import altered, best_policy, forever, reward_range
from tailsafe.solvers.bcr import used_pairs
from tailsafe.solvers.model import Model
from tailsafe.unseen import Uniform, Unseen


@dataclass(frozen=True, slots=True)
class RaMDP:
    """Pay for doubt.

    Parameters
    ----------
    kappa
        The penalty of a pair tried once.
    offset
        Added to the number of visits. 0: pairs never tried are worth the smallest reward for ever
        (Scholl et al. 2022); 1e-5: they just have a large penalty (Lee et al. 2020).
    unseen
        What the model says of pairs that were never tried, if that matters.
    """

    kappa: float = 0.1
    offset: float = 0.0
    unseen: Unseen = Uniform()

    def __post_init__(self) -> None:
        for name in ("kappa", "offset"):
            if not 0.0 <= getattr(self, name) < np.inf:
                raise InvalidData(f"{name} must be a number of at least 0, got {self!r}")

    @property
    def name(self) -> str:
        part = f", offset {self.offset:g}" if self.offset else ""
        return f"RaMDP({self.kappa:g}{part})"

    def model(self, problem: Problem) -> Model:
        """Return the model with the adjusted reward."""
        nominal = problem.nominal(self.unseen)
        visits = problem.visits() + self.offset
        reward = nominal.task.expected_reward(nominal.table, nominal.probability)
        reward = reward - self.kappa / np.sqrt(np.where(visits > 0.0, visits, 1.0))
        never = visits == 0.0
        if not (never & used_pairs(problem)).any():
            return altered(nominal, reward)
        worst = forever(reward_range(problem)[0], problem.task.discount)
        return altered(nominal, np.where(never, worst, reward), never)

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        del seed, engine
        return best_policy(self.model(problem))
