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


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """Models that are drawn: number m of a law, a seed and a stream."""

    law: RowsLaw
    seed: int
    stream: int


@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """Models that are there, probability[m, e]; number ``first`` is the first of them."""

    probability: FloatArray
    first: int


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """What is known for certain, and the policies.

    Parameters
    ----------
    indptr, successor
        The table of the models.
    reward
        R[e] of each entry.
    initial, terminal
        mu[s] and mask[s].
    discount
        In [0, 1].
    probs
        The policies, pi[p, s, a].
    used
        mask[p, s]; the others are never come to, and their values do not matter.
    """

    indptr: IntArray
    successor: IntArray
    reward: FloatArray
    initial: FloatArray
    terminal: BoolArray
    discount: float
    probs: FloatArray
    used: BoolArray


class Backend(Protocol):
    """A module that draws models and evaluates policies on them."""

    def draw(
        self, law: RowsLaw, rows: IntArray, first: int, last: int, seed: int, stream: int
    ) -> FloatArray:
        """Return the entries of these rows in models first .. last - 1, probability[m, e]."""

    def performances(
        self, source: Drawn | Given, setting: Setting, first: int, last: int
    ) -> FloatArray:
        """Return the performance of each policy on models first .. last - 1, U[p, m]."""
