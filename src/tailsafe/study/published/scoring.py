"""How the published program feeds and scores stochastic policies.

SPIBB and BOPAH get the plain mean of R over next states as reward (``mean_reward``), whatever their
probabilities; and their policies are worth what they are on the lazy chain (I + P_pi) / 2
(``lazy_performance``), on which everything takes twice as long.
"""

import numpy as np

from tailsafe.arrays import FloatArray
from tailsafe.mdp import MDP
from tailsafe.policy import Policy
from tailsafe.problem import Problem
from tailsafe.task import Task


def mean_reward(reward: FloatArray) -> FloatArray:
    """Return the unweighted mean of R[s, a, t] over t."""
    mean: FloatArray = reward if reward.ndim == 2 else reward.mean(axis=2)
    return mean


def with_mean_reward(problem: Problem) -> Problem:
    """Return the problem with the reward that the program hands to SPIBB and BOPAH."""
    task = problem.task
    plain = Task(mean_reward(task.reward), task.initial, task.discount)
    return Problem(plain, problem.batch, problem.posterior, problem.behaviour)


def lazy_performance(mdp: MDP, policy: Policy) -> float:
    """Return mu (I - g (I + P_pi) / 2)^-1 r_pi: half of all steps stay where they are."""
    T, task = mdp.transition, mdp.task
    reward = task.expected_reward(mdp.table, mdp.probability)
    flow = np.einsum("sa,sat->st", policy.probs, T)
    r = (policy.probs * reward).sum(axis=1)
    identity = np.eye(task.n_states)
    V = np.linalg.solve(identity - task.discount * (identity + flow) / 2.0, r)
    return float(task.initial @ V)
