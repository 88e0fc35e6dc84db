"""NORBU: the golden values, exact ranks, and its two ends, the mean and the worst model."""

import numpy as np
import pytest

import tailsafe as ts
from tailsafe.errors import InvalidData
from tailsafe.solvers.norbu import NORBU, NORBUVaR
from tailsafe.solvers.robust import robust_values

CASES = ["ring", "chain", "garnet1", "garnet2"]


def settings(case):
    for i, level in enumerate(case["norbu_alpha"].tolist()):
        for j, weight in enumerate(case["norbu_beta"].tolist()):
            yield i, j, level, weight


def solved(problem, solver, seed=0):
    return robust_values(problem.task, problem.posterior.table, solver.nature(problem, seed))


@pytest.mark.parametrize("name", CASES)
def test_the_cvar_form_has_the_golden_values_and_policies(golden_case, name):
    case = golden_case(name)
    problem = case.problem(samples=True)
    for i, j, level, weight in settings(case):
        found = solved(problem, NORBU(level, weight))
        assert np.allclose(found.value, case["norbu_cvar_value"][i, j], rtol=0, atol=1e-8)
        ordered = np.sort(found.action_value, axis=1)
        clear = ordered[:, -1] - ordered[:, -2] > 1e-9
        actions = NORBU(level, weight).solve(problem).actions
        assert np.array_equal(actions[clear], case["norbu_cvar_policy"][i, j][clear])


@pytest.mark.parametrize("name", CASES)
def test_the_var_form_has_the_golden_values_at_exact_ranks(golden_case, name):
    # alpha M is whole in every one of these cases: rank alpha M, never the next one.
    case = golden_case(name)
    problem = case.problem(samples=True)
    for i, j, level, weight in settings(case):
        found = solved(problem, NORBUVaR(level, weight))
        assert np.allclose(found.value, case["norbu_var_value"][i, j], rtol=0, atol=1e-8)


def test_just_above_a_whole_rank_the_next_model_counts(golden_case):
    case = golden_case("garnet1")
    problem = case.problem(samples=True)
    found = solved(problem, NORBUVaR(float(case["norbu_alpha"][0]) + 1e-6, 1.0))
    expected = case["norbu_var_hi_value"][0, 2]
    assert np.allclose(found.value, expected, rtol=0, atol=1e-8)
    assert not np.allclose(expected, case["norbu_var_value"][0, 2], rtol=0, atol=1e-8)


@pytest.mark.parametrize("kind", [NORBU, NORBUVaR])
def test_without_weight_on_the_tail_the_mean_model_is_solved(golden_case, kind):
    problem = golden_case("garnet2").problem(samples=True)
    policy, value = ts.solve(problem.mean())
    found = solved(problem, kind(0.25, 0.0))
    assert np.allclose(found.value, value, rtol=1e-12)
    assert found.policy == policy


@pytest.mark.parametrize("kind", [NORBU, NORBUVaR])
def test_a_vanishing_level_leaves_the_worst_model_of_each_pair(golden_case, kind):
    case = golden_case("garnet1")
    problem = case.problem(samples=True)
    found = solved(problem, kind(1e-9, 1.0))
    z = case["R"] + case["gamma"] * found.value
    worst = (case["P"] * z).sum(axis=-1).min(axis=0).max(axis=1)
    assert np.allclose(found.value, worst, rtol=1e-11)


def test_weighted_models_count_by_their_weight():
    models = np.random.default_rng(0).dirichlet(np.ones(3), size=(4, 3, 2))
    batch = ts.Batch([0], [0], [0], [0.0], [1], [False], 3, 2)
    task = ts.Task(np.random.default_rng(1).uniform(size=(3, 2, 3)), [1, 0, 0], 0.9)
    twice = ts.Problem(task, batch, ts.Samples(models[[0, 1, 1, 2, 3, 3, 3, 3]]))
    heavy = ts.Problem(task, batch, ts.Samples(models, [1 / 8, 1 / 4, 1 / 8, 1 / 2]))
    for solver in (NORBU(0.3, 0.7), NORBUVaR(0.5, 0.7), NORBUVaR(0.625, 1.0)):
        assert np.allclose(solved(twice, solver).value, solved(heavy, solver).value, rtol=1e-12)


@pytest.mark.parametrize("kind", [NORBU, NORBUVaR])
def test_parameters_are_checked(kind):
    with pytest.raises(InvalidData, match="level must be in"):
        kind(0.0)
    with pytest.raises(InvalidData, match=r"weight must be in \[0, 1\], got 1.5"):
        kind(0.25, 1.5)
