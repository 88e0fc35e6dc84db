"""Exact values of a policy on one model, against closed forms and rollouts."""

import numpy as np
import pytest

from tailsafe import values
from tailsafe.errors import NotSupported
from tailsafe.mdp import MDP
from tailsafe.policy import Policy
from tailsafe.table import Table
from tailsafe.task import Task


def random_mdp(seed=0, n_states=6, n_actions=3, **changes):
    rng = np.random.default_rng(seed)
    reward = rng.normal(size=(n_states, n_actions, n_states))
    task = Task(reward, np.full(n_states, 1 / n_states), 0.9, **changes)
    return MDP.dense(task, rng.dirichlet(np.ones(n_states), size=(n_states, n_actions)))


def random_policy(seed=1, n_states=6, n_actions=3):
    return Policy(np.random.default_rng(seed).dirichlet(np.ones(n_actions), size=n_states))


def iterated(mdp, policy, sweeps=2_000):
    V, T = np.zeros(mdp.task.n_states), mdp.transition
    for _ in range(sweeps):
        Q = (T * (mdp.task.reward + mdp.task.discount * V)).sum(axis=2)
        V = np.where(mdp.task.terminal, 0.0, (policy.probs * Q).sum(axis=1))
    return V


def test_a_constant_reward_is_worth_its_sum():
    task = Task(np.full((2, 1), 3.0), [1, 0], 0.75)
    mdp = MDP.dense(task, np.full((2, 1, 2), 0.5))
    assert values.state_values(mdp, Policy.uniform(2, 1)) == pytest.approx([12.0, 12.0])


@pytest.mark.parametrize("terminal", [[], [2, 4]])
def test_values_are_the_fixed_point_of_the_bellman_equation(terminal):
    mdp, policy = random_mdp(terminal=terminal), random_policy()
    V = values.state_values(mdp, policy)
    assert pytest.approx(iterated(mdp, policy), abs=1e-9) == V
    assert values.performance(mdp, policy) == pytest.approx(V.mean())


def test_action_values_average_to_state_values():
    mdp, policy = random_mdp(terminal=[1]), random_policy()
    V = values.state_values(mdp, policy)
    Q = values.action_values(mdp, V)
    assert (policy.probs * Q).sum(axis=1) == pytest.approx(V)


def test_sparse_and_dense_solves_agree(monkeypatch):
    mdp, policy = random_mdp(), random_policy()
    dense = values.state_values(mdp, policy)
    monkeypatch.setattr(values, "DENSE_STATES", 1)
    assert values.state_values(mdp, policy) == pytest.approx(dense, abs=1e-12)


def test_discount_one_counts_steps_to_the_end():
    task = Task(np.ones((2, 1)), [1, 0], 1.0, terminal=[1])
    mdp = MDP.dense(task, [[[0.75, 0.25]], [[0.0, 1.0]]])
    assert values.state_values(mdp, Policy.uniform(2, 1)) == pytest.approx([4.0, 0.0])


def test_discount_one_without_a_certain_end_is_refused():
    task = Task(np.ones((2, 1)), [1, 0], 1.0, terminal=[1])
    mdp = MDP(task, Table.from_rows(2, 1, [[0], [1]]), [1.0, 1.0])
    with pytest.raises(NotSupported, match="may never end from state 0"):
        values.state_values(mdp, Policy.uniform(2, 1))


def test_an_end_is_worth_nothing_whatever_value_it_is_given():
    mdp = random_mdp(terminal=[1])
    V = np.ones(6)
    zero = np.where(mdp.task.terminal, 0.0, V)
    assert np.array_equal(values.action_values(mdp, V), values.action_values(mdp, zero))
    assert not values.action_values(mdp, V)[1].any()
