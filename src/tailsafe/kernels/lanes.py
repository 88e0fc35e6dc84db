"""Compiled elimination for few states: many models side by side, one policy after the other.

State k is removed by adding what passes through it (W. K. Grassmann, M. I. Taksar, D. P. Heyman,
Regenerative analysis and steady state distributions, 1985): with G = discount P_pi,

    G[k, j] /= 1 - G[k, k]      r[k] /= 1 - G[k, k]
    G[i, j] += G[i, k] G[k, j]  r[i] += G[i, k] r[k]      for i, j > k

Nothing is subtracted but on the diagonal, where 1 - G[k, k] is positive, so no pivoting is needed
and every entry keeps its relative precision. Row i needs rows 0 .. i - 1 only: policies that
share their first choices share these rows.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from tailsafe.arrays import FloatArray, IntArray
from tailsafe.kernels.system import System


class Equations(NamedTuple):
    """The arrays of a ``System`` that a solution needs, policies sorted."""

    start: IntArray
    target: IntArray
    reward: FloatArray
    mix_start: IntArray
    mix_row: IntArray
    mix_weight: FloatArray
    choice: IntArray
    shared: IntArray
    initial: FloatArray
    discount: float


class Room(NamedTuple):
    """What is filled: G[choice, j, lane], r[choice, lane], and one policy's rows and values."""

    flow: FloatArray
    gain: FloatArray
    matrix: FloatArray
    value: FloatArray


def room(system: System, lanes: int) -> Room:
    """Return room for this many models at once."""
    n, n_choices = len(system.initial), len(system.mix_start) - 1
    return Room(
        np.empty((n_choices, n, lanes)),
        np.empty((n_choices, lanes)),
        np.empty((n + 1, n, lanes)),
        np.empty((n, lanes)),
    )


@njit(nogil=True, cache=True, error_model="numpy")
def mix(flow: FloatArray, gain: FloatArray, tile: FloatArray, system: Equations) -> None:
    """Fill G[choice, j, lane] and r[choice, lane] from tile[entry, lane]."""
    target, reward = system.target, system.reward
    for c in range(len(flow)):
        G, r = flow[c], gain[c]
        set_zero(r)
        for j in range(len(G)):
            set_zero(G[j])
        for i in range(system.mix_start[c], system.mix_start[c + 1]):
            weight, row = system.mix_weight[i], system.mix_row[i]
            for e in range(system.start[row], system.start[row + 1]):
                p = tile[e]
                add_multiple(r, p, weight * reward[e])
                if target[e] >= 0:
                    add_multiple(G[target[e]], p, weight * system.discount)


# Loops, as assignments of whole arrays take seconds to compile.
@njit(nogil=True, error_model="numpy", forceinline=True)
def set_zero(out: FloatArray) -> None:
    """Fill out[lane] with zeros."""
    for lane in range(len(out)):
        out[lane] = 0.0


@njit(nogil=True, error_model="numpy", forceinline=True)
def copy(out: FloatArray, source: FloatArray) -> None:
    """Fill out[lane] from source[lane]."""
    for lane in range(len(out)):
        out[lane] = source[lane]


@njit(nogil=True, cache=True, error_model="numpy")
def take_lanes(part: FloatArray, tile: FloatArray, base: int) -> None:
    """Fill part[entry, lane] from tile[entry, base + lane]."""
    width = part.shape[1]
    for e in range(len(part)):
        copy(part[e], tile[e][base : base + width])


@njit(nogil=True, error_model="numpy", fastmath={"contract"}, forceinline=True)
def add_multiple(out: FloatArray, p: FloatArray, weight: float) -> None:
    """Add weight p[lane] to out[lane]."""
    for lane in range(len(out)):
        out[lane] += weight * p[lane]


@njit(nogil=True, error_model="numpy", fastmath={"contract"}, forceinline=True)
def add_product(out: FloatArray, through: FloatArray, above: FloatArray) -> None:
    """Add through[lane] above[lane] to out[lane]."""
    for lane in range(len(out)):
        out[lane] += through[lane] * above[lane]


@njit(nogil=True, error_model="numpy", fastmath={"contract"}, forceinline=True)
def set_sum(out: FloatArray, start: FloatArray, through: FloatArray, above: FloatArray) -> None:
    """Fill out[lane] with start[lane] + through[lane] above[lane]."""
    for lane in range(len(out)):
        out[lane] = start[lane] + through[lane] * above[lane]


@njit(nogil=True, error_model="numpy", fastmath={"contract"}, forceinline=True)
def add_two(
    out: FloatArray, one: FloatArray, first: FloatArray, two: FloatArray, second: FloatArray
) -> None:
    """Add one[lane] first[lane] + two[lane] second[lane] to out[lane]."""
    for lane in range(len(out)):
        out[lane] += one[lane] * first[lane] + two[lane] * second[lane]


@njit(nogil=True, cache=True, error_model="numpy")
def begin(matrix: FloatArray, value: FloatArray, i: int, G: FloatArray, r: FloatArray) -> None:
    """Fill row i with a choice, and what passes through state 0."""
    row, above, n = matrix[i], matrix[0], matrix.shape[1]
    if i == 0:
        copy(value[0], r)
        for j in range(n):
            copy(row[j], G[j])
    else:
        set_sum(value[i], r, G[0], value[0])
        for j in range(1, n):
            set_sum(row[j], G[j], G[0], above[j])


@njit(nogil=True, cache=True, error_model="numpy")
def eliminate(matrix: FloatArray, value: FloatArray, i: int) -> None:
    """Add to row i what passes through states 1 .. i - 1, two at once, and divide it."""
    row, r, n, k = matrix[i], value[i], matrix.shape[1], 1
    while k + 1 < i:
        one, two, first, second = row[k], row[k + 1], matrix[k], matrix[k + 1]
        add_product(two, one, first[k + 1])
        for j in range(k + 2, n):
            add_two(row[j], one, first[j], two, second[j])
        add_two(r, one, value[k], two, value[k + 1])
        k += 2
    if k < i:
        one, first = row[k], matrix[k]
        for j in range(k + 1, n):
            add_product(row[j], one, first[j])
        add_product(r, one, value[k])
    divide(row, r, i)


@njit(nogil=True, cache=True, error_model="numpy")
def divide(row: FloatArray, r: FloatArray, i: int) -> None:
    """Divide r and what comes after entry i by 1 - G[i, i]."""
    stay = row[i]
    for lane in range(len(r)):
        stay[lane] = 1.0 / (1.0 - stay[lane])
        r[lane] *= stay[lane]
    for j in range(i + 1, len(row)):
        after = row[j]
        for lane in range(len(r)):
            after[lane] *= stay[lane]


@njit(nogil=True, cache=True, error_model="numpy")
def substitute(u: FloatArray, matrix: FloatArray, value: FloatArray, initial: FloatArray) -> None:
    """Fill u[lane] = mu V, with V as far down as mu asks."""
    n, lowest = len(initial), 0
    V = matrix[n]
    set_zero(u)
    while lowest < n and initial[lowest] == 0.0:
        lowest += 1
    for i in range(n - 1, lowest - 1, -1):
        copy(V[i], value[i])
        for j in range(i + 1, n):
            add_product(V[i], matrix[i, j], V[j])
        add_multiple(u, V[i], initial[i])


@njit(nogil=True, cache=True, error_model="numpy")
def solve(U: FloatArray, tile: FloatArray, system: Equations, room: Room) -> None:
    """Fill U[p, lane] from tile[entry, lane]."""
    flow, gain, matrix, value = room.flow, room.gain, room.matrix, room.value
    choice, initial = system.choice, system.initial
    part = np.empty((len(tile), gain.shape[1]))
    for base in range(0, tile.shape[1], part.shape[1]):
        take_lanes(part, tile, base)
        mix(flow, gain, part, system)
        for p in range(len(U)):
            for i in range(system.shared[p], len(initial)):
                c = choice[p, i]
                begin(matrix, value, i, flow[c], gain[c])
                eliminate(matrix, value, i)
            substitute(U[p][base : base + part.shape[1]], matrix, value, initial)
