"""Model-based interval estimation, turned to pessimism: the worst model within L1 intervals.

A. L. Strehl, M. L. Littman. An Analysis of Model-Based Interval Estimation for Markov Decision
Processes. Journal of Computer and System Sciences 74(8), 2008. With optimism replaced by pessimism
(Scholl et al. 2022, https://arxiv.org/abs/2201.12175):

    V(s) = max_a min_p sum_t p(t) (R(s, a, t) + discount V(t)),   |p - P_hat(. | s, a)|_1 <= e(s, a)

with Weissman's e(s, a), 2 for pairs that were never tried.
"""

from dataclasses import dataclass
from functools import partial

from tailsafe.engine import Engine
from tailsafe.policy import Policy
from tailsafe.problem import Problem
from tailsafe.solvers.count_errors import check_delta, weissman
from tailsafe.solvers.natures import worst_l1
from tailsafe.solvers.robust import Nature, robust_values
from tailsafe.unseen import Uniform, Unseen


@dataclass(frozen=True, slots=True)
class MBIE:
    """Expect the worst that the log does not rule out.

    Parameters
    ----------
    delta
        The probability, shared by all pairs, that some interval misses the truth.
    unseen
        What the estimate says of pairs that were never tried. Their intervals hold everything, so
        that they are worth the worst next state; with ``Zero``, as in the published program, 0.
    """

    delta: float = 0.1
    unseen: Unseen = Uniform()

    def __post_init__(self) -> None:
        check_delta(self.delta)

    @property
    def name(self) -> str:
        return f"MBIE({self.delta:g})"

    def nature(self, problem: Problem) -> Nature:
        """Return the worst case within the intervals."""
        errors = weissman(problem, self.delta).ravel()
        nominal = problem.nominal(self.unseen)
        return partial(worst_l1, nominal.table, nominal.probability, errors)

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        del seed, engine
        nature = self.nature(problem)
        return robust_values(problem.task, problem.posterior.table, nature).policy
