"""Compiled iteration for many states: sweeps of Gauss and Seidel, many models side by side.

Let G = discount P_pi, X = (I - G)^-1, and d the largest change in a sweep. What a
sweep leaves unsolved is at most d in any state, as the rows of G sum to at most 1. So

    |V - V*| <= d max(X 1)

and max(X 1) is bounded by the same sweeps for the reward 1 from w = 0, which rise: when one
changes w by at most d < 1, then w - G w >= 1 - d, so X 1 <= w / (1 - d). That holds for any
discount; with discount 1, w is how long it takes to end.
"""

import numpy as np
from numba import njit

from tailsafe.arrays import BoolArray, FloatArray, IntArray
from tailsafe.kernels.lanes import Equations, add_multiple, copy, set_zero, take_lanes

HALF = 0.5
"""The bound on max(X 1) is taken as soon as a sweep for it changes nothing by more."""


@njit(nogil=True, cache=True, error_model="numpy")
def gains(gain: FloatArray, tile: FloatArray, system: Equations) -> None:
    """Fill r[choice, lane]."""
    reward = system.reward
    for c in range(len(gain)):
        set_zero(gain[c])
        for i in range(system.mix_start[c], system.mix_start[c + 1]):
            weight, row = system.mix_weight[i], system.mix_row[i]
            for e in range(system.start[row], system.start[row + 1]):
                add_multiple(gain[c], tile[e], weight * reward[e])


@njit(nogil=True, error_model="numpy", fastmath={"contract"}, forceinline=True)
def add_scaled(out: FloatArray, p: FloatArray, value: FloatArray, weight: float) -> None:
    """Add weight p[lane] value[lane] to out[lane]."""
    for lane in range(len(out)):
        out[lane] += weight * p[lane] * value[lane]


@njit(nogil=True, error_model="numpy", forceinline=True)
def note(value: FloatArray, fresh: FloatArray, change: FloatArray, largest: FloatArray) -> None:
    """Replace value[lane], and note the largest change and size of each lane."""
    for lane in range(len(value)):
        change[lane] = max(change[lane], abs(fresh[lane] - value[lane]))
        largest[lane] = max(largest[lane], abs(fresh[lane]))
        value[lane] = fresh[lane]


@njit(nogil=True, cache=True, error_model="numpy")
def sweep(
    V: FloatArray, gain: FloatArray, tile: FloatArray, system: Equations, choice: IntArray
) -> tuple[FloatArray, FloatArray]:
    """Update V[i, lane] state by state; return the largest change and size, each [lane]."""
    lanes, discount = V.shape[1], system.discount
    change, largest, fresh = np.zeros(lanes), np.zeros(lanes), np.empty(lanes)
    target, start, mix_start = system.target, system.start, system.mix_start
    for i in range(len(V)):
        c = choice[i]
        copy(fresh, gain[c])
        for at in range(mix_start[c], mix_start[c + 1]):
            weight, row = system.mix_weight[at] * discount, system.mix_row[at]
            for e in range(start[row], start[row + 1]):
                if target[e] >= 0:
                    add_scaled(fresh, tile[e], V[target[e]], weight)
        note(V[i], fresh, change, largest)
    return change, largest


@njit(nogil=True, cache=True, error_model="numpy")
def horizon(tile: FloatArray, system: Equations, choice: IntArray, most: int) -> FloatArray:
    """Return a bound on max(X 1), [lane]; infinite where ``most`` sweeps give none."""
    bound = np.full(tile.shape[1], np.inf)
    w, one = np.zeros((len(choice), len(bound))), np.ones((len(system.mix_start) - 1, len(bound)))
    for _ in range(most):
        change, largest = sweep(w, one, tile, system, choice)
        for lane in range(len(bound)):
            # The first bound of a lane counts: it must not depend on its neighbours.
            if change[lane] <= HALF and bound[lane] == np.inf:
                bound[lane] = largest[lane] / (1.0 - change[lane])
        if bound.max() < np.inf:
            break
    return bound


@njit(nogil=True, cache=True, error_model="numpy")
def settle(
    u: FloatArray,
    parts: tuple[FloatArray, FloatArray],
    system: Equations,
    choice: IntArray,
    limits: tuple[float, int],
) -> BoolArray:
    """Fill u[lane] = mu V, each lane when its error is proved small; return which are."""
    tile, gain = parts
    tolerance, most = limits
    done = np.zeros(len(u), np.bool_)
    V, bound = np.zeros((len(choice), len(u))), horizon(tile, system, choice, most)
    for _ in range(most):
        change, largest = sweep(V, gain, tile, system, choice)
        for lane in range(len(u)):
            if not done[lane] and change[lane] * bound[lane] <= tolerance * largest[lane]:
                done[lane] = True
                u[lane] = 0.0
                for i in range(len(V)):
                    u[lane] += system.initial[i] * V[i, lane]
        if done.all():
            break
    return done


@njit(nogil=True, cache=True, error_model="numpy")
def solve(
    U: FloatArray, tile: FloatArray, system: Equations, width: int, limits: tuple[float, int]
) -> BoolArray:
    """Fill U[p, lane] from tile[entry, lane], width lanes at once; return which are proved."""
    done = np.zeros(U.shape, np.bool_)
    part = np.empty((len(tile), width))
    gain = np.empty((len(system.mix_start) - 1, width))
    for base in range(0, tile.shape[1], width):
        span = slice(base, base + width)
        take_lanes(part, tile, base)
        gains(gain, part, system)
        for p in range(len(U)):
            done[p, span] = settle(U[p, span], (part, gain), system, system.choice[p], limits)
    return done
