"""What is known before a race: shares of alpha, the precision, what performances are moved to."""

from dataclasses import replace

import numpy as np
import pytest

from tailsafe.domains.ring import ring_published
from tailsafe.errors import InvalidData
from tailsafe.moments import moments
from tailsafe.policy import Policy
from tailsafe.posterior import Dirichlet
from tailsafe.race.outlook import outlook, rules_of
from tailsafe.risk import CVaR, Mean, VaR, soft_robust
from tailsafe.simulate import simulate
from tailsafe.table import Table
from tailsafe.task import Task

SIZES = (64, 96, 144)


@pytest.fixture(scope="module")
def asked():
    domain = ring_published()
    log = simulate(domain, Policy.uniform(5, 3), 60, 8, seed=1)
    rng = np.random.default_rng(0)
    policies = [Policy.from_actions(rng.integers(0, 3, 5), 3) for _ in range(5)]
    return Dirichlet.from_batch(log), domain.task, policies


def test_the_favourite_has_half_of_alpha_and_the_others_share_the_rest(asked):
    known = outlook(*asked, CVaR(0.25))
    weights = known.weights()
    assert weights[known.favourite] == 0.5
    assert np.delete(weights, known.favourite).tolist() == [0.125] * 4
    assert outlook(*asked[:2], asked[2][:1], CVaR(0.25)).weights().tolist() == [1.0]


def test_eps_is_in_units_of_performance_or_a_share_of_the_favourite_s_deviation(asked):
    known = outlook(*asked, CVaR(0.25))
    assert known.eps(0.3, 0.01) == 0.3
    assert known.eps(None, 0.05) == pytest.approx(0.05 * known.sd[known.favourite])
    assert known.eps(1e-30, 0.05) == 1e-9 * known.scale
    with pytest.raises(InvalidData, match="eps must be positive"):
        known.eps(0.0, 0.01)


def test_a_favourite_that_never_varies_leaves_the_scale_to_the_others(asked):
    known = outlook(*asked, CVaR(0.25))
    sd = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    sd[known.favourite] = 0.0
    assert replace(known, sd=sd).eps(None, 0.5) == pytest.approx(0.05 * np.median(sd))


def test_a_floor_is_8_deviations_below_the_mean_or_the_least_possible_or_as_given(asked):
    known, moment = outlook(*asked, CVaR(0.25)), moments(*asked)
    expected = np.maximum(known.lowest, moment.mean - 8.0 * moment.sd)
    assert known.floors == pytest.approx(np.minimum(expected, known.highest))
    assert (known.floors > known.lowest).any()
    assert outlook(*asked, Mean(), -np.inf).floors == pytest.approx(known.lowest)
    assert outlook(*asked, Mean(), 0.5).floors.tolist() == [0.5] * 5
    assert outlook(*asked, Mean(), 1e9).floors == pytest.approx(known.highest)


def test_a_quantile_is_raced_within_what_is_possible_and_pays_for_every_look(asked):
    known = outlook(*asked, VaR(0.1))
    rules = rules_of(VaR(0.1), known, 0.2, 0.04, SIZES)
    assert (rules.level, rules.eps, rules.alpha, rules.n_looks) == (0.1, 0.2, 0.04, 3)
    assert np.array_equal(rules.lowest, known.lowest)
    assert np.array_equal(rules.highest, known.highest)
    assert np.array_equal(rules.weights, known.weights())


def test_a_tail_is_raced_between_floors_and_ceilings_around_its_quantile(asked):
    risk = soft_robust(0.1, 0.5)
    known = outlook(*asked, risk)
    rules = rules_of(risk, known, 0.2, 0.04, SIZES)
    assert (rules.shape.level, rules.shape.tail, rules.sizes) == (0.1, 0.5, SIZES)
    assert np.array_equal(rules.lowest, known.floors)
    assert np.array_equal(rules.highest, known.ceilings)
    expected = np.clip(moments(*asked).risk(VaR(0.1)), known.floors, known.ceilings)
    assert np.array_equal(rules.guesses, expected)
    unbounded = replace(known, ceilings=np.full(5, np.inf))
    with pytest.raises(InvalidData, match="performance of policy 0 has no known bounds"):
        rules_of(risk, unbounded, 0.2, 0.04, SIZES)


def test_a_performance_without_upper_bound_is_capped_8_deviations_above_its_mean():
    table = Table.from_rows(3, 1, [[0, 1, 2], [0, 2], []])
    task = Task(np.array([[1.0], [-1.0], [0.0]]), np.eye(3)[0], 1.0, terminal=[2])
    posterior = Dirichlet(table, np.full(5, 2.0), np.array([False, False, True]))
    given = posterior, task, [Policy.uniform(3, 1)]
    known, moment = outlook(*given, Mean()), moments(*given)
    assert known.highest[0] == np.inf
    assert known.ceilings == pytest.approx(moment.mean + 8.0 * moment.sd)
