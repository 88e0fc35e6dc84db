"""Evaluations spent: the race with its certificate beside the paper's printed rule.

The printed tolerance is a share of the sample's range, the eps of the race a number. "The same eps"
is read both ways: the race's default, .01 sd, also asked of the printed rule; and .01 of the range,
also asked of the race.
"""

from dataclasses import replace
from functools import partial

import numpy as np

from benchmarks.guarantees.claims import Report, Setting, Unit, simulated
from benchmarks.guarantees.drawing import drawn_judge, drawn_sheet
from benchmarks.guarantees.laws import POSTERIORS, RIVALS, Law, law_of, posterior_law
from benchmarks.guarantees.rule import ALPHA, LEVEL, SMOOTH, TOLERANCE, printed_stop
from tailsafe.certificate import certified
from tailsafe.race.loop import looks_up_to, race
from tailsafe.race.outlook import rules_of
from tailsafe.risk import VaR

RISK = VaR(LEVEL)
BLOCKS = 500, 20_000
MOST = 2**19
REPETITIONS = 3
HEAD = (
    "| posterior | candidates | eps | race | certificate | printed, k = 500 | printed, k = 20,000 "
    "| gain, k = 500 | gain, k = 20,000 |\n|---|--:|---|--:|--:|--:|--:|--:|--:|"
)


def spent_all(setting: Setting) -> Report:
    """Return what the race with its certificate and the printed rule spend at the same eps."""
    names = list(POSTERIORS) if setting.quick else list(RIVALS)
    run = partial(_spending, quick=setting.quick)
    found = simulated(run, [(name, RISK) for name in names], REPETITIONS, setting.workers)
    lines = []
    for (name, _), outcome in found.items():
        n_policies, *parts = outcome.mean(axis=0)
        for eps, part in (
            (f"{TOLERANCE:g} of the range", parts[:4]),
            (f"{TOLERANCE:g} sd", parts[4:]),
        ):
            lines.append(_line((name, f"{n_policies:.0f}", eps), part))
    return Report([], {"evaluations": "\n".join([HEAD, *lines])})


def _line(words: tuple[str, ...], counts: list[float]) -> str:
    raced, certificate, *printed = counts
    gains = [f"{value / (raced + certificate):.3g}x" for value in printed]
    return f"| {' | '.join([*words, *(f'{value:,.0f}' for value in counts), *gains])} |"


def _spending(unit: Unit, *, quick: bool) -> np.ndarray:
    """Return candidates; then race, certificate and printed evaluations, for either eps."""
    law = law_of(unit.law, quick=True) if quick else posterior_law(unit.law, RIVALS[unit.law])
    return np.array([_spent(law, rng) for rng in unit.rngs("spent")], float)


def _spent(law: Law, rng: np.random.Generator) -> list[float]:
    n_policies, known = law.U.shape[1], law.known(RISK)
    eps = known.eps(None, TOLERANCE)
    of_range, of_deviation = [], []
    ranges = []
    for p in range(n_policies):
        # The printed rule judges each policy on its own.
        x = law.U[rng.integers(len(law.U), size=MOST), p]
        of_range.append([printed_stop(x, k, patience=SMOOTH)[0] for k in BLOCKS])
        of_deviation.append([printed_stop(x, k, lambda _: eps, SMOOTH)[0] for k in BLOCKS])
        ranges.append(TOLERANCE * float(np.ptp(x[: of_range[-1][0]])))
    wide = max(ranges[known.favourite], eps)
    first = [*_raced(law, wide, rng), *np.sum(of_range, axis=0)]
    return [n_policies, *first, *_raced(law, eps, rng), *np.sum(of_deviation, axis=0)]


def _raced(law: Law, eps: float, rng: np.random.Generator) -> tuple[int, int]:
    """Return the evaluations of a race and of its certificate."""
    known, sizes = law.known(RISK), looks_up_to(MOST)
    sheet = drawn_sheet(law, RISK, rng, MOST)
    rules = rules_of(RISK, known, eps, ALPHA, sizes)
    leader = race(sheet, rules, known.favourite, sizes, merge_equal=law.analytic).leader
    judge = drawn_judge(law, RISK, leader, rng, eps)
    judge = replace(judge, pilot=sheet.columns[leader])
    return sheet.evaluations, certified(judge, RISK, ALPHA).n_models
