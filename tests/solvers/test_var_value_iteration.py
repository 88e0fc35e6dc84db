"""VaR value iteration: the fixed point of its definition."""

import numpy as np
import pytest

from tailsafe.errors import InvalidData
from tailsafe.solvers.robust import robust_values
from tailsafe.solvers.var_value_iteration import VaRValueIteration


@pytest.mark.parametrize(("level", "rank"), [(0.25, 50), (0.013, 3), (0.99, 198)])
def test_values_are_order_statistics_of_the_next_values(golden_case, level, rank):
    case = golden_case("garnet1")
    problem = case.problem(samples=True)
    solver = VaRValueIteration(level)
    found = robust_values(problem.task, problem.posterior.table, solver.nature(problem))
    Z = np.sort((case["P"] * (case["R"] + case["gamma"] * found.value)).sum(axis=-1), axis=0)
    assert np.allclose(found.action_value, Z[rank - 1], rtol=0, atol=1e-10)
    assert np.array_equal(solver.solve(problem).actions, Z[rank - 1].argmax(axis=1))


def test_the_golden_var_values_without_a_mean_are_met(golden_case):
    case = golden_case("ring")
    problem = case.problem(samples=True)
    assert case["norbu_beta"][2] == 1.0
    for i, level in enumerate(case["norbu_alpha"].tolist()):
        nature = VaRValueIteration(level).nature(problem)
        found = robust_values(problem.task, problem.posterior.table, nature)
        assert np.allclose(found.value, case["norbu_var_value"][i, 2], rtol=0, atol=1e-8)


def test_parameters_are_checked():
    with pytest.raises(InvalidData, match="level must be in"):
        VaRValueIteration(0.0)
    with pytest.raises(InvalidData, match="n_models must be a positive whole number"):
        VaRValueIteration(0.25, -1)
