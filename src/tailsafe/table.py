"""What may happen after each (state, action): a sparse (CSR) table of possible next states.

Row s * n_actions + a lists the possible next states of (s, a) in ascending order. The flat prior
of the paper is the full table; masks, absorbing states and known rows are just shorter rows.
A row without entries ends the episode.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tailsafe.arrays import (
    BoolArray,
    FloatArray,
    IntArray,
    check_count,
    check_range,
    check_shape,
    frozen_bools,
    frozen_ints,
)
from tailsafe.errors import InvalidData


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Possible next states of every (state, action).

    Parameters
    ----------
    n_states, n_actions
        Sizes; there are n_states * n_actions rows.
    indptr
        Row r has the entries indptr[r] .. indptr[r + 1] - 1.
    successor
        The next state of each entry, ascending within a row.
    """

    n_states: int
    n_actions: int
    indptr: IntArray
    successor: IntArray

    def __post_init__(self) -> None:
        check_count(self.n_states, "n_states")
        check_count(self.n_actions, "n_actions")
        indptr = frozen_ints(self.indptr, "indptr")
        successor = frozen_ints(self.successor, "successor")
        check_shape(indptr, (self.n_rows + 1,), "indptr")
        if successor.ndim != 1:
            raise InvalidData(f"successor has {successor.ndim} axes, expected 1")
        check_range(successor, self.n_states, "successor", "n_states")
        if indptr[0] != 0 or indptr[-1] != len(successor) or (np.diff(indptr) < 0).any():
            raise InvalidData(f"indptr must ascend from 0 to {len(successor)}, the entries")
        object.__setattr__(self, "indptr", indptr)
        object.__setattr__(self, "successor", successor)
        _check_ascending(self)

    @classmethod
    def full(cls, n_states: int, n_actions: int) -> "Table":
        """Return the table in which every state may follow every pair."""
        check_count(n_states, "n_states")
        check_count(n_actions, "n_actions")
        rows = n_states * n_actions
        indptr = np.arange(rows + 1) * n_states
        return cls(n_states, n_actions, indptr, np.tile(np.arange(n_states), rows))

    @classmethod
    def from_mask(cls, mask: npt.ArrayLike) -> "Table":
        """Return the table of the true elements of mask[s, a, t]."""
        allowed = frozen_bools(mask, "mask")
        if allowed.ndim != 3 or allowed.shape[0] != allowed.shape[2]:
            raise InvalidData(f"mask has shape {allowed.shape}, expected (S, A, S)")
        indptr = np.concatenate([[0], np.cumsum(allowed.sum(axis=2).ravel())])
        return cls(allowed.shape[0], allowed.shape[1], indptr, np.nonzero(allowed)[2])

    @classmethod
    def from_rows(cls, n_states: int, n_actions: int, rows: Iterable[Iterable[int]]) -> "Table":
        """Return the table with the given next states, row by row, in any order."""
        check_count(n_states, "n_states")
        check_count(n_actions, "n_actions")
        try:
            listed = [list(row) for row in rows]
        except TypeError as error:
            raise InvalidData(f"rows are not lists of next states: {error}") from None
        if len(listed) != n_states * n_actions:
            raise InvalidData(
                f"rows has {len(listed)} lists, expected one for each of {n_states} states and "
                f"{n_actions} actions"
            )
        lengths = [len(row) for row in listed]
        successor = frozen_ints([t for row in listed for t in row], "successor")
        check_shape(successor, (sum(lengths),), "successor")
        check_range(successor, n_states, "successor", "n_states")
        row = np.repeat(np.arange(len(listed)), lengths)
        return cls.from_keys(n_states, n_actions, np.unique(row * n_states + successor))

    @classmethod
    def from_keys(cls, n_states: int, n_actions: int, keys: IntArray) -> "Table":
        """Return the table with these ``keys``: row * n_states + successor, ascending."""
        row, successor = np.divmod(keys, n_states)
        lengths = np.bincount(row, minlength=n_states * n_actions)
        indptr = np.concatenate([[0], np.cumsum(lengths)])
        return cls(n_states, n_actions, indptr, successor)

    @property
    def n_rows(self) -> int:
        """The number of (state, action) pairs."""
        return self.n_states * self.n_actions

    @property
    def n_entries(self) -> int:
        """The number of possible transitions."""
        return len(self.successor)

    @property
    def lengths(self) -> IntArray:
        """The number of possible next states of each row."""
        return np.diff(self.indptr)

    @property
    def row_of_entry(self) -> IntArray:
        """The row of each entry."""
        return np.repeat(np.arange(self.n_rows), self.lengths)

    @property
    def keys(self) -> IntArray:
        """row * n_states + successor of each entry, ascending: one number a transition."""
        return self.row_of_entry * self.n_states + self.successor

    def equals(self, other: "Table") -> bool:
        """Return whether both tables list the same transitions."""
        return self is other or (
            (self.n_states, self.n_actions) == (other.n_states, other.n_actions)
            and np.array_equal(self.indptr, other.indptr)
            and np.array_equal(self.successor, other.successor)
        )

    def lookup(self, rows: IntArray, successors: IntArray) -> IntArray:
        """Return the entry of each (row, successor), or -1 where the table has none."""
        wanted, keys = rows * self.n_states + successors, self.keys
        at = np.searchsorted(keys, wanted)
        found = at < len(keys)
        found[found] = keys[at[found]] == wanted[found]
        return np.where(found, at, -1)

    def entries(self, dense: FloatArray) -> FloatArray:
        """Return dense[..., s, a, t] at the entries, as values[..., e]."""
        state, action = np.divmod(self.row_of_entry, self.n_actions)
        values: FloatArray = dense[..., state, action, self.successor]
        return values

    def dense(self, values: FloatArray, fill: float = 0.0) -> FloatArray:
        """Return values[..., e] as an array[..., s, a, t], ``fill`` where there is no entry."""
        shape = (*values.shape[:-1], self.n_states, self.n_actions, self.n_states)
        array = np.full(shape, fill)
        state, action = np.divmod(self.row_of_entry, self.n_actions)
        array[..., state, action, self.successor] = values
        return array

    def sum_rows(self, values: FloatArray) -> FloatArray:
        """Return values[..., e] summed over the entries of each pair, as sums[..., s, a]."""
        shape = (*values.shape[:-1], self.n_states, self.n_actions)
        # reduceat gives the next value, not 0, for an empty segment: ask for full rows only.
        filled = np.nonzero(self.lengths)[0]
        sums = np.zeros((*values.shape[:-1], self.n_rows))
        if len(filled):
            sums[..., filled] = np.add.reduceat(values, self.indptr[:-1][filled], axis=-1)
        return sums.reshape(shape)

    def mask(self) -> BoolArray:
        """Return mask[s, a, t], true where the table has an entry."""
        return self.dense(np.ones(self.n_entries)) > 0.0


def _check_ascending(table: Table) -> None:
    falling = np.nonzero(np.diff(table.keys) <= 0)[0]
    if len(falling):
        row = int(table.row_of_entry[falling[0] + 1])
        state, action = divmod(row, table.n_actions)
        raise InvalidData(
            f"successors of state {state}, action {action} must ascend without repeats, "
            f"got {table.successor[table.indptr[row] : table.indptr[row + 1]].tolist()}"
        )
