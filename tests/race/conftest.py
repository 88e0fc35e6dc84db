"""Made-up fields of candidates with known laws, to race without any model."""

from statistics import NormalDist
from types import SimpleNamespace

import numpy as np
import pytest

from tailsafe.race.outlook import FAVOURITE_SHARE
from tailsafe.race.quantile import QuantileRules
from tailsafe.race.sheet import Sheet
from tailsafe.race.tail import TailRules
from tailsafe.race.wealth import shape_of
from tailsafe.risk import VaR

NORMAL = NormalDist()
REACH = 8.0


def oracle_case(seed):
    """Return X[i, m], level, eps and favourite of one race that the oracle also ran."""
    rng = np.random.default_rng(seed)
    n = [2_000, 30_000][seed % 2]
    means = np.round(rng.normal(size=int(rng.integers(2, 9))) * rng.choice([0.05, 0.5]), 3)
    X = correlated(rng, means, n, rng.choice([0.5, 0.95]))
    favourite, eps = int(rng.integers(len(means))), float(rng.choice([0.02, 0.1]))
    return (np.round(X, 1) if seed % 4 == 3 else X), [0.05, 0.25, 0.5][seed % 3], eps, favourite


def correlated(rng, means, n, rho):
    """Return normal performances of deviation 1 on common models, X[i, m]."""
    noise = rng.normal(size=(len(means), n))
    return np.asarray(means)[:, None] + np.sqrt(rho) * rng.normal(size=n) + np.sqrt(1 - rho) * noise


def sheet_of(X, **options):
    """Return a sheet that reads X[i, m]."""
    return Sheet(lambda first, last, who: X[who, first:last], len(X), **options)


def rules(risk, means, sizes, eps=0.1, alpha=0.01, favourite=0):
    """Return the rules of a race among laws within REACH of their means."""
    means = np.asarray(means, float)
    weights = np.full(len(means), (1.0 - FAVOURITE_SHARE) / max(len(means) - 1, 1))
    weights[favourite] = FAVOURITE_SHARE if len(means) > 1 else 1.0
    lowest, highest = means - REACH, means + REACH
    if isinstance(risk, VaR):
        return QuantileRules(risk.level, eps, alpha, len(sizes), weights, lowest, highest)
    shape = shape_of(risk)
    guesses = means + NORMAL.inv_cdf(shape.level)
    return TailRules(shape, eps, alpha, sizes, weights, lowest, highest, guesses)


def true_risk(risk, mean):
    """Return VaR, CVaR or mean of a normal law of deviation 1."""
    level = getattr(risk, "level", None)
    if level is None:
        return mean
    z = NORMAL.inv_cdf(level)
    return mean + (z if isinstance(risk, VaR) else -NORMAL.pdf(z) / level)


def allowance(p, trials):
    """Return three standard errors of a frequency of probability p."""
    return 3.0 * np.sqrt(p * (1.0 - p) / trials)


@pytest.fixture(scope="session")
def fields():
    """Return the functions of this file."""
    names = (oracle_case, correlated, sheet_of, rules, true_risk, allowance)
    return SimpleNamespace(**{function.__name__: function for function in names})
