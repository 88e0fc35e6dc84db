"""The optimal policy of one model drawn from the posterior.

M. Strens. A Bayesian Framework for Reinforcement Learning. ICML 2000. With a lower discount as in
``Nominal``: the candidates of the paper are these for models 0 .. l - 1 and a list of discounts.
"""

from dataclasses import dataclass

import numpy as np

from tailsafe.engine import Engine
from tailsafe.errors import InvalidData, NotSupported
from tailsafe.mdp import MDP
from tailsafe.policy import Policy
from tailsafe.problem import Problem
from tailsafe.solvers.nominal import check_planning_discount, solve_at


@dataclass(frozen=True, slots=True)
class SampledModel:
    """Believe one model of the posterior.

    Parameters
    ----------
    index
        Which of the models that are drawn to propose policies with; 0 is the first.
    discount
        To plan with; the task's by default, and never above it.
    """

    index: int = 0
    discount: float | None = None

    def __post_init__(self) -> None:
        index: object = self.index
        whole = isinstance(index, int | np.integer) and not isinstance(index, bool)
        if not whole or self.index < 0:
            raise InvalidData(f"index must be a whole number of at least 0, got {self.index!r}")
        check_planning_discount(self.discount)

    @property
    def name(self) -> str:
        part = "" if self.discount is None else f", discount {self.discount:g}"
        return f"SampledModel({self.index}{part})"

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        del engine
        drawn = problem.models(self.index + 1, seed)
        if self.index >= len(drawn):
            raise NotSupported(
                f"model {self.index} was asked for, but the posterior is a list of {len(drawn)}: "
                "use an index below that"
            )
        mdp = MDP(problem.task, problem.posterior.table, drawn[self.index])
        return solve_at(mdp, self.discount)
