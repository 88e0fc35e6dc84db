"""Altered models: other rewards, pairs that end, and what is left out."""

import numpy as np
import pytest

import tailsafe as ts
from tailsafe.errors import NotSupported
from tailsafe.solvers.altered import altered, best_policy, forever, possible, reward_range


@pytest.fixture
def mdp():
    T = np.zeros((2, 2, 2))
    T[:, 0, 0], T[:, 1, 1] = 1.0, 1.0
    return ts.MDP.dense(ts.Task(np.array([[0.0, 1.0], [2.0, 0.0]]), [1, 0], 0.5), T)


def test_a_pair_that_ends_is_worth_its_reward_and_nothing_more(mdp):
    reward = np.array([[0.0, 9.0], [4.0, 0.0]])
    model = altered(mdp, reward, np.array([[False, True], [False, False]]))
    actions = np.array([1, 0])
    assert model.evaluate(actions).tolist() == [9.0, 4.0 + 0.5 * 9.0]
    assert best_policy(model).actions.tolist() == [1, 0]


def test_terminal_states_pay_nothing_whatever_the_reward(mdp):
    task = ts.Task(mdp.task.reward, [1, 0], 0.5, terminal=[1])
    model = altered(ts.MDP(task, mdp.table, mdp.probability), np.full((2, 2), -5.0))
    assert model.evaluate(np.array([1, 0])).tolist() == [-5.0, 0.0]


def test_the_range_of_rewards_leaves_out_what_cannot_be_done(bandit):
    one = bandit([-1.0, 3.0, 9.0], [1, 1, 0], [0.5, 0.5, 0.0])
    allowed = np.array([[True, True, False], [True, True, True]])
    reward = np.array([[-1.0, 3.0, 9.0], [-50.0, 50.0, 0.0]])
    task = ts.Task(reward, [1, 0], 0.9, terminal=[1], admissible=allowed)
    problem = ts.Problem(task, one.batch, one.posterior, one.behaviour)
    assert reward_range(problem) == (-1.0, 3.0)


def test_a_reward_for_ever_is_worth_more_the_higher_the_discount():
    assert forever(2.0, 0.5) == 4.0


def test_a_reward_for_ever_is_not_finite_at_discount_1():
    with pytest.raises(NotSupported, match="use a discount below 1"):
        forever(1.0, 1.0)


def test_possible_transitions_are_those_of_positive_probability(mdp):
    full = ts.MDP(mdp.task, ts.Table.full(2, 2), mdp.transition.ravel())
    smaller = possible(full)
    assert smaller.table.equals(mdp.table)
    assert np.array_equal(smaller.transition, full.transition)
