"""Policy iteration within a constraint, on one given model.

Evaluate the policy exactly, improve it as far as the constraint allows, until the values rise no
more. Each method brings its own step: from Q[s, a] and the present pi[s, a] to a better pi[s, a].
"""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from tailsafe.arrays import FloatArray, IntArray
from tailsafe.mdp import MDP
from tailsafe.policy import Policy
from tailsafe.solvers.altered import possible
from tailsafe.solvers.planning import TIE
from tailsafe.values import action_values, state_values

Improve: TypeAlias = Callable[[FloatArray, FloatArray], FloatArray]
"""From Q[s, a] and pi[s, a] to the pi[s, a] that the constraint allows and Q prefers."""

ROUNDING = 1e-12
"""Values that rise by less than this share of the largest one do not rise."""

MAX_STEPS = 1_000
"""Steps at most; every policy on the way meets the constraint."""


def iterate(mdp: MDP, start: Policy, improve: Improve) -> Policy:
    """Return the policy that no step improves any more."""
    mdp = possible(mdp) if mdp.task.discount == 1.0 else mdp
    policy, V = start, state_values(mdp, start)
    for _ in range(MAX_STEPS):
        Q = action_values(mdp, V)
        better = Policy(improve(Q, policy.probs))
        V_better = state_values(mdp, better)
        rise, scale = V_better - V, float(np.abs(V).max())
        if rise.max() <= ROUNDING * scale:
            # Equally good: the one that Q prefers, which has its ties in order.
            return better if rise.min() >= -TIE * scale else policy
        policy, V = better, V_better
    return policy


def kept_where_worse(Q: FloatArray, new: FloatArray, old: FloatArray) -> FloatArray:
    """Return new[s, a], but the old probabilities in states where Q prefers them.

    Steps that are not the best ones within the constraint need this to settle.
    """
    gain = ((new - old) * Q).sum(axis=1)
    worse = gain < -TIE * float(np.abs(Q).max())
    return np.where(worse[:, None], old, new)


def by_value(Q: FloatArray) -> IntArray:
    """Return the actions of each state by falling Q[s, a], the lowest index of equals first.

    Equal are neighbours within 1e-9 of the largest |Q|.
    """
    falling = np.argsort(-Q, axis=1, kind="stable")
    gaps = -np.diff(np.take_along_axis(Q, falling, axis=1), axis=1)
    level = np.zeros(Q.shape, np.int64)
    level[:, 1:] = np.cumsum(gaps > TIE * float(np.abs(Q).max()), axis=1)
    order = np.argsort(level * Q.shape[1] + falling, axis=1)
    return np.take_along_axis(falling, order, axis=1)
