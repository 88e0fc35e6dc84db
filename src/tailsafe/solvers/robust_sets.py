"""Robust Markov decision processes: the worst model near the frequencies in the log.

V(s) = max_a min_p sum_t p(t) (R(s, a, t) + discount V(t)) over all p within a budget of the
frequencies c = P_hat(. | s, a) of N tries. ``delta`` is the probability that some pair is further
off, shared equally by the n pairs in use, d = delta / n. With k possible next states:

    L1      sum |p - c|        <= sqrt(2 / N ln((2^k - 2) / d))    T. Weissman et al., HP Labs 2003
    Linf    max |p - c|        <= sqrt(ln(2 k / d) / (2 N))        Hoeffding's inequality
    KL      sum p ln(p / c)    <= x / (2 N)                        A. Nilim, L. El Ghaoui, 2005
    chi2    sum (p - c)^2 / c  <= x / N                            G. N. Iyengar, 2005

x is the 1 - d quantile of chi2 with k - 1 degrees of freedom (asymptotic). KL and chi2 never leave
the next states that were seen.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np

from tailsafe.engine import Engine
from tailsafe.policy import Policy
from tailsafe.problem import Problem
from tailsafe.ranks import check_probability
from tailsafe.solvers import natures
from tailsafe.solvers.divergences import worst_chi2, worst_kl
from tailsafe.solvers.near_log import chi2_quantile, evidence
from tailsafe.solvers.robust import Nature, robust_values


@dataclass(frozen=True, slots=True)
class RobustL1:
    """Robust against an L1 ball of Weissman's size.

    Parameters
    ----------
    delta
        The probability that some pair lies outside.
    """

    delta: float = 0.1

    def __post_init__(self) -> None:
        check_probability(self.delta, "delta")

    @property
    def name(self) -> str:
        return f"RobustL1({self.delta:g})"

    def nature(self, problem: Problem) -> Nature:
        """Return the worst case in the ball."""
        log = evidence(problem)
        # ln(2^k - 2) without overflow; rows with one next state are certain anyway.
        k = np.maximum(log.outcomes, 2.0)
        bits = k * np.log(2.0) + np.log1p(-np.exp2(1.0 - k)) - np.log(self.delta * log.share)
        budget = np.sqrt(log.budget(2.0 * bits))
        return partial(natures.worst_l1, problem.posterior.table, log.center, budget)

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        del seed, engine
        return robust_values(problem.task, problem.posterior.table, self.nature(problem)).policy


@dataclass(frozen=True, slots=True)
class RobustLinf:
    """Robust against a box of Hoeffding's size.

    Parameters
    ----------
    delta
        The probability that some pair lies outside.
    """

    delta: float = 0.1

    def __post_init__(self) -> None:
        check_probability(self.delta, "delta")

    @property
    def name(self) -> str:
        return f"RobustLinf({self.delta:g})"

    def nature(self, problem: Problem) -> Nature:
        """Return the worst case in the box."""
        log = evidence(problem)
        bits = np.log(2.0 * np.maximum(log.outcomes, 1.0) / (self.delta * log.share))
        budget = np.sqrt(log.budget(bits / 2.0))
        return partial(natures.worst_linf, problem.posterior.table, log.center, budget)

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        del seed, engine
        return robust_values(problem.task, problem.posterior.table, self.nature(problem)).policy


@dataclass(frozen=True, slots=True)
class RobustKL:
    """Robust against a ball of relative entropy.

    Parameters
    ----------
    delta
        The probability that some pair lies outside.
    """

    delta: float = 0.1

    def __post_init__(self) -> None:
        check_probability(self.delta, "delta")

    @property
    def name(self) -> str:
        return f"RobustKL({self.delta:g})"

    def nature(self, problem: Problem) -> Nature:
        """Return the worst case in the ball."""
        log = evidence(problem)
        budget = log.budget(chi2_quantile(log, self.delta) / 2.0)
        return partial(worst_kl, problem.posterior.table, log.center, budget)

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        del seed, engine
        return robust_values(problem.task, problem.posterior.table, self.nature(problem)).policy


@dataclass(frozen=True, slots=True)
class RobustChi2:
    """Robust against a ball of Pearson's chi2.

    Parameters
    ----------
    delta
        The probability that some pair lies outside.
    """

    delta: float = 0.1

    def __post_init__(self) -> None:
        check_probability(self.delta, "delta")

    @property
    def name(self) -> str:
        return f"RobustChi2({self.delta:g})"

    def nature(self, problem: Problem) -> Nature:
        """Return the worst case in the ball."""
        log = evidence(problem)
        budget = log.budget(chi2_quantile(log, self.delta))
        return partial(worst_chi2, problem.posterior.table, log.center, budget)

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        del seed, engine
        return robust_values(problem.task, problem.posterior.table, self.nature(problem)).policy
