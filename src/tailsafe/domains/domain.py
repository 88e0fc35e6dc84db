"""A named decision problem whose true model is known, to try methods on."""

from dataclasses import dataclass

import numpy as np

from tailsafe.arrays import FloatArray, frozen_floats
from tailsafe.errors import InvalidData
from tailsafe.mdp import MDP
from tailsafe.task import Task


@dataclass(frozen=True, slots=True, eq=False)
class Domain:
    """A task and the model that the data come from; methods only ever see the task.

    Parameters
    ----------
    name
        A short name for tables and figures.
    task
        What is known.
    truth
        The model that is not.
    source
        Where the numbers were published.
    """

    name: str
    task: Task
    truth: MDP
    source: str


def dense_domain(name: str, task: Task, transition: FloatArray, source: str) -> Domain:
    """Return the domain of a task and its true transition probabilities T[s, a, t]."""
    return Domain(name, task, MDP.dense(task, transition), source)


def start_in(state: int, n_states: int) -> FloatArray:
    """Return the initial distribution mu[s] that always starts in one state."""
    initial = np.zeros(n_states)
    initial[state] = 1.0
    return initial


def checked_share(value: float, name: str) -> float:
    """Return a parameter that must be a probability."""
    share = float(frozen_floats(value, name))
    if not 0.0 <= share <= 1.0:
        raise InvalidData(f"{name} must be in [0, 1], got {share}")
    return share


def without_ends(domain: Domain) -> Domain:
    """Return the same problem, told without its terminal states: a log goes on in them.

    They pay nothing there. What follows them is what the true model says; where they are not
    absorbing, it is another problem.
    """
    task, truth = domain.task, domain.truth
    reward, unpaid = task.reward.copy(), task.terminal
    if task.reward_table is not None:
        unpaid = task.terminal[task.reward_table.row_of_entry // task.n_actions]
    reward[unpaid] = 0.0
    told = Task(
        reward,
        task.initial,
        task.discount,
        admissible=task.admissible | task.terminal[:, None],
        reward_table=task.reward_table,
    )
    return Domain(domain.name, told, MDP(told, truth.table, truth.probability), domain.source)
