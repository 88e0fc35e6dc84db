"""Values of policies: on the models of a posterior (fused), and exactly on one given model.

V = r_pi + discount P_pi V, and the performance is u = mu . V (the paper, Section 2).
"""

from collections.abc import Iterable, Iterator
from functools import partial

import numpy as np

from tailsafe.arrays import FloatArray, check_shape
from tailsafe.engine import Engine
from tailsafe.errors import InvalidData
from tailsafe.kernels import Backend, Drawn, Given, Setting
from tailsafe.keys import Key, as_key, as_model_range
from tailsafe.policy import Policy, check_admissible
from tailsafe.posterior import Dirichlet, Posterior
from tailsafe.table import Table
from tailsafe.task import Task
from tailsafe.termination import check_terminates, reachable

BYTES_AT_ONCE = 64_000_000
"""Models of a posterior without fused kernel are drawn in chunks of about this size."""
WORTH_SHARING = 100_000
"""From here on, models times numbers in the policies, the work is shared among workers."""
PARTS_A_WORKER, WHOLE = 4, 64
"""A worker that is slowed down gets fewer parts; parts are multiples of whole vectors."""


def performances(
    posterior: Posterior,
    task: Task,
    policies: Iterable[Policy],
    first: int,
    last: int,
    seed: int | Key,
    engine: Engine = Engine(),
) -> FloatArray:
    """Return the performance of each policy on models first .. last - 1, U[p, m].

    Parameters
    ----------
    posterior, task
        The models, and what is known for certain.
    policies
        All are judged on the same models.
    first, last
        Addresses of models: which, not only how many.
    seed
        Seed, or seed and stream, of the models.
    engine
        How fast; the numbers do not depend on it.
    """
    first, last = as_model_range(first, last)
    probs = policy_array(policies, task)
    check_shape(
        np.empty((posterior.table.n_states, posterior.table.n_actions)),
        (task.n_states, task.n_actions),
        "posterior",
    )
    setting = _setting(posterior.table, task, probs)
    U = np.empty((len(probs), last - first))
    for start, stop in _chunks(posterior, first, last):
        source = _source(posterior, start, stop, as_key(seed))
        for span, part in _spread(source, setting, (start, stop), engine):
            U[:, span[0] - first : span[1] - first] = part
    return U


def policy_array(policies: Iterable[Policy], task: Task) -> FloatArray:
    """Return probs[p, s, a] of policies that the task admits."""
    given = list(policies)
    for policy in given:
        if not isinstance(policy, Policy):
            raise InvalidData(f"policies must be Policy objects, got {type(policy).__name__}")
        check_admissible(policy, task.admissible, task.terminal)
    shape = (0, task.n_states, task.n_actions)
    return np.stack([policy.probs for policy in given]) if given else np.empty(shape)


def _setting(table: Table, task: Task, probs: FloatArray) -> Setting:
    used = np.ones(probs.shape[:2], bool)
    if task.discount == 1.0:
        # Elsewhere a policy need not end, and its value need not exist.
        for index, pi in enumerate(probs):
            check_terminates(table, task, pi, f"policy {index}")
            used[index] = reachable(table, task, pi)
    return Setting(
        table.indptr,
        table.successor,
        task.entry_reward(table),
        task.initial,
        task.terminal,
        task.discount,
        probs,
        used,
    )


def _chunks(posterior: Posterior, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Yield the ranges of models that are evaluated one after the other."""
    every = last - first
    known_law = isinstance(posterior, Dirichlet)
    most = every if known_law else BYTES_AT_ONCE // (8 * max(posterior.table.n_entries, 1))
    size = max(most, 1)
    for start in range(first, last, size):
        yield start, min(start + size, last)


def _source(posterior: Posterior, first: int, last: int, key: Key) -> Drawn | Given:
    if isinstance(posterior, Dirichlet):
        return Drawn(posterior.law, key.seed, key.stream)
    return Given(posterior.models(first, last, key), first)


def _spread(
    source: Drawn | Given, setting: Setting, span: tuple[int, int], engine: Engine
) -> Iterator[tuple[tuple[int, int], FloatArray]]:
    """Yield ((start, stop), U[p, m]) of parts of a range, each the work of one worker."""
    function = partial(_evaluated, engine.kernels, source, setting)
    work = (span[1] - span[0]) * setting.probs.size
    if engine.n_workers == 1 or work < WORTH_SHARING:
        yield span, function(span)
    else:
        size = -(-(span[1] - span[0]) // (PARTS_A_WORKER * engine.n_workers))
        starts = range(span[0], span[1], -(-size // WHOLE) * WHOLE)
        spans = [(start, min(start + starts.step, span[1])) for start in starts]
        yield from engine.map_keyed(function, spans)


def _evaluated(
    kernels: Backend, source: Drawn | Given, setting: Setting, span: tuple[int, int]
) -> FloatArray:
    return kernels.performances(source, setting, *span)
