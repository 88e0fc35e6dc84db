"""A fixed log of transitions, as columns; episodes may have any length."""

from dataclasses import dataclass

import numpy as np

from tailsafe.arrays import (
    BoolArray,
    FloatArray,
    IntArray,
    check_count,
    check_range,
    check_shape,
    check_type,
    first_index,
    frozen_bools,
    frozen_floats,
    frozen_ints,
)
from tailsafe.errors import InvalidData
from tailsafe.table import Table


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Transitions in the order they were recorded, one element of each column a transition.

    Parameters
    ----------
    episode
        Which episode; the transitions of an episode stand together, in time order.
    state, action, reward, next_state
        What was seen, done, received, and seen next.
    terminated
        Whether the process ended with this transition (an episode that was only cut is not).
    n_states, n_actions
        Sizes, seen or not.
    propensity
        The probability with which the logged action was taken, if it was recorded.
    """

    episode: IntArray
    state: IntArray
    action: IntArray
    reward: FloatArray
    next_state: IntArray
    terminated: BoolArray
    n_states: int
    n_actions: int
    propensity: FloatArray | None = None

    def __post_init__(self) -> None:
        check_count(self.n_states, "n_states")
        check_count(self.n_actions, "n_actions")
        columns: dict[str, IntArray | FloatArray | BoolArray] = {
            "episode": frozen_ints(self.episode, "episode"),
            "state": frozen_ints(self.state, "state"),
            "action": frozen_ints(self.action, "action"),
            "reward": frozen_floats(self.reward, "reward"),
            "next_state": frozen_ints(self.next_state, "next_state"),
            "terminated": frozen_bools(self.terminated, "terminated"),
        }
        if self.propensity is not None:
            columns["propensity"] = frozen_floats(self.propensity, "propensity")
        for name, column in columns.items():
            check_shape(column, (np.size(self.state),), name)
            object.__setattr__(self, name, column)
        self._check()

    def _check(self) -> None:
        check_range(self.state, self.n_states, "state", "n_states")
        check_range(self.action, self.n_actions, "action", "n_actions")
        check_range(self.next_state, self.n_states, "next_state", "n_states")
        _check_episodes(self)
        p = self.propensity
        if p is not None and ((p <= 0.0) | (p > 1.0)).any():
            at = first_index((p <= 0.0) | (p > 1.0))
            raise InvalidData(f"propensity[{at[0]}] is {p[at]}, not in (0, 1]")

    def __len__(self) -> int:
        """Return the number of transitions."""
        return len(self.state)

    @property
    def starts(self) -> IntArray:
        """The index of the first transition of each episode."""
        return _starts(self.episode)

    @property
    def n_episodes(self) -> int:
        """The number of episodes."""
        return len(self.starts)

    @property
    def truncated(self) -> BoolArray:
        """Whether recording stopped here although the process went on."""
        last = np.zeros(len(self), bool)
        last[np.append(self.starts[1:], len(self))[: self.n_episodes] - 1] = True
        return last & ~self.terminated

    @property
    def row(self) -> IntArray:
        """The (state, action) pair of each transition, as a row of a table."""
        return self.state * self.n_actions + self.action

    def counts(self) -> IntArray:
        """Return how often each transition was seen, N[s, a, t]."""
        shape = (self.n_states, self.n_actions, self.n_states)
        flat = np.bincount(
            self.row * self.n_states + self.next_state, minlength=int(np.prod(shape))
        )
        return flat.reshape(shape)

    def visits(self) -> IntArray:
        """Return how often each pair was tried, N[s, a]."""
        flat = np.bincount(self.row, minlength=self.n_states * self.n_actions)
        return flat.reshape(self.n_states, self.n_actions)

    def count_entries(self, table: Table) -> FloatArray:
        """Return how often each transition of the table was seen, N[e]; all must be in it."""
        check_type(table, Table, "table")
        if (table.n_states, table.n_actions) != (self.n_states, self.n_actions):
            raise InvalidData(
                f"the table has {table.n_states} states and {table.n_actions} actions, "
                f"the log {self.n_states} and {self.n_actions}"
            )
        entry = table.lookup(self.row, self.next_state)
        outside = entry < 0
        if outside.any():
            i = first_index(outside)[0]
            raise InvalidData(
                f"transition {i} goes from state {self.state[i]} by action {self.action[i]} to "
                f"state {self.next_state[i]}, which the support or a known row rules out "
                f"({int(outside.sum())} such transitions)"
            )
        return np.bincount(entry, minlength=table.n_entries).astype(np.float64)

    def seen(self, plus: IntArray | None = None) -> Table:
        """Return the table of the next states seen after each pair, and the states ``plus``.

        A pair that was never tried may lead anywhere.
        """
        extra = frozen_ints(np.empty(0) if plus is None else plus, "plus")
        check_range(extra, self.n_states, "plus", "n_states")
        n_rows = self.n_states * self.n_actions
        untried = np.nonzero(np.bincount(self.row, minlength=n_rows) == 0)[0]
        keys = np.unique(
            np.concatenate(
                [
                    self.row * self.n_states + self.next_state,
                    np.add.outer(np.arange(n_rows) * self.n_states, extra).ravel(),
                    np.add.outer(untried * self.n_states, np.arange(self.n_states)).ravel(),
                ]
            )
        )
        return Table.from_keys(self.n_states, self.n_actions, keys)


def _starts(episode: IntArray) -> IntArray:
    if len(episode) == 0:
        return np.empty(0, np.int64)
    return np.concatenate([[0], np.nonzero(np.diff(episode))[0] + 1])


def _check_episodes(batch: Batch) -> None:
    names = batch.episode[batch.starts]
    if len(np.unique(names)) < len(names):
        values, times = np.unique(names, return_counts=True)
        again = values[times > 1][0]
        at = batch.starts[names == again][1]
        raise InvalidData(f"episode {again} goes on at transition {at} after another episode")
    ended = np.zeros(len(batch), bool)
    ended[1:] = batch.terminated[:-1] & (np.diff(batch.episode) == 0)
    if ended.any():
        at = first_index(ended)[0]
        raise InvalidData(
            f"transition {at} follows in episode {batch.episode[at]}, which terminated before it"
        )
