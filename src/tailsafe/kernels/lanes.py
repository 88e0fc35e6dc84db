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
def mix(room: Room, tile: FloatArray, system: Equations) -> None:
    """Fill G and r of all choices."""
    lanes = tile.shape[1]
    for c in range(len(room.flow)):
        G, r = room.flow[c], room.gain[c]
        G[:] = 0.0
        r[:] = 0.0
        for i in range(system.mix_start[c], system.mix_start[c + 1]):
            weight, row = system.mix_weight[i], system.mix_row[i]
            for e in range(system.start[row], system.start[row + 1]):
                t, paid = system.target[e], weight * system.reward[e]
                for lane in range(lanes):
                    r[lane] += paid * tile[e, lane]
                if t >= 0:
                    kept = weight * system.discount
                    for lane in range(lanes):
                        G[t, lane] += kept * tile[e, lane]


@njit(nogil=True, cache=True, error_model="numpy")
def begin(room: Room, choice: int, i: int) -> None:
    """Copy a choice into row i of the triangle."""
    row, r = room.matrix[i], room.value[i]
    for lane in range(len(r)):
        r[lane] = room.gain[choice, lane]
    for j in range(len(row)):
        for lane in range(len(r)):
            row[j, lane] = room.flow[choice, j, lane]


@njit(nogil=True, cache=True, error_model="numpy")
def eliminate(room: Room, i: int) -> None:
    """Add to row i what passes through states 0 .. i - 1."""
    row, r = room.matrix[i], room.value[i]
    for k in range(i):
        above, through = room.matrix[k], row[k]
        for j in range(k + 1, len(row)):
            for lane in range(len(r)):
                row[j, lane] += through[lane] * above[j, lane]
        for lane in range(len(r)):
            r[lane] += through[lane] * room.value[k, lane]


@njit(nogil=True, cache=True, error_model="numpy")
def divide(room: Room, i: int) -> None:
    """Divide row i by 1 - G[i, i]."""
    row, r = room.matrix[i], room.value[i]
    stay = row[i]
    for lane in range(len(r)):
        stay[lane] = 1.0 / (1.0 - stay[lane])
        r[lane] *= stay[lane]
    for j in range(i + 1, len(row)):
        for lane in range(len(r)):
            row[j, lane] *= stay[lane]


@njit(nogil=True, cache=True, error_model="numpy")
def substitute(room: Room, u: FloatArray, initial: FloatArray) -> None:
    """Fill u[lane] = mu V; V[i] replaces r[i] in a copy, as far down as mu asks."""
    V = room.matrix[len(initial)]
    u[:] = 0.0
    lowest = 0
    while lowest < len(initial) and initial[lowest] == 0.0:
        lowest += 1
    for i in range(len(initial) - 1, lowest - 1, -1):
        for lane in range(len(u)):
            V[i, lane] = room.value[i, lane]
        for j in range(i + 1, len(initial)):
            for lane in range(len(u)):
                V[i, lane] += room.matrix[i, j, lane] * V[j, lane]
        for lane in range(len(u)):
            u[lane] += initial[i] * V[i, lane]


@njit(nogil=True, cache=True, error_model="numpy")
def solve(U: FloatArray, tile: FloatArray, system: Equations, room: Room) -> None:
    """Fill U[p, lane] from tile[entry, lane]."""
    lanes = room.gain.shape[1]
    for base in range(0, tile.shape[1], lanes):
        mix(room, tile[:, base : base + lanes], system)
        for p in range(len(U)):
            for i in range(system.shared[p], len(system.initial)):
                begin(room, system.choice[p, i], i)
                eliminate(room, i)
                divide(room, i)
            substitute(room, U[p, base : base + lanes], system.initial)
