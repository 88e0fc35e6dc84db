"""Robust sets around the log: the radii of the formulas, and what becomes of odd rows."""

import numpy as np
import pytest
from scipy.stats import chi2

import tailsafe as ts
from tailsafe.errors import InvalidData
from tailsafe.solvers.near_log import chi2_quantile, evidence
from tailsafe.solvers.robust import robust_values
from tailsafe.solvers.robust_sets import RobustChi2, RobustKL, RobustL1, RobustLinf

ALL = [RobustL1, RobustLinf, RobustKL, RobustChi2]


def problem(tries=(40, 10), known=None, **rest):
    """State 0: action 0 half good, half bad; action 1 never tried. States 1 and 2 stay."""
    good, bad = tries
    n = good + bad
    batch = ts.Batch(
        np.arange(n), np.zeros(n), np.zeros(n), np.zeros(n), [1] * good + [2] * bad,
        np.zeros(n, bool), 3, 2,
    )  # fmt: skip
    reward = np.zeros((3, 2, 3))
    reward[..., 1], reward[..., 2] = 1.0, -1.0
    task = ts.Task(reward, [1, 0, 0], 0.0, **rest)
    return ts.Problem(task, batch, ts.Dirichlet.from_batch(batch, known=known))


def chosen(kind, given, delta=0.1):
    """Return the probabilities that nature chooses in row (0, 0), worst reward last."""
    nature = kind(delta).nature(given)
    return nature(given.task.entry_reward(given.posterior.table)).reshape(3, 2, 3)


def test_the_l1_ball_has_weissmans_radius():
    p = chosen(RobustL1, problem())[0, 0]
    radius = np.sqrt(2 / 50 * np.log((2**3 - 2) / (0.1 / 6)))
    assert np.abs(p - [0, 0.8, 0.2]).sum() == pytest.approx(radius, rel=1e-12)
    assert p[2] == pytest.approx(0.2 + radius / 2, rel=1e-12)


def test_the_box_has_hoeffdings_radius():
    p = chosen(RobustLinf, problem())[0, 0]
    radius = np.sqrt(np.log(2 * 3 / (0.1 / 6)) / (2 * 50))
    assert np.abs(p - [0, 0.8, 0.2]).max() == pytest.approx(radius, rel=1e-12)


def test_divergences_spend_the_quantile_of_chi2():
    x = chi2.isf(0.1 / 6, df=2)
    center = np.array([0.8, 0.2])
    p = chosen(RobustKL, problem())[0, 0]
    assert p[0] == 0.0
    assert (p[1:] * np.log(p[1:] / center)).sum() == pytest.approx(x / (2 * 50), rel=1e-6)
    p = chosen(RobustChi2, problem())[0, 0]
    assert p[0] == 0.0
    assert ((p[1:] - center) ** 2 / center).sum() == pytest.approx(x / 50, rel=1e-6)


@pytest.mark.parametrize("kind", ALL)
def test_a_pair_never_tried_leads_to_the_worst_that_the_table_allows(kind):
    assert np.allclose(chosen(kind, problem())[0, 1], [0, 0, 1], rtol=0, atol=1e-12)


@pytest.mark.parametrize("kind", ALL)
def test_a_known_row_is_what_it_is(kind):
    given = problem(known={(0, 1): {0: 0.5, 1: 0.5}, (1, 0): 1})
    nature = kind().nature(given)
    table = given.posterior.table
    p = table.dense(nature(given.task.entry_reward(table)))
    assert p[0, 1].tolist() == [0.5, 0.5, 0.0]
    assert p[1, 0].tolist() == [0.0, 1.0, 0.0]


@pytest.mark.parametrize("kind", ALL)
def test_more_data_and_less_certainty_make_the_worst_case_better(kind):
    worth = []
    for tries, delta in (((8, 2), 0.1), ((40, 10), 0.1), ((40, 10), 0.9)):
        given = problem(tries)
        nature = kind(delta).nature(given)
        worth.append(robust_values(given.task, given.posterior.table, nature).action_value[0, 0])
    assert worth[0] < worth[1] < worth[2] < 0.6


@pytest.mark.parametrize("kind", ALL)
def test_pairs_that_cannot_be_used_do_not_share_in_delta(kind):
    free, bound = problem(), problem(terminal=[1, 2])
    assert chosen(kind, bound)[0, 0, 2] < chosen(kind, free)[0, 0, 2]
    assert evidence(bound).share == pytest.approx(1 / 2)


def test_the_solution_prefers_what_was_tried():
    for kind in ALL:
        assert kind().solve(problem((50, 0))).actions[0] == 0


def test_one_try_is_some_evidence():
    log = evidence(problem((1, 0)))
    assert log.budget(np.full(6, 3.0))[:2].tolist() == [3.0, np.inf]


def test_a_row_with_one_next_state_has_a_quantile_too():
    table = ts.Table.from_rows(2, 1, [[1], [0, 1]])
    batch = ts.Batch([0], [0], [0], [0.0], [1], [False], 2, 1)
    task = ts.Task(np.zeros((2, 1)), [1, 0], 0.9)
    given = ts.Problem(task, batch, ts.Dirichlet.from_batch(batch, support=table))
    assert np.isfinite(chi2_quantile(evidence(given), 0.1)).all()
    assert evidence(given).budget(np.ones(2)).tolist() == [0.0, np.inf]


@pytest.mark.parametrize("kind", ALL)
def test_parameters_are_checked(kind):
    with pytest.raises(InvalidData, match="delta must be in"):
        kind(0.0)
