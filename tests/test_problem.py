"""What a solver sees."""

import numpy as np
import pytest

import tailsafe as ts
from tailsafe.errors import NotSupported
from tailsafe.problem import estimated_behaviour
from tailsafe.unseen import Zero


@pytest.fixture
def problem():
    batch = ts.Batch([0, 0, 1], [0, 1, 0], [0, 1, 0], [0, 0, 0], [1, 0, 0], [0, 0, 0], 3, 2)
    task = ts.Task(np.zeros((3, 2)), [1, 0, 0], 0.9)
    return ts.Problem(task, batch, ts.Dirichlet.from_batch(batch))


def test_the_nominal_model_has_the_frequencies_of_the_log(problem):
    T = problem.nominal().transition
    assert T[0, 0].tolist() == [0.5, 0.5, 0]
    assert T[2, 1] == pytest.approx([1 / 3] * 3)
    assert problem.nominal(Zero()).transition[2, 1].sum() == 0.0


def test_the_mean_model_is_the_posterior_mean(problem):
    assert problem.mean().transition[0, 0] == pytest.approx([0.4, 0.4, 0.2])


def test_the_behaviour_is_estimated_from_the_log_and_uniform_where_nothing_was_seen(problem):
    assert problem.behaviour.probs.tolist() == [[1, 0], [0, 1], [0.5, 0.5]]
    smoothed = estimated_behaviour(problem.task, problem.batch, smoothing=1.0)
    assert smoothed.probs[0].tolist() == [0.75, 0.25]


def test_candidates_are_drawn_from_a_stream_of_their_own(problem):
    drawn = problem.models(4, seed=2)
    key = ts.Key(2, ts.Stream.CANDIDATES)
    assert np.array_equal(drawn, problem.posterior.models(0, 4, key))
    assert not (drawn == problem.posterior.models(0, 4, 2)).any()


def test_explicit_models_are_used_as_they_are(problem):
    models = np.random.default_rng(0).dirichlet(np.ones(3), size=(5, 3, 2))
    explicit = ts.Problem(problem.task, problem.batch, ts.Samples(models))
    assert np.array_equal(explicit.models(1_000), explicit.posterior.probability)


def test_what_smoothing_adds_goes_to_admissible_actions_only(problem):
    task = ts.Task(
        np.zeros((3, 2)), [1, 0, 0], 0.9, [], [[True, False], [True, True], [True, True]]
    )
    smoothed = estimated_behaviour(task, problem.batch, smoothing=1.0)
    assert smoothed.probs[0].tolist() == [1.0, 0.0]


def test_more_models_begin_with_those_drawn_before(problem):
    few, more = problem.models(3, seed=2), problem.models(8, seed=2)
    assert np.array_equal(few, more[:3])
    assert np.array_equal(more, problem.posterior.models(0, 8, ts.Key(2, ts.Stream.CANDIDATES)))


def test_another_seed_after_the_first_is_drawn_anew(problem):
    problem.models(8, seed=2)
    drawn = problem.models(8, seed=3)
    assert np.array_equal(drawn, problem.posterior.models(0, 8, ts.Key(3, ts.Stream.CANDIDATES)))


def test_explicit_models_keep_their_weights(problem):
    models = np.random.default_rng(0).dirichlet(np.ones(3), size=(2, 3, 2))
    weighted = ts.Problem(problem.task, problem.batch, ts.Samples(models, [0.9, 0.1]))
    assert weighted.weights(2).tolist() == [0.9, 0.1]
    assert problem.weights(4).tolist() == [0.25] * 4


def test_models_that_memory_does_not_hold_are_refused_with_their_size():
    batch = ts.Batch([0], [0], [0], [0.0], [1], [False], 500, 4)
    task = ts.Task(np.zeros((500, 4)), np.eye(500)[0], 0.9)
    problem = ts.Problem(task, batch, ts.Dirichlet.from_batch(batch))
    with pytest.raises(NotSupported, match="1,000 models of 1,000,000 possible transitions are 8"):
        problem.models(1_000)
