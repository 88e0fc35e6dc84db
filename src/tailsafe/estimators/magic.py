"""MAGIC: partial corrections of a model's value, blended to the least estimated error.

With g_j the WDR estimate whose corrections stop after step j (g_-1 is the model alone), their
covariance Omega and the distance b_j of g_j from a bootstrap interval of the full WDR,

    x = argmin over the simplex of x' (Omega + b b') x,      estimate = x' g

P. S. Thomas, E. Brunskill. Data-efficient off-policy policy evaluation for reinforcement learning.
ICML 2016. Interval: the 5 % and 95 % points of the bootstrap, widened to hold the estimate.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tailsafe.arrays import FloatArray, IntArray, check_count
from tailsafe.estimators.doubly_robust import Control, control
from tailsafe.estimators.estimator import MIN_EFFECTIVE
from tailsafe.estimators.weights import Weighted, episode_sizes, estimated
from tailsafe.policy import Policy
from tailsafe.problem import Problem


@dataclass(frozen=True, slots=True)
class MAGIC:
    """The blend of a model and the weighted log.

    Parameters
    ----------
    horizons
        At most so many partial corrections, evenly spread over the longest episode.
    resamples
        Of the bootstrap.
    seed
        Of the bootstrap.
    min_effective
        In episodes.
    """

    horizons: int = 30
    resamples: int = 200
    seed: int = 0
    min_effective: float = MIN_EFFECTIVE

    def __post_init__(self) -> None:
        check_count(self.horizons, "horizons")
        check_count(self.resamples, "resamples")

    @property
    def name(self) -> str:
        return "MAGIC"

    def score(self, problem: Problem, policies: Sequence[Policy]) -> FloatArray:
        def value(log: Weighted) -> float:
            return self._blend(log, control(problem, log))

        return estimated(problem, policies, self.min_effective, value)

    def effective_sizes(self, problem: Problem, policies: Sequence[Policy]) -> FloatArray:
        return episode_sizes(problem, policies)

    def _blend(self, log: Weighted, model: Control) -> float:
        n, longest = len(model.start), int(log.episodes.lengths.max())
        stops = np.unique(np.linspace(-1, longest - 1, self.horizons + 1).astype(np.int64))
        parts = _contributions(log, model, stops)
        g = parts.sum(axis=0)
        centred = parts - parts.mean(axis=0)
        omega = n / max(n - 1, 1) * centred.T @ centred
        low, high = self._interval(log, model, float(g[-1]))
        bias = np.where(g > high, g - high, np.where(g < low, g - low, 0.0))
        return float(least_on_simplex(omega + np.outer(bias, bias)) @ g)

    def _interval(self, log: Weighted, model: Control, full: float) -> tuple[float, float]:
        n = len(model.start)
        rng = np.random.default_rng(self.seed)
        times = rng.multinomial(n, np.full(n, 1.0 / n), self.resamples).astype(np.float64)
        held, earned = _by_step(log, model)
        total = times @ held
        ratio = np.divide(times @ earned, total, out=np.zeros_like(total), where=total > 0.0)
        drawn = np.sort(times @ model.start / n + ratio.sum(axis=1))
        low = drawn[int(np.floor(0.05 * (self.resamples - 1)))]
        high = drawn[int(np.ceil(0.95 * (self.resamples - 1)))]
        return min(full, float(low)), max(full, float(high))


def least_on_simplex(A: FloatArray) -> FloatArray:
    """Return the x >= 0 of sum 1 with the least x'Ax, for A positive semidefinite."""
    from scipy.linalg import solve_triangular
    from scipy.optimize import nnls

    # Its optimality conditions are those of min y'Ay / 2 - sum y over y >= 0, scaled to sum 1.
    # Where there is nothing to minimise, all weights are the same.
    ridge = 1e-12 * (float(np.trace(A)) or 1.0)
    M = np.linalg.cholesky(A + ridge * np.eye(len(A))).T
    y, _ = nnls(M, solve_triangular(M, np.ones(len(A)), trans="T"))
    x: FloatArray = y / y.sum()
    return x


def _contributions(log: Weighted, model: Control, stops: IntArray) -> FloatArray:
    """Return each episode's part of g_j for each last step j, parts[i, j]."""
    terms, step = log.normalised * model.surprise, log.episodes.step
    until = [log.episodes.sums(np.where(step <= stop, terms, 0.0)) for stop in stops]
    return model.start[:, None] / len(model.start) + np.stack(until, axis=1)


def _by_step(log: Weighted, model: Control) -> tuple[FloatArray, FloatArray]:
    """Return rho_{i,t}, kept past an episode's end, and rho_{i,t} times its surprise, [i, t]."""
    episodes = log.episodes
    steps = np.arange(int(episodes.lengths.max()))
    at = episodes.starts[:, None] + np.minimum(steps, episodes.lengths[:, None] - 1)
    going = steps < episodes.lengths[:, None]
    held = log.cumulative[at]
    return held, np.where(going, held * model.surprise[at], 0.0)
