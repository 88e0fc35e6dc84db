"""Compiled loops over posterior models: expectations per row, and mixtures of rows of models."""

import numpy as np
from numba import njit

from tailsafe.arrays import FloatArray, IntArray


@njit(nogil=True, cache=True)
def row_expectations(models: FloatArray, indptr: IntArray, z: FloatArray) -> FloatArray:
    """Return Z[row, m] = sum_e models[m, e] z[e] over the entries of each row."""
    n_models, n_rows = models.shape[0], len(indptr) - 1
    Z = np.zeros((n_rows, n_models))
    for m in range(n_models):
        for row in range(n_rows):
            total = 0.0
            for e in range(indptr[row], indptr[row + 1]):
                total += models[m, e] * z[e]
            Z[row, m] = total
    return Z


@njit(nogil=True, cache=True)
def mixed_rows(models: FloatArray, indptr: IntArray, weights: FloatArray) -> FloatArray:
    """Return p[e] = sum_m weights[row, m] models[m, e]: each row has a mixture of its own."""
    n_models, n_rows = models.shape[0], len(indptr) - 1
    p = np.zeros(models.shape[1])
    for m in range(n_models):
        for row in range(n_rows):
            w = weights[row, m]
            if w != 0.0:
                for e in range(indptr[row], indptr[row + 1]):
                    p[e] += w * models[m, e]
    return p


@njit(nogil=True, cache=True)
def model_backups(
    models: FloatArray, rows: tuple[IntArray, IntArray], reward: FloatArray, V: FloatArray
) -> FloatArray:
    """Return Q[m, row] = sum_e models[m, e] (reward[e] + V[m, successor of e])."""
    indptr, successor = rows
    n_models, n_rows = models.shape[0], len(indptr) - 1
    Q = np.zeros((n_models, n_rows))
    for m in range(n_models):
        for row in range(n_rows):
            total = 0.0
            for e in range(indptr[row], indptr[row + 1]):
                total += models[m, e] * (reward[e] + V[m, successor[e]])
            Q[m, row] = total
    return Q
