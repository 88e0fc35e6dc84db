"""MBIE: the worst model within its intervals."""

import numpy as np
import pytest

import tailsafe as ts
from tailsafe.errors import InvalidData
from tailsafe.solvers.count_errors import weissman
from tailsafe.solvers.mbie import MBIE
from tailsafe.solvers.robust import robust_values
from tailsafe.unseen import Zero


@pytest.fixture
def problem():
    """One decision: action 0 was tried often, action 1 a little, action 2 never."""
    win, lose = [0] * 150 + [1] * 6, [0] * 50
    action = np.array(win + lose)
    after = np.array([1] * 156 + [2] * 50)
    zero = np.zeros(len(action), int)
    batch = ts.Batch(np.arange(len(action)), zero, action, zero, after, zero + 1, 3, 3)
    reward = np.zeros((3, 3, 3))
    reward[0, :, 1] = 1.0
    task = ts.Task(reward, [1, 0, 0], 0.9, terminal=[1, 2])
    support = ts.Table.from_rows(3, 3, [[1, 2]] * 9)
    return ts.Problem(task, batch, ts.Dirichlet.from_batch(batch, support=support))


def test_half_of_the_radius_goes_from_the_best_to_the_worst(problem):
    found = robust_values(problem.task, problem.posterior.table, MBIE(0.1).nature(problem))
    half = weissman(problem, 0.1)[0] / 2
    assert found.action_value[0] == pytest.approx([0.75 - half[0], max(1.0 - half[1], 0.0), 0.0])


def test_the_well_known_action_is_chosen_though_the_other_looks_better(problem):
    assert MBIE(0.1).solve(problem).actions[0] == 0
    assert ts.solvers.Nominal().solve(problem).actions[0] == 1


def test_a_smaller_risk_of_missing_the_truth_costs_value(problem):
    table = problem.posterior.table
    V = [
        robust_values(problem.task, table, MBIE(d).nature(problem)).value[0]
        for d in (1.0, 0.1, 1e-3)
    ]
    assert V[0] > V[1] > V[2]


def test_untried_pairs_are_worth_the_worst_state_or_nothing_at_all(golden_case):
    case = golden_case("garnet2")
    problem = case.problem(reward=np.broadcast_to(case["R_next"] + 1.0, case["R"].shape))
    s, a = np.argwhere(problem.visits() == 0)[0]
    found = robust_values(problem.task, problem.posterior.table, MBIE(0.1).nature(problem))
    z = case["R_next"] + 1.0 + 0.9 * found.value
    assert found.action_value[s, a] == pytest.approx(z.min())
    ended = robust_values(
        problem.task, problem.posterior.table, MBIE(0.1, unseen=Zero()).nature(problem)
    )
    assert ended.action_value[s, a] == 0.0


def test_a_probability_of_failure_is_one():
    with pytest.raises(InvalidData, match="delta"):
        MBIE(0.0)
