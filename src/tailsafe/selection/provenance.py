"""Where a result comes from: versions, hashes of what went in, the prior in words."""

import platform
from hashlib import sha256

import numpy as np
import numpy.typing as npt

from tailsafe.arrays import BoolArray, FloatArray
from tailsafe.batch import Batch
from tailsafe.posterior import Dirichlet, Posterior
from tailsafe.problem import Problem
from tailsafe.samples import Samples
from tailsafe.selection import Provenance

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
    posterior = problem.posterior
    if isinstance(posterior, Samples):
        return f"{len(posterior)} given models"
    if not isinstance(posterior, Dirichlet):
        return f"as {type(posterior).__name__} says"
    free = ~posterior.known[posterior.table.row_of_entry]
    before = (posterior.concentration - problem.counts())[free]
    words = [_concentration_in_words(before)] if len(before) else ["no row is uncertain"]
    words += _support_in_words(posterior)
    return ", ".join([*words, *_known_in_words(posterior, problem.task.terminal)])


def _concentration_in_words(before: FloatArray) -> str:
    least, most = float(before.min()), float(before.max())
    if most - least > SAME * most:
        return f"Dirichlet with concentrations {least:g} to {most:g}"
    flat = "a flat Dirichlet, " if abs(least - 1.0) <= SAME else "Dirichlet, "
    return f"{flat}concentration {least:g}"


def _support_in_words(posterior: Dirichlet) -> list[str]:
    """Return how many next states the uncertain pairs have; where an episode ended, nothing is."""
    n_states, lengths = posterior.table.n_states, posterior.table.lengths
    each = lengths[(lengths > 0) & ~posterior.known]
    if not len(each):
        return []
    if (each == n_states).all():
        return [f"on all {n_states} next states"]
    average = "" if (each == each[0]).all() else " on average"
    return [f"on {each.mean():.3g} of the {n_states} next states{average}"]


def _known_in_words(posterior: Dirichlet, terminal: BoolArray) -> list[str]:
    """Return what else was taken for certain than that nothing follows an end."""
    pairs = posterior.known & (posterior.table.lengths > 0)
    count = int((pairs & ~np.repeat(terminal, posterior.table.n_actions)).sum())
    noun = "pair" if count == 1 else "pairs"
    return [f"{count} {noun} of state and action held known"] if count else []


def _hash(*arrays: npt.NDArray[np.generic]) -> str:
    digest = sha256()
    for array in arrays:
        digest.update(f"{array.dtype.str}{array.shape}".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()
