"""Policies: one encoding, compared and hashed by content."""

import numpy as np
import pytest

from tailsafe.errors import InvalidData
from tailsafe.policy import Policy, check_admissible


def test_equal_content_is_equal_and_hashes_alike():
    one, other = Policy.from_actions([0, 1], 2), Policy([[1, 0], [0, 1]])
    assert one == other
    assert hash(one) == hash(other)
    assert one != Policy.uniform(2, 2)
    assert one != "policy"


def test_negative_zero_is_zero():
    assert hash(Policy([[1.0, -0.0]])) == hash(Policy([[1.0, 0.0]]))


def test_a_policy_of_another_shape_hashes_otherwise():
    assert Policy(np.ones((4, 1))) != Policy(np.eye(2)[[0, 0]])


def test_actions_come_back():
    policy = Policy.from_actions([2, 0, 1], 3)
    assert policy.deterministic
    assert policy.actions.tolist() == [2, 0, 1]
    assert repr(policy) == "Policy.from_actions([2, 0, 1], 3)"


def test_the_uniform_policy_keeps_to_admissible_actions():
    admissible = np.array([[True, False, True], [False, False, False]])
    probs = Policy.uniform(2, 3, admissible).probs
    assert probs[0].tolist() == [0.5, 0, 0.5]
    assert probs[1] == pytest.approx([1 / 3] * 3)


def test_an_inadmissible_action_is_refused_where_the_state_is_not_terminal():
    policy, admissible = Policy.from_actions([1, 1], 2), np.array([[True, True], [True, False]])
    check_admissible(policy, admissible, np.array([False, True]))
    with pytest.raises(InvalidData, match=r"policy\[1, 1\] is 1, but action 1 is not admissible"):
        check_admissible(policy, admissible, np.array([False, False]))


def test_a_policy_keeps_its_bits_through_the_constructor():
    probs = np.random.default_rng(0).dirichlet(np.ones(7), size=50)
    assert np.array_equal(Policy(Policy(probs).probs).probs, Policy(probs).probs)


def test_an_inadmissible_action_is_refused_however_rarely_it_is_taken():
    rarely, admissible = Policy([[1.0 - 1e-6, 1e-6]]), np.array([[True, False]])
    with pytest.raises(InvalidData, match=r"policy\[0, 1\] is 1e-06, but action 1 is not admiss"):
        check_admissible(rarely, admissible, np.array([False]))


def test_a_policy_that_is_stochastic_in_one_state_has_no_actions():
    policy = Policy([[1.0, 0.0], [0.5, 0.5]])
    assert not policy.deterministic
    with pytest.raises(InvalidData, match="stochastic in state 1"):
        _ = policy.actions
