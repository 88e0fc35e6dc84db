"""BCR: budgets and robust values of the golden cases, and what the definitions promise."""

import numpy as np
import pytest

import tailsafe as ts
from tailsafe.errors import InvalidData
from tailsafe.solvers.bcr import BCR, BCRLocal, quantile_over_models
from tailsafe.solvers.natures import worst_l1
from tailsafe.solvers.robust import robust_values

CASES = ["ring", "chain", "garnet1", "garnet2"]
WITHOUT_MODELS = ["garnet3", "lake4"]
KINDS = [(BCR, "bcr_global"), (BCRLocal, "bcr_local")]


def gap_between_best_two(Q):
    ordered = np.sort(Q, axis=1)
    return ordered[:, -1] - ordered[:, -2]


@pytest.mark.parametrize(("kind", "prefix"), KINDS, ids=["global", "local"])
@pytest.mark.parametrize("name", CASES)
def test_budgets_values_and_policies_are_the_golden_ones(golden_case, name, kind, prefix):
    case = golden_case(name)
    problem = case.problem(samples=True)
    for (i, confidence), (j, weight) in _settings(case):
        solver = kind(confidence, weight)
        assert np.allclose(solver.budgets(problem), case[f"{prefix}_budget"][i, j], 0, 1e-12)
        found = robust_values(problem.task, problem.posterior.table, solver.nature(problem))
        assert np.allclose(found.value, case[f"{prefix}_value"][i, j], rtol=0, atol=1e-8)
        clear = gap_between_best_two(found.action_value) > 1e-9
        actions = found.policy.actions
        assert np.array_equal(actions[clear], case[f"{prefix}_policy"][i, j][clear])


def _settings(case):
    for i, confidence in enumerate(case["bcr_confidence"].tolist()):
        for j, weight in enumerate(case["bcr_risk_weight"].tolist()):
            yield (i, confidence), (j, weight)


@pytest.mark.parametrize("prefix", [prefix for _, prefix in KINDS])
@pytest.mark.parametrize("name", WITHOUT_MODELS)
def test_given_budgets_lead_to_the_golden_values(golden_case, name, prefix):
    case = golden_case(name)
    task, table = case.task(), ts.Table.full(int(case["S"]), int(case["A"]))
    center = table.entries(case["bcr_meanP"])
    for (i, _confidence), (j, _weight) in _settings(case):
        budget = case[f"{prefix}_budget"][i, j].ravel()
        found = robust_values(task, table, lambda z, b=budget: worst_l1(table, center, b, z))
        assert np.allclose(found.value, case[f"{prefix}_value"][i, j], rtol=0, atol=1e-8)


def test_the_solver_returns_the_policy_of_its_robust_values(golden_case):
    problem = golden_case("ring").problem()
    solver = BCR(0.75, 0.5, n_models=50)
    nature = solver.nature(problem, seed=3)
    expected = robust_values(problem.task, problem.posterior.table, nature).policy
    assert solver.solve(problem, seed=3) == expected


def test_more_confidence_widens_the_region_and_weight_scales_it(golden_case):
    problem = golden_case("chain").problem()
    for kind in (BCR, BCRLocal):
        narrow, wide = (kind(c, 1.0, 200).budgets(problem) for c in (0.25, 0.9))
        assert (narrow <= wide).all()
        assert np.allclose(kind(0.25, 0.5, 200).budgets(problem), narrow / 2, rtol=1e-15)


def test_pairs_that_nobody_can_use_do_not_widen_the_region():
    batch = ts.Batch([0], [0], [0], [1.0], [1], [False], 3, 2)
    admissible = np.array([[True, False], [True, True], [True, True]])
    free = ts.Task(np.ones((3, 2)), [1, 0, 0], 0.9)
    bound = ts.Task(np.ones((3, 2)), [1, 0, 0], 0.9, terminal=[2], admissible=admissible)
    posterior = ts.Dirichlet.from_batch(batch)
    wide, narrow = (
        BCRLocal(n_models=400).budgets(ts.Problem(task, batch, posterior))[0, 0]
        for task in (free, bound)
    )
    assert narrow < wide


def test_pairs_that_nobody_can_use_do_not_choose_the_models_of_the_region():
    # In state 0 the models are ever further from their mean, in the terminal state ever nearer.
    shift = np.array([-0.4, -0.3, -0.2, -0.1, 0.1, 0.2, 0.3, 0.4])
    models = np.empty((8, 2, 1, 2))
    models[:, 0, 0, 0], models[:, 1, 0, 0] = 0.5 + shift, 0.5 + np.sign(shift) * (0.5 - abs(shift))
    models[..., 1] = 1.0 - models[..., 0]
    batch = ts.Batch([0], [0], [0], [0.0], [1], [False], 2, 1)
    task = ts.Task(np.zeros((2, 1)), [1, 0], 0.9, terminal=[1])
    problem = ts.Problem(task, batch, ts.Samples(models))
    assert BCR(0.5).budgets(problem)[0, 0] == pytest.approx(2 * 0.2)


def test_weighted_models_count_by_their_weight():
    values = np.array([[1.0], [2.0], [3.0]])
    assert quantile_over_models(values, 0.5, np.full(3, 1 / 3)) == 2.0
    assert quantile_over_models(values, 0.5, np.array([0.2, 0.2, 0.6])) == 3.0
    models = np.random.default_rng(0).dirichlet(np.ones(2), size=(3, 2, 1))
    batch = ts.Batch([0], [0], [0], [0.0], [1], [False], 2, 1)
    task = ts.Task(np.zeros((2, 1)), [1, 0], 0.9)
    twice = ts.Samples(models[[0, 1, 1, 2]])
    heavy = ts.Samples(models, [0.25, 0.5, 0.25])
    for confidence in (0.3, 0.7, 0.8):
        budgets = [
            BCR(confidence).budgets(ts.Problem(task, batch, posterior))
            for posterior in (twice, heavy)
        ]
        assert np.allclose(*budgets, rtol=1e-14)


@pytest.mark.parametrize("kind", [BCR, BCRLocal])
def test_parameters_are_checked(kind):
    with pytest.raises(InvalidData, match="confidence must be in"):
        kind(1.0)
    with pytest.raises(InvalidData, match="weight must be positive, got -1"):
        kind(0.5, -1.0)
    with pytest.raises(InvalidData, match="n_models must be a positive whole number"):
        kind(0.5, 1.0, 0)
