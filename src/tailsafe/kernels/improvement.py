"""Compiled parts of policy improvement: linear systems of models, and how values respond.

With X = (I - g P_pi)^-1, V = X r, d = mu X and Q(s, a) = sum_t P(t | s, a) (R + g V(t)), moving a
share x of what pi does in state s to action a changes u = mu V exactly to

    u + x slope / (1 - x bend),   slope = d(s) (Q(s, a) - V(s)),
                                  bend = g sum_t (P(t | s, a) - P_pi(t | s)) X(t, s)

(J. Sherman, W. J. Morrison. Adjustment of an inverse matrix. Annals of Mathematical Statistics 21,
1950: one row of the system changes). The slope is the derivative at x = 0 (the policy gradient).
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from tailsafe.arrays import BoolArray, FloatArray, IntArray


class Rules(NamedTuple):
    """What is common to all models, and the policy.

    Parameters
    ----------
    indptr, successor, reward
        The table, and R[e].
    alive
        mask[s] of the states that are not terminal.
    initial, probs
        mu[s] and pi[s, a].
    discount
        Of the task.
    """

    indptr: IntArray
    successor: IntArray
    reward: FloatArray
    alive: BoolArray
    initial: FloatArray
    probs: FloatArray
    discount: float


@njit(nogil=True, cache=True)
def systems(models: FloatArray, rules: Rules) -> tuple[FloatArray, FloatArray]:
    """Return I - g P_pi, as A[m, s, t], and r_pi[m, s] of models[m, e]."""
    n_models, (n_states, n_actions) = len(models), rules.probs.shape
    A = np.zeros((n_models, n_states, n_states))
    r = np.zeros((n_models, n_states))
    for m in range(n_models):
        for s in range(n_states):
            A[m, s, s] = 1.0
            for a in range(n_actions):
                pi = rules.probs[s, a]
                if pi == 0.0 or not rules.alive[s]:
                    continue
                row = s * n_actions + a
                for e in range(rules.indptr[row], rules.indptr[row + 1]):
                    p = pi * models[m, e]
                    A[m, s, rules.successor[e]] -= rules.discount * p
                    r[m, s] += p * rules.reward[e]
    return A, r


@njit(nogil=True, cache=True)
def responses(
    models: FloatArray, rules: Rules, X: FloatArray, r: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return u[m], d[m, s], slope[m, s, a] and bend[m, s, a], given the inverses X[m, s, t]."""
    n_models, (n_states, n_actions) = len(models), rules.probs.shape
    u = np.zeros(n_models)
    visits = np.zeros((n_models, n_states))
    slope = np.zeros((n_models, n_states, n_actions))
    bend = np.zeros((n_models, n_states, n_actions))
    for m in range(n_models):
        V = X[m] @ r[m]
        d = rules.initial @ X[m]
        visits[m] = d
        column = X[m].T.copy()
        u[m] = rules.initial @ V
        for s in range(n_states):
            if not rules.alive[s]:
                continue
            for a in range(n_actions):
                Q, back = 0.0, 0.0
                row = s * n_actions + a
                for e in range(rules.indptr[row], rules.indptr[row + 1]):
                    t, p = rules.successor[e], models[m, e]
                    Q += p * (rules.reward[e] + rules.discount * V[t])
                    back += p * column[s, t]
                slope[m, s, a] = d[s] * (Q - V[s])
                # g P_pi X = X - I gives what the policy itself comes back with.
                bend[m, s, a] = rules.discount * back - (column[s, s] - 1.0)
    return u, visits, slope, bend
