"""The one robust Bellman loop: values under the worst transitions that a *nature* may choose.

G. N. Iyengar. Robust dynamic programming. Mathematics of Operations Research 30(2), 2005;
A. Nilim, L. El Ghaoui. Robust control of Markov decision processes with uncertain transition
matrices. Operations Research 53(5), 2005.

    V(s) = max_a sum_t p(t | s, a) z(s, a, t),   z = R(s, a, t) + discount V(t),   p = nature(z)

A nature answers for every pair on its own ((s, a)-rectangular). Its operator is monotone and a
contraction, so V <- BV converges. Much faster: hold the actions and nature's answer fixed and solve
for V exactly (Newton's method for this piecewise smooth equation; Pollatschek and Avi-Itzhak 1969).
Such a step is kept only if it shrinks the residual at least as surely as V <- BV would.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from tailsafe.arrays import FloatArray, IntArray
from tailsafe.errors import NotSupported
from tailsafe.mdp import MDP
from tailsafe.policy import Policy
from tailsafe.solvers.planning import greedy, value_scale
from tailsafe.table import Table
from tailsafe.task import Task
from tailsafe.values import solved_values

Nature: TypeAlias = Callable[[FloatArray], FloatArray]
"""From the value of each transition, z[e], to the probabilities that nature chooses, p[e]."""

PRECISION = 1e-12
"""Bellman residuals below this share of the largest value are rounding."""

UNDISCOUNTED_BACKUPS = 500
"""With discount 1 nature may keep the process from ending; then nothing converges."""


@dataclass(frozen=True, slots=True, eq=False)
class Robust:
    """The solution of a robust problem.

    Parameters
    ----------
    policy
        Optimal against this nature; the lowest action of equals.
    value
        V[s], what the policy is worth if nature has its way.
    action_value
        Q[s, a].
    probability
        The transitions that nature chooses, p[e].
    residual
        The largest change that another Bellman backup would make.
    backups
        How often nature was asked.
    """

    policy: Policy
    value: FloatArray
    action_value: FloatArray
    probability: FloatArray
    residual: float
    backups: int


@dataclass(frozen=True, slots=True, eq=False)
class _Backup:
    """One answer of nature: Q[s, a], the best actions, and what they are worth."""

    Q: FloatArray
    probability: FloatArray
    actions: IntArray
    best: FloatArray
    residual: float


def robust_values(task: Task, table: Table, nature: Nature) -> Robust:
    """Return the values and the policy that are optimal against a nature."""
    reward = task.entry_reward(table)
    admissible = task.admissible | task.terminal[:, None]

    def backup(V: FloatArray) -> _Backup:
        z = reward + task.discount * V[table.successor]
        p = nature(z)
        Q = table.sum_rows(p * z)
        Q[task.terminal] = 0.0
        best = np.where(admissible, Q, -np.inf).max(axis=1)
        return _Backup(Q, p, greedy(Q, admissible), best, float(np.abs(best - V).max()))

    backups, now = 1, backup(np.zeros(task.n_states))
    shrink = task.discount if task.discount < 1.0 else 1.0 - 1e-3
    while now.residual > PRECISION * value_scale(now.Q, admissible):
        trial = backup(_newton_values(task, table, now))
        backups += 1
        if not trial.residual <= shrink * now.residual:
            trial, backups = backup(now.best), backups + 1
        if task.discount == 1.0 and backups > UNDISCOUNTED_BACKUPS:
            raise NotSupported(
                "robust values do not settle at discount 1, where nature may keep the process "
                "from ending: use a discount below 1"
            )
        if trial.residual >= now.residual and _is_rounding(trial, task.discount):
            break
        now = trial
    policy = Policy.from_actions(now.actions, task.n_actions)
    return Robust(policy, now.best, now.Q, now.probability, now.residual, backups)


def _is_rounding(step: _Backup, discount: float) -> bool:
    # An exact backup would have shrunk the residual: what is left is nature's own rounding.
    return discount < 1.0 and step.residual <= 1e-9 * float(np.abs(step.best).max())


def _newton_values(task: Task, table: Table, step: _Backup) -> FloatArray:
    """Return the values of the best actions in the model that nature chose; V <- BV if singular."""
    probs = np.eye(task.n_actions)[step.actions]
    mdp = MDP(task, table, step.probability)
    reward = task.expected_reward(table, step.probability)
    try:
        values = solved_values(mdp, probs, reward)
    except np.linalg.LinAlgError:
        return step.best
    return values if np.isfinite(values).all() else step.best
