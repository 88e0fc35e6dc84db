"""Natures that tilt given probabilities: the worst ones within a divergence, for all pairs at once.

Each function solves, in every row of a table,  min_p sum_e p[e] z[e]  over distributions p on the
row's entries whose divergence from center is at most budget[row], and returns p[e]:

    worst_kl      sum p ln(p / c)      A. Nilim, L. El Ghaoui, Operations Research 2005
    worst_chi2    sum (p - c)^2 / c    G. N. Iyengar, Mathematics of Operations Research 2005

A budget may be infinite; an outcome of probability 0 stays impossible. One multiplier a row is
bisected to the last bit, O(n) a step.
"""

from collections.abc import Callable

import numpy as np

from tailsafe.arrays import BoolArray, FloatArray
from tailsafe.solvers.natures import bisected, lowest
from tailsafe.table import Table

OCTAVES = 60.0
"""Multipliers of tilts are sought in 2^-60 .. 2^60, for outcomes scaled to [0, 1]."""


def worst_kl(table: Table, center: FloatArray, budget: FloatArray, z: FloatArray) -> FloatArray:
    """Return p[e] with sum p ln(p / center) <= budget[row]: p ~ center exp(-z / l).

    The maximiser l of -l ln sum center exp(-z / l) - l budget spends the whole budget (Nilim and
    El Ghaoui). An outcome of probability 0 stays impossible.
    """

    def divergence(p: FloatArray) -> FloatArray:
        ratio = np.divide(p, center, out=np.ones_like(p), where=p > 0.0)
        return p * np.log(ratio)

    return _tilted(table, center, budget, z, lambda x: np.exp(-x), divergence)


def worst_chi2(table: Table, center: FloatArray, budget: FloatArray, z: FloatArray) -> FloatArray:
    """Return p[e] with sum (p - center)^2 / center <= budget[row]: p ~ center (1 - z / l)^+."""

    def divergence(p: FloatArray) -> FloatArray:
        return np.divide((p - center) ** 2, center, out=np.zeros_like(p), where=center > 0.0)

    return _tilted(table, center, budget, z, lambda x: np.maximum(1.0 - x, 0.0), divergence)


def _tilted(
    table: Table,
    center: FloatArray,
    budget: FloatArray,
    z: FloatArray,
    tilt: Callable[[FloatArray], FloatArray],
    divergence: Callable[[FloatArray], FloatArray],
) -> FloatArray:
    """Return center tilt(k z) / norm with the largest multiplier k whose divergence is allowed."""
    row = table.row_of_entry
    possible = center > 0.0
    height = np.where(possible, z - lowest(table, np.where(possible, z, np.inf))[row], 0.0)
    top = -lowest(table, -height)[row]
    height = np.divide(height, top, out=np.zeros_like(height), where=top > 0.0)

    def at(octave: FloatArray) -> FloatArray:
        return _normed(table, center, center * tilt(np.exp2(octave)[row] * height))

    def overspent(octave: FloatArray) -> BoolArray:
        return table.sum_rows(divergence(at(octave))).ravel() > budget

    most = _normed(table, center, np.where(height == 0.0, center, 0.0))
    allowed = table.sum_rows(divergence(most)).ravel() <= budget
    ends = np.full(table.n_rows, OCTAVES)
    _, inside = bisected(lambda x: overspent(-x), -ends, ends)
    tilted = np.where(allowed[row], most, at(-inside))
    # Near no divergence at all its rounding errors are worth a tilt of 1e-8.
    return np.where(budget[row] > 0.0, tilted, center)


def _normed(table: Table, center: FloatArray, weight: FloatArray) -> FloatArray:
    # To the mass of the center, which may be 0 in a row: an episode that ends.
    mass, total = table.sum_rows(center).ravel(), table.sum_rows(weight).ravel()
    factor = np.divide(mass, total, out=np.zeros_like(mass), where=total > 0.0)
    return weight * factor[table.row_of_entry]
