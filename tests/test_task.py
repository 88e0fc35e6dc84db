"""Tasks: three ways to give a reward, terminal states, admissible actions."""

import numpy as np
import pytest

from tailsafe.errors import InvalidData
from tailsafe.table import Table
from tailsafe.task import Task

R = np.arange(8.0).reshape(2, 2, 2)
P = np.array([0.25, 0.75, 1.0, 0.0, 0.5, 0.5, 0.0, 1.0])


def test_a_reward_of_pairs_counts_whatever_comes_next():
    task = Task([[1.0, 2.0], [3.0, 4.0]], [1, 0], 0.9)
    assert np.array_equal(task.expected_reward(Table.full(2, 2), P), [[1, 2], [3, 4]])


def test_a_reward_of_transitions_is_expected_under_the_model_at_hand():
    task = Task(R, [1, 0], 0.9)
    assert np.array_equal(task.expected_reward(Table.full(2, 2), P), [[0.75, 2], [4.5, 7]])


def test_a_reward_per_entry_is_the_same_thing():
    table = Table.full(2, 2)
    task = Task(R.ravel(), [1, 0], 0.9, reward_table=table)
    dense = Task(R, [1, 0], 0.9)
    assert np.array_equal(task.entry_reward(table), dense.entry_reward(table))
    mask = np.ones((2, 2, 2), bool)
    mask[0, 1, 0] = False
    shorter = Table.from_mask(mask)
    assert np.array_equal(task.entry_reward(shorter), dense.entry_reward(shorter))


def test_a_transition_without_a_reward_is_refused_unless_its_state_is_terminal():
    known = Table.from_rows(2, 1, [[0], [1]])
    with pytest.raises(InvalidData, match="no reward is given for state 0, action 0, next state 1"):
        Task([5.0, 6.0], [1, 0], 0.9, reward_table=known).entry_reward(Table.full(2, 1))
    task = Task([5.0, 6.0], [1, 0], 0.9, terminal=[0, 1], reward_table=known)
    assert np.array_equal(task.entry_reward(Table.full(2, 1)), [5, 0, 0, 6])


def test_terminal_states_never_pay():
    task = Task(R, [1, 0], 0.9, terminal=[1])
    assert np.array_equal(task.expected_reward(Table.full(2, 2), P)[1], [0, 0])


def test_terminal_states_come_as_a_list_or_a_mask():
    listed = Task(R, [1, 0], 0.9, terminal=[1])
    masked = Task(R, [1, 0], 0.9, terminal=np.array([False, True]))
    assert np.array_equal(listed.terminal, masked.terminal)
    assert not Task(R, [1, 0], 0.9).terminal.any()


def test_every_action_is_admissible_by_default_and_terminal_states_need_none():
    assert Task(R, [1, 0], 0.9).admissible.all()
    mask = [[True, False], [False, False]]
    assert Task(R, [1, 0], 0.9, [1], mask).admissible.sum() == 1


def test_a_start_off_by_little_is_renormalised_and_said():
    task = Task(R, [0.5, 0.5 + 4e-10], 0.9)
    assert task.initial.sum() == pytest.approx(1.0, abs=1e-15)
    assert "initial: 1 distribution(s) renormalised" in task.notes[0]


def test_the_way_into_a_terminal_state_needs_a_reward_too():
    known = Table.from_rows(2, 1, [[0], [1]])
    task = Task([5.0, 6.0], [1, 0], 0.9, terminal=[1], reward_table=known)
    with pytest.raises(InvalidData, match="no reward is given for state 0, action 0, next state 1"):
        task.entry_reward(Table.full(2, 1))
