"""The paper's printed rule beside the race: how often the bounds of what they choose hold."""

from functools import partial

import numpy as np

from benchmarks.guarantees.claims import Report, Setting, Unit, frequency, mean_share, simulated
from benchmarks.guarantees.drawing import ROUNDING, drawn_judge, drawn_sheet
from benchmarks.guarantees.laws import POSTERIORS, Law, law_of, truth_of
from benchmarks.guarantees.rule import ALPHA, LEVEL, printed_stop
from benchmarks.guarantees.stress import CROWDS
from tailsafe.certificate import certified
from tailsafe.race.loop import looks_up_to, race
from tailsafe.race.outlook import rules_of
from tailsafe.risk import VaR

RISK = VaR(LEVEL)
BLOCK, MOST = 500, 20_000
MOST_RACED = 500
"""Models of the race beside it: its certificate holds however it ends."""


def printed_all(setting: Setting) -> Report:
    """Return how often the printed bound of the chosen policy holds, and that of the race."""
    cases = [(name, RISK) for name in (*CROWDS, *POSTERIORS)]
    run = partial(_compared, quick=setting.quick)
    found = simulated(run, cases, setting.repetitions, setting.workers)
    rows, lines = [], []
    for (name, _), outcome in found.items():
        printed, printed_share, raced, raced_share = outcome.T
        rows += [
            frequency("bound of the printed choice", name, None, printed),
            frequency("certificate of the race", name, 1.0 - ALPHA, raced),
            mean_share("models that reach the certificate", name, 0.75 * 0.99, raced_share),
        ]
        values = (printed.mean(), raced.mean(), printed_share.mean(), raced_share.mean())
        cells = [name, *(f"{value:.4f}" for value in values)]
        lines.append(f"| {' | '.join(cells)} |")
    head = (
        "| law | printed: bound holds | race: bound holds | printed: models that reach it "
        "| race: models that reach it |\n|---|--:|--:|--:|--:|"
    )
    promised = "| promised | 0.9900 | 0.9900 | 0.7425 | 0.7425 |"
    return Report(rows, {"printed bounds": "\n".join([head, promised, *lines])})


def _compared(unit: Unit, *, quick: bool) -> np.ndarray:
    """Return for the printed choice and the race: bound holds, share of models that reach it."""
    law = law_of(unit.law, quick=quick)
    truth = truth_of(law, RISK)
    return np.array([_both(law, truth, rng) for rng in unit.rngs("printed")])


def _both(law: Law, truth: np.ndarray, rng: np.random.Generator) -> tuple[float, ...]:
    known = law.known(RISK)
    # All policies on the same models, as printed.
    X = law.U[rng.integers(len(law.U), size=MOST)].T.copy()
    values = [printed_stop(x, BLOCK)[1] for x in X]
    chosen = int(np.argmax(values))
    sizes, eps = looks_up_to(MOST_RACED), known.eps(None, 0.1)
    sheet = drawn_sheet(law, RISK, rng, MOST_RACED)
    rules = rules_of(RISK, known, eps, ALPHA, sizes)
    leader = race(sheet, rules, known.favourite, sizes, merge_equal=law.analytic).leader
    certificate = certified(drawn_judge(law, RISK, leader, rng, eps), RISK, ALPHA)
    found = []
    for p, bound in ((chosen, values[chosen]), (leader, certificate.bound)):
        least = bound - ROUNDING * known.scale
        found += [least <= truth[p], float(np.mean(law.U[:, p] >= least))]
    return tuple(found)
