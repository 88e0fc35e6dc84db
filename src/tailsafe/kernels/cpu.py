"""The numba backend: compiled loops over posterior models, side by side in vectors.

Models are drawn in tiles, tile[entry, lane], of the rows that are used and of as many models as
stay in the cache; each policy is solved on a tile before the next one is drawn.
"""

import numpy as np

from tailsafe.arrays import FloatArray, IntArray
from tailsafe.kernels import Drawn, Given, RowsLaw, Setting, gamma, lanes
from tailsafe.kernels.system import System, assemble

TILE_NUMBERS = 2**17
"""About how many numbers a tile has."""
MOST_LANES, SIDE_BY_SIDE = 512, 64


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
    system = assemble(setting)
    U = np.empty((len(system.order), last - first))
    tile = np.empty((len(system.entries), n_lanes(len(system.entries), last - first)))
    part = np.empty((len(U), tile.shape[1]))
    equations = lanes.Equations(*(getattr(system, name) for name in lanes.Equations._fields))
    room = room_for(system, min(SIDE_BY_SIDE, tile.shape[1]))
    for start in range(first, last, tile.shape[1]):
        stop = min(start + tile.shape[1], last)
        fill(tile, source, system, start, stop)
        lanes.solve(part, tile, equations, room)
        U[system.order, start - first : stop - first] = part[:, : stop - start]
    return U


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


def room_for(system: System, lanes_at_once: int) -> lanes.Room:
    """Return room for the elimination."""
    n, n_choices = len(system.initial), len(system.mix_start) - 1
    return lanes.Room(
        np.empty((n_choices, n, lanes_at_once)),
        np.empty((n_choices, lanes_at_once)),
        np.empty((n + 1, n, lanes_at_once)),
        np.empty((n, lanes_at_once)),
    )


def compiled(law: RowsLaw) -> gamma.Law:
    """Return the arrays that the kernels draw from."""
    return gamma.Law(law.indptr, law.concentration, law.known)
