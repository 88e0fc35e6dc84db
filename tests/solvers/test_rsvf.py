"""RSVF: VaR pair by pair at the level of the union bound."""

import numpy as np
import pytest

import tailsafe as ts
from tailsafe.errors import InvalidData
from tailsafe.solvers.norbu import NORBUVaR
from tailsafe.solvers.robust import robust_values
from tailsafe.solvers.rsvf import RSVF


def solved(problem, solver):
    return robust_values(problem.task, problem.posterior.table, solver.nature(problem)).value


def test_values_stand_at_the_rank_of_the_union_bound(golden_case):
    case = golden_case("garnet1")
    problem = case.problem(samples=True)
    value = solved(problem, RSVF(0.75))
    Z = np.sort((case["P"] * (case["R"] + case["gamma"] * value)).sum(axis=-1), axis=0)
    rank = int(np.ceil(0.25 / 10 * 200))
    assert rank == 5
    assert np.allclose(value, Z[rank - 1].max(axis=1), rtol=1e-11)


def test_it_is_the_var_form_of_norbu_at_that_level_and_more_cautious_than_at_q(golden_case):
    problem = golden_case("ring").problem(samples=True)
    value = solved(problem, RSVF(0.75))
    assert np.allclose(value, solved(problem, NORBUVaR(0.25 / 15, 1.0)), rtol=1e-12)
    assert (value < solved(problem, NORBUVaR(0.25, 1.0))).all()


def test_only_pairs_in_use_share_the_level():
    rng = np.random.default_rng(0)
    models = rng.dirichlet(np.ones(3), size=(40, 3, 2))
    batch = ts.Batch([0], [0], [0], [0.0], [1], [False], 3, 2)
    task = ts.Task(rng.uniform(size=(3, 2, 3)), [1, 0, 0], 0.0, terminal=[1, 2])
    problem = ts.Problem(task, batch, ts.Samples(models))
    Z = np.sort((models * task.reward).sum(axis=-1), axis=0)
    assert solved(problem, RSVF(0.6))[0] == pytest.approx(Z[8 - 1, 0].max(), rel=1e-12)


def test_parameters_are_checked():
    with pytest.raises(InvalidData, match="confidence must be in"):
        RSVF(1.0)
