"""MOPO: the reward less what a wrong model may cost."""

import numpy as np
import pytest

import tailsafe as ts
from tailsafe.errors import InvalidData, NotSupported
from tailsafe.solvers.disagreement import disagreement
from tailsafe.solvers.mopo import MOPO
from tailsafe.solvers.posterior_mean import PosteriorMean


def test_the_penalty_is_the_price_times_the_disagreement(golden_case):
    problem = golden_case("ring").problem(samples=True, reward=golden_case("ring")["R"] - 0.7)
    plain = MOPO(0.0).model(problem).reward
    price = 0.5 * 0.9 * np.ptp(problem.task.entry_reward(problem.posterior.table)) / 0.1
    expected = plain - price * disagreement(problem, 1, 0)
    assert MOPO(0.5).model(problem).reward == pytest.approx(expected)
    assert PosteriorMean().solve(problem) == MOPO(0.0).solve(problem)


def test_disagreement_is_the_mean_total_variation_from_the_mean():
    T = np.zeros((2, 2, 1, 2))
    T[0, :, 0, 0] = T[1, :, 0, 1] = 1.0
    batch = ts.Batch([0], [0], [0], [0.0], [0], [0], 2, 1)
    task = ts.Task(np.zeros((2, 1)), [1, 0], 0.9)
    problem = ts.Problem(task, batch, ts.Samples(T, [0.25, 0.75]))
    # Mean (.25, .75): the first model is .75 off, the second .25.
    assert disagreement(problem, 2, 0).ravel() == pytest.approx([0.375, 0.375])


def test_models_that_agree_leave_the_posterior_mean(golden_case):
    case = golden_case("garnet2")
    batch = case.batch()
    problem = ts.Problem(case.task(), batch, ts.Samples(np.stack([case["T"]] * 3)))
    assert MOPO(1.0).solve(problem) == ts.solve(case.truth())[0]


def test_the_same_seed_gives_the_same_policy_and_another_one_other_models(golden_case):
    problem = golden_case("garnet1").problem()
    solver = MOPO(1.0, n_models=50)
    one, again, other = (solver.model(problem, seed).reward for seed in (1, 1, 2))
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)


def test_discount_1_and_a_negative_scale_are_refused(bandit):
    with pytest.raises(NotSupported, match="use a discount below 1"):
        MOPO().solve(bandit([1.0, 0.0], [1, 1], discount=1.0))
    with pytest.raises(InvalidData, match="scale"):
        MOPO(-1.0)
