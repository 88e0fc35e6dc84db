"""Weighted L1: the weights of the value, and a radius that holds the posterior's models."""

import numpy as np
import pytest

import tailsafe as ts
from tailsafe.errors import InvalidData
from tailsafe.solvers.weighted_l1 import RobustWeightedL1, value_weights


def problem(n_models=None):
    rng = np.random.default_rng(0)
    batch = ts.Batch([0], [0], [0], [0.0], [1], [False], 3, 2)
    task = ts.Task(rng.normal(size=(3, 2, 3)), [1, 0, 0], 0.9)
    if n_models:
        models = rng.dirichlet(np.ones(3), size=(n_models, 3, 2))
        return ts.Problem(task, batch, ts.Samples(models))
    return ts.Problem(task, batch, ts.Dirichlet.from_batch(batch))


def test_weights_are_distances_from_the_middle_of_what_may_happen():
    given = problem()
    V = ts.solve(given.mean())[1]
    z = given.task.reward + 0.9 * V
    middle = (z.max(axis=2) + z.min(axis=2)) / 2
    expected = np.abs(z - middle[..., None]) / ((z.max(axis=2) - z.min(axis=2)) / 2)[..., None]
    found = value_weights(given).reshape(3, 2, 3)
    assert np.allclose(found, np.maximum(expected, 0.01), rtol=1e-12)
    assert found.max(axis=2) == pytest.approx(np.ones((3, 2)))


def test_what_is_worth_the_middle_still_has_a_hundredth():
    batch = ts.Batch([0], [0], [0], [0.0], [1], [False], 3, 1)
    task = ts.Task(np.tile([-1.0, 0.0, 1.0], (3, 1, 1)), [1, 0, 0], 0.0)
    given = ts.Problem(task, batch, ts.Dirichlet.from_batch(batch))
    assert value_weights(given).tolist() == [1.0, 0.01, 1.0] * 3


def test_where_nothing_matters_all_weights_are_equal():
    batch = ts.Batch([0], [0], [0], [0.0], [1], [False], 2, 1)
    flat = ts.Problem(ts.Task(np.zeros((2, 1)), [1, 0], 0.9), batch, ts.Dirichlet.from_batch(batch))
    assert value_weights(flat).tolist() == [1.0] * 4


def test_the_radius_holds_the_promised_share_of_the_models():
    given, delta = problem(500), 0.6
    nature = RobustWeightedL1(delta).nature(given)
    table, mean, weight, budget = nature.args
    models = given.posterior.probability
    distance = table.sum_rows(weight * np.abs(models - mean)).reshape(500, -1)
    # One of the six pairs has to be right in 1 - .6 / 6 of the models.
    assert (distance <= budget).mean(axis=0) == pytest.approx(np.full(6, 0.9), abs=0.003)


def test_only_pairs_in_use_share_delta():
    free = problem(500)
    task = ts.Task(free.task.reward, [1, 0, 0], 0.9, terminal=[1, 2])
    nature = RobustWeightedL1(0.6).nature(ts.Problem(task, free.batch, free.posterior))
    table, mean, weight, budget = nature.args
    distance = table.sum_rows(weight * np.abs(free.posterior.probability - mean))
    inside = (distance.reshape(500, -1) <= budget).mean(axis=0)
    # Each of the two pairs has to be right in 1 - .6 / 2 of the models.
    assert inside[:2] == pytest.approx(np.full(2, 0.7), abs=0.003)


def test_the_worst_case_of_a_pair_is_near_the_quantile_it_stands_for():
    given = problem(500)
    nature = RobustWeightedL1(0.6).nature(given)
    table = given.posterior.table
    z = given.task.entry_reward(table) + 0.9 * ts.solve(given.mean())[1][table.successor]
    worst = table.sum_rows(nature(z) * z).ravel()
    Z = table.sum_rows(given.posterior.probability * z).reshape(500, -1)
    assert (worst <= np.quantile(Z, 0.1, axis=0)).all()


def test_parameters_are_checked():
    with pytest.raises(InvalidData, match="delta must be in"):
        RobustWeightedL1(1.0)
    with pytest.raises(InvalidData, match="n_models must be a positive whole number"):
        RobustWeightedL1(0.1, 0)
