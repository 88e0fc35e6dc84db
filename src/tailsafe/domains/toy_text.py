"""Gymnasium's toy text: environments that publish their transitions (extra ``gymnasium``).

`env.unwrapped.P[s][a]` lists (probability, next state, reward, whether the episode ends). A next
state may be listed more than once: probabilities add up, and the reward of the transition is

    R(s, a, t) = sum of p r / sum of p        over the listings of t
"""

from typing import NamedTuple, Protocol, TypeAlias, cast

import numpy as np

from tailsafe.arrays import BoolArray, FloatArray, IntArray, check_type, first_index
from tailsafe.domains.domain import Domain
from tailsafe.errors import InvalidData, MissingDependency, NotSupported
from tailsafe.mdp import MDP
from tailsafe.table import Table
from tailsafe.task import Task

Published: TypeAlias = dict[int, dict[int, list[tuple[float, int, float, bool]]]]


class Environment(Protocol):
    """What is needed of a Gymnasium environment."""

    @property
    def unwrapped(self) -> object:
        """The environment itself, without wrappers."""


def toy_text(name: str, discount: float = 0.99) -> Domain:
    """Return the domain of a registered environment, such as ``"Taxi-v4"``."""
    check_type(name, str, "name")
    try:
        import gymnasium
    except ImportError:
        raise MissingDependency(
            "toy text needs Gymnasium: install tailsafe with its extra `gymnasium`"
        ) from None
    try:
        environment = gymnasium.make(name)
    except gymnasium.error.Error as error:
        raise InvalidData(f"Gymnasium does not make {name!r}: {error}") from None
    return from_gymnasium(environment, discount, name)


def from_gymnasium(
    environment: Environment, discount: float = 0.99, name: str = "toy text"
) -> Domain:
    """Return the domain of an environment that publishes its transitions.

    The reward is known for the transitions that are listed, and for no others: a posterior needs
    a support within them, as ``support=domain.truth.table``.

    Parameters
    ----------
    environment
        With ``unwrapped.P`` and ``unwrapped.initial_state_distrib``.
    discount
        Which Gymnasium leaves open.
    name
        For tables and figures.
    """
    listed = _listings(_published(environment, "P", name))
    initial = np.asarray(_published(environment, "initial_state_distrib", name), np.float64)
    terminal = _terminal(listed, initial)
    table, probability, reward = _accumulated(_absorbed(listed, terminal), len(initial))
    task = Task(reward, initial, discount, terminal, reward_table=table)
    return Domain(name, task, MDP(task, table, probability), "Gymnasium, toy text")


class Listings(NamedTuple):
    """All listed transitions, as columns."""

    state: IntArray
    action: IntArray
    probability: FloatArray
    next_state: IntArray
    reward: FloatArray
    ends: BoolArray


def _published(environment: Environment, what: str, name: str) -> object:
    value = getattr(getattr(environment, "unwrapped", None), what, None)
    if value is None:
        raise NotSupported(
            f"{name} does not publish its transitions (unwrapped.{what} is missing): record "
            "episodes of it and make a Batch of them instead"
        )
    return value


def _listings(published: object) -> Listings:
    """Return the published lists as columns, without those of probability 0."""
    lists = cast(Published, published)
    columns = [
        (s, a, p, t, r, end)
        for s, actions in lists.items()
        for a, outcomes in actions.items()
        for p, t, r, end in outcomes
        if p > 0.0
    ]
    state, action, probability, next_state, reward, ends = map(np.array, zip(*columns, strict=True))
    return Listings(state, action, probability, next_state, reward.astype(np.float64), ends)


def _terminal(listed: Listings, initial: FloatArray) -> BoolArray:
    """Return mask[s] of the states that end an episode; each way that leads there must do so."""
    terminal = np.zeros(len(initial), bool)
    terminal[listed.next_state[listed.ends]] = True
    # Taxi lists ways into its ends that do not end, from states that no episode can be in.
    followed = _reached(listed, terminal, initial > 0.0)[listed.state] & ~terminal[listed.state]
    going_on = followed & terminal[listed.next_state] & ~listed.ends
    if going_on.any():
        i = first_index(going_on)[0]
        raise NotSupported(
            f"state {listed.next_state[i]} ends some episodes, but not those that come from state "
            f"{listed.state[i]} by action {listed.action[i]}: give it two states instead"
        )
    return terminal


def _reached(listed: Listings, terminal: BoolArray, start: BoolArray) -> BoolArray:
    reached = start
    while True:
        followed = reached[listed.state] & ~terminal[listed.state]
        more = reached.copy()
        more[listed.next_state[followed]] = True
        if (more == reached).all():
            return reached
        reached = more


def _absorbed(listed: Listings, terminal: BoolArray) -> Listings:
    """Return the listings with terminal states that lead to themselves and pay nothing."""
    kept = ~terminal[listed.state]
    ends, actions = np.nonzero(terminal)[0], np.unique(listed.action)
    state, action = (grid.ravel() for grid in np.meshgrid(ends, actions, indexing="ij"))
    staying = Listings(
        state, action, np.ones(len(state)), state, np.zeros(len(state)), np.ones(len(state), bool)
    )
    return Listings(
        *(np.concatenate([old[kept], new]) for old, new in zip(listed, staying, strict=True))
    )


def _accumulated(listed: Listings, n_states: int) -> tuple[Table, FloatArray, FloatArray]:
    """Return the table of all listed transitions, their probabilities and mean rewards."""
    n_actions = int(listed.action.max()) + 1
    row = listed.state * n_actions + listed.action
    keys, entry = np.unique(row * n_states + listed.next_state, return_inverse=True)
    probability, total = (
        np.bincount(entry, weights=weights).astype(np.float64)
        for weights in (listed.probability, listed.probability * listed.reward)
    )
    return Table.from_keys(n_states, n_actions, keys), probability, total / probability
