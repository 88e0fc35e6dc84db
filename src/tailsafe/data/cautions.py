"""What to know of a log before acting on what it says, in plain words."""

from dataclasses import dataclass

import numpy as np

from tailsafe.data.assumptions import reward_assumptions
from tailsafe.data.labels import listed
from tailsafe.data.log import Log, episode_lengths
from tailsafe.data.rewards import RewardLaw
from tailsafe.data.words import counted
from tailsafe.posterior import Dirichlet
from tailsafe.problem import Problem

SHORT = 0.1
"""Episodes are short if more than this share of the discounted future lies beyond them."""


@dataclass(frozen=True, slots=True)
class Caution:
    """One thing to know before acting; the codes are those of selection.json."""

    code: str
    words: str


def cautions(log: Log, problem: Problem, law: RewardLaw) -> tuple[Caution, ...]:
    """Return the warnings that a log and a problem give rise to, most serious first."""
    found = [Caution("data", words) for words in (*log.warnings, *law.warnings)]
    found += _unseen_reward(law) + _flat_prior(problem) + _unseen_states(log, problem)
    return (*found, *_short_episodes(problem))


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
