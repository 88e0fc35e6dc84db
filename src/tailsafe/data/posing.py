"""From a log to a problem, with everything that is assumed on the way in plain words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from tailsafe.data.assumptions import (
    Assumption,
    Caution,
    cautions,
    discount_assumption,
    prior_assumption,
    reward_assumptions,
    states_assumption,
)
from tailsafe.data.behaviours import BehaviourSource, behaviour_of
from tailsafe.data.ends import initial_distribution, terminal_states
from tailsafe.data.log import Log
from tailsafe.data.rewards import RewardLaw, RewardSource, logged_by, reward_law
from tailsafe.data.supports import SupportSource, support_of
from tailsafe.errors import InvalidData
from tailsafe.known import absorbing
from tailsafe.posterior import Dirichlet
from tailsafe.problem import Problem
from tailsafe.task import Task


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """What has to be known besides the log.

    Parameters
    ----------
    discount
        What a reward one step later is worth, in [0, 1]; 1 asks for terminal states.
    prior
        Dirichlet concentration before the log: one number, or arrays as ``Dirichlet.from_batch``
        takes them.
    support
        Which next states are possible: "all", "seen" (in the log; anything after pairs never
        tried), a file with the columns state, action, next_state, a Table, or a mask[s, a, t].
    reward
        "log", "mean", a file, an array, or a function of three labels: see ``reward_law``.
    unseen_reward
        What is paid where the source of rewards says nothing; by default the lowest reward seen.
    terminal
        Labels of the states that end an episode; by default those that end one in the log.
    initial
        The probability of each first state, by label or as mu[s]; by default as in the log.
    behaviour
        The policy that made the log, if it is known: a Policy or a file; by default as the log's
        probabilities say, if it has any, else estimated.
    """

    discount: float
    prior: float | npt.ArrayLike = 1.0
    support: SupportSource = "all"
    reward: RewardSource = "log"
    unseen_reward: float | None = None
    terminal: Sequence[str] | None = None
    initial: Mapping[str, float] | npt.ArrayLike | None = None
    behaviour: BehaviourSource = None


@dataclass(frozen=True, slots=True, eq=False)
class Posed:
    """The problem that a log and a setting pose.

    Parameters
    ----------
    log, setting, problem
        What was read, what was said besides, and what a solver sees.
    reward
        Where the reward comes from.
    behaviour
        Where the behaviour policy comes from.
    assumptions
        Everything that the answer rests on.
    warnings
        What to know before acting.
    """

    log: Log
    setting: Setting
    problem: Problem
    reward: RewardLaw
    behaviour: Assumption
    assumptions: tuple[Assumption, ...]
    warnings: tuple[Caution, ...]


def pose(log: Log, setting: Setting) -> Posed:
    """Return the problem, and what it assumes."""
    batch = log.batch
    if len(batch) == 0:
        raise InvalidData(f"{log.source} shows no transition")
    terminal, ends = terminal_states(log, setting.terminal)
    support, possible = support_of(log, setting.support, terminal)
    known = absorbing(np.nonzero(terminal)[0], batch.n_actions)
    posterior = Dirichlet.from_batch(batch, setting.prior, support, known)
    law = reward_law(log, posterior.table, terminal, setting.reward, setting.unseen_reward)
    initial, starts = initial_distribution(log, setting.initial)
    task = Task(law.value, initial, setting.discount, terminal, reward_table=law.table)
    policy, behaviour = behaviour_of(log, task, setting.behaviour)
    paid = batch if law.kind != "table" else replace(batch, reward=logged_by(law, batch))
    problem = Problem(task, paid, posterior, policy)
    before = (
        discount_assumption(task.discount),
        *reward_assumptions(law),
        prior_assumption(setting.prior),
    )
    assumptions = (*before, possible, starts, ends, behaviour, states_assumption(log))
    warnings = cautions(log, problem, law)
    return Posed(log, setting, problem, law, behaviour, assumptions, warnings)
