"""One model: a task together with the probabilities of the transitions in a table."""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from tailsafe.arrays import (
    FloatArray,
    as_distributions,
    check_not_negative,
    check_shape,
    check_type,
    frozen_floats,
)
from tailsafe.errors import InvalidData
from tailsafe.table import Table
from tailsafe.task import Task


@dataclass(frozen=True, slots=True, eq=False)
class MDP:
    """A Markov decision process with everything known.

    A row may be all zero: the episode ends there without a reward.

    Parameters
    ----------
    task
        Reward, start, discount, terminal states, admissible actions.
    table
        Which transitions are possible.
    probability
        The probability of each of them, P[e].
    """

    task: Task
    table: Table
    probability: FloatArray
    notes: tuple[str, ...] = field(default=(), init=False)

    def __post_init__(self) -> None:
        task, table = self.task, self.table
        check_type(task, Task, "task")
        check_type(table, Table, "table")
        if (task.n_states, task.n_actions) != (table.n_states, table.n_actions):
            raise InvalidData(
                f"the task has {task.n_states} states and {task.n_actions} actions, "
                f"the table {table.n_states} and {table.n_actions}"
            )
        probability, notes = checked_probability(table, self.probability)
        object.__setattr__(self, "probability", probability)
        object.__setattr__(self, "notes", notes)

    @classmethod
    def dense(cls, task: Task, transition: npt.ArrayLike) -> "MDP":
        """Return the model with the transition probabilities T[s, a, t]."""
        array = frozen_floats(transition, "transition")
        check_type(task, Task, "task")
        check_shape(array, (task.n_states, task.n_actions, task.n_states), "transition")
        check_not_negative(array, "transition")
        scaled, notes = as_distributions(array, "transition", ~(array == 0.0).all(axis=2))
        table = Table.from_mask(scaled > 0.0)
        mdp = cls(task, table, table.entries(scaled))
        object.__setattr__(mdp, "notes", notes)
        return mdp

    @property
    def transition(self) -> FloatArray:
        """The transition probabilities as an array T[s, a, t]."""
        return self.table.dense(self.probability)


def checked_probability(
    table: Table, probability: npt.ArrayLike
) -> tuple[FloatArray, tuple[str, ...]]:
    """Return probability[..., e] with rows that sum to 1 or are zero, and notes on changes."""
    values = frozen_floats(probability, "probability")
    check_shape(values, (*values.shape[:-1], table.n_entries), "probability")
    check_not_negative(values, "probability")
    with np.errstate(over="ignore"):  # an infinite sum is refused like any other
        totals = table.sum_rows(values)
    _, notes = as_distributions(totals[..., None], "transition", totals > 0.0)
    if notes:
        by_row = np.where(totals > 0.0, totals, 1.0).reshape(*values.shape[:-1], table.n_rows)
        values = values / by_row[..., table.row_of_entry]
        values.flags.writeable = False
    return values, notes
