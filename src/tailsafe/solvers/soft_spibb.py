"""Safe policy improvement with soft baseline bootstrapping.

K. Nadjahi, R. Laroche, R. Tachet des Combes. Safe Policy Improvement with Soft Baseline
Bootstrapping. ECML-PKDD 2019. https://arxiv.org/abs/1907.05079 -- In each state,

    max sum_a pi(a) Q(a)   with   sum_a e(s, a) |pi(a) - pi_b(a)| <= epsilon,
    e(s, a) = sqrt(2 ln(2 S A / d) / N(s, a)),

exactly (a linear programme), or by greedy transfers (Algorithm 1 of the paper). P. Scholl, F.
Dietrich, C. Otte, S. Udluft. Safe Policy Improvement Approaches on Discrete Markov Decision
Processes. ICAART 2022. https://arxiv.org/abs/2201.12175 -- Two variants of the greedy one:

    advantageous   sum_a (pi(a) - pi_b(a)) Q_b(a) >= 0 as well, Q_b from the returns in the log
    lower          only what is added counts: sum_a e(s, a) (pi(a) - pi_b(a))+ <= epsilon
"""

from dataclasses import dataclass
from functools import partial

import numpy as np

from tailsafe.arrays import FloatArray
from tailsafe.batch import Batch
from tailsafe.engine import Engine
from tailsafe.errors import InvalidData
from tailsafe.policy import Policy
from tailsafe.problem import Problem
from tailsafe.solvers.count_errors import check_delta, hoeffding
from tailsafe.solvers.natures import worst_weighted_l1
from tailsafe.solvers.policy_iteration import iterate, kept_where_worse
from tailsafe.solvers.transfers import Constraint, transferred
from tailsafe.table import Table
from tailsafe.unseen import Uniform, Unseen


@dataclass(frozen=True, slots=True)
class SoftSPIBB:
    """Move away from the behaviour policy by no more than the data allow.

    Parameters
    ----------
    epsilon
        The budget of errors of a state.
    delta
        Failure probability in the errors; 1 as in the published experiments.
    unseen
        What the model says of pairs that were never tried; the published programs' says ``Zero``.
    """

    epsilon: float = 1.0
    delta: float = 1.0
    unseen: Unseen = Uniform()

    def __post_init__(self) -> None:
        _check(self.epsilon, self.delta)

    @property
    def name(self) -> str:
        return f"SoftSPIBB({self.epsilon:g})"

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        del seed, engine
        errors = errors_of(problem, self.delta)
        step = partial(best_within, problem.behaviour.probs, errors, self.epsilon)
        return iterate(problem.nominal(self.unseen), problem.behaviour, step)


@dataclass(frozen=True, slots=True)
class ApproximateSoftSPIBB:
    """Soft-SPIBB by greedy transfers.

    Parameters
    ----------
    epsilon, delta, unseen
        As in ``SoftSPIBB``.
    """

    epsilon: float = 1.0
    delta: float = 1.0
    unseen: Unseen = Uniform()

    def __post_init__(self) -> None:
        _check(self.epsilon, self.delta)

    @property
    def name(self) -> str:
        return f"ApproximateSoftSPIBB({self.epsilon:g})"

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        del seed, engine
        errors = errors_of(problem, self.delta)
        constraint = Constraint(problem.behaviour.probs, errors, self.epsilon)
        return _by_transfers(problem, self.unseen, constraint)


@dataclass(frozen=True, slots=True)
class AdvantageousSoftSPIBB:
    """Soft-SPIBB by greedy transfers, no worse than the behaviour by the returns in the log.

    Parameters
    ----------
    epsilon, delta, unseen
        As in ``SoftSPIBB``.
    """

    epsilon: float = 1.0
    delta: float = 1.0
    unseen: Unseen = Uniform()

    def __post_init__(self) -> None:
        _check(self.epsilon, self.delta)

    @property
    def name(self) -> str:
        return f"AdvantageousSoftSPIBB({self.epsilon:g})"

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        del seed, engine
        errors = errors_of(problem, self.delta)
        Q_b = mean_returns(problem.batch, problem.task.discount)
        constraint = Constraint(problem.behaviour.probs, errors, self.epsilon, advantage=Q_b)
        return _by_transfers(problem, self.unseen, constraint)


@dataclass(frozen=True, slots=True)
class LowerSoftSPIBB:
    """Soft-SPIBB by greedy transfers, where only added probability costs.

    Parameters
    ----------
    epsilon, delta, unseen
        As in ``SoftSPIBB``.
    """

    epsilon: float = 1.0
    delta: float = 1.0
    unseen: Unseen = Uniform()

    def __post_init__(self) -> None:
        _check(self.epsilon, self.delta)

    @property
    def name(self) -> str:
        return f"LowerSoftSPIBB({self.epsilon:g})"

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        del seed, engine
        errors = errors_of(problem, self.delta)
        constraint = Constraint(problem.behaviour.probs, errors, self.epsilon, both_ends=False)
        return _by_transfers(problem, self.unseen, constraint)


def errors_of(problem: Problem, delta: float) -> FloatArray:
    """Return e[s, a], infinite for actions that must not be taken."""
    return np.where(problem.task.admissible, hoeffding(problem, delta), np.inf)


def best_within(
    behaviour: FloatArray, errors: FloatArray, epsilon: float, Q: FloatArray, probs: FloatArray
) -> FloatArray:
    """Return the pi[s, a] of largest sum_a pi Q within the budget, by its one multiplier a state.

    It is the problem of a nature that wants the worst of -Q: rows are states, outcomes actions.
    """
    del probs
    n_states, n_actions = Q.shape
    movable = np.isfinite(errors)
    size = max(n_states, n_actions)
    indptr = np.concatenate([[0], np.cumsum(movable.sum(axis=1))])
    indptr = np.append(indptr, np.full(size - n_states, indptr[-1]))
    states, actions = np.nonzero(movable)
    table = Table(size, 1, indptr, actions)
    budget, at = np.full(size, epsilon), (states, actions)
    improved = behaviour.copy()
    improved[at] = worst_weighted_l1(table, behaviour[at], errors[at], budget, -Q[at])
    return improved


def mean_returns(batch: Batch, discount: float) -> FloatArray:
    """Return the mean discounted return after each visit of a pair, Q_b[s, a]; 0 where unseen."""
    returns, until = np.zeros(len(batch)), 0.0
    last = np.append(np.diff(batch.episode) != 0, True)
    for i in range(len(batch) - 1, -1, -1):
        until = batch.reward[i] + discount * (0.0 if last[i] else until)
        returns[i] = until
    shape = (batch.n_states, batch.n_actions)
    total = np.bincount(batch.row, weights=returns, minlength=shape[0] * shape[1]).reshape(shape)
    return total / np.maximum(batch.visits(), 1)


def _by_transfers(problem: Problem, unseen: Unseen, constraint: Constraint) -> Policy:
    def step(Q: FloatArray, probs: FloatArray) -> FloatArray:
        return kept_where_worse(Q, transferred(Q, constraint), probs)

    return iterate(problem.nominal(unseen), problem.behaviour, step)


def _check(epsilon: float, delta: float) -> None:
    check_delta(delta)
    if not 0.0 <= epsilon < np.inf:
        raise InvalidData(f"epsilon must be a number of at least 0, got {epsilon}")
