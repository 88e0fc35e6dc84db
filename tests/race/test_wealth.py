"""Bets on bounded means: shapes, a lower bound that holds on stress laws at whatever time."""

from math import log

import numpy as np
import pytest

from tailsafe.errors import NotSupported
from tailsafe.kernels.eprocess import log_wealth, outgrows
from tailsafe.race.wealth import Shape, lower_bound, predictable_levels, shape_of
from tailsafe.risk import CVaR, Mean, Mixture, Optimistic, TailMean, soft_robust

LEVEL = 0.25


def test_the_wealth_is_the_mean_over_bets_of_the_products_over_time():
    gains = np.random.default_rng(0).uniform(-1.0, 3.0, size=77)
    bets = 0.9 * 2.0 ** -np.arange(13)
    expected = np.log(np.mean(np.prod(1.0 + bets[:, None] * gains, axis=1)))
    assert log_wealth(gains) == pytest.approx(expected, rel=1e-12)
    assert outgrows(gains, expected - 1e-6)
    assert not outgrows(gains, expected + 1e-6)


def test_the_wealth_of_enormous_gains_stays_a_number():
    assert np.isfinite(log_wealth(np.full(100, 1e300)))
    assert log_wealth(np.empty(0)) == pytest.approx(0.0)


@pytest.mark.parametrize("law", [(-1.0, 9.0, 0.1), (-1.0, 1.0, 0.5), (-0.5, 0.125, 0.8)])
def test_a_fair_game_rarely_makes_anybody_rich(law):
    loss, gain, chance = law
    rng, trials, alpha = np.random.default_rng(1), 2_000, 0.1
    games = np.where(rng.uniform(size=(trials, 100)) < chance, gain, loss)
    assert abs(loss * (1 - chance) + gain * chance) < 1e-12
    rich = np.mean([any(outgrows(g[:n], log(1 / alpha)) for n in (10, 30, 100)) for g in games])
    assert rich <= alpha + 3 * np.sqrt(alpha * (1 - alpha) / trials)


@pytest.mark.parametrize("risk", [CVaR(0.25), CVaR(0.05), Mean(), soft_robust(0.25, 0.3)])
def test_a_measure_is_the_largest_mean_over_levels(risk):
    x = np.sort(np.random.default_rng(2).normal(size=400))
    shape = shape_of(risk)
    means = [shape.tail * c + shape.h(x, c).mean() for c in x]
    assert max(means) == pytest.approx(risk.value(x))
    for n in (1, 3, 4, 77, 400):
        assert shape.value(x[None, :n]) == pytest.approx([risk.value(x[:n])], rel=1e-12)
    assert shape.spread(1.0, -3.0, 2.0) >= (shape.h(2.0, 1.0) - shape.h(-3.0, 1.0)) - 1e-12


@pytest.mark.parametrize(
    "risk", [TailMean(0.25), Optimistic(0.25), Mixture(((0.5, CVaR(0.1)), (0.5, CVaR(0.2))))]
)
def test_other_measures_say_what_to_use(risk):
    with pytest.raises(NotSupported, match="use VaR, CVaR, Mean"):
        shape_of(risk)


def test_levels_are_predictable_quantiles_of_the_look_before():
    x = np.random.default_rng(3).normal(size=100)
    c = predictable_levels(x, LEVEL, 7.0, (10, 20, 100))
    assert set(c[:10]) == {7.0}
    assert set(c[10:20]) == {np.sort(x[:10])[2]}
    assert set(c[20:]) == {np.sort(x[:20])[4]}


def stress_laws(rng, shape):
    """(name, sample, CVaR(.25), (least, greatest)) of laws that are hard for a tail bound."""
    u = rng.uniform(size=shape)
    yield "uniform", u, 0.125, (0.0, 1.0)
    yield "atom at the quantile", np.where(u < 0.2, u, np.maximum(u, 0.3)), 0.14, (0.0, 1.0)
    yield "atom just above", np.where(u < 0.26, u, np.where(u < 0.5, 0.26, u)), 0.125, (0.0, 1.0)
    yield "two points", (u > 0.2) * 1.0, 0.2, (0.0, 1.0)
    yield "rare disaster", np.where(u < 0.01, -9.0, 1.0), 0.96 - 0.36, (-9.0, 1.0)


@pytest.mark.slow
@pytest.mark.parametrize("place", range(5))
@pytest.mark.parametrize("guess", [0.25, 0.9, -0.5])
def test_the_lower_bound_of_cvar_holds_on_stress_laws_for_any_guess(place, guess):
    trials, n, alpha = 700, 150, 0.1
    name, X, truth, ends = list(stress_laws(np.random.default_rng(4), (trials, n)))[place]
    bounds = [lower_bound(x, Shape(1.0, LEVEL), guess, ends, alpha) for x in X]
    assert np.mean(np.array(bounds) > truth) <= alpha + 3 * np.sqrt(alpha * 0.9 / trials), name


def test_the_lower_bound_is_valid_at_all_looks_together():
    trials, alpha = 300, 0.1
    X = np.random.default_rng(5).uniform(size=(trials, 400))
    failed = [
        any(lower_bound(x[:n], Shape(1.0, LEVEL), 0.25, (0.0, 1.0), alpha) > 0.125 for n in looks)
        for x in X
        for looks in [(25, 100, 400)]
    ]
    assert np.mean(failed) <= alpha + 3 * np.sqrt(alpha * (1 - alpha) / trials)


def test_the_lower_bound_comes_within_twice_the_width_of_the_central_limit():
    x = np.random.default_rng(6).uniform(size=4_000)
    g = 0.25 - np.maximum(0.25 - x, 0.0) / LEVEL
    normal = 2.326 * g.std() / np.sqrt(len(x))
    bound = lower_bound(x, Shape(1.0, LEVEL), 0.25, (0.0, 1.0), 0.01)
    assert normal < g.mean() - bound < 2.0 * normal


def test_a_constant_is_its_own_bound():
    assert lower_bound(np.full(5, 2.0), Shape(1.0, LEVEL), 2.0, (2.0, 2.0), 0.01) == 2.0


@pytest.mark.parametrize("shape", [Shape(1.0, LEVEL), Shape(0.0, 0.5), Shape(0.4, 0.1)], ids=repr)
def test_the_lower_bound_is_the_largest_value_that_the_wealth_refutes(shape):
    rng, alpha = np.random.default_rng(8), 0.02
    x, c = rng.uniform(size=500), rng.uniform(0.1, 0.6, size=500)
    bound = lower_bound(x, shape, c, (0.0, 1.0), alpha)

    def wealth(m):
        gains = (shape.tail * c + shape.h(x, c) - m) / shape.spread(c, 0.0, 1.0)
        return log_wealth(gains)

    assert wealth(bound) >= log(1.0 / alpha) > wealth(bound + 2e-6)


def test_samples_whose_level_was_below_all_that_can_be_count_for_nothing():
    x = np.random.default_rng(9).uniform(size=400)
    c = np.where(np.arange(400) < 10, -0.5, 0.25)
    bound = lower_bound(x, Shape(1.0, LEVEL), c, (0.0, 1.0), 0.05)
    later = lower_bound(x[10:], Shape(1.0, LEVEL), 0.25, (0.0, 1.0), 0.05)
    assert bound == pytest.approx(later, abs=2e-6)
    assert later > 0.05
