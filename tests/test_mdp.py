"""Models: dense at the door, sparse inside."""

import numpy as np
import pytest

from tailsafe.mdp import MDP
from tailsafe.table import Table
from tailsafe.task import Task

TASK = Task(np.zeros((2, 2)), [1, 0], 0.9)


def test_a_dense_model_keeps_only_what_is_possible():
    T = np.array([[[1.0, 0.0], [0.5, 0.5]], [[0.0, 0.0], [0.25, 0.75]]])
    mdp = MDP.dense(TASK, T)
    assert mdp.table.n_entries == 5
    assert np.array_equal(mdp.transition, T)


def test_rows_off_by_little_are_renormalised_and_that_is_said():
    T = np.full((2, 2, 2), 0.5)
    T[1, 0, 0] += 3e-10
    mdp = MDP.dense(TASK, T)
    assert mdp.transition.sum(axis=2) == pytest.approx(1.0, abs=1e-15)
    assert "transition: 1 distribution(s) renormalised" in mdp.notes[0]
    sparse = MDP(TASK, Table.full(2, 2), T.ravel())
    assert np.array_equal(sparse.transition, mdp.transition)
    assert sparse.notes == mdp.notes


def test_a_rare_transition_is_possible():
    T = np.full((2, 2, 2), 0.5)
    T[0, 0] = [1.0, 1e-12]
    mdp = MDP.dense(TASK, T)
    assert mdp.table.n_entries == 8
    assert mdp.transition[0, 0, 1] > 0.0
