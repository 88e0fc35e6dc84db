"""Where domains come from: the same for every trial, or a truth of its own for each."""

import numpy as np

from tailsafe.study.sources import FromPrior, Source

DRAWN = FromPrior(Source("ring_published"))


def truth(trial):
    return DRAWN.domain(trial).truth.probability.reshape(5, 3, 5)


def test_a_truth_from_the_prior_is_the_same_for_a_trial_and_another_for_the_next():
    assert np.array_equal(truth(3), truth(3))
    assert not np.isclose(truth(3), truth(4)).all(axis=-1).any()


def test_the_task_is_that_of_the_given_domain():
    given = Source("ring_published").domain(0)
    assert np.array_equal(DRAWN.domain(3).task.reward, given.task.reward)
    assert not np.allclose(DRAWN.domain(3).truth.transition, given.truth.transition)


def test_truths_from_the_prior_are_flat_distributions_over_all_states():
    drawn = np.stack([truth(trial) for trial in range(200)])
    assert np.allclose(drawn.sum(axis=-1), 1.0)
    # Dirichlet(1, ..., 1) on five states: mean 1/5, variance 4/150; 15 rows in 200 trials.
    assert np.abs(drawn.mean(axis=(0, 1, 2)) - 0.2).max() < 4 * np.sqrt(4 / 150 / 3_000)
    assert np.isclose(drawn.var(), 4 / 150, rtol=0.05)
