"""The same model with another reward, or with pairs that end at once: how pessimism is planned.

Methods that lower the reward of doubtful pairs, or replace what follows them by a fixed value, are
exact planning on an altered model; nothing else of them needs code.
"""

from dataclasses import replace

import numpy as np

from tailsafe.arrays import BoolArray, FloatArray
from tailsafe.errors import NotSupported
from tailsafe.mdp import MDP
from tailsafe.policy import Policy
from tailsafe.problem import Problem
from tailsafe.solvers.bcr import used_pairs
from tailsafe.solvers.model import Model, model_of
from tailsafe.solvers.planning import optimal
from tailsafe.table import Table


def altered(mdp: MDP, reward: FloatArray, ends: BoolArray | None = None) -> Model:
    """Return the model with the expected reward r[s, a], in which pairs of a mask[s, a] end.

    Such a pair is worth its reward and nothing more.
    """
    task, probability = mdp.task, mdp.probability
    if ends is not None:
        probability = probability * ~ends.ravel()[mdp.table.row_of_entry]
    model = model_of(MDP(task, mdp.table, probability), task.discount)
    return replace(model, reward=np.where(task.terminal[:, None], 0.0, reward))


def best_policy(model: Model) -> Policy:
    """Return the optimal policy of a model."""
    return Policy.from_actions(optimal(model)[0], model.n_actions)


def possible(mdp: MDP) -> MDP:
    """Return the model without the transitions of probability 0: whether it ends is then exact."""
    kept = mdp.probability > 0.0
    return MDP(mdp.task, restricted(mdp.table, kept), mdp.probability[kept])


def restricted(table: Table, kept: BoolArray) -> Table:
    """Return the table of the entries that a mask[e] marks."""
    rows = np.bincount(table.row_of_entry[kept], minlength=table.n_rows)
    indptr = np.concatenate([[0], np.cumsum(rows)])
    return Table(table.n_states, table.n_actions, indptr, table.successor[kept])


def reward_range(problem: Problem) -> tuple[float, float]:
    """Return the smallest and the largest reward of transitions that some policy may make."""
    table = problem.posterior.table
    used = used_pairs(problem).ravel()[table.row_of_entry]
    reward = problem.task.entry_reward(table)[used]
    return float(reward.min(initial=np.inf)), float(reward.max(initial=-np.inf))


def forever(reward: float, discount: float) -> float:
    """Return what a reward at each step is worth, reward / (1 - discount)."""
    if discount == 1.0:
        raise NotSupported(
            "the method gives doubtful pairs the worst value there is, which is not finite at "
            "discount 1: use a discount below 1"
        )
    return reward / (1.0 - discount)
