"""The policy of the posterior mean."""

import numpy as np

import tailsafe as ts
from tailsafe.solvers.posterior_mean import PosteriorMean


def test_it_is_the_published_policy_of_the_mean_model(golden_case):
    for name in ("ring", "chain", "garnet1", "garnet2"):
        case = golden_case(name)
        problem = case.problem(samples=True)
        policy, value = ts.solve(problem.mean())
        assert np.allclose(value, case["nominal_value"], rtol=0, atol=1e-8)
        assert PosteriorMean().solve(problem) == policy


def test_the_prior_decides_where_nothing_was_seen(bandit):
    problem = bandit([0.0, 1.0], [3, 0])
    assert PosteriorMean().solve(problem).actions[0] == 1


def test_a_lower_discount_is_in_the_name_and_in_the_plan(golden_case):
    problem = golden_case("garnet2").problem(samples=True)
    short = PosteriorMean(0.0)
    mean = problem.mean()
    reward = problem.task.expected_reward(mean.table, mean.probability)
    assert np.array_equal(short.solve(problem).actions, reward.argmax(axis=1))
    assert short.name == "PosteriorMean(discount 0)"
