"""Certify a policy: on fresh models, exactly on a finite list of them, or by the worst case."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tailsafe.arrays import FloatArray, check_count
from tailsafe.certificate.bounds import models_needed, quantile_bounds, tail_bound
from tailsafe.certificate.certificate import Certificate
from tailsafe.certificate.words import claim, rounded_down, share_of, worded
from tailsafe.engine import Engine
from tailsafe.evaluate import performances
from tailsafe.keys import Stream, stream_key
from tailsafe.policy import Policy
from tailsafe.posterior import Posterior
from tailsafe.race.outlook import Outlook, outlook
from tailsafe.ranks import check_probability
from tailsafe.risk import CVaR, RiskMeasure, VaR
from tailsafe.samples import Samples
from tailsafe.task import Task

PILOT_MODELS = 4_096
PLANNING_MODELS = 2_048
"""Fewer show the quantiles about a bound too coarsely to say how many models it takes."""


@dataclass(frozen=True, slots=True, eq=False)
class Judge:
    """How a policy is judged, and what is known of it before.

    Parameters
    ----------
    evaluate
        (n_models, stream) -> its performances on the first models of a stream.
    pilot
        Its performances on models of another stream, to plan with.
    ends
        The floor and the greatest performance; a tail bound is for what lies between.
    lowest
        The least possible performance.
    eps
        How close to the estimate the bound should come; it decides how many models are drawn, as
        far as ``bounds.MOST_MODELS``.
    prior
        The prior in words.
    """

    evaluate: Callable[[int, Stream], FloatArray]
    pilot: FloatArray
    ends: tuple[float, float]
    lowest: float
    eps: float
    prior: str = ""


def certify(  # noqa: PLR0913 - the public door: what, how sure, how close, how fast
    posterior: Posterior,
    task: Task,
    policy: Policy,
    risk: RiskMeasure = CVaR(0.25),
    *,
    alpha: float = 0.01,
    eps: float | None = None,
    eps_rel: float = 0.01,
    n_models: int | None = None,
    floor: float | None = None,
    prior: str = "",
    seed: int = 0,
    engine: Engine = Engine(),
) -> Certificate:
    """Return what the policy's risk is at least, judged on models drawn for nothing else.

    Parameters
    ----------
    posterior, task, policy, risk
        What is judged. Over a ``Samples`` posterior the risk is computed, not bounded.
    alpha
        Error probability of the bound.
    eps, eps_rel
        How close the bound should come, in units of performance or of its standard deviation:
        it decides how many models are drawn (up to a limit), never whether the bound holds.
    n_models
        How many models to draw instead.
    floor
        Of a CVaR or mean: performances below count as it. By default 8 standard deviations below
        the mean; minus infinity asks for the least possible performance.
    prior
        The prior in words, for the sentence.
    """
    check_probability(alpha, "alpha")
    evaluate = evaluator(posterior, task, policy, seed, engine)
    if isinstance(posterior, Samples):
        return exact(evaluate(len(posterior), Stream.CERTIFICATE), posterior.weights, risk)
    known = outlook(posterior, task, [policy], risk, floor, seed, engine)
    pilot = evaluate(PILOT_MODELS, Stream.RACE)
    judge = judge_of(evaluate, pilot, known, 0, known.eps(eps, eps_rel), prior)
    return certified(judge, risk, alpha, n_models)


def evaluator(
    posterior: Posterior, task: Task, policy: Policy, seed: int, engine: Engine
) -> Callable[[int, Stream], FloatArray]:
    """Return the function (n_models, stream) -> performances of the policy."""

    def evaluate(n_models: int, stream: Stream) -> FloatArray:
        key = stream_key(seed, stream)
        U: FloatArray = performances(posterior, task, [policy], 0, n_models, key, engine)[0]
        return U

    return evaluate


def judge_of(
    evaluate: Callable[[int, Stream], FloatArray],
    pilot: FloatArray,
    known: Outlook,
    place: int,
    eps: float,
    prior: str,
) -> Judge:
    """Return the judge of the policy at one place of an outlook."""
    ends = float(known.floors[place]), float(known.ceilings[place])
    return Judge(evaluate, pilot, ends, float(known.lowest[place]), eps, prior)


def certified(
    judge: Judge, risk: RiskMeasure, alpha: float, n_models: int | None = None
) -> Certificate:
    """Return the certificate on as many fresh models as the pilot suggests, or as told."""
    if n_models is None:
        n_models = models_needed(judge.pilot, risk, judge.eps, alpha)
    check_count(n_models, "n_models")
    fresh = judge.evaluate(n_models, Stream.CERTIFICATE)
    confidence = 1.0 - alpha
    if isinstance(risk, VaR):
        bound, marginal = quantile_bounds(fresh, risk.level, alpha, judge.lowest)
        return worded(risk, bound, confidence, judge.prior, marginal=marginal, n_models=n_models)
    bound = tail_bound(fresh, risk, alpha, judge.ends, judge.pilot)
    floor = judge.ends[0] if judge.ends[0] > judge.lowest else None
    if bound <= judge.ends[0]:
        # A floor bounds what was moved to it, and nothing else.
        bound, floor = judge.lowest, None
    return worded(risk, bound, confidence, judge.prior, floor_=floor, n_models=n_models)


def exact(performances_: FloatArray, weights: FloatArray, risk: RiskMeasure) -> Certificate:
    """Return the certificate of a finite list of models: nothing is drawn, nothing estimated."""
    order = np.argsort(performances_, kind="stable")
    value = risk.value(performances_[order], weights[order])
    n = len(order)
    sentence = f"Exactly: {claim(risk, f'the {n} given models (by weight)', value)}."
    return Certificate(risk, value, share_of(risk), 1.0, None, n, sentence)


def worst_case(risk: RiskMeasure, lowest: float) -> Certificate:
    """Return the certificate that needs no models: what the worst possible one gives."""
    sentence = (
        "No model was drawn to certify this policy: its performance is at least "
        f"{rounded_down(lowest)}, which is what the worst model that is held possible gives."
    )
    return Certificate(risk, lowest, share_of(risk), 1.0, lowest, 0, sentence)
