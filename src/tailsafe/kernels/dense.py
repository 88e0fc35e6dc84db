"""Compiled elimination for tens and hundreds of states: one model at a time, four states at once.

The same state reduction as in ``lanes``, on rows (G[c, 0], ..., G[c, n - 1], r[c]). Where policies
differ little from a base policy b, its factors are used again: with X = (I - G_b)^-1, for every
choice c one row W[c] = G[c] X and the value Q[c] = r[c] + G[c] V_b; then for a policy that
departs from b in the states D only (the Woodbury identity),

    u = mu V_b + (mu X)_D z      (I - T) z = g      T = (W[c] - W[b])_D,D      g = Q[c] - V_b[D]

which is as many equations as there are states in D. Leading minors of I - T are ratios of
determinants of I - G of policies on the way from b: positive, so no pivoting is needed here either.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
from numba import njit

from tailsafe.arrays import FloatArray, IntArray

Four: TypeAlias = tuple[float, float, float, float]

BLOCK = 4
"""States, and rows, at once; sizes are filled up with states that nothing passes through."""


class Choices(NamedTuple):
    """How choices are made from the entries of the rows that are used, as in ``System``."""

    start: IntArray
    target: IntArray
    reward: FloatArray
    mix_start: IntArray
    mix_row: IntArray
    mix_weight: FloatArray
    initial: FloatArray
    discount: float


class Departures(NamedTuple):
    """Policy p has choice[i] in state[i], i from start[p] on, and elsewhere that of the base.

    Without a base (a row of no states) all choices of each policy are listed.
    """

    base: IntArray
    start: IntArray
    state: IntArray
    choice: IntArray


@njit(nogil=True, error_model="numpy", fastmath={"contract"}, forceinline=True)
def corner(row: FloatArray, above: FloatArray, k: int) -> Four:
    """Return what passes through states k .. k + 3, and store it in the row."""
    w = row[k]
    x = row[k + 1] + w * above[0, k + 1]
    y = row[k + 2] + w * above[0, k + 2] + x * above[1, k + 2]
    z = row[k + 3] + w * above[0, k + 3] + x * above[1, k + 3] + y * above[2, k + 3]
    row[k + 1], row[k + 2], row[k + 3] = x, y, z
    return w, x, y, z


@njit(nogil=True, error_model="numpy", fastmath={"contract"}, forceinline=True)
def solved_corner(row: FloatArray, above: FloatArray, k: int) -> Four:
    """Return the solution for states k .. k + 3, given those of higher states; store it."""
    z = row[k + 3] * above[3, k + 3]
    y = (row[k + 2] + z * above[3, k + 2]) * above[2, k + 2]
    x = (row[k + 1] + z * above[3, k + 1] + y * above[2, k + 1]) * above[1, k + 1]
    w = (row[k] + z * above[3, k] + y * above[2, k] + x * above[1, k]) * above[0, k]
    row[k], row[k + 1], row[k + 2], row[k + 3] = w, x, y, z
    return w, x, y, z


@njit(nogil=True, error_model="numpy", fastmath={"contract"}, forceinline=True)
def add_multiples(pair: FloatArray, above: FloatArray, one: Four, two: Four) -> None:
    """Add to two rows the multiples of the four rows above."""
    w, x, y, z = one
    s, t, u, v = two
    first, second, A, B, C, D = pair[0], pair[1], above[0], above[1], above[2], above[3]
    for j in range(len(A)):
        first[j] += (w * A[j] + x * B[j]) + (y * C[j] + z * D[j])
        second[j] += (s * A[j] + t * B[j]) + (u * C[j] + v * D[j])


@njit(nogil=True, cache=True, error_model="numpy", fastmath={"contract"})
def push(rows: FloatArray, above: FloatArray, k: int) -> None:
    """Add to the entries from k + 4 on, of four rows, what passes through states k .. k + 3."""
    for i in range(0, BLOCK, 2):
        one, two = corner(rows[i], above, k), corner(rows[i + 1], above, k)
        add_multiples(rows[i : i + 2, k + BLOCK :], above[:, k + BLOCK :], one, two)


@njit(nogil=True, cache=True, error_model="numpy", fastmath={"contract"})
def pull(rows: FloatArray, above: FloatArray, k: int) -> None:
    """Solve four rows for states k .. k + 3, and take these out of the entries before k."""
    for i in range(0, BLOCK, 2):
        one, two = solved_corner(rows[i], above, k), solved_corner(rows[i + 1], above, k)
        add_multiples(rows[i : i + 2, :k], above[:, :k], one, two)


@njit(nogil=True, cache=True, error_model="numpy", fastmath={"contract"})
def reduce_block(rows: FloatArray, k: int) -> None:
    """Eliminate states k .. k + 3 from their own rows; the diagonal becomes 1 / (1 - G[i, i])."""
    for i in range(BLOCK):
        rest = rows[i, k + i + 1 :]
        for before in range(i):
            row, through = rows[i, k + before + 1 :], rows[i, k + before]
            above = rows[before, k + before + 1 :]
            for j in range(len(row)):
                row[j] += through * above[j]
        stay = 1.0 / (1.0 - rows[i, k + i])
        rows[i, k + i] = stay
        for j in range(len(rest)):
            rest[j] *= stay


@njit(nogil=True, cache=True, error_model="numpy")
def factorise(matrix: FloatArray, first: int) -> None:
    """Reduce the states from first on, a multiple of 4; the last four rows pass through all."""
    n = len(matrix) - BLOCK
    for i in range(first, n + BLOCK, BLOCK):
        for k in range(first, i, BLOCK):
            push(matrix[i : i + BLOCK], matrix[k : k + BLOCK], k)
        if i < n:
            reduce_block(matrix[i : i + BLOCK], i)


@njit(nogil=True, cache=True, error_model="numpy")
def mix(row: FloatArray, model: FloatArray, choices: Choices, c: int) -> None:
    """Fill a row (G[c], r[c]) from the entries of one model."""
    n = len(row) - BLOCK
    for j in range(len(row)):
        row[j] = 0.0
    for i in range(choices.mix_start[c], choices.mix_start[c + 1]):
        weight, used = choices.mix_weight[i], choices.mix_row[i]
        kept = weight * choices.discount
        for e in range(choices.start[used], choices.start[used + 1]):
            row[n] += weight * choices.reward[e] * model[e]
            if choices.target[e] >= 0:
                row[choices.target[e]] += kept * model[e]


@njit(nogil=True, cache=True, error_model="numpy")
def all_choices(W: FloatArray, model: FloatArray, choices: Choices, base: IntArray) -> None:
    """Fill W[c] = (G[c] X, Q[c]) of each choice, and W[-4] = (mu X, mu V) of the base."""
    n = W.shape[1] - BLOCK
    matrix = np.zeros((n + BLOCK, n + BLOCK))
    for c in range(len(choices.mix_start) - 1):
        mix(W[c], model, choices, c)
    W[len(choices.mix_start) - 1 :] = 0.0
    for i in range(len(base)):
        matrix[i] = W[base[i]]
        W[len(W) - BLOCK, i] = choices.initial[i]
    factorise(matrix, 0)
    for c in range(0, len(W), BLOCK):
        for k in range(0, n, BLOCK):
            push(W[c : c + BLOCK], matrix[k : k + BLOCK], k)
        for k in range(n - BLOCK, -BLOCK, -BLOCK):
            pull(W[c : c + BLOCK], matrix[k : k + BLOCK], k)


@njit(nogil=True, cache=True, error_model="numpy")
def departed(matrix: FloatArray, W: FloatArray, changes: Departures, policy: int) -> float:
    """Return mu V of a policy from the rows W of all choices."""
    n, start, stop = W.shape[1] - BLOCK, changes.start[policy], changes.start[policy + 1]
    # The equations fill the end of the matrix, so that its rows stay contiguous.
    first = n - (stop - start + BLOCK - 1) // BLOCK * BLOCK
    matrix[first:, first:] = 0.0
    matrix[n, n] = W[len(W) - BLOCK, n]
    for i in range(stop - start):
        state = changes.state[start + i]
        new, old = W[changes.choice[start + i]], W[changes.base[state]]
        row = matrix[first + i]
        for j in range(stop - start):
            at = changes.state[start + j]
            row[first + j] = new[at] - old[at]
        row[n] = new[n] - old[n]
        matrix[n, first + i] = W[len(W) - BLOCK, state]
    factorise(matrix, first)
    return matrix[n, n]


@njit(nogil=True, cache=True, error_model="numpy")
def directly(
    matrix: FloatArray, model: FloatArray, choices: Choices, changes: Departures, policy: int
) -> float:
    """Return mu V of a policy from the entries of a model."""
    n = len(matrix) - BLOCK
    matrix[:] = 0.0
    for i in range(changes.start[policy], changes.start[policy + 1]):
        mix(matrix[changes.state[i]], model, choices, changes.choice[i])
        matrix[n, changes.state[i]] = choices.initial[changes.state[i]]
    factorise(matrix, 0)
    return matrix[n, n]


@njit(nogil=True, cache=True, error_model="numpy")
def solve(U: FloatArray, models: FloatArray, choices: Choices, changes: Departures) -> None:
    """Fill U[p, m] from models[m, entry]."""
    size = (len(choices.initial) + BLOCK - 1) // BLOCK * BLOCK + BLOCK
    matrix = np.zeros((size, size))
    # The last four rows are mu's, wherever the choices end.
    n_rows = (len(choices.mix_start) + BLOCK - 2) // BLOCK * BLOCK + BLOCK
    W = np.empty((n_rows if len(changes.base) else 0, size))
    for m in range(len(models)):
        if len(W):
            all_choices(W, models[m], choices, changes.base)
        for p in range(len(U)):
            if len(W):
                U[p, m] = departed(matrix, W, changes, p)
            else:
                U[p, m] = directly(matrix, models[m], choices, changes, p)
