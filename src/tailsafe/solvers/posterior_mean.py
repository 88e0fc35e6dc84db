"""The optimal policy of the posterior mean P_bar.

For rows with independent posteriors P_bar is the model whose next step is predicted best; the
policy is what a Bayes-adaptive agent would do if it expected to learn nothing more.
"""

from dataclasses import dataclass

from tailsafe.engine import Engine
from tailsafe.policy import Policy
from tailsafe.problem import Problem
from tailsafe.solvers.nominal import check_planning_discount, solve_at


@dataclass(frozen=True, slots=True)
class PosteriorMean:
    """Believe the average model.

    Parameters
    ----------
    discount
        To plan with; the task's by default, and never above it.
    """

    discount: float | None = None

    def __post_init__(self) -> None:
        check_planning_discount(self.discount)

    @property
    def name(self) -> str:
        part = "" if self.discount is None else f"(discount {self.discount:g})"
        return f"PosteriorMean{part}"

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        del seed, engine
        return solve_at(problem.mean(), self.discount)
