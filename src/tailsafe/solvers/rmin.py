"""R-min: what was tried too rarely is worth the worst there is.

R. I. Brafman, M. Tennenholtz. R-max: A General Polynomial Time Algorithm for Near-Optimal
Reinforcement Learning. JMLR 3, 2002, turned from optimism to pessimism (Scholl et al. 2022,
https://arxiv.org/abs/2201.12175): with m visits asked for,

    Q(s, a) = min R / (1 - discount)                        where N(s, a) < m
              r(s, a) + discount sum_t P_hat V(t)           elsewhere,   V = max_a Q
"""

from dataclasses import dataclass

import numpy as np

from tailsafe.arrays import check_count
from tailsafe.engine import Engine
from tailsafe.policy import Policy
from tailsafe.problem import Problem
from tailsafe.solvers.altered import altered, best_policy, forever, reward_range
from tailsafe.solvers.model import Model


@dataclass(frozen=True, slots=True)
class RMin:
    """Avoid what was tried too rarely.

    Parameters
    ----------
    min_visits
        Pairs tried fewer times are worth the worst.
    strict
        Trust only pairs tried more than ``min_visits`` times, as in the authors' program.
    """

    min_visits: int = 5
    strict: bool = False

    def __post_init__(self) -> None:
        check_count(self.min_visits, "min_visits")

    @property
    def name(self) -> str:
        return f"RMin({self.min_visits}{', strict' if self.strict else ''})"

    def model(self, problem: Problem) -> Model:
        """Return the model in which the episode ends at pairs that were tried too rarely."""
        nominal, visits = problem.nominal(), problem.visits()
        rare = visits <= self.min_visits if self.strict else visits < self.min_visits
        reward = nominal.task.expected_reward(nominal.table, nominal.probability)
        worst = forever(reward_range(problem)[0], problem.task.discount)
        return altered(nominal, np.where(rare, worst, reward), rare)

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        del seed, engine
        return best_policy(self.model(problem))
