"""Compiled wealth of a gambler who bets against a hypothesis: the e-process of a bounded mean.

If E[gain] <= 0 and gain >= -1, then 1 + bet * gain is no winning game for 0 <= bet < 1, nor is

    wealth = mean_k prod_t (1 + .9 2^-k gain_t),    k = 0 .. 12.

It exceeds 1 / alpha, at whatever time, with probability alpha at most.
J. Ville, Etude critique de la notion de collectif (1939); I. Waudby-Smith and A. Ramdas,
Estimating means of bounded random variables by betting (2024).
"""

import math

import numpy as np
from numba import njit

from tailsafe.arrays import FloatArray

N_BETS = 13
LARGEST_BET = 0.9

GROUP = 16
LARGEST_GAIN = 1e15
"""A smaller gain is a weaker bet, never an invalid one; 16 factors of it fit into a float."""


@njit(nogil=True, cache=True)
def outgrows(gains: FloatArray, log_threshold: float) -> bool:
    """Return whether the logarithm of the wealth, after all of gains[t], reaches the threshold."""
    # log(1 + x) <= x: without enough gain in sum, no bet can have paid.
    if LARGEST_BET * gains.sum() < log_threshold:
        return False
    return log_wealth(gains) >= log_threshold


@njit(nogil=True, cache=True)
def log_wealth(gains: FloatArray) -> float:
    """Return the logarithm of the wealth after all of gains[t]."""
    logs, factors, bets = np.zeros(N_BETS), np.ones(N_BETS), np.empty(N_BETS)
    for k in range(N_BETS):
        bets[k] = LARGEST_BET * 2.0**-k
    n = len(gains)
    for start in range(0, n, GROUP):
        for t in range(start, min(start + GROUP, n)):
            gain = min(gains[t], LARGEST_GAIN)
            for k in range(N_BETS):
                factors[k] *= 1.0 + bets[k] * gain
        for k in range(N_BETS):
            logs[k] += math.log(factors[k])
            factors[k] = 1.0
    highest = logs.max()
    return float(highest + math.log(np.exp(logs - highest).mean()))
