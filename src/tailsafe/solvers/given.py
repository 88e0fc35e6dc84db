"""A policy from elsewhere, in whatever form: judged with the same care as all others.

Understood are a ``Policy``; an array of actions[s] or probabilities[s, a]; a mapping from states to
actions or probabilities; a callable state -> action or probabilities; and an object with a method
``predict`` (scikit-learn, d3rlpy, Stable-Baselines3), which is asked for all states at once.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tailsafe.arrays import FloatArray, IntArray, first_index
from tailsafe.engine import Engine
from tailsafe.errors import InvalidData
from tailsafe.policy import Policy, check_admissible
from tailsafe.problem import Problem


@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """The user's own policy.

    Parameters
    ----------
    policy
        In any of the forms above; terminal states need no entry.
    name
        What it is called in tables.
    observe
        How ``predict`` sees the states[n]: as a column [n, 1] by default.
    """

    policy: object
    name: str = "Given"
    observe: Callable[[IntArray], npt.ArrayLike] | None = None

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        del seed, engine
        chosen = self.policy
        if not isinstance(chosen, Policy):
            chosen = self._read(problem)
        check_admissible(chosen, problem.task.admissible, problem.task.terminal)
        return chosen

    def _read(self, problem: Problem) -> Policy:
        alive = np.nonzero(~problem.task.terminal)[0]
        answers = self._answers(alive, problem.n_states)
        probs = Policy.uniform(problem.n_states, problem.n_actions, problem.task.admissible).probs
        probs = probs.copy()
        probs[alive] = [
            _distribution(answer, int(state), problem.n_actions)
            for state, answer in zip(alive, answers, strict=True)
        ]
        return Policy(probs)

    def _answers(self, states: IntArray, n_states: int) -> list[object]:
        """Return what the policy says of each of these states."""
        given = self.policy
        predict = getattr(given, "predict", None)
        if callable(predict):
            observed = states[:, None] if self.observe is None else self.observe(states)
            answer = predict(observed)
            # Stable-Baselines3 answers with (actions, hidden state).
            actions = answer[0] if isinstance(answer, tuple) and len(answer) == 2 else answer
            return _rows(actions, len(states), "predict gave")
        if isinstance(given, Mapping):
            absent = np.array([s not in given for s in states.tolist()], bool)
            if absent.any():
                raise InvalidData(
                    f"the policy says nothing about state {states[first_index(absent)]} "
                    f"({int(absent.sum())} such states)"
                )
            return [given[s] for s in states.tolist()]
        if callable(given):
            return [given(s) for s in states.tolist()]
        rows = _rows(given, n_states, "the policy has")
        return [rows[s] for s in states]


def _rows(values: object, count: int, what: str) -> list[object]:
    array = np.asarray(values)
    if array.ndim not in (1, 2) or len(array) != count:
        raise InvalidData(
            f"{what} shape {array.shape}, expected ({count},) actions or ({count}, A) probabilities"
        )
    return list(array)


def _distribution(answer: object, state: int, n_actions: int) -> FloatArray:
    """Return probabilities[a] from an action or from probabilities."""
    try:
        values = np.asarray(answer, np.float64).ravel()
    except (TypeError, ValueError):
        raise InvalidData(
            f"state {state}: {answer!r} is neither an action nor probabilities"
        ) from None
    if len(values) == n_actions and n_actions > 1:
        return values
    if len(values) != 1:
        raise InvalidData(
            f"state {state}: {len(values)} probabilities were given for {n_actions} actions"
        )
    action = values[0]
    if action != np.floor(action) or not 0 <= action < n_actions:
        raise InvalidData(f"state {state}: action {action:g}, but n_actions is {n_actions}")
    chosen: FloatArray = np.eye(n_actions)[int(action)]
    return chosen
