"""Natures: the worst probabilities within a set around given ones, for all pairs at once.

Each function solves, in every row of a table,  min_p sum_e p[e] z[e]  over distributions p on the
row's entries that are no further than budget[row] from center[e], and returns p[e]. They differ in
the distance:

    worst_l1             sum |p - c|          C. P. Ho, M. Petrik, W. Wiesemann, ICML 2018
    worst_linf           max |p - c|          B. Behzadian, M. Petrik, C. P. Ho, NeurIPS 2021
    worst_weighted_l1    sum w |p - c|        B. Behzadian et al., AISTATS 2021

A budget may be infinite. The first two sort, O(n log n) for n entries; the last one bisects a price
to the last bit, O(n) a step. Divergences have a file of their own.
"""

from collections.abc import Callable

import numpy as np

from tailsafe.arrays import BoolArray, FloatArray, IntArray
from tailsafe.table import Table

HALVINGS = 70
"""Halves any interval here to the last bit of a double."""


def worst_l1(table: Table, center: FloatArray, budget: FloatArray, z: FloatArray) -> FloatArray:
    """Return p[e] with sum |p - center| <= budget[row]: the best outcomes give to the worst."""
    row, order = table.row_of_entry, by_value(table, z)
    p = center[order]
    first, filled = _first_entries(table)
    mass = np.cumsum(p)
    until = np.zeros(table.n_rows)
    until[filled] = mass[table.indptr[1:][filled] - 1]
    above = until[row] - mass
    taken = np.clip(np.minimum(budget, 2.0)[row] / 2.0 - above, 0.0, p)
    taken[first] = 0.0
    p = p - taken
    p[first] += table.sum_rows(taken).ravel()[filled]
    return _unsorted(order, p)


def worst_linf(table: Table, center: FloatArray, budget: FloatArray, z: FloatArray) -> FloatArray:
    """Return p[e] with |p - center| <= budget[row] for each entry: fill the worst ones first."""
    row, order = table.row_of_entry, by_value(table, z)
    reach = np.minimum(budget, 1.0)[row]
    least = np.maximum(center - reach, 0.0)[order]
    room = np.minimum(center + reach, 1.0)[order] - least
    free = table.sum_rows(center).ravel() - table.sum_rows(least).ravel()
    before = np.cumsum(room) - room
    first, filled = _first_entries(table)
    start = np.zeros(table.n_rows)
    start[filled] = before[first]
    return _unsorted(order, least + np.clip((free + start)[row] - before, 0.0, room))


def worst_weighted_l1(
    table: Table, center: FloatArray, weight: FloatArray, budget: FloatArray, z: FloatArray
) -> FloatArray:
    """Return p[e] with sum weight |p - center| <= budget[row]; weights are positive.

    At a price l of distance, every e with z - l weight > nu = min (z + l weight) gives all it has
    to the entry of that minimum. The distance falls with l; the answer lies between the two
    neighbouring prices that enclose the budget.
    """
    row = table.row_of_entry

    def moved(price: FloatArray) -> FloatArray:
        cost = price[row] * weight
        nu = lowest(table, z + cost)[row]
        gives = z - cost > nu
        p = np.where(gives, 0.0, center)
        takes = _first_true(table, z + cost <= nu)
        p[takes] += table.sum_rows(np.where(gives, center, 0.0)).ravel()[row[takes]]
        return p

    def distance(price: FloatArray) -> FloatArray:
        return table.sum_rows(weight * np.abs(moved(price) - center)).ravel()

    dearest = np.full(table.n_rows, np.ptp(z) / weight.min()) if len(z) else np.zeros(table.n_rows)
    cheap, dear = bisected(lambda x: distance(x) > budget, np.zeros(table.n_rows), dearest)
    near, far = moved(dear), moved(cheap)
    used, most = distance(dear), distance(cheap)
    share = np.divide(budget - used, most - used, out=np.zeros(table.n_rows), where=most > used)
    return near + np.clip(share, 0.0, 1.0)[row] * (far - near)


def by_value(table: Table, z: FloatArray) -> IntArray:
    """Return the entries in the order of their rows, ascending in z within each."""
    lengths = table.lengths
    if len(lengths) and (lengths == lengths[0]).all():
        rows = z.reshape(len(lengths), -1)
        order: IntArray = np.argsort(rows, axis=1, kind="stable") + table.indptr[:-1, None]
        return order.ravel()
    return np.lexsort((z, table.row_of_entry))


def lowest(table: Table, z: FloatArray) -> FloatArray:
    """Return the least z of each row; 0 in a row without entries."""
    first, filled = _first_entries(table)
    least = np.zeros(table.n_rows)
    if len(first):
        least[filled] = np.minimum.reduceat(z, first)
    return least


def _first_entries(table: Table) -> tuple[IntArray, BoolArray]:
    """Return the first entry of each row that has some, and which rows these are."""
    filled = table.lengths > 0
    return table.indptr[:-1][filled], filled


def _first_true(table: Table, mask: BoolArray) -> IntArray:
    """Return the first marked entry of each row that has one."""
    marked = np.nonzero(mask)[0]
    row = table.row_of_entry[marked]
    return marked[np.diff(row, prepend=-1) > 0]


def bisected(
    above: Callable[[FloatArray], BoolArray], low: FloatArray, high: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return neighbours (low, high) with above(low) and not above(high), for falling functions.

    Where not even the first low is above, both are that low.
    """
    high = np.where(above(low), high, low)
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        up = above(middle)
        low, high = np.where(up, middle, low), np.where(up, high, middle)
    return low, high


def _unsorted(order: IntArray, values: FloatArray) -> FloatArray:
    back = np.empty_like(values)
    back[order] = values
    return back
