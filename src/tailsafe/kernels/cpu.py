"""The numba backend: compiled loops over posterior models, side by side in vectors.

Models are drawn in tiles, tile[entry, lane], of the rows that are used and of as many models as
stay in the cache; each policy is solved on a tile before the next one is drawn.
"""

from collections.abc import Callable

import numpy as np

from tailsafe.arrays import FloatArray, IntArray
from tailsafe.kernels import Drawn, Given, RowsLaw, Setting, gamma
from tailsafe.kernels.system import System, assemble, departures

TILE_NUMBERS = 2**19
"""About how many numbers a tile has."""
MOST_LANES, SIDE_BY_SIDE = 512, 64
FEW_STATES = 24
"""Up to here, eliminating many models side by side is faster than one after the other."""
MANY_STATES = 256
"""From here on, values are iterated to a proved error."""
TAME_DISCOUNT = 0.99
"""Up to here, departures from a base policy lose no precision that matters."""
TOLERANCE, MOST_SWEEPS = 1e-10, 20_000
"""The proved error of iterated values, relative to the largest; and when to solve directly."""


def draw(law: RowsLaw, rows: IntArray, first: int, last: int, seed: int, stream: int) -> FloatArray:
    """Return the entries of these rows in models first .. last - 1, probability[m, e]."""
    n_entries = int(np.diff(law.indptr)[rows].sum())
    probability = np.empty((last - first, n_entries))
    tile = np.empty((n_entries, n_lanes(n_entries, last - first)))
    for start in range(first, last, tile.shape[1]):
        gamma.fill(tile, compiled(law), rows, start, (seed, stream))
        stop = min(start + tile.shape[1], last)
        probability[start - first : stop - first] = tile.T[: stop - start]
    return probability


def performances(source: Drawn | Given, setting: Setting, first: int, last: int) -> FloatArray:
    """Return the performance of each policy on models first .. last - 1, U[p, m]."""
    system = assemble(setting, MANY_STATES)
    U = np.empty((len(system.order), last - first))
    tile = np.empty((len(system.entries), n_lanes(len(system.entries), last - first)))
    solve = solver(system, tile.shape[1])
    for start in range(first, last, tile.shape[1]):
        stop = min(start + tile.shape[1], last)
        fill(tile, source, system, start, stop)
        U[system.order, start - first : stop - first] = solve(tile, stop - start)
    return U


def solver(system: System, n_lanes: int) -> Callable[[FloatArray, int], FloatArray]:
    """Return the function tile[entry, lane], number of models -> U[p, lane] that suits the size."""
    n = len(system.initial)
    if n <= FEW_STATES:
        return side_by_side(system, n_lanes)
    return one_by_one(system) if n <= MANY_STATES else iterated(system, n_lanes)


def side_by_side(system: System, n_lanes: int) -> Callable[[FloatArray, int], FloatArray]:
    """Return the solver for few states."""
    from tailsafe.kernels import lanes

    room = lanes.room(system, min(SIDE_BY_SIDE, n_lanes))
    equations = lanes.Equations(*(getattr(system, name) for name in lanes.Equations._fields))
    part = np.empty((len(system.order), n_lanes))

    def solve(tile: FloatArray, count: int) -> FloatArray:
        lanes.solve(part, tile, equations, room)
        return part[:, :count]

    return solve


def one_by_one(system: System) -> Callable[[FloatArray, int], FloatArray]:
    """Return the solver for tens or hundreds of states."""
    from tailsafe.kernels import dense

    choices = dense.Choices(*(getattr(system, name) for name in dense.Choices._fields))
    changes = dense.Departures(*departures(system, TAME_DISCOUNT))
    room = dense.room_for(choices, changes)

    def solve(tile: FloatArray, count: int) -> FloatArray:
        U = np.empty((count, len(system.order)))
        dense.solve(U, tile, choices, changes, room)
        return U.T

    return solve


def iterated(system: System, n_lanes: int) -> Callable[[FloatArray, int], FloatArray]:
    """Return the solver for many states."""
    from tailsafe.kernels import lanes, sparse

    equations = lanes.Equations(*(getattr(system, name) for name in lanes.Equations._fields))
    part = np.empty((len(system.order), n_lanes))
    width, limits = min(SIDE_BY_SIDE // 2, n_lanes), (TOLERANCE, MOST_SWEEPS)

    def solve(tile: FloatArray, count: int) -> FloatArray:
        done = sparse.solve(part, tile, equations, width, limits)
        if not done[:, :count].all():
            part[:, :count] = np.where(
                done[:, :count], part[:, :count], one_by_one(system)(tile, count)
            )
        return part[:, :count]

    return solve


def n_lanes(n_entries: int, n_models: int) -> int:
    """Return how many models to put side by side: a power of two from 8 to 512."""
    wanted = min(n_models, MOST_LANES, max(TILE_NUMBERS // max(n_entries, 1), 8))
    return max(8, 1 << (wanted - 1).bit_length())


def fill(tile: FloatArray, source: Drawn | Given, system: System, first: int, last: int) -> None:
    """Fill tile[entry, lane] with models first .. last - 1; further lanes do not matter."""
    if isinstance(source, Drawn):
        key = (source.seed, source.stream)
        gamma.fill(tile, compiled(source.law), system.rows, first, key)
    else:
        given = source.probability[first - source.first : last - source.first]
        tile[:, : last - first] = given[:, system.entries].T
        tile[:, last - first :] = tile[:, :1]


def compiled(law: RowsLaw) -> gamma.Law:
    """Return the arrays that the kernels draw from."""
    return gamma.Law(law.indptr, law.concentration, law.known)
