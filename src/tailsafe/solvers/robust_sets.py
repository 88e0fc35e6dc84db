"""Robust Markov decision processes: the worst model near the frequencies in the log.

V(s) = max_a min_p sum_t p(t) (R(s, a, t) + discount V(t)) over all p within a budget of the
frequencies c = P_hat(. | s, a) of N tries. ``delta`` is the probability that some pair is further
off, shared equally by the n pairs in use, d = delta / n. With k possible next states:

    L1      sum |p - c|        <= sqrt(2 / N ln((2^k - 2) / d))    T. Weissman et al., HP Labs 2003
    Linf    max |p - c|        <= sqrt(ln(2 k / d) / (2 N))        Hoeffding's inequality
    KL      sum p ln(p / c)    <= x / (2 N)                        A. Nilim, L. El Ghaoui, 2005
    chi2    sum (p - c)^2 / c  <= x / N                            G. N. Iyengar, 2005

x is the 1 - d quantile of chi2 with k - 1 degrees of freedom (asymptotic). A pair that was never
tried may lead anywhere that the table allows; a known row is what it is. KL and chi2 never leave
the next states that were seen.

Weighted L1 (B. Behzadian, R. H. Russel, M. Petrik, C. P. Ho, AISTATS 2021) is Bayesian: around
the posterior mean, with a radius that holds 1 - d of the posterior's models, in the norm
sum w |p - c| that bends to the value of what may happen: w = |z - middle of z|.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np

from tailsafe.arrays import BoolArray, FloatArray, check_count
from tailsafe.engine import Engine
from tailsafe.policy import Policy
from tailsafe.posterior import Dirichlet
from tailsafe.problem import Problem
from tailsafe.ranks import check_probability
from tailsafe.solvers import natures
from tailsafe.solvers.bcr import upper_quantile, used_pairs
from tailsafe.solvers.planning import solve
from tailsafe.solvers.robust import Nature, robust_values

LEAST_WEIGHT = 1e-2
"""Weights of a norm are at least this share of the largest of their row."""


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
        k, N = _sizes(problem)
        # ln(2^k - 2), which is -inf for the one next state of a certain transition
        with np.errstate(divide="ignore"):
            outcomes = k * np.log(2.0) + np.log1p(-np.exp2(1.0 - np.maximum(k, 1.0)))
        bits = np.maximum(outcomes - np.log(_share(problem, self.delta)), 0.0)
        budget = np.where(k > 1.0, np.sqrt(2.0 * _rate(bits, N)), 0.0)
        return partial(natures.worst_l1, *_center(problem, budget))

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        del seed, engine
        return _policy(problem, self.nature(problem))


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
        k, N = _sizes(problem)
        bits = np.log(2.0 * np.maximum(k, 1.0) / _share(problem, self.delta))
        return partial(natures.worst_linf, *_center(problem, np.sqrt(_rate(bits, N) / 2.0)))

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        del seed, engine
        return _policy(problem, self.nature(problem))


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
        x, N = _chi2_quantile(problem, self.delta), _sizes(problem)[1]
        return partial(_reaching, natures.worst_kl, *_center(problem, _rate(x, N) / 2.0))

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        del seed, engine
        return _policy(problem, self.nature(problem))


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
        x, N = _chi2_quantile(problem, self.delta), _sizes(problem)[1]
        return partial(_reaching, natures.worst_chi2, *_center(problem, _rate(x, N)))

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        del seed, engine
        return _policy(problem, self.nature(problem))


@dataclass(frozen=True, slots=True)
class RobustWeightedL1:
    """Robust against a credible region whose norm looks at what the next states are worth.

    Parameters
    ----------
    delta
        The probability that some pair lies outside.
    n_models
        Posterior samples that estimate the region.
    """

    delta: float = 0.1
    n_models: int = 1_000

    def __post_init__(self) -> None:
        check_probability(self.delta, "delta")
        check_count(self.n_models, "n_models")

    @property
    def name(self) -> str:
        return f"RobustWeightedL1({self.delta:g})"

    def nature(self, problem: Problem, seed: int = 0) -> Nature:
        """Return the worst case in the region."""
        table, mean = problem.posterior.table, problem.posterior.mean()
        weight = value_weights(problem)
        P = problem.models(self.n_models, seed)
        distance = np.stack([table.sum_rows(weight * np.abs(one - mean)) for one in P])
        level = 1.0 - _share(problem, self.delta)
        budget = upper_quantile(distance, level, problem.weights(self.n_models)).ravel()
        return partial(natures.worst_weighted_l1, table, mean, weight, budget)

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        del engine
        return _policy(problem, self.nature(problem, seed))


def value_weights(problem: Problem) -> FloatArray:
    """Return w[e] = |z - middle of z| in each row, z of the optimal values of the mean model."""
    mdp = problem.mean()
    table, task = mdp.table, mdp.task
    z = task.entry_reward(table) + task.discount * solve(mdp)[1][table.successor]
    row = table.row_of_entry
    low, high = natures.lowest(table, z), -natures.lowest(table, -z)
    half = (high - low)[row] / 2.0
    weight = np.abs(z - (low + high)[row] / 2.0)
    return np.where(half > 0.0, np.maximum(weight / np.where(half > 0.0, half, 1.0), LEAST_WEIGHT), 1.0)
