"""The performances seen so far: one column a candidate, all on the same models."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from tailsafe.arrays import FloatArray, IntArray
from tailsafe.errors import InvalidData

Utilities: TypeAlias = Callable[[int, int, IntArray], FloatArray]
"""(first, last, candidates) -> their performances on models first .. last - 1, X[i, m]."""


@dataclass(slots=True, eq=False)
class Sheet:
    """What was evaluated; the only thing in a race that changes.

    Parameters
    ----------
    utilities
        Evaluates candidates on models. Model t is the same whenever it is asked for, so a
        candidate left behind can catch up on exactly the models that the others saw.
    n_candidates
        How many there are.
    floors, ceilings
        Performances beyond them count as them.
    quantum
        Performances are rounded to multiples of it, so that candidates that are equal but for
        rounding tie.
    names
        What messages call the candidates.
    spread
        Evaluates candidates on models that are spread over all that is possible, where there are
        such: candidates that agree on them, too, are equal.
    """

    utilities: Utilities
    n_candidates: int
    floors: FloatArray | None = None
    ceilings: FloatArray | None = None
    quantum: float = 0.0
    names: Sequence[str] = ()
    spread: Utilities | None = None
    columns: list[FloatArray] = field(default_factory=list)
    evaluations: int = 0

    def __post_init__(self) -> None:
        self.columns = [np.empty(0)] * self.n_candidates

    @property
    def counts(self) -> IntArray:
        """On how many models each candidate was judged."""
        return np.array([len(column) for column in self.columns], np.int64)

    def bring(self, candidates: IntArray, n: int) -> None:
        """Evaluate these candidates on all of models 0 .. n - 1 that they have not seen."""
        have = self.counts[candidates]
        for first in np.unique(have[have < n]):
            behind = candidates[have == first]
            X = self._checked(self.utilities(int(first), n, behind), behind, int(first), n)
            self.evaluations += X.size
            for i, row in zip(behind, X, strict=True):
                self.columns[i] = np.concatenate([self.columns[i], row])

    def rows(self, candidates: IntArray, n: int) -> FloatArray:
        """Return the performances on models 0 .. n - 1, X[i, m]."""
        return np.stack([self.columns[i][:n] for i in candidates])

    def spread_rows(self, candidates: IntArray, n: int) -> FloatArray:
        """Return the performances on n models of ``spread``, U[i, m]."""
        assert self.spread is not None
        U = self.spread(0, n, candidates)
        self.evaluations += U.size
        return self._rounded(U)

    def _checked(self, X: FloatArray, behind: IntArray, first: int, last: int) -> FloatArray:
        expected = len(behind), last - first
        if X.shape != expected:
            raise InvalidData(f"utilities have shape {X.shape}, expected {expected}")
        bad = ~np.isfinite(X)
        if bad.any():
            i, m = (int(k[0]) for k in np.nonzero(bad))
            who = self.names[behind[i]] if self.names else f"candidate {behind[i]}"
            raise InvalidData(f"the performance of {who} on model {first + m} is {X[i, m]}")
        X = self._rounded(X)
        if self.floors is not None:
            X = np.maximum(X, self.floors[behind, None])
        return X if self.ceilings is None else np.minimum(X, self.ceilings[behind, None])

    def _rounded(self, X: FloatArray) -> FloatArray:
        if self.quantum == 0.0:
            return X
        rounded: FloatArray = np.round(X / self.quantum) * self.quantum
        return rounded
