"""Repetitions on listed laws: certificates and estimates of one policy, fixed beforehand."""

from functools import partial

import numpy as np

from benchmarks.guarantees.claims import (
    ALPHA,
    Report,
    Setting,
    Unit,
    frequency,
    grouped,
    mean_share,
    simulated,
)
from benchmarks.guarantees.drawing import ROUNDING, drawn_judge, inside
from benchmarks.guarantees.laws import LAWS, Law, law_of, only, truth_of
from tailsafe.certificate import certified, hoeffding_bound
from tailsafe.certificate.estimate import estimated
from tailsafe.keys import Stream
from tailsafe.race.outlook import rules_of
from tailsafe.ranks import fixed_precision_size
from tailsafe.risk import CVaR, Mean, RiskMeasure, TailMean, VaR

MEASURES = (VaR(0.25), CVaR(0.25), VaR(0.05), CVaR(0.05), Mean(), TailMean(0.25))


def certify_all(setting: Setting) -> Report:
    """Return how often certificates of one policy, fixed beforehand, hold."""
    cases = [(law, risk) for law in LAWS for risk in MEASURES]
    run = partial(_certificates, quick=setting.quick)
    found = simulated(run, cases, setting.repetitions, setting.workers)
    rows = []
    for (law, risk), outcome in found.items():
        claim = f"certificate, {risk.name}"
        if isinstance(risk, TailMean):
            claim = f"Theorem 2, {risk.name}"
        rows.append(frequency(claim, law, 1.0 - ALPHA, outcome[:, 0]))
        if isinstance(risk, VaR):
            marginal = f"marginal bound, {risk.name}"
            rows.append(mean_share(marginal, law, 1.0 - risk.level, outcome[:, 1]))
    return Report(grouped(rows), {})


def _certificates(unit: Unit, *, quick: bool) -> np.ndarray:
    """Return whether the bound held, and the share of models at or above the marginal one."""
    law = law_of(unit.law, quick=quick)
    # The first policy of a made-up law is the one that it was made up for.
    p = law.known(VaR(0.25)).favourite if law.analytic else 0
    truth, performances = truth_of(law, unit.risk)[p], np.asarray(law.U[:, p])
    rounding = ROUNDING * (1.0 + np.abs(performances).max())
    outcomes = []
    for rng in unit.rngs("certificate"):
        bound, share = _bound(law, unit.risk, p, rng), 0.0
        if isinstance(bound, tuple):
            bound, marginal = bound
            share = np.mean(performances >= marginal - rounding)
        outcomes.append((bound <= truth + rounding, share))
    return np.array(outcomes, float)


def _bound(
    law: Law, risk: RiskMeasure, p: int, rng: np.random.Generator
) -> float | tuple[float, float]:
    if isinstance(risk, TailMean):
        judge = drawn_judge(law, CVaR(risk.level), p, rng, 1.0)
        first, further = judge.evaluate(400, Stream.RACE), judge.evaluate(2_000, Stream.RACE)
        return hoeffding_bound(first, further, risk.level, ALPHA, float(judge.lowest))
    judge = drawn_judge(law, risk, p, rng, 1.0)
    certificate = certified(judge, risk, ALPHA, 400 if isinstance(risk, VaR) else 1_000)
    if isinstance(risk, VaR):
        return certificate.bound, certificate.marginal_bound
    return certificate.bound


def estimate_all(setting: Setting) -> Report:
    """Return how often the interval of an estimate of fixed precision holds."""
    cases = [(law, risk) for law in LAWS for risk in (VaR(0.25), CVaR(0.25))]
    run = partial(_estimates, quick=setting.quick)
    found = simulated(run, cases, setting.repetitions, setting.workers)
    rows = [
        frequency(f"estimate of fixed precision, {risk.name}", law, 1.0 - ALPHA, outcome)
        for (law, risk), outcome in found.items()
    ]
    return Report(grouped(rows), {})


def _estimates(unit: Unit, *, quick: bool) -> np.ndarray:
    law, risk = law_of(unit.law, quick=quick), unit.risk
    p = law.known(VaR(0.25)).favourite if law.analytic else 0
    known, truth = only(law.known(risk), p), truth_of(law, risk)[p]
    n = fixed_precision_size(risk.level, 0.04, ALPHA)
    rules = rules_of(risk, known, known.eps(None, 0.04), ALPHA, (n,))
    outcomes = []
    for rng in unit.rngs("estimate"):
        sample = law.U[rng.integers(len(law.U), size=n), p]
        if not isinstance(risk, VaR):
            sample = np.clip(sample, known.floors[0], known.ceilings[0])
        found = estimated(sample, rules, None)
        outcomes.append(inside((found.lower, found.upper), truth, ROUNDING * known.scale))
    return np.array(outcomes, float)
