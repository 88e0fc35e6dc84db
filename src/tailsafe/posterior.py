"""Distributions over models given a log: models are addresses, drawn again whenever needed.

A row (s, a) with the counts N(s, a, .) and a Dirichlet prior of concentration c has the posterior
Dirichlet(c + N(s, a, .)), rows being independent (Strens, A Bayesian Framework for Reinforcement
Learning, ICML 2000). Model number m of a seed is the same bit for bit whoever draws it.
"""

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import numpy.typing as npt

from tailsafe.arrays import (
    BoolArray,
    FloatArray,
    IntArray,
    check_range,
    check_shape,
    check_type,
    first_index,
    frozen_bools,
    frozen_floats,
    frozen_ints,
)
from tailsafe.batch import Batch
from tailsafe.errors import InvalidData
from tailsafe.kernels import RowsLaw
from tailsafe.keys import Key, as_key, as_model_range
from tailsafe.known import Known, with_known_rows
from tailsafe.mdp import checked_probability
from tailsafe.table import Table
from tailsafe.unseen import Uniform, Unseen, normalised


class Posterior(Protocol):
    """A distribution over the models of one table."""

    @property
    def table(self) -> Table:
        """The transitions that may happen."""

    def models(
        self, first: int, last: int, seed: int | Key, rows: IntArray | None = None
    ) -> FloatArray:
        """Return models first .. last - 1 as probability[m, e], of all rows or the given ones."""

    def mean(self) -> FloatArray:
        """Return the expected probability of each entry."""

    def mode(self, unseen: Unseen = Uniform()) -> FloatArray:
        """Return the most probable model."""


@dataclass(frozen=True, slots=True, eq=False)
class Dirichlet:
    """Independent Dirichlet distributions, one for each row of a table.

    Parameters
    ----------
    table
        Which transitions are possible.
    concentration
        Of each entry, positive; for known rows the probabilities themselves.
    known
        mask[row] of the rows that are not uncertain.
    """

    table: Table
    concentration: FloatArray
    known: BoolArray
    notes: tuple[str, ...] = field(default=(), init=False)

    def __post_init__(self) -> None:
        known = frozen_bools(self.known, "known")
        concentration = frozen_floats(self.concentration, "concentration")
        check_shape(known, (self.table.n_rows,), "known")
        check_shape(concentration, (self.table.n_entries,), "concentration")
        of_known = known[self.table.row_of_entry]
        wrong = (concentration <= 0.0) & ~of_known
        if wrong.any():
            raise InvalidData(
                f"concentration of {_transition(self.table, first_index(wrong)[0])} is "
                f"{concentration[wrong][0]:.6g}, must be positive ({int(wrong.sum())} such entries)"
            )
        certain, notes = checked_probability(self.table, np.where(of_known, concentration, 0.0))
        if notes:
            concentration = frozen_floats(np.where(of_known, certain, concentration), "known")
        for name, value in (("concentration", concentration), ("known", known), ("notes", notes)):
            object.__setattr__(self, name, value)

    @classmethod
    def from_batch(
        cls,
        batch: Batch,
        prior: float | npt.ArrayLike = 1.0,
        support: Table | npt.ArrayLike | None = None,
        known: Known | None = None,
    ) -> "Dirichlet":
        """Return the posterior after a log.

        Parameters
        ----------
        batch
            The log; a transition that support or known rows exclude is refused.
        prior
            Concentration before the log: one number, one a row [s, a], or one an entry
            ([s, a, t] or [e]). 1 is the flat prior of the paper.
        support
            Which transitions are possible: a Table (see ``Batch.seen``) or a mask [s, a, t];
            all by default.
        known
            Rows that are certain.
        """
        check_type(batch, Batch, "batch")
        table, is_known, certain = with_known_rows(
            _support(batch, support), {} if known is None else known
        )
        counts = batch.count_entries(table)
        of_known = is_known[table.row_of_entry]
        uncertain = _prior(prior, table) + counts
        return cls(table, np.where(of_known, certain, uncertain), is_known)

    @property
    def law(self) -> RowsLaw:
        """The arrays that a kernel draws from."""
        table = self.table
        return RowsLaw(table.indptr, table.successor, self.concentration, self.known)

    def models(
        self, first: int, last: int, seed: int | Key, rows: IntArray | None = None
    ) -> FloatArray:
        """Return models first .. last - 1 as probability[m, e].

        Parameters
        ----------
        first, last
            Addresses of models.
        seed
            Seed, or seed and stream.
        rows
            Draw these rows only: their entries one row after the other.
        """
        from tailsafe.kernels import cpu

        first, last = as_model_range(first, last)
        every = np.arange(self.table.n_rows)
        wanted = every if rows is None else frozen_ints(rows, "rows")
        check_range(wanted, self.table.n_rows, "rows", "the number of rows")
        key = as_key(seed)
        return cpu.draw(self.law, wanted, first, last, key.seed, key.stream)

    def mean(self) -> FloatArray:
        """Return the expected probability of each entry."""
        return normalised(self.table, self.concentration, Uniform())

    def mode(self, unseen: Unseen = Uniform()) -> FloatArray:
        """Return the most probable model: (c - 1)+ divided by its row sum.

        With a prior of 1 these are the frequencies in the log, and rows without data are flat:
        the convention decides.
        """
        of_known = self.known[self.table.row_of_entry]
        weight = np.where(of_known, self.concentration, np.maximum(self.concentration - 1.0, 0.0))
        return normalised(self.table, weight, unseen)

    def log_density(self, probability: npt.ArrayLike) -> FloatArray:
        """Return the log density of probability[..., e] on the product of simplices."""
        from scipy.special import gammaln, xlogy

        values, _ = checked_probability(self.table, probability)
        free = ~self.known[self.table.row_of_entry]
        c = np.where(free, self.concentration, 1.0)
        totals = self.table.sum_rows(np.where(free, self.concentration, 0.0)).ravel()
        constant = gammaln(totals[(totals > 0.0)]).sum() - gammaln(c).sum()
        terms: FloatArray = np.where(free, xlogy(c - 1.0, values), 0.0).sum(axis=-1)
        density: FloatArray = terms + constant
        return density


def _support(batch: Batch, support: Table | npt.ArrayLike | None) -> Table:
    if support is None:
        return Table.full(batch.n_states, batch.n_actions)
    table = support if isinstance(support, Table) else Table.from_mask(support)
    if (table.n_states, table.n_actions) != (batch.n_states, batch.n_actions):
        raise InvalidData(
            f"support is for {table.n_states} states and {table.n_actions} actions, "
            f"the log has {batch.n_states} and {batch.n_actions}"
        )
    return table


def _prior(prior: float | npt.ArrayLike, table: Table) -> FloatArray:
    values = frozen_floats(prior, "prior")
    if (values < 0.0).any():
        at = first_index(values < 0.0)
        raise InvalidData(f"prior{list(at) or ''} is {values[at]}, must be positive")
    shape = (table.n_states, table.n_actions)
    if values.ndim == 0 or values.shape == (table.n_entries,):
        return np.broadcast_to(values, (table.n_entries,))
    if values.shape == shape:
        return values.ravel()[table.row_of_entry]
    check_shape(values, (*shape, table.n_states), "prior")
    return table.entries(values)


def _transition(table: Table, entry: int) -> str:
    state, action = divmod(int(table.row_of_entry[entry]), table.n_actions)
    return f"state {state}, action {action}, next state {table.successor[entry]}"
