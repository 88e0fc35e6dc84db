"""Repetitions on listed laws: races that end by themselves, and races that are stopped early."""

from functools import partial

import numpy as np

from benchmarks.guarantees.claims import (
    ALPHA,
    Report,
    Row,
    Setting,
    Unit,
    frequency,
    grouped,
    mean_share,
    simulated,
)
from benchmarks.guarantees.drawing import ROUNDING, drawn_judge, drawn_sheet, inside
from benchmarks.guarantees.laws import LAWS, Law, law_of, truth_of
from tailsafe.certificate import certified
from tailsafe.race.loop import looks_up_to, race
from tailsafe.race.outlook import rules_of
from tailsafe.risk import CVaR, Mean, RiskMeasure, VaR

FULL, SPENT = (2**14, 0.15), (200, 0.005)
"""(max_models, eps_rel) of races that end by themselves, and of races that cannot."""


def race_all(setting: Setting) -> Report:
    """Return how often the promises of a race that may go on hold."""
    return _races(setting, "race", FULL, (VaR(0.25), CVaR(0.25), VaR(0.05), Mean()))


def budget_all(setting: Setting) -> Report:
    """Return how often the promises of a race that is stopped early hold."""
    return _races(setting, "budget", SPENT, (VaR(0.25), CVaR(0.25), Mean()))


def _races(
    setting: Setting, block: str, effort: tuple[int, float], measures: tuple[RiskMeasure, ...]
) -> Report:
    cases = [(law, risk) for law in LAWS for risk in measures]
    run = partial(_raced, block=block, effort=effort, quick=setting.quick)
    found = simulated(run, cases, setting.repetitions, setting.workers)
    rows = [row for case, outcome in found.items() for row in _race_rows(block, case, outcome)]
    return Report(grouped(rows), {})


def _race_rows(block: str, case: tuple[str, RiskMeasure], outcome: np.ndarray) -> list[Row]:
    law, risk = case
    selected, within, ties, regret, bound, share, *intervals = outcome.T
    # The candidate whose interval fails most often.
    worst = min(intervals, key=np.mean)
    claims = [
        (f"{block}, {risk.name}: selected is within eps", 1.0 - ALPHA, within),
        (f"{block}, {risk.name}: the best is among the ties", 1.0 - ALPHA, ties),
        (f"{block}, {risk.name}: the regret bound holds", 1.0 - ALPHA, regret),
        (f"{block}, {risk.name}: interval of a candidate (the worst)", 1.0 - ALPHA, worst),
        (f"{block}, {risk.name}: certificate of the selected", 1.0 - ALPHA, bound),
        (f"{block}, {risk.name}: ended as selected", None, selected),
    ]
    rows = [frequency(claim, law, nominal, held) for claim, nominal, held in claims]
    if isinstance(risk, VaR):
        claim = f"{block}, {risk.name}: marginal bound of the selected"
        rows.append(mean_share(claim, law, 1.0 - risk.level, share))
    return rows


def _raced(unit: Unit, *, block: str, effort: tuple[int, float], quick: bool) -> np.ndarray:
    law = law_of(unit.law, quick=quick)
    truth = truth_of(law, unit.risk)
    return np.array([_one_race(law, unit.risk, truth, rng, effort) for rng in unit.rngs(block)])


def _one_race(
    law: Law,
    risk: RiskMeasure,
    truth: np.ndarray,
    rng: np.random.Generator,
    effort: tuple[int, float],
) -> list[float]:
    """Return 0 or 1 for each promise; the share of models above the marginal bound; intervals."""
    (max_models, eps_rel), known = effort, law.known(risk)
    sizes, eps = looks_up_to(max_models), known.eps(None, eps_rel)
    rules = rules_of(risk, known, eps, ALPHA, sizes)
    sheet = drawn_sheet(law, risk, rng, max_models)
    end = race(sheet, rules, known.favourite, sizes, merge_equal=law.analytic)
    best, b, rounding = int(truth.argmax()), end.leader, ROUNDING * known.scale
    gap = truth[best] - truth[b] - rounding
    certificate = certified(drawn_judge(law, risk, b, rng, 2.0 * eps), risk, ALPHA)
    share = 0.0
    if isinstance(risk, VaR):
        share = float(np.mean(law.U[:, b] >= certificate.marginal_bound - rounding))
    promises = (
        end.end == "selected",
        end.end != "selected" or gap <= eps,
        end.alive[best],
        gap <= end.regret_bound,
        certificate.bound <= truth[b] + rounding,
        share,
    )
    columns = [sheet.columns[i] for i in end.twin]
    held = [inside(rules.interval(x, p), truth[p], rounding) for p, x in enumerate(columns)]
    return [float(value) for value in (*promises, *held)]
