"""Sets of models near the frequencies in the log: where they are centred, and how large they are.

A pair that was tried N times has a budget that shrinks with N; one that was never tried may lead
anywhere that the table allows; a known row is what it is.
"""

from dataclasses import dataclass

import numpy as np

from tailsafe.arrays import BoolArray, FloatArray
from tailsafe.posterior import Dirichlet
from tailsafe.problem import Problem
from tailsafe.solvers.bcr import used_pairs
from tailsafe.unseen import Uniform, normalised


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What a log says of each row.

    Parameters
    ----------
    center
        The frequencies, P[e]; equal in rows never tried, the given law in known rows.
    tries
        N[row].
    outcomes
        How many next states are possible, k[row].
    certain
        mask[row] of the rows that cannot be otherwise.
    share
        The d of each pair when a probability is split among all pairs in use, for each unit of it.
    """

    center: FloatArray
    tries: FloatArray
    outcomes: FloatArray
    certain: BoolArray
    share: float

    def budget(self, times_tries: FloatArray) -> FloatArray:
        """Return times_tries / N of each row: infinite without tries, 0 in certain rows."""
        tried = self.tries > 0.0
        budget = np.divide(times_tries, self.tries, out=np.full(len(tried), np.inf), where=tried)
        return np.where(self.certain, 0.0, budget)


def evidence(problem: Problem) -> Evidence:
    """Return what the log of a problem says of each row."""
    posterior, table = problem.posterior, problem.posterior.table
    known = np.zeros(table.n_rows, bool)
    if isinstance(posterior, Dirichlet):
        known = posterior.known
    frequency = normalised(table, problem.counts(), Uniform())
    return Evidence(
        np.where(known[table.row_of_entry], posterior.mean(), frequency),
        problem.visits().ravel().astype(np.float64),
        table.lengths.astype(np.float64),
        known | (table.lengths < 2),
        1.0 / max(int(used_pairs(problem).sum()), 1),
    )


def chi2_quantile(given: Evidence, delta: float) -> FloatArray:
    """Return x[row], which chi2 with k - 1 degrees of freedom exceeds with probability d."""
    from scipy.special import chdtri

    freedom = np.maximum(given.outcomes - 1.0, 1.0)
    return np.asarray(chdtri(freedom, delta * given.share), np.float64)
