"""A posterior that is a list of models."""

import numpy as np
import pytest

from tailsafe.samples import Samples

MODELS = np.random.default_rng(0).dirichlet(np.ones(3), size=(4, 3, 2))


def test_models_are_those_given_whatever_the_seed():
    samples = Samples(MODELS)
    assert len(samples) == 4
    assert np.array_equal(samples.table.dense(samples.models(1, 3, seed=9)), MODELS[1:3])


def test_rows_can_be_asked_for_alone_in_any_order():
    samples = Samples(MODELS)
    part = samples.models(0, 4, rows=np.array([5, 0]))
    assert np.array_equal(part.reshape(4, 2, 3), MODELS.reshape(4, 6, 3)[:, [5, 0]])


def test_mean_and_mode_follow_the_weights():
    samples = Samples(MODELS, weights=[0.1, 0.2, 0.6, 0.1])
    expected = np.average(MODELS, axis=0, weights=[0.1, 0.2, 0.6, 0.1])
    assert samples.table.dense(samples.mean()) == pytest.approx(expected)
    assert np.array_equal(samples.table.dense(samples.mode()), MODELS[2])


def test_transitions_that_no_model_allows_are_not_in_the_table():
    models = MODELS.copy()
    models[:, 0, 0] = [0.0, 0.5, 0.5]
    assert Samples(models).table.lengths.tolist() == [2, 3, 3, 3, 3, 3]


def test_models_on_a_table_are_the_same_posterior():
    dense = Samples(MODELS)
    sparse = Samples.on_table(dense.table, dense.probability)
    assert np.array_equal(sparse.mean(), dense.mean())


def test_what_is_off_by_little_is_renormalised_and_that_is_said():
    samples = Samples(MODELS * (1 + 4e-10), weights=[0.25, 0.25, 0.25, 0.25 + 4e-10])
    assert samples.table.sum_rows(samples.probability) == pytest.approx(1.0, abs=1e-15)
    assert samples.weights.sum() == pytest.approx(1.0, abs=1e-15)
    assert [note.split(":")[0] for note in samples.notes] == ["transition", "weights"]
    assert Samples(MODELS).notes == ()


def test_a_transition_that_one_model_allows_is_possible():
    models = MODELS.copy()
    models[0, 0, 0] = [0.0, 0.5, 0.5]
    samples = Samples(models)
    assert samples.table.n_entries == 18
    assert np.array_equal(samples.table.dense(samples.probability), models)
