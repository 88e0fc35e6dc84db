"""DUIPI: variances of estimates, their propagation, and the averaging of policies."""

import numpy as np
import pytest
from scipy.stats import dirichlet

import tailsafe as ts
from tailsafe.errors import InvalidData, NotSupported
from tailsafe.solvers.duipi import DUIPI, FrequentistDUIPI, averaged, shifted
from tailsafe.solvers.nominal import Nominal
from tailsafe.unseen import Zero


def test_the_bayesian_estimate_has_the_moments_of_a_dirichlet(golden_case):
    problem = golden_case("ring").problem()
    mean, variance = DUIPI(prior=0.3).estimate(problem)
    concentration = problem.batch.counts()[2, 1] + 0.3
    row = slice(*problem.posterior.table.indptr[[7, 8]])
    assert mean[row] == pytest.approx(dirichlet.mean(concentration))
    assert variance[row] == pytest.approx(dirichlet.var(concentration))


def test_frequencies_have_the_variance_of_a_mean_or_the_largest_there_is(bandit):
    problem = bandit([1.0, 1.0, 1.0], [5, 1, 0])
    P, variance = FrequentistDUIPI().estimate(problem)
    assert P[:3].tolist() == [1.0, 1.0, 0.0]
    assert variance[:3].tolist() == [0.0, 0.25, 0.25]


def test_frequencies_between_0_and_1_have_a_variance(golden_case):
    problem = golden_case("garnet1").problem()
    P, variance = FrequentistDUIPI().estimate(problem)
    N = problem.visits().ravel()[problem.posterior.table.row_of_entry]
    e = int(np.argmax((P > 0.2) & (P < 0.8)))
    assert variance[e] == pytest.approx(P[e] * (1 - P[e]) / (N[e] - 1))


def test_a_doubtful_action_loses_when_errors_count(golden_case):
    problem = golden_case("garnet2").problem()
    bold, _, _ = averaged(problem, DUIPI().estimate(problem), 0.0, 5_000)
    shy, Q, _ = averaged(problem, DUIPI().estimate(problem), 2.0, 5_000)
    changed = (bold.probs != shy.probs).any(axis=1)
    assert changed.any()
    assert (Q[changed].max(axis=1) > (shy.probs * Q).sum(axis=1)[changed]).any()


def test_without_errors_it_is_the_best_policy_of_its_model(golden_case):
    problem = golden_case("garnet3").problem()
    assert FrequentistDUIPI(0.0).solve(problem) == Nominal(unseen=Zero()).solve(problem)


def test_probability_moves_to_the_best_action_and_the_others_shrink_alike():
    probs = np.array([[0.2, 0.2, 0.6], [0.9, 0.1, 0.0], [1.0, 0.0, 0.0]])
    moved = shifted(probs, np.array([0, 0, 0]), 0.5)
    assert moved == pytest.approx(np.array([[0.7, 0.075, 0.225], [1, 0, 0], [1, 0, 0]]))


def test_the_first_step_goes_all_the_way_and_later_ones_to_the_mean(golden_case):
    problem = golden_case("garnet2").problem()
    estimate = DUIPI().estimate(problem)
    one, two = (averaged(problem, estimate, 0.5, steps)[0].probs for steps in (1, 2))
    assert set(one.ravel().tolist()) == {0.0, 1.0}
    assert set(two.ravel().tolist()) == {0.0, 0.5, 1.0}


def test_actions_that_were_never_tried_are_not_taken(bandit):
    assert DUIPI(0.0).solve(bandit([0.0, 0.1, 9.0], [3, 3, 0])).actions[0] == 1


def test_actions_that_must_not_be_taken_are_not_though_the_log_has_them(bandit):
    one = bandit([0.0, 0.1, 9.0], [3, 3, 3], [0.5, 0.5, 0.0])
    allowed = np.array([[True, True, False], [True, True, True]])
    task = ts.Task(one.task.reward, [1, 0], 0.9, terminal=[1], admissible=allowed)
    problem = ts.Problem(task, one.batch, one.posterior, one.behaviour)
    assert DUIPI(0.0).solve(problem).probs[0].tolist() == [0.0, 1.0, 0.0]


def test_nothing_is_uncertain_about_the_end():
    # Action 0 ends at once, action 1 a step later for a little less: it is no safer for that.
    batch = ts.Batch([0, 1, 1], [0, 0, 1], [0, 1, 0], [1.0, 0.0, 1.0], [2, 1, 2], [1, 0, 1], 3, 2)
    reward = np.array([[1.0, 0.0], [1.0, 1.0], [5.0, 5.0]])
    task = ts.Task(reward, [1, 0, 0], 0.9, terminal=[2])
    rows = [[2], [1], [2], [2]]
    for last in ([[2], [2]], [[0, 1, 2]] * 2):
        table = ts.Table.from_rows(3, 2, rows + last)
        problem = ts.Problem(task, batch, ts.Dirichlet.from_batch(batch, support=table))
        assert DUIPI(2.0).solve(problem).actions[0] == 0
        _, Q, _ = averaged(problem, DUIPI().estimate(problem), 2.0, 5_000)
        assert Q[[0, 2]] == pytest.approx(np.array([[1.0, 0.9], [0.0, 0.0]]))


def test_the_budget_of_steps_is_kept(golden_case):
    problem = golden_case("ring").problem()
    _, _, steps = averaged(problem, DUIPI().estimate(problem), 0.5, 7)
    assert steps == 7


def test_discount_1_and_bad_parameters_are_refused(bandit):
    with pytest.raises(NotSupported, match="use a discount below 1"):
        DUIPI().solve(bandit([1.0, 0.0], [1, 1], discount=1.0))
    with pytest.raises(InvalidData, match="xi"):
        FrequentistDUIPI(-1.0)
    with pytest.raises(InvalidData, match="prior must be positive"):
        DUIPI(prior=0.0)
