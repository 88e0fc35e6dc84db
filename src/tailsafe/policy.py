"""A policy: the probability of each action in each state. There is no other encoding."""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from tailsafe.arrays import (
    BoolArray,
    FloatArray,
    IntArray,
    as_distributions,
    check_count,
    check_range,
    check_shape,
    check_type,
    frozen_bools,
    frozen_floats,
    frozen_ints,
)
from tailsafe.errors import InvalidData


@dataclass(frozen=True, slots=True, eq=False)
class Policy:
    """A stationary stochastic policy pi[s, a], compared and hashed by content.

    Parameters
    ----------
    probs
        Action probabilities; a deterministic policy is one-hot.
    """

    probs: FloatArray
    notes: tuple[str, ...] = field(default=(), init=False)

    def __post_init__(self) -> None:
        probs = frozen_floats(self.probs, "policy")
        if probs.ndim != 2 or 0 in probs.shape:
            raise InvalidData(f"policy has shape {probs.shape}, expected (S, A)")
        # Adding zero turns -0.0 into 0.0, which would compare equal but hash otherwise.
        probs, notes = as_distributions(probs + 0.0, "policy")
        probs.flags.writeable = False
        object.__setattr__(self, "probs", probs)
        object.__setattr__(self, "notes", notes)

    @classmethod
    def from_actions(cls, actions: npt.ArrayLike, n_actions: int) -> "Policy":
        """Return the deterministic policy that takes actions[s]."""
        check_count(n_actions, "n_actions")
        chosen = frozen_ints(actions, "actions")
        if chosen.ndim != 1:
            raise InvalidData(f"actions have shape {chosen.shape}, expected (S,)")
        check_range(chosen, n_actions, "actions", "n_actions")
        return cls(np.eye(n_actions)[chosen])

    @classmethod
    def uniform(
        cls, n_states: int, n_actions: int, admissible: BoolArray | None = None
    ) -> "Policy":
        """Return the policy that takes every admissible action equally often."""
        check_count(n_states, "n_states")
        check_count(n_actions, "n_actions")
        mask = np.ones((n_states, n_actions), bool) if admissible is None else admissible
        allowed = frozen_bools(mask, "admissible") * 1.0
        check_shape(allowed, (n_states, n_actions), "admissible")
        # Terminal states may admit nothing; their row is never used.
        allowed[allowed.sum(axis=1) == 0.0] = 1.0
        return cls(allowed / allowed.sum(axis=1, keepdims=True))

    @property
    def n_states(self) -> int:
        """The number of states."""
        return int(self.probs.shape[0])

    @property
    def n_actions(self) -> int:
        """The number of actions."""
        return int(self.probs.shape[1])

    @property
    def deterministic(self) -> bool:
        """Whether every state has one action of probability 1."""
        return bool((self.probs.max(axis=1) == 1.0).all())

    @property
    def actions(self) -> IntArray:
        """The action taken in each state; only a deterministic policy has them."""
        if not self.deterministic:
            state = int(np.argmax(self.probs.max(axis=1) < 1.0))
            raise InvalidData(f"the policy is stochastic in state {state}: {self.probs[state]}")
        actions: IntArray = self.probs.argmax(axis=1)
        return actions

    def __eq__(self, other: object) -> bool:
        """Return whether both give the same probabilities, bit for bit."""
        if not isinstance(other, Policy):
            return NotImplemented
        return np.array_equal(self.probs, other.probs)

    def __hash__(self) -> int:
        """Return a hash of the probabilities."""
        return hash((self.probs.shape, self.probs.tobytes()))

    def __repr__(self) -> str:
        """Return the actions, or the probabilities of a stochastic policy."""
        if self.deterministic:
            return f"Policy.from_actions({self.actions.tolist()}, {self.n_actions})"
        return f"Policy({self.n_states} states, {self.n_actions} actions, stochastic)"


def check_admissible(policy: Policy, admissible: BoolArray, terminal: BoolArray) -> None:
    """Raise InvalidData if the policy has the wrong size or takes an action it must not."""
    check_type(policy, Policy, "policy")
    if policy.probs.shape != admissible.shape:
        raise InvalidData(f"policy has shape {policy.probs.shape}, expected {admissible.shape}")
    wrong = (policy.probs > 0.0) & ~admissible & ~terminal[:, None]
    if wrong.any():
        state, action = (int(i[0]) for i in np.nonzero(wrong))
        raise InvalidData(
            f"policy[{state}, {action}] is {policy.probs[state, action]:.6g}, "
            f"but action {action} is not admissible in state {state}"
        )
