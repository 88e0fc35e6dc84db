"""Garnet: random problems of a given size and branching.

T. W. Archibald, K. I. M. McKinnon, L. C. Thomas. On the generation of Markov decision processes.
Journal of the Operational Research Society 46(3), 1995; S. Bhatnagar et al. Natural actor-critic
algorithms. Automatica 45(11), 2009. Each pair has the same number of different next states; their
probabilities are the lengths of the pieces that uniform cuts leave of [0, 1].
"""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from tailsafe.arrays import FloatArray, IntArray, check_count
from tailsafe.domains.domain import Domain, start_in
from tailsafe.domains.draws import uniforms
from tailsafe.errors import InvalidData
from tailsafe.mdp import MDP
from tailsafe.table import Table
from tailsafe.task import Task

SUCCESSORS, CUTS, REWARDS, SPARSITY = range(4)

RewardKind: TypeAlias = Callable[[int, int, int], FloatArray]
"""What draws the rewards of (seed, n_states, n_actions); to add one, write such a function."""


def pair_rewards(seed: int, n_states: int, n_actions: int) -> FloatArray:
    """Return R[s, a] ~ U(0, 1)."""
    return uniforms(seed, REWARDS, (n_states, n_actions))


def transition_rewards(seed: int, n_states: int, n_actions: int) -> FloatArray:
    """Return R[s, a, t] ~ U(0, 1), possible transition or not."""
    return uniforms(seed, REWARDS, (n_states, n_actions, n_states))


def sparse_rewards(seed: int, n_states: int, n_actions: int) -> FloatArray:
    """Return R[s, a, t]: one in ten ~ U(0, 10), the others 0."""
    shape = (n_states, n_actions, n_states)
    return np.where(
        uniforms(seed, SPARSITY, shape) < 0.1, 10.0 * uniforms(seed, REWARDS, shape), 0.0
    )


def garnet(
    n_states: int,
    n_actions: int,
    n_successors: int,
    seed: int,
    rewards: RewardKind = pair_rewards,
    discount: float = 0.9,
) -> Domain:
    """Return the random problem of a seed, started in state 0.

    Parameters
    ----------
    n_successors
        The branching: how many next states each pair has.
    rewards
        ``pair_rewards``, ``transition_rewards``, ``sparse_rewards`` or your own.
    """
    for count, name in (
        (n_states, "n_states"),
        (n_actions, "n_actions"),
        (n_successors, "n_successors"),
    ):
        check_count(count, name)
    if n_successors > n_states:
        raise InvalidData(f"n_successors is {n_successors}, but n_states is {n_states}")
    reward = rewards(seed, n_states, n_actions)
    task = Task(reward=reward, initial=start_in(0, n_states), discount=discount)
    n_rows = n_states * n_actions
    indptr = np.arange(n_rows + 1) * n_successors
    table = Table(n_states, n_actions, indptr, _successors(seed, n_rows, n_states, n_successors))
    name = f"garnet({n_states}, {n_actions}, {n_successors}, seed {seed})"
    truth = MDP(task, table, _pieces(seed, n_rows, n_successors).ravel())
    return Domain(name, task, truth, "Archibald et al. 1995; Bhatnagar et al. 2009")


def _successors(seed: int, n_rows: int, n_states: int, n_successors: int) -> IntArray:
    # The states with the smallest of n_states random numbers are a uniform choice without
    # replacement.
    drawn = uniforms(seed, SUCCESSORS, (n_rows, n_states))
    chosen = np.argsort(drawn, axis=1, kind="stable")[:, :n_successors]
    flat: IntArray = np.sort(chosen, axis=1).ravel()
    return flat


def _pieces(seed: int, n_rows: int, n_successors: int) -> FloatArray:
    cuts = np.sort(uniforms(seed, CUTS, (n_rows, n_successors - 1)), axis=1)
    return np.diff(cuts, axis=1, prepend=0.0, append=1.0)
