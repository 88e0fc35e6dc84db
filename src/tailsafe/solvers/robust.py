"""The one robust Bellman loop: values under the worst transitions that a *nature* may choose.

G. N. Iyengar. Robust dynamic programming. Mathematics of Operations Research 30(2), 2005;
A. Nilim, L. El Ghaoui. Robust control of Markov decision processes with uncertain transition
matrices. Operations Research 53(5), 2005.

    V(s) = max_a sum_t p(t | s, a) z(s, a, t),   z = R(s, a, t) + discount V(t),   p = nature(z)

A nature answers for every pair on its own ((s, a)-rectangular); for whole states see
``s_rectangular``. Such operators are monotone contractions, so V <- BV converges. Much faster: hold
the actions and nature's answer fixed and solve for V exactly (Newton's method for this piecewise
smooth equation; Pollatschek and Avi-Itzhak 1969). Such a step is kept only if it shrinks the
residual at least as surely as V <- BV would.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import numpy as np

from tailsafe.arrays import BoolArray, FloatArray
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

MOST_STALLS = 100
"""Backups that bring nothing before the residual is left as it is (``Robust.residual``)."""

UNDISCOUNTED_BACKUPS = 500
"""With discount 1 nature may keep the process from ending; then nothing converges."""


@dataclass(frozen=True, slots=True, eq=False)
class Robust:
    """The solution of a robust problem.

    Parameters
    ----------
    policy
        Optimal against this nature; the lowest action of equals, unless mixing pays.
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
class Answer:
    """One Bellman backup.

    Parameters
    ----------
    Q
        Q[s, a] with the transitions that nature chooses.
    probability
        These transitions, p[e].
    probs
        The policy that is best against them, pi[s, a].
    best
        What it is worth, BV[s].
    """

    Q: FloatArray
    probability: FloatArray
    probs: FloatArray
    best: FloatArray


Respond: TypeAlias = Callable[[FloatArray], Answer]
"""From V[s] to one Bellman backup."""


def robust_values(task: Task, table: Table, nature: Nature) -> Robust:
    """Return the values and the policy that are optimal against a nature."""
    return settled(task, table, partial(_answer, task, table, nature))


def settled(task: Task, table: Table, respond: Respond) -> Robust:
    """Return the fixed point of a Bellman operator."""
    admissible = usable_actions(task)
    V = np.zeros(task.n_states)
    backups, now = 1, respond(V)
    residual = _distance(now.best, V)
    shrink = task.discount if task.discount < 1.0 else 1.0 - 1e-3
    rewards, stalls = float(np.abs(task.entry_reward(table)).max(initial=0.0)), 0
    while residual > PRECISION * value_scale(now.Q, admissible):
        V = _newton_values(task, table, now)
        trial, backups = respond(V), backups + 1
        if not _distance(trial.best, V) <= shrink * residual:
            V = now.best
            trial, backups = respond(V), backups + 1
        if task.discount == 1.0 and backups > UNDISCOUNTED_BACKUPS:
            raise NotSupported(
                "robust values do not settle at discount 1, where nature may keep the process "
                "from ending: use a discount below 1"
            )
        left = _distance(trial.best, V)
        stalls += left >= residual
        if left >= residual and _is_rounding(trial, left, task.discount, rewards):
            break
        if task.discount < 1.0 and stalls > MOST_STALLS:
            break
        now, residual = trial, left
    return Robust(Policy(now.probs), now.best, now.Q, now.probability, residual, backups)


def usable_actions(task: Task) -> BoolArray:
    """Return mask[s, a] of the actions to choose from; nothing is chosen in terminal states."""
    mask: BoolArray = task.admissible | task.terminal[:, None]
    return mask


def _answer(task: Task, table: Table, nature: Nature, V: FloatArray) -> Answer:
    admissible = usable_actions(task)
    z = task.entry_reward(table) + task.discount * V[table.successor]
    p = nature(z)
    Q = table.sum_rows(p * z)
    Q[task.terminal] = 0.0
    best = np.where(admissible, Q, -np.inf).max(axis=1)
    return Answer(Q, p, np.eye(task.n_actions)[greedy(Q, admissible)], best)


def _distance(V: FloatArray, W: FloatArray) -> float:
    return float(np.abs(V - W).max())


def _is_rounding(step: Answer, residual: float, discount: float, rewards: float) -> bool:
    # An exact backup would have shrunk the residual: what is left is nature's own rounding, a
    # share of the values or, where the worst case is worth nothing, of the rewards they cancel.
    scale = max(1e-9 * float(np.abs(step.best).max()), PRECISION * rewards)
    return discount < 1.0 and residual <= scale


def _newton_values(task: Task, table: Table, step: Answer) -> FloatArray:
    """Return the values of the policy in the model that nature chose; V <- BV if singular."""
    mdp = MDP(task, table, step.probability)
    reward = task.expected_reward(table, step.probability)
    try:
        values = solved_values(mdp, step.probs, reward)
    except np.linalg.LinAlgError:
        return step.best
    return values if np.isfinite(values).all() else step.best
