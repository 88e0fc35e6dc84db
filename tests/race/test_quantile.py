"""The sign test over a band: its error at the exact null, what it rejects, intervals."""

import numpy as np
import pytest

from tailsafe.race.look import Look
from tailsafe.race.quantile import pair_rejects, sign_test_rejects
from tailsafe.ranks import hi, lo
from tailsafe.risk import VaR


def look_at(X, leader=0):
    return Look(np.arange(len(X)), X, np.sort(X, axis=1), leader)


def naive_pair_rejects(x, y, shift, band, share):
    """The definition, point by point."""
    y = y + shift
    inside = [v for v in (*x, *y) if band[0] + shift < v <= band[1] + shift]
    for c in [band[0] + shift, *inside]:
        n10 = np.sum((x <= c) & (y > c))
        n01 = np.sum((y <= c) & (x > c))
        if not sign_test_rejects(np.array([n10]), np.array([n01]), share)[0]:
            return False
    return True


@pytest.mark.parametrize("shift", [0.0, 0.1])
def test_a_pair_is_rejected_exactly_if_every_level_of_the_band_is(shift):
    rejected = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        X = np.round(rng.normal(size=(2, 80)) - np.array([[0.0], [rng.uniform(0, 2)]]), 1)
        band = (-1.0, rng.uniform(-1.0, 0.0))
        expected = naive_pair_rejects(X[1], X[0], shift, band, 0.01)
        assert pair_rejects(look_at(X), 1, shift, band, 0.01) == expected
        rejected += expected
    assert 10 < rejected < 55


@pytest.mark.parametrize("rho", [0.0, 0.9])
@pytest.mark.parametrize("atom", [False, True])
def test_the_pair_test_errs_at_the_exact_null_no_more_often_than_its_share(fields, rho, atom):
    trials, n, share, shift = 1_000, 200, 0.12, 0.1
    errors = 0
    for trial in range(trials):
        X = fields.correlated(np.random.default_rng([5, trial]), [0.0, shift], n, rho)
        if atom:  # both laws get an atom at their quantile, which stays where it is
            quantile = np.array([[0.0], [shift]]) - 0.6744897501960817
            X = np.where(np.abs(X - quantile) < 0.1, quantile, X)
        band = np.sort(X[0])[[lo(n, 0.25, 0.005) - 1, hi(n, 0.25, 0.005) - 1]]
        errors += pair_rejects(look_at(X), 1, shift, tuple(band), share)
    assert errors / trials <= share + fields.allowance(share, trials)


def test_the_sign_test_is_as_sharp_as_the_binomial_law_allows():
    n10, n01 = np.array([7, 6, 0, 8]), np.array([0, 0, 0, 1])
    # 2^-7 < .01 < 2^-6, nothing at all, and 10 / 512 > .01
    assert sign_test_rejects(n10, n01, 0.01).tolist() == [True, False, False, False]


def test_the_leader_is_never_ruled_out_by_itself(fields):
    X = fields.correlated(np.random.default_rng(0), [0.0, -3.0], 2_000, 0.5)
    out, near = fields.rules(VaR(0.25), np.zeros(2), (2_000,)).judge(look_at(X))
    assert out.tolist()[1]
    assert not near[1] or out[1]


@pytest.mark.parametrize("level", [0.05, 0.25, 0.9])
def test_the_interval_of_a_candidate_covers_its_quantile_as_promised(fields, level):
    trials, n, alpha = 2_000, 64, 0.1
    rng = np.random.default_rng(4)
    rules = fields.rules(VaR(level), [0.0], (n,), alpha=alpha)
    bounds = np.array([rules.interval(x, 0) for x in rng.normal(size=(trials, n))])
    truth = fields.true_risk(VaR(level), 0.0)
    covered = np.mean((bounds[:, 0] <= truth) & (truth <= bounds[:, 1]))
    assert covered >= 1 - alpha - fields.allowance(alpha, trials)


def test_too_few_models_rule_nobody_out_and_leave_the_support_as_regret(fields):
    X = fields.correlated(np.random.default_rng(0), [0.0, -3.0], 10, 0.5)
    rules = fields.rules(VaR(0.05), [0.0, -3.0], (10,))
    out, near = rules.judge(look_at(X))
    assert not out.any()
    assert not near.any()
    assert rules.lower(look_at(X)) is None
    regret = rules.regret(look_at(X), np.array([False, True]))
    assert 0.0 < regret <= rules.highest[1] - rules.lowest[0]


@pytest.mark.parametrize("level", [0.05, 0.25])
def test_an_interval_pays_for_every_look_and_ends_at_the_support_where_ranks_give_none(
    fields, level
):
    x = np.random.default_rng(6).normal(size=1_000)
    rules = fields.rules(VaR(level), [0.0], tuple(range(100, 1_001, 50)), alpha=0.2)
    share, ordered = 0.2 / (2 * 19), np.sort(x)
    expected = ordered[lo(1_000, level, share) - 1], ordered[hi(1_000, level, share) - 1]
    assert rules.interval(x, 0) == expected
    assert rules.interval(x[:1], 0) == (-8.0, 8.0)


def test_the_regret_itself_is_refuted_and_little_less_is_not(fields):
    X = fields.correlated(np.random.default_rng(7), [0.0, -0.02], 3_000, 0.9)
    rules, look = fields.rules(VaR(0.25), np.zeros(2), (3_000,)), look_at(X)
    regret = rules.regret(look, np.array([False, True]))
    share = 0.7 * rules.alpha * 0.5
    band = rules._band(look)
    assert 0.0 < regret < rules._upper(look)[1] - band[0]
    assert pair_rejects(look, 1, regret, band, share)
    assert not pair_rejects(look, 1, regret - 1e-3, band, share)
