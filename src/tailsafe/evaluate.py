"""Values of policies: on the models of a posterior (fused), and exactly on one given model.

V = r_pi + discount P_pi V, and the performance is u = mu . V (the paper, Section 2).
"""

from collections.abc import Iterable, Iterator

import numpy as np

from tailsafe.arrays import FloatArray, check_shape
from tailsafe.engine import Engine
from tailsafe.errors import InvalidData
from tailsafe.keys import Key, as_key, check_model_range
from tailsafe.policy import Policy, check_admissible
from tailsafe.posterior import Posterior
from tailsafe.task import Task
from tailsafe.termination import check_terminates

BYTES_AT_ONCE = 64_000_000
"""Models of a posterior without fused kernel are drawn in chunks of about this size."""


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
    check_model_range(first, last)
    probs = policy_array(policies, task)
    check_shape(
        np.empty((posterior.table.n_states, posterior.table.n_actions)),
        (task.n_states, task.n_actions),
        "posterior",
    )
    if task.discount == 1.0:
        for index, pi in enumerate(probs):
            check_terminates(posterior.table, task, pi, f"policy {index}")
    U = np.empty((len(probs), last - first))
    for (start, stop), part in _parts(posterior, task, probs, (first, last), as_key(seed), engine):
        U[:, start - first : stop - first] = part
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


def _parts(
    posterior: Posterior,
    task: Task,
    probs: FloatArray,
    span: tuple[int, int],
    key: Key,
    engine: Engine,
) -> Iterator[tuple[tuple[int, int], FloatArray]]:
    """Yield ((start, stop), U[p, m]) (interim: numpy)."""
    del engine
    table = posterior.table
    S, A = task.n_states, task.n_actions
    R = task.entry_reward(table)
    state = table.row_of_entry // A
    for start in range(span[0], span[1], 256):
        stop = min(start + 256, span[1])
        P = posterior.models(start, stop, key)
        U = np.empty((len(probs), stop - start))
        for p, pi in enumerate(probs):
            w = P * pi.ravel()[table.row_of_entry] * ~task.terminal[state]
            flow = np.zeros((stop - start, S, S))
            r = np.zeros((stop - start, S))
            np.add.at(flow, (slice(None), state, table.successor), w)
            np.add.at(r, (slice(None), state), w * R)
            V = np.linalg.solve(np.eye(S) - task.discount * flow, r[..., None])[..., 0]
            U[p] = V @ task.initial
        yield (start, stop), U
