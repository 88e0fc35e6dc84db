"""The worst and the best performance that a posterior's support allows a policy.

    V(s) = sum_a pi(a|s) min over possible t of R(s,a,t) + g V(t)        (max for the best)

tighter than r_min / (1 - g), and bounds at whatever sweep the iteration stops. Known rows take
their expectation. With discount 1, bounds that do not settle are infinite.
G. N. Iyengar, Robust dynamic programming (2005), with the whole simplex as uncertainty set;
J. MacQueen, A modified dynamic programming method for Markovian decision problems (1966).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tailsafe.arrays import BoolArray, FloatArray, IntArray
from tailsafe.policy import Policy
from tailsafe.posterior import Dirichlet, Posterior
from tailsafe.task import Task

CLOSE = 1e-4
"""Iteration ends when it could improve a bound by no more than this share of the rewards."""

ROUNDING = 1e-12
"""Bounds are moved out by this share, so that rounding never makes one wrong."""

ENTRIES_AT_ONCE = 2_000_000
ENDLESS = 10_000
"""With discount 1, iterations before a bound is given up as infinite."""


@dataclass(frozen=True, slots=True, eq=False)
class _Used:
    """The entries that a group of policies uses: rows of all policies, one after the other."""

    starts: IntArray
    successor: IntArray
    reward: FloatArray
    known: BoolArray
    probability: FloatArray
    weight: FloatArray
    home: IntArray


def extremes(
    posterior: Posterior, task: Task, policies: Sequence[Policy]
) -> tuple[FloatArray, FloatArray]:
    """Return the least and the greatest possible performance of each policy, xi[p] and zeta[p]."""
    step = max(1, ENTRIES_AT_ONCE // max(posterior.table.n_entries, 1))
    parts = [
        _bounds(posterior, task, policies[i : i + step]) for i in range(0, len(policies), step)
    ]
    xi, zeta = np.concatenate([np.empty((2, 0)), *parts], axis=1)
    return xi, zeta


def _bounds(posterior: Posterior, task: Task, policies: Sequence[Policy]) -> FloatArray:
    used = _used_entries(posterior, task, policies)
    shape = (len(policies), task.n_states)
    # The best is the worst with the signs of all rewards turned.
    return np.array([_worst(used, task, shape, 1.0), -_worst(used, task, shape, -1.0)])


def _used_entries(posterior: Posterior, task: Task, policies: Sequence[Policy]) -> _Used:
    table, A, S = posterior.table, task.n_actions, task.n_states
    live = ~np.repeat(task.terminal, A) & (table.lengths > 0)
    probs = np.stack([policy.probs.ravel() for policy in policies])
    owner, rows = np.nonzero((probs > 0.0) & live)
    lengths = table.lengths[rows]
    starts = np.concatenate([[0], np.cumsum(lengths)])[:-1]
    entry = np.arange(lengths.sum()) + np.repeat(table.indptr[rows] - starts, lengths)
    certain = isinstance(posterior, Dirichlet)
    known = posterior.known[rows] if isinstance(posterior, Dirichlet) else np.zeros(len(rows), bool)
    return _Used(
        starts=starts,
        successor=np.repeat(owner * S, lengths) + table.successor[entry],
        reward=task.entry_reward(table)[entry],
        known=known,
        probability=posterior.mean()[entry] if certain and known.any() else np.zeros(len(entry)),
        weight=probs[owner, rows],
        home=owner * S + rows // A,
    )


def _worst(used: _Used, task: Task, shape: tuple[int, int], sign: float) -> FloatArray:
    reward = sign * used.reward
    if len(reward) == 0:
        return np.zeros(shape[0])
    scale = float(np.abs(reward).max())
    if task.discount == 1.0:
        return _undiscounted(used, reward, task, shape, CLOSE * scale)
    return _discounted(used, reward, task, shape, CLOSE * scale)


def _discounted(
    used: _Used, reward: FloatArray, task: Task, shape: tuple[int, int], close: float
) -> FloatArray:
    # From any V, the values lie between BV + g/(1-g) min D and BV + g/(1-g) max D, D = BV - V.
    g, V = task.discount, np.zeros(shape)
    least = np.full((shape[0], 1), -np.inf)
    for _ in range(_most_sweeps(g)):
        wider = _swept(used, reward, g, V)
        D = wider - V
        least, most = D.min(axis=1, keepdims=True), D.max(axis=1, keepdims=True)
        V = wider
        if (g / (1.0 - g) * (most - least)).max() <= close:
            break
    # Where an episode has ended the value stays 0, so that 0 is among the differences.
    bound: FloatArray = V @ task.initial + g / (1.0 - g) * least[:, 0]
    return bound - ROUNDING * (np.abs(bound) + close)


def _most_sweeps(g: float) -> int:
    return max(1, int(np.ceil(np.log(CLOSE) / np.log(max(g, 1e-3)))))


def _undiscounted(
    used: _Used, reward: FloatArray, task: Task, shape: tuple[int, int], close: float
) -> FloatArray:
    # Without discount nothing is bounded until the iteration has settled.
    V = np.zeros(shape)
    for _ in range(ENDLESS):
        wider = _swept(used, reward, 1.0, V)
        settled = bool(np.abs(wider - V).max() <= 1e-9 * close)
        V = wider
        if settled:
            return np.asarray(V @ task.initial - close, np.float64)
    return np.full(shape[0], -np.inf)


def _swept(used: _Used, reward: FloatArray, g: float, V: FloatArray) -> FloatArray:
    z = reward + g * V.ravel()[used.successor]
    worst = np.minimum.reduceat(z, used.starts)
    if used.known.any():
        mean = np.add.reduceat(used.probability * z, used.starts)
        worst = np.where(used.known, mean, worst)
    weights = used.weight * worst
    swept = np.bincount(used.home, weights=weights, minlength=V.size)
    return np.asarray(swept, np.float64).reshape(V.shape)
