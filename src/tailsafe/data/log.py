"""A log as it came from outside: transitions, what their states and actions are called, notes."""

from dataclasses import dataclass

import numpy as np

from tailsafe.arrays import IntArray, check_shape, frozen_ints
from tailsafe.batch import Batch
from tailsafe.data.labels import Labels
from tailsafe.errors import InvalidData


@dataclass(frozen=True, slots=True, eq=False)
class Log:
    """Transitions with the names of their states and actions, and how they were read.

    Parameters
    ----------
    source
        What messages call it: the name of the file.
    batch
        The transitions, by numbers.
    labels
        The names of the states and actions.
    place
        Where each transition stood in the source: the line of a text file, or the row.
    rewarded
        Whether rewards were recorded; if not, those of the batch are 0 and mean nothing.
    notes
        What the reader did: columns recognised, rows dropped, next states derived.
    warnings
        What it did that the user should check.
    """

    source: str
    batch: Batch
    labels: Labels
    place: IntArray
    rewarded: bool = True
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        batch, labels = self.batch, self.labels
        object.__setattr__(self, "place", frozen_ints(self.place, "place"))
        check_shape(self.place, (len(batch),), "place")
        sizes = len(labels.states), len(labels.actions)
        if sizes != (batch.n_states, batch.n_actions):
            raise InvalidData(
                f"there are labels for {sizes[0]} states and {sizes[1]} actions, "
                f"the log has {batch.n_states} and {batch.n_actions}"
            )

    def where(self, transition: int) -> str:
        """Return how a message names a transition."""
        return f"row {self.place[transition]} of {self.source}"

    def pair(self, row: int) -> str:
        """Return how a message names a (state, action) pair, given as a row of a table."""
        state, action = divmod(int(row), self.batch.n_actions)
        return f"state {self.labels.states[state]}, action {self.labels.actions[action]}"


def log_of_batch(batch: Batch, labels: Labels | None = None, source: str = "batch") -> Log:
    """Return the log of a batch; without labels, states and actions are called 0, 1, ..."""
    names = labels or Labels.plain(batch.n_states, batch.n_actions)
    return Log(source, batch, names, np.arange(len(batch)))


def episode_lengths(batch: Batch) -> IntArray:
    """Return the number of transitions of each episode."""
    return np.diff(np.append(batch.starts, len(batch)))


def mean_return(batch: Batch, discount: float) -> float:
    """Return the mean discounted return of the episodes, as far as they were recorded."""
    if batch.n_episodes == 0:
        return 0.0
    lengths = episode_lengths(batch)
    step = np.arange(len(batch)) - np.repeat(batch.starts, lengths)
    return float((batch.reward * discount**step).sum() / batch.n_episodes)
