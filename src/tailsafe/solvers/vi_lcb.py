"""Value iteration with lower confidence bounds.

P. Rashidinejad, B. Zhu, C. Ma, J. Jiao, S. Russell. Bridging Offline Reinforcement Learning and
Imitation Learning: A Tale of Pessimism. NeurIPS 2021. https://arxiv.org/abs/2103.12021, and, with
the variance and without splitting the log, G. Li, L. Shi, Y. Chen, Y. Chi, Y. Wei. Settling the
Sample Complexity of Model-Based Offline Reinforcement Learning. Annals of Statistics 52(1), 2024.
https://arxiv.org/abs/2204.05275 -- On the most likely model, with H = 1 / (1 - discount), W the
width of the rewards and V kept above the worst value there is,

    Q(s, a) = max {r + discount P_hat V - b(s, a; V), H min R},   V = max_a Q
    Hoeffding   b = H W sqrt(ln(2 K / d) / (2 N))                  K pairs that may be used
    Bernstein   b = min {max {sqrt(L Var_P_hat(V) / N), 2 H W L / N}, H W} + 5 W / N,
                L = ln(N H / d)

times a scale, and infinite for pairs that were never tried.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tailsafe.arrays import FloatArray
from tailsafe.engine import Engine
from tailsafe.errors import InvalidData
from tailsafe.mdp import MDP
from tailsafe.policy import Policy
from tailsafe.problem import Problem
from tailsafe.solvers.altered import forever, reward_range
from tailsafe.solvers.contraction import fixed_point
from tailsafe.solvers.count_errors import check_delta, hoeffding
from tailsafe.solvers.planning import greedy
from tailsafe.values import action_values


@dataclass(frozen=True, slots=True)
class VILCB:
    """Trust no value beyond what Hoeffding's inequality grants.

    Parameters
    ----------
    delta
        The failure probability that all pairs share.
    scale
        Of the bounds; 1 is the inequality, less is bolder.
    """

    delta: float = 0.1
    scale: float = 1.0

    def __post_init__(self) -> None:
        _check(self.delta, self.scale)

    @property
    def name(self) -> str:
        return f"VILCB({_parameters(self.delta, self.scale)})"

    def values(self, problem: Problem) -> FloatArray:
        """Return the pessimistic Q[s, a]."""
        smallest, largest = reward_range(problem)
        width = forever(largest - smallest, problem.task.discount)
        error = hoeffding(problem, self.delta)
        tried = np.isfinite(error)
        # Masked before the product: where all rewards are the same, width is 0.
        bound = np.where(tried, self.scale * width * np.where(tried, error, 0.0) / 2.0, np.inf)
        return _pessimistic(problem, lambda _: bound)

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        del seed, engine
        return _greedy_policy(problem, self.values(problem))


@dataclass(frozen=True, slots=True)
class BernsteinVILCB:
    """Trust no value beyond what its variance grants.

    Parameters
    ----------
    delta
        The failure probability that all pairs share.
    scale
        Of the bounds; less than 1 is bolder than the analysis.
    """

    delta: float = 0.1
    scale: float = 1.0

    def __post_init__(self) -> None:
        _check(self.delta, self.scale)

    @property
    def name(self) -> str:
        return f"BernsteinVILCB({_parameters(self.delta, self.scale)})"

    def values(self, problem: Problem) -> FloatArray:
        """Return the pessimistic Q[s, a]."""
        smallest, largest = reward_range(problem)
        width, nominal = largest - smallest, problem.nominal()
        horizon, N = forever(1.0, problem.task.discount), np.maximum(problem.visits(), 1)
        log = np.log(N * horizon / self.delta)
        least = 2.0 * horizon * width * log / N

        def bound(V: FloatArray) -> FloatArray:
            spread = np.sqrt(log * _variance(nominal, V) / N)
            b = np.minimum(np.maximum(spread, least), horizon * width) + 5.0 * width / N
            return np.where(problem.visits() > 0, self.scale * b, np.inf)

        return _pessimistic(problem, bound)

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        del seed, engine
        return _greedy_policy(problem, self.values(problem))


def _pessimistic(problem: Problem, bound: Callable[[FloatArray], FloatArray]) -> FloatArray:
    """Return the Q[s, a] of the fixed point, given the bound b[s, a] at V[s]."""
    task, nominal = problem.task, problem.nominal()
    worst = forever(reward_range(problem)[0], task.discount)
    allowed = task.admissible | task.terminal[:, None]

    def values(V: FloatArray) -> FloatArray:
        Q = np.maximum(action_values(nominal, V) - bound(V), worst)
        return np.where(task.terminal[:, None], 0.0, Q)

    def backup(V: FloatArray) -> FloatArray:
        best: FloatArray = np.where(allowed, values(V), -np.inf).max(axis=1)
        return best

    return values(fixed_point(backup, np.zeros(task.n_states), task.discount))


def _variance(mdp: MDP, V: FloatArray) -> FloatArray:
    """Return the variance of V at the next state, [s, a]."""
    table, P = mdp.table, mdp.probability
    mean = table.sum_rows(P * V[table.successor]).ravel()[table.row_of_entry]
    variance: FloatArray = table.sum_rows(P * (V[table.successor] - mean) ** 2)
    return variance


def _greedy_policy(problem: Problem, Q: FloatArray) -> Policy:
    task = problem.task
    allowed = task.admissible | task.terminal[:, None]
    return Policy.from_actions(greedy(Q, allowed), task.n_actions)


def _check(delta: float, scale: float) -> None:
    check_delta(delta)
    if not 0.0 <= scale < np.inf:
        raise InvalidData(f"scale must be a number of at least 0, got {scale}")


def _parameters(delta: float, scale: float) -> str:
    return f"{delta:g}" if scale == 1.0 else f"{delta:g}, scale {scale:g}"
