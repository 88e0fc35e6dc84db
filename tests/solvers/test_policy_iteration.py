"""Policy iteration within a constraint: it ends at the best policy that the step allows."""

import numpy as np
import pytest

import tailsafe as ts
from tailsafe.errors import NotSupported
from tailsafe.solvers.planning import greedy
from tailsafe.solvers.policy_iteration import by_value, iterate, kept_where_worse


def free(Q, probs):
    del probs
    return np.eye(Q.shape[1])[greedy(Q, np.ones(Q.shape, bool))]


def test_without_a_constraint_it_finds_the_optimal_policy(golden_case):
    mdp = golden_case("garnet3").truth()
    start = ts.Policy.uniform(20, 4)
    assert iterate(mdp, start, free) == ts.solve(mdp)[0]


def test_of_equally_good_policies_the_one_that_the_step_prefers_is_returned():
    mdp = ts.MDP.dense(ts.Task(np.ones((2, 3)), [1, 0], 0.9), np.full((2, 3, 2), 0.5))
    start = ts.Policy.from_actions([2, 1], 3)
    assert iterate(mdp, start, free) == ts.Policy.from_actions([0, 0], 3)


def test_a_step_that_allows_nothing_keeps_the_start(golden_case):
    mdp, start = golden_case("ring").truth(), ts.Policy.uniform(5, 3)
    assert iterate(mdp, start, lambda _, probs: probs) == start


def test_a_step_that_makes_it_worse_is_not_taken(golden_case):
    mdp, start = golden_case("ring").truth(), ts.Policy.uniform(5, 3)
    assert iterate(mdp, start, lambda Q, probs: free(-Q, probs)) == start


def test_states_keep_old_probabilities_that_are_better():
    Q, old = np.array([[0.0, 1.0], [0.0, 1.0]]), np.full((2, 2), 0.5)
    new = np.array([[1.0, 0.0], [0.0, 1.0]])
    assert kept_where_worse(Q, new, old).tolist() == [[0.5, 0.5], [0.0, 1.0]]


def test_actions_are_ordered_by_value_and_equals_by_index():
    Q = np.array([[1.0, 3.0, 1.0 + 1e-12, 2.0], [0.0, 0.0, 0.0, 0.0]])
    assert by_value(Q).tolist() == [[1, 3, 0, 2], [0, 1, 2, 3]]


def test_at_discount_1_impossible_ends_do_not_count():
    T = np.zeros((3, 1, 3))
    T[0, 0, 1] = T[1, 0, 0] = T[2, 0, 2] = 1.0
    task = ts.Task(np.zeros((3, 1)), [1, 0, 0], 1.0, terminal=[2])
    mdp = ts.MDP(task, ts.Table.full(3, 1), T.ravel())
    with pytest.raises(NotSupported, match="may never end from state 0"):
        iterate(mdp, ts.Policy.uniform(3, 1), lambda _, probs: probs)
