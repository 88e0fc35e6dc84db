"""Analytic moments of a policy's performance over a posterior, by the delta method.

With the posterior mean Pbar, X = (I - g Pbar_pi)^-1, V = X r, d = mu'X, w_sa[t] = R(s,a,t) + g V[t]
and Sigma_sa = (diag Pbar_sa - Pbar_sa Pbar_sa') / (nu_sa + 1) of a Dirichlet row of total nu_sa:

    mean   = mu'V + g sum_sa d_s pi^2 X[:,s]' Sigma_sa w_sa
    var    = sum_sa d_s^2 pi^2 w_sa' Sigma_sa w_sa
    kappa3 = sum_sa d_s^3 pi^3 2 E_Pbar[(w_sa - E w_sa)^3] / ((nu_sa + 1) (nu_sa + 2))
    VaR    = mean + sd (z_q + (z_q^2 - 1) kappa3 / (6 sd^3))

They choose a favourite, a precision and the order of work; nothing is ever ruled out by them.
E. Delage and S. Mannor, Percentile optimization for Markov decision processes (2010); E. A.
Cornish and R. A. Fisher, Moments and cumulants in the specification of distributions (1938).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tailsafe.arrays import FloatArray
from tailsafe.engine import Engine
from tailsafe.evaluate import performances
from tailsafe.keys import Stream, stream_key
from tailsafe.policy import Policy
from tailsafe.posterior import Dirichlet, Posterior
from tailsafe.risk import CVaR, Mixture, RiskMeasure, VaR
from tailsafe.task import Task
from tailsafe.termination import reachable

DENSE_STATES = 2_000
"""Beyond, and for posteriors that are not Dirichlet, the moments are those of a pilot sample."""

PILOT_MODELS = 256


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """Mean, standard deviation and third cumulant of the performance, each [p]."""

    mean: FloatArray
    sd: FloatArray
    kappa3: FloatArray

    def risk(self, measure: RiskMeasure) -> FloatArray:
        """Return the approximate VaR, CVaR or mixture of each policy; else the mean."""
        from scipy.special import ndtri

        if isinstance(measure, Mixture):
            parts = [weight * self.risk(part) for weight, part in measure.parts]
            return np.asarray(np.sum(parts, axis=0), np.float64)
        if not isinstance(measure, VaR | CVaR):
            return self.mean
        safe = np.where(self.sd > 0.0, self.sd, 1.0)
        skew = np.clip(self.kappa3 / safe**3, -2.0, 2.0) / 6.0
        z = float(ndtri(measure.level))
        quantile: FloatArray = self.mean + self.sd * (z + (z * z - 1.0) * skew)
        if isinstance(measure, VaR):
            return quantile
        # The same expansion in the tail: E[z | z < z_q] = -density/q, E[z^2 - 1] = -z density/q.
        density = float(np.exp(-0.5 * z * z) / np.sqrt(2.0 * np.pi)) / measure.level
        tail: FloatArray = self.mean + self.sd * (-density - z * density * skew)
        return tail


def moments(
    posterior: Posterior,
    task: Task,
    policies: Sequence[Policy],
    seed: int = 0,
    engine: Engine = Engine(),
) -> Moments:
    """Return the moments of each policy's performance, Moments[p]."""
    if pilot_models(posterior) or not isinstance(posterior, Dirichlet):
        key = stream_key(seed, Stream.CANDIDATES)
        U = performances(posterior, task, policies, 0, PILOT_MODELS, key, engine)
        centred = U - U.mean(axis=1, keepdims=True)
        return Moments(U.mean(axis=1), U.std(axis=1), (centred**3).mean(axis=1))
    parts = [_delta_moments(posterior, task, policy.probs) for policy in policies]
    mean, variance, kappa3 = np.array(parts).reshape(-1, 3).T
    return Moments(mean, np.sqrt(np.maximum(variance, 0.0)), kappa3)


def pilot_models(posterior: Posterior) -> int:
    """Return on how many models of the candidates' stream moments are guessed: 0 by formula."""
    formula = isinstance(posterior, Dirichlet) and posterior.table.n_states <= DENSE_STATES
    return 0 if formula else PILOT_MODELS


def _delta_moments(
    posterior: Dirichlet, task: Task, probs: FloatArray
) -> tuple[float, float, float]:
    table, g = posterior.table, task.discount
    row, successor = table.row_of_entry, table.successor
    state, n = row // table.n_actions, task.n_states
    P = posterior.mean()
    # Rows past an end, or never come to, play no part (with discount 1 they may not be solvable).
    live = reachable(table, task, probs) & ~task.terminal
    chosen = np.where(live[state], probs.ravel()[row], 0.0)
    R = task.entry_reward(table)
    flow = np.bincount(state * n + successor, weights=chosen * P, minlength=n * n).reshape(n, n)
    X = np.linalg.inv(np.eye(n) - g * flow)
    V = X @ np.bincount(state, weights=chosen * P * R, minlength=n)
    d = task.initial @ X

    def of_rows(values: FloatArray) -> FloatArray:
        return table.sum_rows(values).ravel()

    w = R + g * V[successor]
    centred = w - of_rows(P * w)[row]
    nu = of_rows(np.where(posterior.known[row], 0.0, posterior.concentration))
    free = np.where(posterior.known, 0.0, 1.0)
    pi, visits = (
        np.where(np.repeat(live, table.n_actions), probs.ravel(), 0.0),
        np.repeat(d, table.n_actions),
    )
    spread = free * of_rows(P * centred**2) / (nu + 1.0)
    bend = free * of_rows(P * centred * X[successor, state]) / (nu + 1.0)
    third = free * 2.0 * of_rows(P * centred**3) / ((nu + 1.0) * (nu + 2.0))
    mean = task.initial @ V + g * (visits * pi**2) @ bend
    return float(mean), float((visits * pi) ** 2 @ spread), float((visits * pi) ** 3 @ third)
