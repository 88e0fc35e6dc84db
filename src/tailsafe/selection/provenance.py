"""Where a result comes from: versions, hashes of what went in, the prior in words."""

import platform
from hashlib import sha256

import numpy as np
import numpy.typing as npt

from tailsafe.arrays import FloatArray
from tailsafe.batch import Batch
from tailsafe.posterior import Dirichlet, Posterior
from tailsafe.problem import Problem
from tailsafe.samples import Samples
from tailsafe.selection import Provenance
from tailsafe.table import Table

SAME = 1e-9


def provenance(problem: Problem, seed: int, models: tuple[tuple[str, int, int], ...]) -> Provenance:
    """Return all that is needed to compute a selection again."""
    from tailsafe import __version__

    return Provenance(
        tailsafe=__version__,
        numpy=np.__version__,
        python=platform.python_version(),
        seed=seed,
        batch_hash=batch_hash(problem.batch),
        posterior_hash=posterior_hash(problem.posterior),
        prior=prior_in_words(problem),
        models=models,
    )


def batch_hash(batch: Batch) -> str:
    """Return the SHA-256 of the columns of a log and its sizes."""
    columns = (batch.episode, batch.state, batch.action, batch.reward, batch.next_state)
    return _hash(*columns, batch.terminated, np.array([batch.n_states, batch.n_actions]))


def posterior_hash(posterior: Posterior) -> str:
    """Return the SHA-256 of a posterior's table and parameters."""
    table = posterior.table
    structure = (np.array([table.n_states, table.n_actions]), table.indptr, table.successor)
    if isinstance(posterior, Dirichlet):
        return _hash(*structure, posterior.concentration, posterior.known)
    if isinstance(posterior, Samples):
        return _hash(*structure, posterior.probability, posterior.weights)
    return _hash(*structure, posterior.mean())


def prior_in_words(problem: Problem) -> str:
    """Return what was believed before the log."""
    posterior, table = problem.posterior, problem.posterior.table
    if isinstance(posterior, Samples):
        return f"{len(posterior)} given models"
    if not isinstance(posterior, Dirichlet):
        return f"as {type(posterior).__name__} says"
    free = ~posterior.known[table.row_of_entry]
    before = (posterior.concentration - problem.counts())[free]
    words = [_concentration_in_words(before)] if len(before) else ["no row is uncertain"]
    return ", ".join([*words, _support_in_words(table), *_known_in_words(posterior)])


def _concentration_in_words(before: FloatArray) -> str:
    least, most = float(before.min()), float(before.max())
    if most - least > SAME * most:
        return f"Dirichlet with concentrations {least:g} to {most:g}"
    flat = "a flat Dirichlet, " if abs(least - 1.0) <= SAME else "Dirichlet, "
    return f"{flat}concentration {least:g}"


def _support_in_words(table: Table) -> str:
    if table.n_entries == table.n_rows * table.n_states:
        return f"on all {table.n_states} next states"
    each = table.n_entries / max(int((table.lengths > 0).sum()), 1)
    return f"on a given support of {each:.3g} next states on average"


def _known_in_words(posterior: Dirichlet) -> list[str]:
    count = int((posterior.known & (posterior.table.lengths > 0)).sum())
    return [f"{count} {'row' if count == 1 else 'rows'} held known"] if count else []


def _hash(*arrays: npt.NDArray[np.generic]) -> str:
    digest = sha256()
    for array in arrays:
        digest.update(f"{array.dtype.str}{array.shape}".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()
