"""Certain termination, needed where the discount is 1."""

import numpy as np
import pytest

from tailsafe.errors import NotSupported
from tailsafe.table import Table
from tailsafe.task import Task
from tailsafe.termination import check_terminates, ending_states

# 0 -> {0, 1} by action 0, 0 -> 0 by action 1; 1 -> 2 (terminal); 3 -> 3 for ever, never started.
TABLE = Table.from_rows(4, 2, [[0, 1], [0], [2], [2], [2], [2], [3], [3]])
TASK = Task(np.zeros((4, 2)), [1, 0, 0, 0], 1.0, terminal=[2])


def test_a_policy_that_can_always_reach_an_end_terminates():
    probs = np.full((4, 2), 0.5)
    check_terminates(TABLE, TASK, probs, "policy")
    assert ending_states(TABLE, TASK, probs).tolist() == [True, True, True, False]


def test_a_policy_that_may_be_stuck_is_refused_with_the_state():
    probs = np.tile([0.0, 1.0], (4, 1))
    with pytest.raises(NotSupported, match="policy 3 may never end from state 0"):
        check_terminates(TABLE, TASK, probs, "policy 3")


def test_a_chance_of_getting_stuck_is_enough():
    table = Table.from_rows(4, 2, [[0, 1, 3], [0], [2], [2], [2], [2], [3], [3]])
    assert not ending_states(table, TASK, np.full((4, 2), 0.5))[0]


def test_an_empty_row_is_an_end():
    table = Table.from_rows(2, 1, [[0, 1], []])
    task = Task(np.zeros((2, 1)), [1, 0], 0.9)
    assert ending_states(table, task, np.ones((2, 1))).all()


def test_what_a_model_says_of_life_after_an_end_does_not_matter():
    table = Table.from_rows(3, 1, [[1], [2], [2]])
    task = Task(np.zeros((3, 1)), [1, 0, 0], 1.0, terminal=[1])
    check_terminates(table, task, np.ones((3, 1)), "policy")
    assert ending_states(table, task, np.ones((3, 1))).tolist() == [True, True, False]
