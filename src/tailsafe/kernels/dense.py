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
from tailsafe.kernels.lanes import copy, set_zero

Four: TypeAlias = tuple[float, float, float, float]
Sixteen: TypeAlias = tuple[Four, Four, Four, Four]

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


class Room(NamedTuple):
    """What is filled: eight models[lane, entry], the rows W of all choices, one matrix."""

    models: FloatArray
    W: FloatArray
    matrix: FloatArray


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
def add_multiples(rows: FloatArray, above: FloatArray, span: slice, by: Sixteen) -> None:
    """Add to four rows the multiples of the four rows above, within a span."""
    # One row at a time is taken and then cut: only so it is known to lie in one piece.
    one, two, three, four = rows[0][span], rows[1][span], rows[2][span], rows[3][span]
    A, B, C, D = above[0][span], above[1][span], above[2][span], above[3][span]
    (a, b, c, d), (e, f, g, h), (p, q, r, s), (w, x, y, z) = by
    for j in range(len(A)):
        one[j] += (a * A[j] + b * B[j]) + (c * C[j] + d * D[j])
        two[j] += (e * A[j] + f * B[j]) + (g * C[j] + h * D[j])
        three[j] += (p * A[j] + q * B[j]) + (r * C[j] + s * D[j])
        four[j] += (w * A[j] + x * B[j]) + (y * C[j] + z * D[j])


@njit(nogil=True, cache=True, error_model="numpy", fastmath={"contract"})
def push(rows: FloatArray, above: FloatArray, k: int) -> None:
    """Add to the entries from k + 4 on, of four rows, what passes through states k .. k + 3."""
    by = (
        corner(rows[0], above, k),
        corner(rows[1], above, k),
        corner(rows[2], above, k),
        corner(rows[3], above, k),
    )
    add_multiples(rows, above, slice(k + BLOCK, rows.shape[1]), by)


@njit(nogil=True, cache=True, error_model="numpy", fastmath={"contract"})
def pull(rows: FloatArray, above: FloatArray, k: int) -> None:
    """Solve four rows for states k .. k + 3, and take these out of the entries before k."""
    by = (
        solved_corner(rows[0], above, k),
        solved_corner(rows[1], above, k),
        solved_corner(rows[2], above, k),
        solved_corner(rows[3], above, k),
    )
    add_multiples(rows, above, slice(0, k), by)


@njit(nogil=True, cache=True, error_model="numpy", fastmath={"contract"})
def reduce_block(rows: FloatArray, k: int) -> None:
    """Eliminate states k .. k + 3 from their own rows; the diagonal becomes 1 / (1 - G[i, i])."""
    for i in range(BLOCK):
        rest = rows[i][k + i + 1 :]
        for before in range(i):
            row, through = rows[i][k + before + 1 :], rows[i, k + before]
            above = rows[before][k + before + 1 :]
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
    n, gain = len(row) - BLOCK, 0.0
    set_zero(row)
    for i in range(choices.mix_start[c], choices.mix_start[c + 1]):
        weight, used = choices.mix_weight[i], choices.mix_row[i]
        kept = weight * choices.discount
        span = slice(choices.start[used], choices.start[used + 1])
        p, reward, target = model[span], choices.reward[span], choices.target[span]
        for e in range(len(p)):
            gain += weight * reward[e] * p[e]
            if target[e] >= 0:
                row[target[e]] += kept * p[e]
    row[n] = gain


@njit(nogil=True, cache=True, error_model="numpy")
def all_choices(W: FloatArray, matrix: FloatArray, base: IntArray) -> None:
    """Turn the rows (G[c], r[c]) into (G[c] X, Q[c]), and (mu, 0) into (mu X, mu V)."""
    n = W.shape[1] - BLOCK
    for i in range(len(matrix)):
        set_zero(matrix[i])
    for i in range(len(base)):
        copy(matrix[i], W[base[i]])
    factorise(matrix, 0)
    for c in range(0, len(W), BLOCK):
        for k in range(0, n, BLOCK):
            push(W[c : c + BLOCK], matrix[k : k + BLOCK], k)
        for k in range(n - BLOCK, -BLOCK, -BLOCK):
            pull(W[c : c + BLOCK], matrix[k : k + BLOCK], k)


@njit(nogil=True, cache=True, error_model="numpy")
def departed(
    matrix: FloatArray, W: FloatArray, base: IntArray, state: IntArray, choice: IntArray
) -> float:
    """Return mu V of a policy that has these choices instead of the base's in these states."""
    n, start = W.shape[1] - BLOCK, W[len(W) - BLOCK]
    # The equations fill the end of the matrix, so that its rows stay contiguous.
    first = n - (len(state) + BLOCK - 1) // BLOCK * BLOCK
    for i in range(first, n + BLOCK):
        row = matrix[i][first:]
        set_zero(row)
        if i - first < len(state):
            new, old = W[choice[i - first]], W[base[state[i - first]]]
            for j in range(len(state)):
                # Unsigned, an index is not checked for counting from the end.
                at = np.uint64(state[j])
                row[j] = new[at] - old[at]
            row[n - first] = new[n] - old[n]
        elif i == n:
            for j in range(len(state)):
                row[j] = start[state[j]]
            row[n - first] = start[n]
    factorise(matrix, first)
    value: float = matrix[n, n]
    return value


@njit(nogil=True, cache=True, error_model="numpy")
def directly(
    matrix: FloatArray, model: FloatArray, choices: Choices, state: IntArray, choice: IntArray
) -> float:
    """Return mu V of a policy from the entries of a model."""
    n = len(matrix) - BLOCK
    for i in range(len(matrix)):
        set_zero(matrix[i])
    for i in range(len(state)):
        mix(matrix[state[i]], model, choices, choice[i])
        matrix[n, state[i]] = choices.initial[state[i]]
    factorise(matrix, 0)
    value: float = matrix[n, n]
    return value


@njit(nogil=True, cache=True, error_model="numpy")
def solve_model(
    U: FloatArray, model: FloatArray, choices: Choices, changes: Departures, room: Room
) -> None:
    """Fill U[p] from model[entry]."""
    W, matrix, base, initial = room.W, room.matrix, changes.base, choices.initial
    if len(base):
        for c in range(len(choices.mix_start) - 1):
            mix(W[c], model, choices, c)
        for c in range(len(choices.mix_start) - 1, len(W)):
            set_zero(W[c])
        for i in range(len(base)):
            W[len(W) - BLOCK, i] = initial[i]
        all_choices(W, matrix, base)
    for p in range(len(U)):
        span = slice(changes.start[p], changes.start[p + 1])
        state, choice = changes.state[span], changes.choice[span]
        if len(base):
            U[p] = departed(matrix, W, base, state, choice)
        else:
            U[p] = directly(matrix, model, choices, state, choice)


@njit(nogil=True, cache=True, error_model="numpy")
def solve(
    U: FloatArray, tile: FloatArray, choices: Choices, changes: Departures, room: Room
) -> None:
    """Fill U[lane, p] from tile[entry, lane]; the number of lanes is a multiple of 8."""
    models = room.models
    for base in range(0, tile.shape[1], len(models)):
        # A line of the cache holds eight lanes: read each once.
        for e in range(len(tile)):
            for lane in range(len(models)):
                models[lane, e] = tile[e, base + lane]
        for lane in range(min(len(models), len(U) - base)):
            solve_model(U[base + lane], models[lane], choices, changes, room)


def room_for(choices: Choices, changes: Departures) -> Room:
    """Return room for eight models, W and one matrix."""
    size = (len(choices.initial) + BLOCK - 1) // BLOCK * BLOCK + BLOCK
    # The last four rows are mu's, wherever the choices end.
    n_rows = (len(choices.mix_start) + BLOCK - 2) // BLOCK * BLOCK + BLOCK
    return Room(
        np.empty((8, len(choices.target) + 8)),
        np.empty((n_rows if len(changes.base) else 0, size)),
        np.empty((size, size)),
    )
