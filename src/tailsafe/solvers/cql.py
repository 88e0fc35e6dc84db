"""Conservative Q-learning, tabular and solved exactly.

A. Kumar, A. Zhou, G. Tucker, S. Levine. Conservative Q-Learning for Offline Reinforcement Learning.
NeurIPS 2020. https://arxiv.org/abs/2006.04779 -- CQL(H): with the targets
y(s, a) = r + discount sum_t P_hat max_b Q(t, b), each state minimises

    alpha (lse_a Q(a) - sum_a pi_b Q(a)) + sum_a pi_b (Q(a) - y(a))^2 / 2

over the actions that the behaviour may take. The minimiser has, with p = softmax(Q),

    Q(a) = y(a) + alpha (1 - p(a) / pi_b(a)),   p(a) = (pi_b / alpha) W(exp(x(a) - c)),
    x(a) = ln(alpha / pi_b) + y(a) + alpha,     c = lse Q: the root of sum_a p(a) = 1

(W: Lambert's function). It moves by no more than y does, so that repeating it is a contraction.
"""

from dataclasses import dataclass

import numpy as np

from tailsafe.arrays import FloatArray
from tailsafe.engine import Engine
from tailsafe.errors import InvalidData
from tailsafe.policy import Policy
from tailsafe.problem import Problem
from tailsafe.solvers.contraction import fixed_point
from tailsafe.solvers.planning import greedy
from tailsafe.unseen import Uniform, Unseen
from tailsafe.values import action_values

NEWTON_STEPS = 100
"""Newton's steps rise to the root of a convex falling function: far fewer are needed."""


@dataclass(frozen=True, slots=True)
class CQL:
    """Doubt the values of what the behaviour rarely does.

    Parameters
    ----------
    alpha
        How conservative, in units of value; 0: only the behaviour's support counts.
    unseen
        What the model says of pairs that were never tried.
    """

    alpha: float = 1.0
    unseen: Unseen = Uniform()

    def __post_init__(self) -> None:
        if not 0.0 <= self.alpha < np.inf:
            raise InvalidData(f"alpha must be a number of at least 0, got {self.alpha}")

    @property
    def name(self) -> str:
        return f"CQL({self.alpha:g})"

    def values(self, problem: Problem) -> FloatArray:
        """Return the conservative Q[s, a], -inf outside the support of the behaviour."""
        nominal, behaviour = problem.nominal(self.unseen), problem.behaviour.probs

        def values(V: FloatArray) -> FloatArray:
            Q = conservative(action_values(nominal, V), behaviour, self.alpha)
            return np.where(problem.task.terminal[:, None] & (behaviour > 0.0), 0.0, Q)

        start = np.zeros(problem.n_states)
        return values(fixed_point(lambda V: values(V).max(axis=1), start, problem.task.discount))

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        del seed, engine
        Q = self.values(problem)
        return Policy.from_actions(greedy(Q, np.isfinite(Q)), problem.n_actions)


def conservative(y: FloatArray, behaviour: FloatArray, alpha: float) -> FloatArray:
    """Return the minimising Q[s, a] for targets y[s, a]; -inf where pi_b is 0."""
    from scipy.special import wrightomega

    support = behaviour > 0.0
    if alpha == 0.0:
        return np.where(support, y, -np.inf)
    b = np.where(support, behaviour, 1.0)
    x = np.where(support, np.log(alpha / b) + y + alpha, -np.inf)
    # Here one p(a) alone is 1: the root is not to the left.
    c = np.where(support, y + alpha - alpha / b, -np.inf).max(axis=1)
    for _ in range(NEWTON_STEPS):
        w = wrightomega(x - c[:, None])
        p = b / alpha * w
        step = (p.sum(axis=1) - 1.0) / (p / (1.0 + w)).sum(axis=1)
        c = c + np.maximum(step, 0.0)
        if step.max() <= 1e-14 * np.abs(c).max():
            break
    # p / pi_b = W / alpha
    return np.where(support, y + alpha - wrightomega(x - c[:, None]), -np.inf)
