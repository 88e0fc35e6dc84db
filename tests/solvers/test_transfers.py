"""Greedy transfers between actions."""

import numpy as np
import pytest

from tailsafe.solvers.transfers import Constraint, transferred


def test_the_worst_action_gives_first_and_the_cheapest_gain_takes_first():
    behaviour, errors = np.array([[0.4, 0.3, 0.3]]), np.array([[1.0, 4.0, 1.0]])
    # Gains a unit of error of the worst action: 2 / 4 to the second, 1 / 1 to the third.
    moved = transferred(np.array([[0.0, 2.0, 1.0]]), Constraint(behaviour, errors, 0.4))
    assert moved[0] == pytest.approx([0.2, 0.3, 0.5])


def test_equal_actions_exchange_nothing():
    behaviour = np.array([[0.5, 0.5]])
    for Q in ([[1.0, 1.0 + 1e-12]], [[1.0 + 1e-12, 1.0]]):
        moved = transferred(np.array(Q), Constraint(behaviour, np.ones((1, 2)), 1.0))
        assert moved.tolist() == [[0.5, 0.5]]


def test_what_the_second_estimate_lost_must_have_been_gained_before():
    behaviour, errors = np.array([[0.5, 0.25, 0.25]]), np.ones((1, 3))
    Q = np.array([[0.0, 1.0, 2.0]])
    # From the first action to the third gains 0.25 by the second estimate, which then allows
    # as much to go from the second to the third.
    advantage = np.array([[0.0, 1.5, 0.5]])
    constraint = Constraint(behaviour, errors, 10.0, advantage=advantage)
    assert transferred(Q, constraint)[0] == pytest.approx([0.0, 0.0, 1.0])
    tight = Constraint(behaviour, errors, 10.0, advantage=np.array([[0.0, 9.5, 0.5]]))
    kept = 0.25 - 0.5 * 0.5 / 9.0
    assert transferred(Q, tight)[0] == pytest.approx([0.0, kept, 1.0 - kept])


def test_states_do_not_share_their_budget():
    behaviour = np.full((2, 2), 0.5)
    Q = np.array([[0.0, 1.0], [1.0, 0.0]])
    moved = transferred(Q, Constraint(behaviour, np.ones((2, 2)), 0.2))
    assert moved.tolist() == [[0.4, 0.6], [0.6, 0.4]]
