"""New deterministic policies from good ones: each state takes after one of two parents."""

from collections.abc import Sequence

import numpy as np

from tailsafe.policy import Policy
from tailsafe.problem import Problem
from tailsafe.solvers.ascent import Judge, best_of, usable


def best_child(
    judge: Judge, parents: Sequence[Policy], children: int, rng: np.random.Generator
) -> Policy:
    """Return the best of some crossings of deterministic policies, or the first parent.

    Parameters
    ----------
    judge
        Says which is best.
    parents
        At least one; two at random make a child, each deciding about half of the states.
    children
        How many are made.
    rng
        Who decides what.
    """
    actions = np.stack([parent.actions for parent in parents])
    states, crossed = np.arange(actions.shape[1]), [parents[0]]
    for _ in range(children):
        pair = rng.integers(len(parents), size=2)
        deciding = pair[rng.integers(2, size=len(states))]
        crossed.append(Policy.from_actions(actions[deciding, states], parents[0].n_actions))
    return best_of(judge, usable(judge.problem, distinct(crossed))).policy


def rounded(problem: Problem, policy: Policy) -> Policy:
    """Return the policy that takes the most probable action."""
    allowed = problem.task.admissible | problem.task.terminal[:, None]
    probable = np.where(allowed, policy.probs, -1.0).argmax(axis=1)
    return Policy.from_actions(probable, policy.n_actions)


def distinct(policies: Sequence[Policy]) -> list[Policy]:
    """Return each policy once, first come first."""
    return list(dict.fromkeys(policies))
