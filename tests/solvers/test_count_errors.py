"""Errors from counts: the formulas, and the coverage that they promise."""

import numpy as np
import pytest

import tailsafe as ts
from tailsafe.errors import InvalidData
from tailsafe.solvers.count_errors import check_delta, hoeffding, weissman


def problem(visits, n_states=3, support=None):
    action = np.repeat(np.arange(len(visits)), visits)
    zero = np.zeros(len(action), int)
    batch = ts.Batch(np.arange(len(action)), zero, action, zero, zero, zero, n_states, len(visits))
    task = ts.Task(np.zeros((n_states, len(visits))), np.eye(n_states)[0], 0.9)
    return ts.Problem(task, batch, ts.Dirichlet.from_batch(batch, support=support))


def test_errors_fall_with_the_root_of_the_visits():
    errors = hoeffding(problem([1, 4, 0]), 0.5)
    assert errors[0] == pytest.approx([np.sqrt(2 * np.log(18 / 0.5)), errors[0, 0] / 2, np.inf])


def test_a_distribution_over_many_states_needs_more_visits_than_2_to_the_number_of_them():
    found = weissman(problem([100_000], n_states=1_100), 0.1)[0, 0]
    assert found == pytest.approx(np.sqrt(2 * (1_100 * np.log(2) + np.log(22_000)) / 100_000))
    assert weissman(problem([1, 0]), 0.1)[0].tolist() == [2.0, 2.0]


def test_a_single_next_state_is_certain():
    support = ts.Table.from_rows(3, 2, [[0], [0, 1]] + [[0]] * 4)
    errors = weissman(problem([3, 3], support=support), 0.1)
    assert errors[0, 0] == 0.0
    assert errors[0, 1] == pytest.approx(min(2.0, np.sqrt(2 * np.log(2 * 6 * 2 / 0.1) / 3)))


def test_pairs_that_cannot_be_used_share_nothing():
    one = problem([4, 4])
    task = ts.Task(one.task.reward, one.task.initial, 0.9, terminal=[1, 2])
    fewer = ts.Problem(task, one.batch, one.posterior)
    assert (hoeffding(fewer, 0.1) < hoeffding(one, 0.1))[0].all()


def test_intervals_miss_no_more_often_than_allowed():
    rng, n, k, delta, trials = np.random.default_rng(0), 40, 3, 0.2, 4_000
    radius = weissman(problem([n]), delta)[0, 0]
    P = np.array([0.5, 0.3, 0.2])
    distance = np.abs(rng.multinomial(n, P, size=trials) / n - P).sum(axis=1)
    assert (distance > radius).mean() <= delta / (2 * k) + 3 * np.sqrt(delta / (2 * k) / trials)


def test_a_probability_of_failure_is_one():
    with pytest.raises(InvalidData, match=r"delta must be in \(0, 1\], got 0"):
        check_delta(0)
