"""MOReL: where the models disagree the process halts."""

import numpy as np
import pytest

import tailsafe as ts
from tailsafe.errors import InvalidData, NotSupported
from tailsafe.solvers.disagreement import disagreement
from tailsafe.solvers.morel import MOReL
from tailsafe.solvers.posterior_mean import PosteriorMean


@pytest.fixture
def problem(golden_case):
    return golden_case("garnet2").problem(samples=True)


def test_the_pairs_of_largest_disagreement_are_unknown(problem):
    unknown, error = MOReL(0.75).unknown(problem), disagreement(problem, 1, 0)
    assert unknown.sum() == 9  # a quarter of 36
    assert error[unknown].min() > error[~unknown].max()
    assert not MOReL(1.0).unknown(problem).any()


def test_pairs_that_nobody_can_use_do_not_count(problem):
    allowed = np.ones((12, 3), bool)
    allowed[:4, 0] = False
    task = ts.Task(problem.task.reward, np.eye(12)[0], 0.9, terminal=[7, 11], admissible=allowed)
    alive = ts.Batch([0], [0], [1], [0.0], [1], [False], 12, 3)
    bound = ts.Problem(task, alive, problem.posterior)
    unknown = MOReL(0.5).unknown(bound)
    assert unknown.sum() == 13  # half of 36 less 4 forbidden and 6 terminal ones
    assert not unknown[:4, 0].any()
    assert not unknown[[7, 11]].any()


def test_the_models_are_those_of_the_seed(golden_case):
    drawn = golden_case("garnet1").problem()
    error = disagreement(drawn, 20, 3)
    assert not np.allclose(error, disagreement(drawn, 20, 0), rtol=0, atol=1e-3)
    unknown = MOReL(0.5, n_models=20).unknown(drawn, seed=3)
    assert np.array_equal(unknown, error > np.median(error))


def test_with_everything_known_it_is_the_policy_of_the_mean(problem):
    assert MOReL(1.0).solve(problem) == PosteriorMean().solve(problem)


def test_an_unknown_pair_pays_its_reward_and_then_halts_for_ever(problem):
    model, unknown = MOReL(0.5, kappa=2.0).model(problem), MOReL(0.5).unknown(problem)
    mean = problem.mean()
    reward = mean.task.expected_reward(mean.table, mean.probability)
    values = model.backup(np.full(12, 1e6))
    assert values[unknown] == pytest.approx(reward[unknown] - 0.9 * 2.0 / 0.1)
    assert (values[~unknown] > 1e5).all()


def test_halt_pays_the_smallest_reward_by_default(problem):
    smallest = problem.task.entry_reward(problem.posterior.table).min()
    same = MOReL(0.5, kappa=-smallest)
    assert np.array_equal(MOReL(0.5).model(problem).reward, same.model(problem).reward)


def test_a_high_cost_keeps_to_known_pairs_where_there_are_some(problem):
    known = ~MOReL(0.9).unknown(problem)
    actions = MOReL(0.9, kappa=1e6).solve(problem).actions
    some = known.any(axis=1)
    assert known[np.arange(12), actions][some].all()


def test_discount_1_and_bad_parameters_are_refused(bandit):
    with pytest.raises(NotSupported, match="use a discount below 1"):
        MOReL().solve(bandit([1.0, 0.0], [1, 1], discount=1.0))
    with pytest.raises(InvalidData, match="quantile"):
        MOReL(0.0)
    with pytest.raises(InvalidData, match="kappa must be a finite number"):
        MOReL(kappa=np.inf)
    assert MOReL(0.5, kappa=1.0).name == "MOReL(0.5, kappa 1)"
    assert isinstance(ts.solvers.MOReL(), MOReL)
