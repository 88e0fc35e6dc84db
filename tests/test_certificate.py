"""Certificates: how often their promises are kept, what they say, what they rest on."""

import numpy as np
import pytest

from tailsafe.certificate import (
    Judge,
    certified,
    certify,
    estimate,
    exact,
    hoeffding,
    hoeffding_bound,
    models_needed,
    quantile_bounds,
    worst_case,
)
from tailsafe.certificate.bounds import MOST_MODELS, tail_bound
from tailsafe.certificate.words import rounded_down
from tailsafe.domains.ring import ring_published
from tailsafe.errors import InvalidData, NotSupported
from tailsafe.evaluate import performances
from tailsafe.extremes import extremes
from tailsafe.keys import Key, Stream
from tailsafe.policy import Policy
from tailsafe.posterior import Dirichlet
from tailsafe.race.wealth import lower_bound, shape_of
from tailsafe.ranks import conformal_rank, hi, lo
from tailsafe.risk import CVaR, Mean, TailMean, VaR, soft_robust
from tailsafe.samples import Samples
from tailsafe.simulate import simulate

ALPHA = 0.1
TRUTH = {VaR(0.25): 0.25, CVaR(0.25): 0.125, Mean(): 0.5, soft_robust(0.25, 0.5): 0.3125}


def allowance(p, trials):
    return 3.0 * np.sqrt(p * (1.0 - p) / trials)


@pytest.fixture(scope="module")
def ring():
    domain = ring_published()
    log = simulate(domain, Policy.uniform(5, 3), 3, 8, seed=1)
    return domain.task, Dirichlet.from_batch(log)


def judged(rng, n, power=1.0):
    """A policy whose performance is a power of a uniform number, on n fresh models."""
    return Judge(
        evaluate=lambda m, _: rng.uniform(size=m) ** power,
        pilot=rng.uniform(size=n) ** power,
        ends=(0.0, 1.0),
        lowest=0.0,
        eps=0.05,
    )


@pytest.mark.parametrize("risk", list(TRUTH), ids=lambda m: m.name)
def test_a_bound_holds_as_often_as_its_confidence_says(risk):
    trials, rng = 700, np.random.default_rng(0)
    bounds = [certified(judged(rng, 50), risk, ALPHA, 150).bound for _ in range(trials)]
    assert np.mean(np.array(bounds) > TRUTH[risk]) <= ALPHA + allowance(ALPHA, trials)
    assert np.mean(bounds) > TRUTH[risk] - 0.2


def test_the_tolerance_bound_of_var_is_nearly_as_sharp_as_can_be():
    trials, rng = 3_000, np.random.default_rng(1)
    bounds = [certified(judged(rng, 50), VaR(0.25), ALPHA, 400).bound for _ in range(trials)]
    missed = np.mean(np.array(bounds) > 0.25)
    assert 0.05 < missed <= ALPHA + allowance(ALPHA, trials)


def test_the_bounds_of_var_stand_on_their_ranks():
    shuffled = np.random.default_rng(9).permutation(np.arange(1.0, 1_001.0))
    bounds = quantile_bounds(shuffled, 0.25, ALPHA, -1.0)
    assert bounds == (lo(1_000, 0.25, ALPHA), conformal_rank(1_000, 0.25))
    assert quantile_bounds(shuffled[:2], 0.25, ALPHA, -1.0) == (-1.0, -1.0)


def test_one_further_model_reaches_the_marginal_bound_as_often_as_it_says():
    trials, rng = 4_000, np.random.default_rng(2)
    bounds = [certified(judged(rng, 9), VaR(0.25), ALPHA, 99).marginal_bound for _ in range(trials)]
    reached = np.mean(rng.uniform(size=trials) >= bounds)
    assert abs(reached - 0.75) <= allowance(0.75, trials)


def test_the_bound_of_theorem_2_holds_for_the_paper_s_tail_mean():
    trials, rng = 2_000, np.random.default_rng(3)
    X = rng.uniform(size=(trials, 600))
    bounds = np.array([hoeffding_bound(x[:200], x[200:], 0.25, ALPHA, 0.0) for x in X])
    assert np.mean(bounds > 0.125) <= ALPHA + allowance(ALPHA, trials)
    assert bounds.mean() > 0.05
    assert hoeffding_bound(X[0][:3], X[0], 0.25, ALPHA, 0.0) == 0.0


def test_the_number_of_models_is_the_one_that_the_pilot_asks_for():
    pilot = np.arange(1, 10_001) / 10_000
    m = models_needed(pilot, VaR(0.25), 0.01, 0.01)
    # 2.326^2 * .25 * .75 / .01^2 = 10,144 by the normal approximation
    assert 9_500 <= m <= 11_500
    assert models_needed(pilot, VaR(0.25), 0.02, 0.01) < m / 3
    assert models_needed(pilot, CVaR(0.25), 0.5, 0.01) == 4_000
    for risk in TRUTH:
        assert models_needed(pilot, risk, 1e-5, 0.01) == MOST_MODELS


@pytest.mark.parametrize("risk", list(TRUTH), ids=lambda m: m.name)
def test_a_certificate_rests_on_models_that_nothing_else_saw(ring, risk):
    task, posterior = ring
    policy = Policy.from_actions([2, 2, 2, 1, 0], 3)
    certificate = certify(posterior, task, policy, risk, n_models=2_000, seed=5)
    U = np.sort(performances(posterior, task, [policy], 0, 2_000, Key(5, Stream.CERTIFICATE))[0])
    assert certificate.n_models == 2_000
    assert certificate.bound < risk.value(U) < certificate.bound + U.std()
    other = performances(posterior, task, [policy], 0, 2_000, 5)[0]
    assert not np.isin(U, other).any()
    if isinstance(risk, VaR):
        assert certificate.bound in U
        assert certificate.bound < certificate.marginal_bound in U


def test_sentences_name_their_probabilities_and_the_prior(ring):
    task, posterior = ring
    policy = Policy.uniform(5, 3)
    said = [
        certify(posterior, task, policy, risk, n_models=500, prior="flat").sentence
        for risk in (VaR(0.25), CVaR(0.25), Mean(), soft_robust(0.25, 0.5))
    ]
    assert all("With Monte Carlo probability at least 0.99, " in s for s in said)
    assert all("the models that the log and the prior (flat) allow" in s for s in said)
    assert "at least 75 % of the models" in said[0]
    assert "the worst 25 % of the models" in said[1]
    assert "on average" in said[2]


def test_a_moved_floor_is_said(ring):
    task, posterior = ring
    policy = Policy.uniform(5, 3)
    moved = certify(posterior, task, policy, CVaR(0.25), n_models=500, floor=0.5)
    assert moved.floor == 0.5
    assert "performances below 0.5 count as that" in moved.sentence
    assert certify(posterior, task, policy, CVaR(0.25), n_models=500, floor=-np.inf).floor is None
    assert certify(posterior, task, policy, VaR(0.25), n_models=500, floor=0.5).floor is None


@pytest.mark.parametrize("risk", [CVaR(0.25), Mean()], ids=lambda m: m.name)
def test_a_floor_that_nothing_more_is_known_of_is_not_given_as_a_bound(risk):
    judge = Judge(lambda m, _: np.linspace(0.1, 0.4, m), np.full(50, 0.3), (0.5, 1.0), 0.1, 0.01)
    certificate = certified(judge, risk, ALPHA, 500)
    assert (certificate.bound, certificate.floor) == (0.1, None)
    assert "count as that" not in certificate.sentence


@pytest.mark.parametrize(
    "value",
    [3.2109999, -3.2109999, 1e-7 / 3, 123456.789, 0.1, 0.0, 148647549.3, -148647549.3, 3e12],
)
def test_a_promise_is_never_rounded_up(value):
    shown = float(rounded_down(value).replace(",", ""))
    assert shown <= value * (1 + 1e-14 * np.sign(value))
    assert shown == pytest.approx(value, rel=1e-5)


def test_powers_of_ten_are_kept_for_numbers_that_nobody_would_read_out():
    values = (999_999.0, -1_234_567.0, 999_999_900.0, 1.2e9, 1.2e-5)
    shown = ["999999", "-1,234,570", "999,999,000", "1.2e+09", "1.2e-05"]
    assert [rounded_down(value) for value in values] == shown


def test_a_finite_list_of_models_is_judged_exactly_with_its_weights():
    certificate = exact(np.array([3.0, 1.0, 2.0]), np.array([0.5, 0.2, 0.3]), CVaR(0.25))
    assert certificate.bound == pytest.approx((0.2 * 1 + 0.05 * 2) / 0.25)
    assert (certificate.confidence, certificate.floor) == (1.0, None)
    assert certificate.sentence.startswith("Exactly: the worst 25 % of the 3 given models")


def test_certify_and_estimate_compute_on_samples(ring):
    task, posterior = ring
    finite = Samples.on_table(posterior.table, posterior.models(0, 20, 0))
    policy = Policy.uniform(5, 3)
    U = np.sort(performances(posterior, task, [policy], 0, 20, 0)[0])
    expected = TailMean(0.25).value(U)
    assert certify(finite, task, policy, TailMean(0.25)).bound == pytest.approx(expected)
    found = estimate(finite, task, policy, TailMean(0.25))
    assert (found.lower, found.value, found.upper) == pytest.approx((expected,) * 3)
    with pytest.raises(NotSupported, match="use certify"):
        hoeffding(finite, task, policy, 0.25)


@pytest.mark.parametrize("risk", [VaR(0.25), CVaR(0.25), Mean()], ids=lambda m: m.name)
def test_an_estimate_spends_what_its_tolerance_asks_for(ring, risk):
    task, posterior = ring
    policy = Policy.from_actions([2, 2, 2, 1, 0], 3)
    found = estimate(posterior, task, policy, risk, tolerance=0.04)
    assert len(found.sample) == (778 if risk != Mean() else 1_037)
    assert found.lower <= found.value <= found.upper
    assert found.value == pytest.approx(risk.value(np.sort(found.sample)), rel=1e-12)
    if risk == VaR(0.25):
        ranks = np.searchsorted(np.sort(found.sample), [found.lower, found.upper]) / 778
        assert ranks == pytest.approx([0.21, 0.29], abs=0.003)


def test_theorem_2_names_the_measure_that_it_bounds(ring):
    task, posterior = ring
    policy = Policy.uniform(5, 3)
    certificate = hoeffding(posterior, task, policy, 0.25, n_models=(1_000, 4_000))
    assert certificate.risk == TailMean(0.25)
    assert certificate.bound < certify(posterior, task, policy, CVaR(0.25)).bound


def test_the_worst_case_needs_no_models():
    certificate = worst_case(CVaR(0.25), -2.5)
    assert (certificate.bound, certificate.confidence, certificate.n_models) == (-2.5, 1.0, 0)
    assert "at least -2.5" in certificate.sentence
    assert certificate.floor is None


def test_a_wrong_confidence_is_refused(ring):
    with pytest.raises(InvalidData, match="alpha must be in"):
        certify(ring[1], ring[0], Policy.uniform(5, 3), alpha=1.0)


@pytest.mark.parametrize(
    ("risk", "share"), [(VaR(0.1), 0.9), (CVaR(0.05), 0.95), (Mean(), None)], ids=str
)
def test_the_share_of_models_that_reach_a_bound_is_all_but_the_level(risk, share):
    rng = np.random.default_rng(4)
    assert certified(judged(rng, 50), risk, ALPHA, 400).probability == share
    assert exact(np.arange(3.0), np.full(3, 1 / 3), risk).probability == share
    assert worst_case(risk, 0.0).probability == share


def test_a_certificate_is_planned_on_other_models_than_it_rests_on(ring):
    task, posterior = ring
    drawn = []

    class Mine:
        table = posterior.table

        def models(self, first, last, seed, rows=None):
            drawn.append((seed.stream, first, last))
            return posterior.models(first, last, seed, rows)

    certificate = certify(Mine(), task, Policy.uniform(5, 3), VaR(0.25), eps_rel=0.3)
    fresh = (Stream.CERTIFICATE, 0, certificate.n_models)
    pilot = performances(posterior, task, [Policy.uniform(5, 3)], 0, 4_096, Key(0, Stream.RACE))[0]
    asked = certify(posterior, task, Policy.uniform(5, 3), VaR(0.25), eps=0.1)
    assert asked.n_models == models_needed(pilot, VaR(0.25), 0.1, 0.01)
    assert drawn == [(Stream.CANDIDATES, 0, 256), (Stream.RACE, 0, 4_096), fresh]


@pytest.mark.parametrize("risk", [CVaR(0.25), Mean(), soft_robust(0.25, 0.5)], ids=lambda m: m.name)
def test_a_tail_bound_moves_what_is_beyond_the_ends_and_bets_on_the_pilot_s_quantile(risk):
    rng, ends = np.random.default_rng(5), (-1.0, 1.5)
    fresh, pilot = rng.normal(size=800), rng.normal(0.5, 1.0, size=300)
    guess = np.sort(pilot)[74]
    shape = shape_of(risk)
    moved = np.clip(fresh, *ends)
    level = guess if shape.level == 0.25 else np.median(np.sort(pilot)[149:150])
    expected = lower_bound(moved, shape, level, ends, ALPHA)
    assert tail_bound(fresh, risk, ALPHA, ends, pilot) == expected
    low = tail_bound(fresh, risk, ALPHA, ends, pilot - 9.0)
    assert low == lower_bound(moved, shape, -1.0, ends, ALPHA)


def test_an_estimate_of_weighted_models_counts_their_weights(ring):
    task, posterior = ring
    models = posterior.models(0, 3, 0)
    weighted = Samples.on_table(posterior.table, models, [0.7, 0.1, 0.2])
    policy = Policy.uniform(5, 3)
    U = performances(weighted, task, [policy], 0, 3, 0)[0]
    found = estimate(weighted, task, policy, Mean())
    assert found.value == pytest.approx(U @ [0.7, 0.1, 0.2])


def test_an_estimate_rests_on_models_of_the_race_and_says_its_floor(ring):
    task, posterior = ring
    policy = Policy.uniform(5, 3)
    found = estimate(posterior, task, policy, CVaR(0.25), tolerance=0.1, floor=1.1, seed=4)
    U = performances(posterior, task, [policy], 0, len(found.sample), Key(4, Stream.RACE))[0]
    assert U.min() < 1.1 < U.max()
    assert np.array_equal(found.sample, np.maximum(U, 1.1))
    assert found.floor == 1.1
    assert found.lower >= 1.1
    assert estimate(posterior, task, policy, VaR(0.25), tolerance=0.1, floor=0.9).floor is None


def test_theorem_2_counts_an_atom_at_its_rank_as_part_of_the_tail():
    bound = hoeffding_bound(np.full(200, 0.75), np.full(400, 0.75), 0.25, ALPHA, 0.25)
    assert bound == pytest.approx(0.75 - 0.5 * np.sqrt(np.log(2 / ALPHA) / 800))


def test_theorem_2_picks_its_tail_from_models_that_its_rank_did_not_see(ring):
    task, posterior = ring
    policy = Policy.uniform(5, 3)
    certificate = hoeffding(posterior, task, policy, 0.25, alpha=0.1, n_models=(300, 500), seed=2)
    U = performances(posterior, task, [policy], 0, 800, Key(2, Stream.CERTIFICATE))[0]
    lowest = extremes(posterior, task, [policy])[0][0]
    assert certificate.bound == hoeffding_bound(U[:300], U[300:], 0.25, 0.1, lowest)
    assert certificate.n_models == 800


def test_the_interval_of_an_estimate_has_the_error_probability_asked_for(ring):
    task, posterior = ring
    found = estimate(posterior, task, Policy.uniform(5, 3), VaR(0.25), tolerance=0.05, alpha=0.3)
    n, ordered = len(found.sample), np.sort(found.sample)
    ranks = lo(n, 0.25, 0.15), hi(n, 0.25, 0.15)
    assert (found.lower, found.upper) == pytest.approx([ordered[k - 1] for k in ranks])
