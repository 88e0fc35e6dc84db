"""The optimal policy of the most likely model: the paper's *trivial* policy, at any discount.

A discount below the task's makes a shorter-sighted and often safer plan: N. Jiang, A. Kulesza,
S. Singh, R. Lewis. The Dependence of Effective Planning Horizon on Model Accuracy. AAMAS 2015.
"""

from dataclasses import dataclass

from tailsafe.engine import Engine
from tailsafe.errors import InvalidData, NotSupported
from tailsafe.mdp import MDP
from tailsafe.policy import Policy
from tailsafe.problem import Problem
from tailsafe.solvers.planning import solve_discounted
from tailsafe.unseen import Uniform, Unseen


@dataclass(frozen=True, slots=True)
class Nominal:
    """Believe the frequencies in the log.

    Parameters
    ----------
    discount
        To plan with; the task's by default, and never above it.
    unseen
        What the model says of pairs that were never tried.
    """

    discount: float | None = None
    unseen: Unseen = Uniform()

    def __post_init__(self) -> None:
        check_planning_discount(self.discount)

    @property
    def name(self) -> str:
        parts = [] if self.discount is None else [f"discount {self.discount:g}"]
        parts += [] if self.unseen == Uniform() else [f"unseen {self.unseen}"]
        return f"Nominal({', '.join(parts)})" if parts else "Nominal"

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        del seed, engine
        return solve_at(problem.nominal(self.unseen), self.discount)


def check_planning_discount(discount: float | None) -> None:
    """Raise InvalidData unless the discount is absent or in [0, 1]."""
    if discount is not None and not 0.0 <= discount <= 1.0:
        raise InvalidData(f"discount must be in [0, 1], got {discount}")


def solve_at(mdp: MDP, discount: float | None) -> Policy:
    """Return the optimal policy at a discount, the task's if None."""
    own = mdp.task.discount
    if discount is not None and discount > own:
        raise NotSupported(f"discount {discount:g} is above the task's, {own:g}: use that or less")
    return solve_discounted(mdp, own if discount is None else discount)[0]
