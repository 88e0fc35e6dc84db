"""A posterior that is a finite list of models."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tailsafe.arrays import (
    FloatArray,
    IntArray,
    as_distributions,
    check_range,
    check_shape,
    frozen_floats,
)
from tailsafe.errors import InvalidData
from tailsafe.keys import Key, as_key, as_model_range
from tailsafe.mdp import checked_probability
from tailsafe.table import Table
from tailsafe.unseen import Uniform, Unseen


@dataclass(frozen=True, slots=True, eq=False, init=False)
class Samples:
    """Explicit models, equally likely or weighted: a posterior that is a finite list.

    Parameters
    ----------
    models
        probability[m, s, a, t] of each model.
    weights
        How likely each is; equal by default.
    """

    table: Table
    probability: FloatArray
    weights: FloatArray
    notes: tuple[str, ...]

    def __init__(self, models: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> None:
        dense = frozen_floats(models, "models")
        if dense.ndim != 4 or dense.shape[1] != dense.shape[3] or len(dense) == 0:
            raise InvalidData(f"models have shape {dense.shape}, expected (M, S, A, S)")
        table = Table.from_mask((dense != 0.0).any(axis=0))
        self._set(table, table.entries(dense), weights)

    @classmethod
    def on_table(
        cls, table: Table, probability: npt.ArrayLike, weights: npt.ArrayLike | None = None
    ) -> "Samples":
        """Return the posterior with the models probability[m, e] of a table."""
        samples = object.__new__(cls)
        samples._set(table, probability, weights)
        return samples

    def _set(self, table: Table, probability: npt.ArrayLike, weights: npt.ArrayLike | None) -> None:
        values, notes = checked_probability(table, probability)
        if values.ndim != 2 or len(values) == 0:
            raise InvalidData(f"probability has shape {values.shape}, expected (M, E)")
        equal = np.full(len(values), 1.0 / len(values))
        given = frozen_floats(equal if weights is None else weights, "weights")
        check_shape(given, (len(values),), "weights")
        shares, more = as_distributions(given, "weights")
        object.__setattr__(self, "table", table)
        object.__setattr__(self, "probability", values)
        object.__setattr__(self, "weights", shares)
        object.__setattr__(self, "notes", notes + more)

    def __len__(self) -> int:
        """Return the number of models."""
        return len(self.probability)

    def models(
        self, first: int, last: int, seed: int | Key = 0, rows: IntArray | None = None
    ) -> FloatArray:
        """Return models first .. last - 1 of the list; nothing is random, the seed is not used."""
        first, last = as_model_range(first, last)
        if last > len(self):
            raise InvalidData(f"model {last - 1} was asked for, but there are {len(self)} samples")
        as_key(seed)
        return self.probability[first:last, _entries_of(self.table, rows)]

    def mean(self) -> FloatArray:
        """Return the weighted mean of the models."""
        mean: FloatArray = self.weights @ self.probability
        return mean

    def mode(self, unseen: Unseen = Uniform()) -> FloatArray:
        """Return the model of the largest weight, the first of equals; all rows are seen."""
        del unseen
        likeliest: FloatArray = self.probability[int(np.argmax(self.weights))]
        return likeliest


def _entries_of(table: Table, rows: IntArray | None) -> IntArray | slice:
    if rows is None:
        return slice(None)
    check_range(rows, table.n_rows, "rows", "the number of rows")
    parts = [np.arange(table.indptr[r], table.indptr[r + 1]) for r in rows]
    return np.concatenate(parts) if parts else np.empty(0, np.int64)
