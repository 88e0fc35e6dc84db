"""What is computed on models, and how fast: one module a backend, all giving the same numbers."""

from dataclasses import dataclass
from typing import Protocol

from tailsafe.arrays import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class RowsLaw:
    """The arrays that a Dirichlet posterior is drawn from.

    Parameters
    ----------
    indptr, successor
        The table: row r has the entries indptr[r] .. indptr[r + 1] - 1.
    concentration
        Of each entry; the probabilities themselves in known rows.
    known
        mask[row] of the rows that are not uncertain.
    """

    indptr: IntArray
    successor: IntArray
    concentration: FloatArray
    known: BoolArray


class Backend(Protocol):
    """A module that draws models and evaluates policies on them."""

    def draw(
        self, law: RowsLaw, rows: IntArray, first: int, last: int, seed: int, stream: int
    ) -> FloatArray:
        """Return the entries of these rows in models first .. last - 1, probability[m, e]."""
