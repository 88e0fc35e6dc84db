"""What an estimated model says of a pair that was never tried: a named convention.

The methods differ here, and their published numbers depend on it: uniform (the paper and its
programs), absorb (BOPAH), zero (SPIBB's authors), self.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from tailsafe.arrays import FloatArray
from tailsafe.errors import InvalidData
from tailsafe.table import Table


class Unseen(Protocol):
    """A convention for rows without data."""

    def fill(self, table: Table, row: int) -> FloatArray:
        """Return the probabilities of the entries of this row."""


@dataclass(frozen=True, slots=True)
class Uniform:
    """Every possible next state is equally likely."""

    def fill(self, table: Table, row: int) -> FloatArray:
        """Return equal probabilities."""
        n = int(table.lengths[row])
        return np.full(n, 1.0 / max(n, 1))


@dataclass(frozen=True, slots=True)
class Zero:
    """The episode ends without a reward."""

    def fill(self, table: Table, row: int) -> FloatArray:
        """Return zeros."""
        return np.zeros(int(table.lengths[row]))


@dataclass(frozen=True, slots=True)
class Absorb:
    """The process moves to one given state (say, the worst)."""

    state: int

    def fill(self, table: Table, row: int) -> FloatArray:
        """Return probability 1 for the given state."""
        return _certain(table, row, self.state)


@dataclass(frozen=True, slots=True)
class Self:
    """The process stays where it is."""

    def fill(self, table: Table, row: int) -> FloatArray:
        """Return probability 1 for the present state."""
        return _certain(table, row, row // table.n_actions)


def _certain(table: Table, row: int, state: int) -> FloatArray:
    chosen = table.successor[table.indptr[row] : table.indptr[row + 1]] == state
    if not chosen.any():
        raise InvalidData(
            f"state {row // table.n_actions}, action {row % table.n_actions} was never tried, and "
            f"the table does not let it lead to state {state}, as the convention asks"
        )
    certain: FloatArray = chosen.astype(np.float64)
    return certain


def normalised(table: Table, weight: FloatArray, unseen: Unseen) -> FloatArray:
    """Return each row of the weights divided by its sum; rows without weight by convention."""
    totals = table.sum_rows(weight).ravel()
    filled = totals[table.row_of_entry]
    probability = np.divide(weight, filled, out=np.zeros_like(weight), where=filled > 0.0)
    for row in np.nonzero((totals == 0.0) & (table.lengths > 0))[0]:
        probability[table.indptr[row] : table.indptr[row + 1]] = unseen.fill(table, int(row))
    return probability
