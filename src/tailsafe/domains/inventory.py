"""Inventory: how much to order when the demand is Poisson with an uncertain rate.

The problem of the craam2 library (examples/domains/inventory.R in its version with 21 states),
after M. Petrik, R. H. Russel. Beyond Confidence Regions: Tight Bayesian Ambiguity Sets for Robust
MDPs. NeurIPS 2019. State: items in stock; action: items ordered, which arrive before the demand
x = 0 .. 30. What is not in stock is not sold, what does not fit (20) is lost:

    reward = 4.99 sold - 2.49 ordered - .49 [ordered > 0] - .05 next stock

A Gamma(shape k, scale theta) prior on the rate becomes, after n seen demands x_i,
Gamma(k + sum x_i, theta / (n theta + 1)); craam2 takes k = 4, theta = 6.
"""

import math
from dataclasses import dataclass

import numpy as np

from tailsafe.arrays import FloatArray, check_shape, frozen_floats
from tailsafe.domains.domain import Domain, dense_domain, start_in
from tailsafe.errors import InvalidData
from tailsafe.task import Task

N_STATES, N_ACTIONS = 21, 11
MAX_STOCK, MAX_DEMAND = 20, 30
SALE_PRICE, ITEM_COST, ORDER_COST, HOLDING_COST = 4.99, 2.49, 0.49, 0.05


@dataclass(frozen=True, slots=True)
class GammaRate:
    """A Gamma distribution of the demand rate: the conjugate prior of Poisson demand."""

    shape: float = 4.0
    scale: float = 6.0

    def after(self, demands: FloatArray) -> "GammaRate":
        """Return the posterior once these demands were seen."""
        count, total = len(demands), float(np.sum(demands))
        return GammaRate(self.shape + total, self.scale / (count * self.scale + 1.0))


def inventory(rate: float = 10.0) -> Domain:
    """Return the inventory problem with a mean demand of ``rate``, started with an empty store.

    The reward R[s, a, t] of ending with a full store is its mean at this rate, as the number of
    items sold then depends on the demand; it is exact everywhere else.
    """
    given = frozen_floats(rate, "rate")
    check_shape(given, (), "rate")
    if not given > 0.0:
        raise InvalidData(f"rate must be positive, got {rate}")
    transition, reward = _tables(_demand(rate))
    task = Task(reward=reward, initial=start_in(0, N_STATES), discount=0.95)
    source = "craam2, examples/domains/inventory.R (numbers only)"
    return dense_domain("inventory", task, transition, source)


def _demand(rate: float) -> FloatArray:
    log = [x * math.log(rate) - rate - math.lgamma(x + 1) for x in range(MAX_DEMAND + 1)]
    probability: FloatArray = np.exp(log)
    probability /= probability.sum()
    return probability


def _tables(demand: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return T[s, a, t] and the mean reward R[s, a, t] of each transition."""
    s, a, x = np.indices((N_STATES, N_ACTIONS, len(demand)))
    left = np.maximum(s + a - x, 0)
    t = np.minimum(left, MAX_STOCK)
    profit = SALE_PRICE * (s + a - left) - ITEM_COST * a - ORDER_COST * (a > 0) - HOLDING_COST * t
    T = np.zeros((N_STATES, N_ACTIONS, N_STATES))
    total = np.zeros_like(T)
    np.add.at(T, (s, a, t), np.broadcast_to(demand, t.shape))
    np.add.at(total, (s, a, t), demand * profit)
    return T, np.divide(total, T, out=np.zeros_like(T), where=T > 0.0)
