"""What an answer rests on, in plain words."""

from dataclasses import dataclass

import numpy.typing as npt

from tailsafe.data.labels import END
from tailsafe.data.log import Log
from tailsafe.data.rewards import RewardLaw
from tailsafe.data.words import counted


@dataclass(frozen=True, slots=True)
class Assumption:
    """One thing that the answer rests on: its name, its value in short, and what it means."""

    name: str
    value: str
    words: str


def discount_assumption(discount: float) -> Assumption:
    """Return what the discount means."""
    if discount == 1.0:
        words = "Rewards count the same whenever they come, until the process ends."
    else:
        words = (
            f"A reward one step later is worth {discount:g} of one now: what comes within about "
            f"{counted(max(round(1.0 / (1.0 - discount)), 1), 'step')} decides."
        )
    return Assumption("discount", f"{discount:g}", words)


def reward_assumptions(law: RewardLaw) -> tuple[Assumption, Assumption]:
    """Return where the reward comes from, and what is paid where nothing is known of it."""
    what = "pair" if law.table is None else "transition"
    if law.n_unseen:
        number = counted(law.n_unseen, f"possible {what}")
        words = f"Where the reward is not known ({number}), it is {law.unseen}."
    else:
        words = "The reward of everything that is held possible is known."
    unseen = Assumption("unseen reward", law.unseen, words)
    return Assumption("reward", law.kind, f"The reward is {law.words}."), unseen


def prior_assumption(prior: float | npt.ArrayLike) -> Assumption:
    """Return what is believed before the log."""
    if not isinstance(prior, int | float):
        words = "Before the log, next states have the Dirichlet concentrations that were given."
        return Assumption("prior", "Dirichlet, given", words)
    meaning = (
        "every distribution of the next state is equally credible"
        if prior == 1.0
        else f"each possible next state counts as if it had been seen {prior:g} times"
    )
    words = f"Before the log, {meaning}; pairs of state and action are independent."
    return Assumption("prior", f"Dirichlet({prior:g})", words)


def states_assumption(log: Log) -> Assumption:
    """Return which states there are, and that they say all that matters."""
    n_states, n_actions = log.batch.n_states, log.batch.n_actions
    value = f"{counted(n_states, 'state')}, {counted(n_actions, 'action')}"
    added = f" {END} was added where the process ends." if END in log.labels.states else ""
    words = (
        "There are no other states and actions than these, and what happens next depends on the "
        f"present state and action only, not on the past or on when it is.{added}"
    )
    return Assumption("states", value, words)
