"""Exact values of a policy on one given model: V = r_pi + discount P_pi V.

Always a direct solve (dense, or sparse where there are many states): a value is never taken
from an iteration that has not converged.
"""

import numpy as np

from tailsafe.arrays import FloatArray, IntArray, check_shape, check_type
from tailsafe.errors import NotSupported
from tailsafe.mdp import MDP
from tailsafe.policy import Policy, check_admissible
from tailsafe.termination import ending_states

DENSE_STATES = 2_000
"""Up to here a dense solve of one model is the faster one."""


def state_values(mdp: MDP, policy: Policy) -> FloatArray:
    """Return V[s] of the policy."""
    check_type(mdp, MDP, "mdp")
    task = mdp.task
    check_admissible(policy, task.admissible, task.terminal)
    if task.discount == 1.0 and not (ends := ending_states(mdp.table, task, policy.probs)).all():
        raise NotSupported(
            f"the policy may never end from state {int(np.argmin(ends))}; discount 1 needs "
            "certain termination: use a discount below 1"
        )
    reward = task.expected_reward(mdp.table, mdp.probability)
    return solved_values(mdp, policy.probs, reward)


def action_values(mdp: MDP, value: FloatArray) -> FloatArray:
    """Return Q[s, a] = r(s, a) + discount sum_t P(t | s, a) V[t]; 0 in terminal states."""
    task, table = mdp.task, mdp.table
    check_shape(value, (task.n_states,), "value")
    alive = np.where(task.terminal, 0.0, value)
    expected = table.sum_rows(mdp.probability * alive[table.successor])
    Q = task.expected_reward(table, mdp.probability) + task.discount * expected
    Q[task.terminal] = 0.0
    return Q


def performance(mdp: MDP, policy: Policy) -> float:
    """Return u = mu . V of the policy."""
    value = state_values(mdp, policy)
    return float(mdp.task.initial @ value)


def solved_values(mdp: MDP, probs: FloatArray, reward: FloatArray) -> FloatArray:
    """Return V[s] of pi[s, a] with the expected reward r[s, a]; nothing is checked."""
    task, table = mdp.task, mdp.table
    n, rows = table.n_states, table.row_of_entry
    weight = probs.ravel()[rows] * mdp.probability * ~task.terminal[rows // table.n_actions]
    used = np.nonzero(weight)[0]
    state, successor = rows[used] // table.n_actions, table.successor[used]
    r = (probs * reward).sum(axis=1)
    if n > DENSE_STATES:
        return _sparse_solve(state, successor, task.discount * weight[used], r)
    flow = np.bincount(state * n + successor, weights=weight[used], minlength=n * n)
    return np.linalg.solve(np.eye(n) - task.discount * flow.reshape(n, n), r)


def _sparse_solve(
    state: IntArray, successor: IntArray, flow: FloatArray, reward: FloatArray
) -> FloatArray:
    from scipy.sparse import csc_array, eye_array
    from scipy.sparse.linalg import spsolve

    n = len(reward)
    matrix = eye_array(n) - csc_array((flow, (state, successor)), shape=(n, n))
    value: FloatArray = spsolve(matrix.tocsc(), reward)
    return value
