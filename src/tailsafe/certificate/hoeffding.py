"""Theorem 2 of the paper, one side of it: Hoeffding's inequality on extra models of the tail.

From L models the rank bound u_g <= a_q; of further models, those with Y <= u_g, n of them. Then,
with probability at least 1 - alpha (half for either step),

    E[Y | Y <= a_q] >= E[Y | Y <= u_g] >= mean of these - (u_g - xi) sqrt(ln(2 / alpha) / (2 n)).

It is the paper's CVaR (``TailMean``), with the least possible performance xi. As printed the
theorem is two-sided; its upper side would also need how far u_g is below a_q. The bets of
``certify`` give a tighter bound.
W. Hoeffding, Probability inequalities for sums of bounded random variables (1963).
"""

from math import log, sqrt

import numpy as np

from tailsafe.arrays import FloatArray
from tailsafe.certificate.certificate import Certificate
from tailsafe.certificate.certify import evaluator
from tailsafe.certificate.words import worded
from tailsafe.engine import Engine
from tailsafe.errors import NotSupported
from tailsafe.extremes import extremes
from tailsafe.keys import Stream
from tailsafe.policy import Policy
from tailsafe.posterior import Posterior
from tailsafe.ranks import check_probability, lo
from tailsafe.risk import TailMean
from tailsafe.samples import Samples
from tailsafe.task import Task


def hoeffding(  # noqa: PLR0913 - a public door
    posterior: Posterior,
    task: Task,
    policy: Policy,
    level: float,
    *,
    alpha: float = 0.01,
    n_models: tuple[int, int] = (4_096, 32_768),
    prior: str = "",
    seed: int = 0,
    engine: Engine = Engine(),
) -> Certificate:
    """Return the certificate of Theorem 2: a lower bound of the mean up to the VaR.

    Parameters
    ----------
    level, alpha
        q, and the error probability.
    n_models
        How many models for the rank bound, and how many further ones to pick the tail from.
    prior
        The prior in words.
    """
    check_probability(alpha, "alpha")
    lowest = float(extremes(posterior, task, [policy])[0][0])
    if isinstance(posterior, Samples) or not np.isfinite(lowest):
        raise NotSupported("Theorem 2 needs random models and a least performance: use certify")
    fresh = evaluator(posterior, task, policy, seed, engine)(sum(n_models), Stream.CERTIFICATE)
    bound = hoeffding_bound(fresh[: n_models[0]], fresh[n_models[0] :], level, alpha, lowest)
    return worded(TailMean(level), bound, 1.0 - alpha, prior, n_models=len(fresh))


def hoeffding_bound(
    first: FloatArray, further: FloatArray, level: float, alpha: float, lowest: float
) -> float:
    """Return the lower bound of E[Y | Y <= a_q] from two independent samples."""
    g = lo(len(first), level, 0.5 * alpha)
    edge = float(np.sort(first)[g - 1]) if g >= 1 else lowest
    tail = further[further <= edge]
    if len(tail) == 0:
        return lowest
    return max(
        lowest,
        float(tail.mean()) - (edge - lowest) * sqrt(log(2.0 / alpha) / (2.0 * len(tail))),
    )
