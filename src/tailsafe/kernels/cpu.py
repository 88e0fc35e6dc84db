"""Interim draws (numpy); replaced by the numba kernels."""

import numpy as np

from tailsafe.arrays import FloatArray, IntArray
from tailsafe.kernels import RowsLaw


def draw(law: RowsLaw, rows: IntArray, first: int, last: int, seed: int, stream: int) -> FloatArray:
    """Return the entries of these rows in models first .. last - 1, probability[m, e]."""
    lengths = np.diff(law.indptr)
    row_of_entry = np.repeat(np.arange(len(lengths)), lengths)
    known = law.known[row_of_entry]
    entries = np.concatenate(
        [np.empty(0, np.int64)] + [np.arange(law.indptr[r], law.indptr[r + 1]) for r in rows]
    )
    out = np.empty((last - first, len(entries)))
    for m in range(first, last):
        rng = np.random.Generator(np.random.Philox(key=seed * 2**32 + stream, counter=[0, 0, 0, m]))
        g = rng.standard_gamma(np.where(known, 1.0, law.concentration))
        total = np.bincount(row_of_entry, weights=g, minlength=len(lengths))
        out[m - first] = np.where(known, law.concentration, g / total[row_of_entry])[entries]
    return out
