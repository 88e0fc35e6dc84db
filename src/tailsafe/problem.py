"""What a solver sees: the task, the log, what the log allows to believe. Never the truth."""

from dataclasses import dataclass, field
from threading import Lock

import numpy as np

from tailsafe.arrays import FloatArray, IntArray, check_type, first_index
from tailsafe.batch import Batch
from tailsafe.errors import InvalidData, NotSupported
from tailsafe.keys import Key, Stream, stream_key
from tailsafe.mdp import MDP
from tailsafe.policy import Policy, check_admissible
from tailsafe.posterior import Posterior
from tailsafe.samples import Samples
from tailsafe.table import Table
from tailsafe.task import Task
from tailsafe.unseen import Uniform, Unseen, normalised

KEPT_BYTES = 4_000_000_000
"""What models that solvers share may take in memory."""


class _Drawn:
    """The models that solvers asked for last, so that they need not be drawn by each of them."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._key: Key | None = None
        self._models: FloatArray = np.empty((0, 0))

    def models(self, posterior: Posterior, count: int, key: Key) -> FloatArray:
        """Return models 0 .. count - 1 of the key, read-only."""
        with self._lock:
            kept = len(self._models) if key == self._key else 0
            if kept < count:
                fresh = posterior.models(kept, count, key)
                self._models = np.concatenate([self._models, fresh]) if kept else fresh
                self._models.flags.writeable = False
                self._key = key
            models: FloatArray = self._models[:count]
            return models

    def __getstate__(self) -> None:
        """Travel to other processes empty: models are addresses, drawn again there."""

    def __setstate__(self, state: object) -> None:
        """Start empty."""
        self.__init__()  # type: ignore[misc]


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """A task whose dynamics are known through a log only.

    Parameters
    ----------
    task
        What is known for certain.
    batch
        The log.
    posterior
        The models that the log allows, and how probable they are.
    behaviour
        The policy that made the log; estimated from it if not given.
    """

    task: Task
    batch: Batch
    posterior: Posterior
    behaviour: Policy = field(default=None)  # type: ignore[assignment]
    _drawn: _Drawn = field(default_factory=_Drawn, init=False, repr=False)

    def __post_init__(self) -> None:
        _check_sizes(self)
        _check_ends(self)
        if self.behaviour is None:
            object.__setattr__(self, "behaviour", estimated_behaviour(self.task, self.batch))
        check_admissible(self.behaviour, self.task.admissible, self.task.terminal)

    @property
    def n_states(self) -> int:
        """The number of states."""
        return self.task.n_states

    @property
    def n_actions(self) -> int:
        """The number of actions."""
        return self.task.n_actions

    def visits(self) -> IntArray:
        """Return how often each pair was tried, N[s, a]."""
        return self.batch.visits()

    def counts(self) -> FloatArray:
        """Return how often each transition of the posterior's table was seen, N[e]."""
        return self.batch.count_entries(self.posterior.table)

    def nominal(self, unseen: Unseen = Uniform()) -> MDP:
        """Return the most likely model P_hat: frequencies in the log, by convention if untried."""
        table = self.posterior.table
        return MDP(self.task, table, normalised(table, self.counts(), unseen))

    def mean(self) -> MDP:
        """Return the posterior mean P_bar."""
        return MDP(self.task, self.posterior.table, self.posterior.mean())

    def models(self, count: int, seed: int | Key = 0) -> FloatArray:
        """Return models to propose policies with, probability[m, e].

        They come from a stream of their own, never from that of the race. Of an explicit list of
        models, the list itself is returned. What was drawn is kept for the next solver that asks;
        fewer models are the first of more.
        """
        if isinstance(self.posterior, Samples):
            return self.posterior.probability
        entries = self.posterior.table.n_entries
        if 8 * count * entries > KEPT_BYTES:
            raise NotSupported(
                f"{count:,} models of {entries:,} possible transitions are "
                f"{8 * count * entries / 1e9:.0f} GB, more than {KEPT_BYTES / 1e9:.0f}: use fewer "
                "models, or a support with fewer transitions"
            )
        return self._drawn.models(self.posterior, count, stream_key(seed, Stream.CANDIDATES))

    def weights(self, count: int) -> FloatArray:
        """Return how likely each of the ``count`` models to propose policies with is, w[m]."""
        if isinstance(self.posterior, Samples):
            return self.posterior.weights
        return np.full(count, 1.0 / count)


def estimated_behaviour(task: Task, batch: Batch, smoothing: float = 0.0) -> Policy:
    """Return the frequencies of the actions in the log, uniform in states never visited.

    Parameters
    ----------
    task, batch
        The task says which actions are admissible.
    smoothing
        Added to the count of every admissible action.
    """
    if smoothing < 0.0 or not np.isfinite(smoothing):
        raise InvalidData(f"smoothing must be a number of at least 0, got {smoothing}")
    tried = batch.visits() * 1.0
    forbidden = (tried > 0.0) & ~task.admissible & ~task.terminal[:, None]
    if forbidden.any():
        state, action = first_index(forbidden)
        raise InvalidData(
            f"the log takes action {action} in state {state} {int(tried[state, action])} times, "
            "but the task says that it is not admissible"
        )
    weight = (tried + smoothing) * task.admissible
    visited = weight.sum(axis=1, keepdims=True)
    uniform = Policy.uniform(task.n_states, task.n_actions, task.admissible).probs
    return Policy(np.where(visited > 0.0, weight / np.where(visited > 0.0, visited, 1.0), uniform))


def _check_sizes(problem: Problem) -> None:
    check_type(problem.task, Task, "task")
    check_type(problem.batch, Batch, "batch")
    check_type(getattr(problem.posterior, "table", None), Table, "the table of the posterior")
    sizes = {
        "task": (problem.task.n_states, problem.task.n_actions),
        "batch": (problem.batch.n_states, problem.batch.n_actions),
        "posterior": (problem.posterior.table.n_states, problem.posterior.table.n_actions),
    }
    if len(set(sizes.values())) > 1:
        listed = ", ".join(f"{name} {s} and {a}" for name, (s, a) in sizes.items())
        raise InvalidData(f"numbers of states and actions disagree: {listed}")


def _check_ends(problem: Problem) -> None:
    task, batch = problem.task, problem.batch
    wrong_end = batch.terminated & ~task.terminal[batch.next_state]
    if wrong_end.any():
        i = first_index(wrong_end)[0]
        raise InvalidData(
            f"transition {i} terminates in state {batch.next_state[i]}, which is not a terminal "
            f"state of the task ({int(wrong_end.sum())} such transitions)"
        )
    leaves = task.terminal[batch.state] & (batch.state != batch.next_state)
    if leaves.any():
        i = first_index(leaves)[0]
        raise InvalidData(
            f"transition {i} leaves state {batch.state[i]}, which the task calls terminal "
            f"({int(leaves.sum())} such transitions)"
        )
