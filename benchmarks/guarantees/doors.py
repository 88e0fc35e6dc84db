"""The same promises by the public doors, on fresh addresses of posterior models.

The truth is read off a list of other models; what its own error may explain is found by moving it
up by three standard errors, and added to the allowance.
"""

from dataclasses import replace
from functools import cache, partial

import numpy as np

import tailsafe as ts
from benchmarks.guarantees.claims import (
    ALPHA,
    ERRORS,
    Report,
    Row,
    Setting,
    Unit,
    frequency,
    simulated,
)
from benchmarks.guarantees.drawing import ROUNDING
from benchmarks.guarantees.laws import POSTERIORS, law_of, posed, truth_of
from tailsafe.certificate import Judge, certified
from tailsafe.certificate.certify import evaluator
from tailsafe.engine import Engine
from tailsafe.risk import CVaR, RiskMeasure, VaR

FRESH = 200
"""Models of each certificate."""
RING = "ring, 5 states"
EPS_REL = 0.1


def doors_all(setting: Setting) -> Report:
    """Return how often certificates and selections hold on fresh addresses."""
    cases = [(name, VaR(0.25)) for name in POSTERIORS] + [(RING, CVaR(0.25))]
    found = simulated(
        partial(_certificates, quick=setting.quick), cases, setting.repetitions, setting.workers
    )
    rows = [
        _with_error(f"certificate on fresh addresses, {risk.name}", law, outcome)
        for (law, risk), outcome in found.items()
    ]
    run = partial(_selections, quick=setting.quick)
    cases = [(RING, risk) for risk in (VaR(0.25), CVaR(0.25))]
    for (law, risk), outcome in simulated(run, cases, setting.repetitions, setting.workers).items():
        rows.append(_with_error(f"select, {risk.name}: certificate", law, outcome[:, :2]))
        claims = ("selected is within eps", "the best is among the ties")
        for claim, held in zip(claims, outcome[:, 2:].T, strict=True):
            rows.append(frequency(f"select, {risk.name}: {claim}", law, 1.0 - ALPHA, held))
    return Report(rows, {})


def _with_error(claim: str, law: str, outcome: np.ndarray) -> Row:
    """Return the row of bounds held by the truth; the second column is the moved truth."""
    row = frequency(claim, law, 1.0 - ALPHA, outcome[:, 0])
    return replace(row, slack=float(outcome[:, 1].mean() - outcome[:, 0].mean()))


@cache
def _moved(name: str, risk: RiskMeasure, *, quick: bool) -> np.ndarray:
    """Return the truth of each policy and what it is at most, [2, p]."""
    law, truth = law_of(name, quick=quick), truth_of(law_of(name, quick=quick), risk)
    known, n = law.known(risk), len(law.U)
    if isinstance(risk, VaR):
        rank = risk.level * n + ERRORS * np.sqrt(n * risk.level * (1.0 - risk.level))
        return np.stack([truth, np.sort(law.U, axis=0)[int(np.ceil(rank))]])
    U = np.clip(law.U, known.floors, known.ceilings)
    quantile = np.sort(U, axis=0)[round(risk.level * n) - 1]
    parts = quantile - np.maximum(quantile - U, 0.0) / risk.level
    return np.stack([truth, truth + ERRORS * parts.std(axis=0) / np.sqrt(n)])


def _certificates(unit: Unit, *, quick: bool) -> np.ndarray:
    """Return whether the bound is at most the truth, and at most the moved one."""
    law, problem = law_of(unit.law, quick=quick), _problem(unit.law)
    known = law.known(unit.risk)
    p = known.favourite
    truth = _moved(unit.law, unit.risk, quick=quick)[:, p] + ROUNDING * known.scale
    policy = _policies(unit.law)[p]
    ends = float(known.floors[p]), float(known.ceilings[p])
    # To plan with; what it says decides nothing but how sharp the bound is.
    pilot = np.asarray(law.U[:500, p])
    bounds = []
    for seed in range(unit.first, unit.last):
        evaluate = evaluator(problem.posterior, problem.task, policy, seed, Engine(workers=1))
        judge = Judge(evaluate, pilot, ends, float(known.lowest[p]), 1.0)
        bounds.append(certified(judge, unit.risk, ALPHA, FRESH).bound)
    return np.less_equal.outer(bounds, truth).astype(float)


def _selections(unit: Unit, *, quick: bool) -> np.ndarray:
    """Return for each selection: bound held (twice), within eps, the best among the ties."""
    problem, policies = _problem(unit.law), _policies(unit.law)
    values = _moved(unit.law, unit.risk, quick=quick)
    best, place = policies[int(values[0].argmax())], {p: i for i, p in enumerate(policies)}
    outcomes = []
    for seed in range(unit.first, unit.last):
        chosen = ts.select(
            problem, policies, unit.risk, eps_rel=EPS_REL, alpha=ALPHA, seed=seed,
            alpha_certificate=ALPHA, engine=Engine(workers=1),
        )  # fmt: skip
        truth = values[:, place[chosen.best.policy]] + ROUNDING
        bound = chosen.certificate.bound
        gap = values[0].max() - truth[0]
        tied = best in [candidate.policy for candidate in chosen.ties]
        outcomes.append((*(bound <= truth), gap <= chosen.regret_bound, tied))
    return np.array(outcomes, float)


@cache
def _problem(name: str) -> ts.Problem:
    return posed(POSTERIORS[name])


@cache
def _policies(name: str) -> list[ts.Policy]:
    source = POSTERIORS[name]
    return [c.policy for c in ts.propose(_problem(name), source.portfolio()).candidates]
