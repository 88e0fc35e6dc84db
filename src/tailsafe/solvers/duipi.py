"""Uncertainty incorporating policy iteration: values less a multiple of their standard error.

A. Hans, S. Udluft. Efficient Uncertainty Propagation for Reinforcement Learning with Limited Data.
ICANN 2009 (DUIPI, the diagonal approximation). From Q = 0 and the uniform policy, repeat

    V = sum_a pi Q,   var V = sum_a pi^2 var Q,   z = R(s, a, t) + discount V(t)
    Q = sum_t P z,    var Q = sum_t (discount P)^2 var V(t) + z^2 var P
    pi: probability min(1 / step, 1 - pi) more to the best tried action by Q - xi sqrt(var Q),
        the others scaled down

until Q settles. P and var P are those of a Dirichlet posterior (Bayesian), or the frequencies with
P (1 - P) / (N - 1), at most 1/4 (frequentist).
"""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from tailsafe.arrays import BoolArray, FloatArray, IntArray, check_count
from tailsafe.engine import Engine
from tailsafe.errors import InvalidData, NotSupported
from tailsafe.policy import Policy
from tailsafe.problem import Problem
from tailsafe.solvers.planning import greedy
from tailsafe.unseen import Zero

SETTLED = 1e-9
"""Q[s, a] has settled when a step changes it by no more than this, in Euclidean norm."""

Estimate: TypeAlias = tuple[FloatArray, FloatArray]
"""Means and variances of the same things."""


@dataclass(frozen=True, slots=True)
class DUIPI:
    """Prefer what is surely good, with a Dirichlet posterior of its own.

    Parameters
    ----------
    xi
        How many standard errors are taken off.
    prior
        Concentration of each possible transition before the log.
    max_steps
        Policies at most; the averaging need not settle.
    """

    xi: float = 0.5
    prior: float = 0.1
    max_steps: int = 5_000

    def __post_init__(self) -> None:
        _check(self.xi, self.max_steps)
        if not 0.0 < self.prior < np.inf:
            raise InvalidData(f"prior must be positive, got {self.prior}")

    @property
    def name(self) -> str:
        return f"DUIPI({self.xi:g})"

    def estimate(self, problem: Problem) -> Estimate:
        """Return mean and variance of the probability of each transition, [e]."""
        table = problem.posterior.table
        a = problem.counts() + self.prior
        total = table.sum_rows(a).ravel()[table.row_of_entry]
        return a / total, a * (total - a) / (total**2 * (total + 1.0))

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        del seed, engine
        return averaged(problem, self.estimate(problem), self.xi, self.max_steps)[0]


@dataclass(frozen=True, slots=True)
class FrequentistDUIPI:
    """Prefer what is surely good, by frequencies.

    Parameters
    ----------
    xi, max_steps
        As in ``DUIPI``.
    """

    xi: float = 0.5
    max_steps: int = 5_000

    def __post_init__(self) -> None:
        _check(self.xi, self.max_steps)

    @property
    def name(self) -> str:
        return f"FrequentistDUIPI({self.xi:g})"

    def estimate(self, problem: Problem) -> Estimate:
        """Return frequency and variance of the probability of each transition, [e]."""
        P = problem.nominal(Zero()).probability
        degrees = problem.visits().ravel()[problem.posterior.table.row_of_entry] - 1.0
        variance = np.full(len(P), 0.25)
        np.divide(P * (1.0 - P), degrees, out=variance, where=degrees > 0.0)
        return P, variance

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        del seed, engine
        return averaged(problem, self.estimate(problem), self.xi, self.max_steps)[0]


def averaged(
    problem: Problem, estimate: Estimate, xi: float, max_steps: int
) -> tuple[Policy, FloatArray, int]:
    """Return the last policy, its Q[s, a] and the number of steps."""
    task = problem.task
    if task.discount == 1.0:
        raise NotSupported("errors add up without end at discount 1: use a discount below 1")
    allowed = task.admissible | task.terminal[:, None]
    tried = (problem.visits() > 0) & allowed
    reward = task.entry_reward(problem.posterior.table)
    probs = Policy.uniform(problem.n_states, problem.n_actions, task.admissible).probs.copy()
    Q, variance, step, settled = np.zeros(probs.shape), np.zeros(probs.shape), 0, False
    while step < max_steps and not settled:
        step, before = step + 1, Q
        V = (probs * Q).sum(axis=1), (probs**2 * variance).sum(axis=1)
        Q, variance = _propagated(problem, estimate, reward, V)
        best = _best_tried(Q - xi * np.sqrt(variance), tried, allowed)
        probs = shifted(probs, best, 1.0 / step)
        settled = bool(np.linalg.norm(Q - before) <= SETTLED)
    return Policy(probs), Q, step


def _propagated(
    problem: Problem, estimate: Estimate, reward: FloatArray, value: Estimate
) -> Estimate:
    """Return mean and variance of Q[s, a] from those of V[s]."""
    task, table = problem.task, problem.posterior.table
    (P, var_P), (V, var_V) = estimate, value
    z = reward + task.discount * V[table.successor]
    Q = table.sum_rows(P * z)
    var_Q = table.sum_rows((task.discount * P) ** 2 * var_V[table.successor] + z**2 * var_P)
    Q[task.terminal] = 0.0
    var_Q[task.terminal] = 0.0
    return Q, var_Q


def _best_tried(Q: FloatArray, tried: BoolArray, allowed: BoolArray) -> IntArray:
    """Return the best of the tried actions; the first allowed one where none was tried."""
    return np.where(tried.any(axis=1), greedy(Q, tried), allowed.argmax(axis=1))


def shifted(probs: FloatArray, best: IntArray, step: float) -> FloatArray:
    """Return pi[s, a] with up to ``step`` more probability for best[s], the rest scaled down."""
    at = np.arange(len(best)), best
    grown = np.minimum(probs[at] + step, 1.0)
    rest = 1.0 - probs[at]
    scale = np.divide(1.0 - grown, rest, out=np.zeros_like(rest), where=rest > 0.0)
    moved = probs * scale[:, None]
    moved[at] = grown
    return moved


def _check(xi: float, max_steps: int) -> None:
    check_count(max_steps, "max_steps")
    if not 0.0 <= xi < np.inf:
        raise InvalidData(f"xi must be a number of at least 0, got {xi}")
