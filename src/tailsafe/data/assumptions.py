"""What an answer rests on, and what to know of it before acting, in plain words."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tailsafe.data.labels import END, listed
from tailsafe.data.log import Log, episode_lengths
from tailsafe.data.rewards import RewardLaw
from tailsafe.data.words import counted
from tailsafe.posterior import Dirichlet
from tailsafe.problem import Problem

SHORT = 0.1
"""Episodes are short if more than this share of the discounted future lies beyond them."""


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


@dataclass(frozen=True, slots=True)
class Caution:
    """One thing to know before acting; the codes are those of selection.json."""

    code: str
    words: str


def cautions(log: Log, problem: Problem, law: RewardLaw) -> tuple[Caution, ...]:
    """Return the warnings that a log and a problem give rise to, most serious first."""
    found = [Caution("data", words) for words in (*log.warnings, *law.warnings)]
    found += _unseen_reward(law) + _flat_prior(problem) + _open_ends(log, problem)
    return (*found, *_unseen_states(log, problem), *_short_episodes(problem))


def _unseen_reward(law: RewardLaw) -> list[Caution]:
    if not law.n_unseen:
        return []
    return [Caution("unseen reward", reward_assumptions(law)[1].words)]


def _flat_prior(problem: Problem) -> list[Caution]:
    """Return a warning if the prior outweighs the log where the log has something to say."""
    posterior = problem.posterior
    if not isinstance(posterior, Dirichlet):
        return []
    tried = np.bincount(problem.batch.row, minlength=posterior.table.n_rows)
    seen = (tried > 0) & ~posterior.known
    total = posterior.table.sum_rows(posterior.concentration).ravel()
    prior = float((total - tried)[seen].mean()) if seen.any() else 0.0
    visits = float(tried[seen].mean()) if seen.any() else 0.0
    if prior <= visits:
        return []
    words = (
        f"The prior outweighs the log: it counts as {prior:.3g} transitions from each pair of "
        f"state and action, the log shows {visits:.3g} from those that were tried. A smaller "
        "support or a smaller prior lets the log speak."
    )
    return [Caution("flat prior", words)]


def _open_ends(log: Log, problem: Problem) -> list[Caution]:
    """Return a warning of states that look like ends, but are not said to be."""
    batch = problem.batch
    entered = np.bincount(batch.next_state, minlength=batch.n_states)
    entered[batch.state] = entered[problem.task.terminal] = 0
    if not entered.any():
        return []
    names = [log.labels.states[s] for s in np.nonzero(entered)[0]]
    words = (
        f"The log enters {counted(len(names), 'state')} ({listed(names)}) and never shows what "
        f"follows there ({counted(int(entered.sum()), 'time')}): the prior decides. If the process "
        "ends there, name them as terminal states (--terminal), or mark the rows that end with a "
        "column 'terminated'."
    )
    return [Caution("open ends", words)]


def _unseen_states(log: Log, problem: Problem) -> list[Caution]:
    batch = problem.batch
    unseen = np.ones(batch.n_states, bool)
    unseen[batch.state] = unseen[batch.next_state] = False
    if not unseen.any():
        return []
    names = [log.labels.states[s] for s in np.nonzero(unseen)[0]]
    words = f"The log never shows {counted(len(names), 'state')} ({listed(names)})."
    return [Caution("unseen states", words)]


def _short_episodes(problem: Problem) -> list[Caution]:
    batch, discount = problem.batch, problem.task.discount
    longest = int(episode_lengths(batch).max())
    if batch.terminated.any() or discount**longest <= SHORT:
        return []
    words = (
        f"No episode terminates and the longest has {counted(longest, 'step')}, but "
        f"{discount**longest:.0%} of the discounted future lies beyond that: the answer relies on "
        "states and actions mattering later as they do early."
    )
    return [Caution("short episodes", words)]
