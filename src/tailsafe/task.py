"""What is known for certain: reward, start, discount, where episodes end, what may be done."""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from tailsafe.arrays import (
    BoolArray,
    FloatArray,
    as_distributions,
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


def _not_given(value: object) -> bool:
    return value is None or (isinstance(value, np.ndarray) and value.size == 0)


def _absent() -> BoolArray:
    return np.zeros(0, bool)


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """The known part of a decision problem.

    Terminal states have value 0: they are never left and never pay, whatever a model says.

    Parameters
    ----------
    reward
        R[s, a], R[s, a, t], or one number for each entry of ``reward_table``.
    initial
        Distribution of the first state, mu[s].
    discount
        In [0, 1); or 1, which asks for terminal states.
    terminal
        Where episodes end: a mask[s] or a list of states; none by default.
    admissible
        mask[s, a] of the actions that may be taken; all by default.
    reward_table
        The transitions that a reward per entry speaks of.
    """

    reward: FloatArray
    initial: FloatArray
    discount: float
    terminal: BoolArray = field(default_factory=_absent)
    admissible: BoolArray = field(default_factory=_absent)
    reward_table: Table | None = None
    notes: tuple[str, ...] = field(default=(), init=False)

    def __post_init__(self) -> None:
        if self.reward_table is not None:
            check_type(self.reward_table, Table, "reward_table")
        reward = frozen_floats(self.reward, "reward")
        initial = frozen_floats(self.initial, "initial")
        if initial.ndim != 1 or len(initial) == 0:
            raise InvalidData(f"initial has shape {initial.shape}, expected (S,)")
        initial, notes = as_distributions(initial, "initial")
        _check_reward(reward, len(initial), self.reward_table)
        for name, value in (("reward", reward), ("initial", initial), ("notes", notes)):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "terminal", _terminal_mask(self.terminal, len(initial)))
        object.__setattr__(self, "admissible", self._admissible_mask())
        object.__setattr__(self, "discount", _checked_discount(self.discount, self.terminal))

    def _admissible_mask(self) -> BoolArray:
        shape = (self.n_states, self.n_actions)
        if _not_given(self.admissible):
            return frozen_bools(np.ones(shape, bool), "admissible")
        mask = frozen_bools(self.admissible, "admissible")
        check_shape(mask, shape, "admissible")
        stuck = ~mask.any(axis=1) & ~self.terminal
        if stuck.any():
            raise InvalidData(f"admissible allows no action in state {first_index(stuck)[0]}")
        return mask

    @property
    def n_states(self) -> int:
        """The number of states."""
        return len(self.initial)

    @property
    def n_actions(self) -> int:
        """The number of actions."""
        if self.reward_table is not None:
            return self.reward_table.n_actions
        return int(self.reward.shape[1])

    def entry_reward(self, table: Table) -> FloatArray:
        """Return the reward of each possible transition, R[e]."""
        check_shape(
            np.empty((table.n_states, table.n_actions)), (self.n_states, self.n_actions), "table"
        )
        if self.reward_table is not None:
            return self._looked_up_reward(table, self.reward_table)
        if self.reward.ndim == 2:
            return self.reward.ravel()[table.row_of_entry]
        return table.entries(self.reward)

    def _looked_up_reward(self, table: Table, known: Table) -> FloatArray:
        if known.equals(table):
            return self.reward
        rows = table.row_of_entry
        at = known.lookup(rows, table.successor)
        unknown = (at < 0) & ~self.terminal[rows // self.n_actions]
        if unknown.any():
            entry = first_index(unknown)[0]
            state, action = divmod(int(rows[entry]), self.n_actions)
            raise InvalidData(
                f"no reward is given for state {state}, action {action}, next state "
                f"{table.successor[entry]}, which the model holds possible "
                f"({int(unknown.sum())} such transitions)"
            )
        return np.where(at < 0, 0.0, self.reward[at])

    def expected_reward(self, table: Table, probability: FloatArray) -> FloatArray:
        """Return r[..., s, a] under the models probability[..., e]; 0 in terminal states."""
        reward = table.sum_rows(probability * self.entry_reward(table))
        reward[..., self.terminal, :] = 0.0
        return reward


def _check_reward(reward: FloatArray, n_states: int, table: Table | None) -> None:
    if table is not None:
        check_shape(reward, (table.n_entries,), "reward, one per entry of reward_table,")
        check_shape(np.empty(n_states), (table.n_states,), "initial")
    elif reward.ndim not in (2, 3) or 0 in reward.shape:
        hint = "; one reward per entry needs reward_table" if reward.ndim == 1 else ""
        raise InvalidData(f"reward has shape {reward.shape}, expected (S, A) or (S, A, S){hint}")
    else:
        successors = (n_states,) * (reward.ndim - 2)
        check_shape(reward, (n_states, reward.shape[1], *successors), "reward")


def _terminal_mask(terminal: npt.ArrayLike | None, n_states: int) -> BoolArray:
    given: npt.ArrayLike = [] if terminal is None else terminal
    states = frozen_ints(given, "terminal")
    if np.asarray(given).dtype == np.bool_ and states.size:
        check_shape(states, (n_states,), "terminal")
        return frozen_bools(given, "terminal")
    check_range(states, n_states, "terminal", "n_states")
    mask = np.zeros(n_states, bool)
    mask[states] = True
    return frozen_bools(mask, "terminal")


def _checked_discount(discount: float, terminal: BoolArray) -> float:
    given = frozen_floats(discount, "discount")
    check_shape(given, (), "discount")
    value = float(given)
    if not 0.0 <= value <= 1.0:
        raise InvalidData(f"discount must be in [0, 1], got {value}")
    if value == 1.0 and not terminal.any():
        raise InvalidData(
            "discount 1 needs terminal states: without an end, values are infinite; name the "
            "states that end an episode (terminal), or take a discount below 1"
        )
    return value
