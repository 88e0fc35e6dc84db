"""Compiled parts of BOPAH: regularised values, and the gradient of what a validation model says.

With a weight alpha(s) of the divergence from the behaviour pi_b, and Q = r + discount P V,

    V(s) = alpha lse(ln pi_b + Q / alpha),   pi = pi_b exp((Q - V) / alpha);   max_a Q at alpha = 0

is solved by Newton's method: V + (I - discount P_pi)^-1 (lse - V). A factorised matrix of an
earlier alpha serves as long as it still shrinks the residual. The gradient of U = mu . V' of pi in
a second model, V' = r' + discount P' V', is found backwards (one solve a model, whatever the
number of parameters): with d' = (I - discount P'_pi)^-T mu and w = d' pi (Q' - V') / alpha,

    x = (I - discount P_pi)^-T (discount P^T w)
    dU / dalpha(s) = x(s) (V - sum_a pi Q)(s) / alpha - sum_a (w Q)(s) / alpha

I - discount P_pi is strictly row diagonally dominant: elimination needs no pivots.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from tailsafe.arrays import FloatArray, IntArray

TIE = 1e-9
"""Values closer than this share of the largest one count as equal."""

SETTLED, SLOW = 1e-11, 0.2
"""Residuals below the first share of the values are none; steps that leave more than the second
share of the residual call for a fresh matrix."""

STABLE = 1e-10
"""Added to alpha squared and to probabilities in quotients of the gradient, as published: it acts
where probabilities underflow, and decides whether a small alpha falls to its floor."""

FAR = -70.0
"""Actions that are worse by more weights than this have probability 0: less than 1e-30 changes
nothing beside 1, but numbers near the smallest there are slow the processor down."""

MAX_STEPS = 1_000
"""Newton steps; a handful are needed."""


class Setting(NamedTuple):
    """What all models share.

    Parameters
    ----------
    indptr, successor
        The table.
    behaviour
        pi_b[s, a].
    initial
        mu[s].
    discount
        Below 1.
    """

    indptr: IntArray
    successor: IntArray
    behaviour: FloatArray
    initial: FloatArray
    discount: float


class Folds(NamedTuple):
    """Models to learn from and to validate on, one of each a fold f.

    Parameters
    ----------
    train, valid
        P[f, e]; rows of terminal states are 0.
    train_reward, valid_reward
        r[f, s, a].
    """

    train: FloatArray
    valid: FloatArray
    train_reward: FloatArray
    valid_reward: FloatArray


class Work(NamedTuple):
    """What is kept of a model from one alpha to the next: values, policy, factorised matrix."""

    V: FloatArray
    Q: FloatArray
    pi: FloatArray
    lu: FloatArray


@njit(nogil=True, cache=True)
def new_work(n_states: int, n_actions: int) -> Work:
    """Return zeros and an identity."""
    shape = (n_states, n_actions)
    return Work(np.zeros(n_states), np.zeros(shape), np.zeros(shape), np.eye(n_states))


@njit(nogil=True, cache=True)
def backup(
    setting: Setting, probability: FloatArray, reward: FloatArray, V: FloatArray, Q: FloatArray
) -> None:
    """Fill Q[s, a] = r + discount sum_t P V(t)."""
    n_states, n_actions = reward.shape
    for s in range(n_states):
        for a in range(n_actions):
            row = s * n_actions + a
            total = 0.0
            for e in range(setting.indptr[row], setting.indptr[row + 1]):
                total += probability[e] * V[setting.successor[e]]
            Q[s, a] = reward[s, a] + setting.discount * total


@njit(nogil=True, cache=True)
def choose(behaviour: FloatArray, alpha: float, Q: FloatArray, tie: float, pi: FloatArray) -> float:
    """Fill pi[a] of one state and return its regularised value."""
    best, arg = -np.inf, 0
    for a in range(len(Q)):
        pi[a] = 0.0
        if behaviour[a] > 0.0 and Q[a] > best + (tie if alpha == 0.0 else 0.0):
            best, arg = Q[a], a
    if alpha == 0.0:
        pi[arg] = 1.0
        return best
    total = 0.0
    for a in range(len(Q)):
        if behaviour[a] > 0.0 and Q[a] - best > FAR * alpha:
            pi[a] = behaviour[a] * np.exp((Q[a] - best) / alpha)
            total += pi[a]
    for a in range(len(Q)):
        pi[a] /= total
    value: float = best + alpha * np.log(total)
    return value


@njit(nogil=True, cache=True)
def factorise(setting: Setting, probability: FloatArray, pi: FloatArray, lu: FloatArray) -> None:
    """Fill the LU factors of I - discount P_pi, unit diagonal below."""
    n_states, n_actions = pi.shape
    lu[:, :] = 0.0
    for s in range(n_states):
        lu[s, s] = 1.0
        for a in range(n_actions):
            weight = setting.discount * pi[s, a]
            if weight > 0.0:
                row = s * n_actions + a
                for e in range(setting.indptr[row], setting.indptr[row + 1]):
                    lu[s, setting.successor[e]] -= weight * probability[e]
    eliminate(lu)


@njit(nogil=True, cache=True)
def eliminate(lu: FloatArray) -> None:
    """Replace a matrix by its factors."""
    n = len(lu)
    for k in range(n):
        for i in range(k + 1, n):
            factor = lu[i, k]
            if factor != 0.0:
                factor /= lu[k, k]
                lu[i, k] = factor
                for j in range(k + 1, n):
                    lu[i, j] -= factor * lu[k, j]


@njit(nogil=True, cache=True)
def solve(lu: FloatArray, b: FloatArray) -> None:
    """Replace b by A^-1 b."""
    n = len(b)
    for i in range(n):
        for j in range(i):
            b[i] -= lu[i, j] * b[j]
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            b[i] -= lu[i, j] * b[j]
        b[i] /= lu[i, i]


@njit(nogil=True, cache=True)
def solve_transposed(lu: FloatArray, b: FloatArray) -> None:
    """Replace b by A^-T b."""
    n = len(b)
    for i in range(n):
        b[i] /= lu[i, i]
        for j in range(i + 1, n):
            b[j] -= lu[i, j] * b[i]
    for i in range(n - 1, -1, -1):
        for j in range(i):
            b[j] -= lu[i, j] * b[i]


@njit(nogil=True, cache=True)
def regularise(
    setting: Setting, probability: FloatArray, reward: FloatArray, alpha: FloatArray, work: Work
) -> None:
    """Fill V, Q and pi at alpha[s], from the values that are there."""
    before, residual = np.inf, np.empty(len(alpha))
    for _ in range(MAX_STEPS):
        backup(setting, probability, reward, work.V, work.Q)
        tie = TIE * np.abs(work.Q).max()
        for s in range(len(alpha)):
            lse = choose(setting.behaviour[s], alpha[s], work.Q[s], tie, work.pi[s])
            residual[s] = lse - work.V[s]
        size, scale = np.abs(residual).max(), np.abs(work.V).max()
        if size <= SETTLED * scale or size == 0.0:
            break
        if size > SLOW * before or (before == np.inf and scale == 0.0):
            factorise(setting, probability, work.pi, work.lu)
        before = size
        solve(work.lu, residual)
        work.V[:] += residual


@njit(nogil=True, cache=True)
def gradient(
    setting: Setting, folds: Folds, fold: int, alpha: FloatArray, work: Work, out: FloatArray
) -> float:
    """Fill dU / dalpha[s] and return U, at positive alpha and the regularised solution in work."""
    n_states, n_actions = work.pi.shape
    check = new_work(n_states, n_actions)
    factorise(setting, folds.valid[fold], work.pi, check.lu)
    check.V[:] = (work.pi * folds.valid_reward[fold]).sum(axis=1)
    solve(check.lu, check.V)
    backup(setting, folds.valid[fold], folds.valid_reward[fold], check.V, check.Q)
    d = setting.initial.copy()
    solve_transposed(check.lu, d)
    x = np.zeros(n_states)
    for s in range(n_states):
        out[s], mean = 0.0, 0.0
        for a in range(n_actions):
            check.Q[s, a] *= work.pi[s, a] / (work.pi[s, a] + STABLE)
            mean += work.pi[s, a] * check.Q[s, a]
        for a in range(n_actions):
            w = d[s] * work.pi[s, a] * (check.Q[s, a] - mean) / (alpha[s] ** 2 + STABLE)
            out[s] -= w * (work.Q[s, a] - work.V[s])
            row = s * n_actions + a
            for e in range(setting.indptr[row], setting.indptr[row + 1]):
                x[setting.successor[e]] += setting.discount * folds.train[fold, e] * w * alpha[s]
    factorise(setting, folds.train[fold], work.pi, work.lu)
    solve_transposed(work.lu, x)
    for s in range(n_states):
        out[s] += x[s] * (work.V[s] - (work.pi[s] * work.Q[s]).sum()) / alpha[s]
    return float((setting.initial * check.V).sum())


@njit(nogil=True, cache=True)
def ascend(
    setting: Setting,
    folds: Folds,
    psi: FloatArray,
    limits: tuple[float, float, float],
    max_steps: int,
) -> FloatArray:
    """Return psi[d] after gradient steps on the mean over folds of U; alpha(s) = psi[s mod D].

    Parameters
    ----------
    setting, folds, psi
        The models, and where to start.
    limits
        The step size, the largest gradient of a fold, the smallest psi.
    max_steps
        How many steps at most.
    """
    rate, clip, floor = limits
    n_folds, n_states, n_actions = folds.train_reward.shape
    work = [new_work(n_states, n_actions) for _ in range(n_folds)]
    alpha, slope, psi = np.empty(n_states), np.empty(n_states), np.maximum(psi, floor)
    for _ in range(max_steps):
        total = np.zeros(len(psi))
        for s in range(n_states):
            alpha[s] = psi[s % len(psi)]
        for f in range(n_folds):
            regularise(setting, folds.train[f], folds.train_reward[f], alpha, work[f])
            gradient(setting, folds, f, alpha, work[f], slope)
            of_fold = np.zeros(len(psi))
            for s in range(n_states):
                of_fold[s % len(psi)] += slope[s]
            total += np.clip(of_fold, -clip, clip)
        total /= n_folds
        moved = np.maximum(psi + rate * total, floor)
        if np.abs(total).max() < 1e-6 or (moved == psi).all():
            break
        psi = moved
    return psi
