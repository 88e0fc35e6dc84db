"""Inventory: the tables against one day told item by item; the conjugate prior."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import gamma, poisson

from tailsafe import domains
from tailsafe.domains.inventory import GammaRate
from tailsafe.errors import InvalidData


def a_day(stock, ordered, demand):
    """Return the stock that is left, and what was earned."""
    arrived = stock + ordered
    sold = min(arrived, demand)
    kept = min(arrived - sold, 20)
    earned = 4.99 * sold - 2.49 * ordered - (0.49 if ordered else 0.0) - 0.05 * kept
    return kept, earned


@pytest.mark.parametrize("rate", [3.0, 10.0])
@pytest.mark.parametrize(("stock", "ordered"), [(0, 0), (0, 10), (20, 0), (20, 10), (7, 4)])
def test_a_pair_leads_and_pays_as_a_day_does(rate, stock, ordered):
    world = domains.inventory(rate)
    share = poisson.pmf(np.arange(31), rate)
    share /= share.sum()
    leads, pays = np.zeros(21), 0.0
    for demand, probability in enumerate(share):
        kept, earned = a_day(stock, ordered, demand)
        leads[kept] += probability
        pays += probability * earned
    assert world.truth.transition[stock, ordered] == pytest.approx(leads, abs=1e-14)
    expected = world.task.expected_reward(world.truth.table, world.truth.probability)
    assert expected[stock, ordered] == pytest.approx(pays)


def test_the_gamma_posterior_is_prior_times_likelihood():
    prior, seen = GammaRate(shape=4.0, scale=0.5), np.array([3, 0, 5])
    after = prior.after(seen)

    def joint(rate):
        return gamma.pdf(rate, 4.0, scale=0.5) * poisson.pmf(seen, rate).prod()

    total, _ = quad(joint, 0, 50)
    for rate in (0.5, 2.0, 4.0):
        density = gamma.pdf(rate, after.shape, scale=after.scale)
        assert density == pytest.approx(joint(rate) / total, rel=1e-6)
    assert prior.after(np.array([])) == prior


def test_a_rate_that_is_none_is_refused():
    with pytest.raises(InvalidData, match="rate must be positive, got -1"):
        domains.inventory(-1)
